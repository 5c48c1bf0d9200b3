/** Real dice: `<real-dice>` takes the faces that people rolled, by keys or by taps. */

import { die } from "./dice.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";

export class RealDice extends HTMLElement {
  /** @type {number[]} the sides of the dice to roll now */
  needed = [];
  /** @type {number[]} faces typed in earlier rounds of this roll */
  earlier = [];
  /** The side whose dice come first. */
  first = "";
  /** @type {HTMLInputElement} */
  input = later();
  /** @type {HTMLElement} */
  lying = later();
  /** @type {HTMLElement} */
  count = later();
  /** @type {HTMLButtonElement} */
  send = later();

  /** @param {number[]} needed the sides of the dice to roll now @param {string} first the side whose dice come first */
  show(needed, first) {
    this.needed = needed;
    this.first = first;
    this.earlier = [];
    this.render();
  }

  /** More dice must be rolled, after those that were typed. @param {number[]} needed @param {number[]} typed */
  more(needed, typed) {
    this.needed = needed;
    this.earlier = typed;
    this.render();
  }

  render() {
    const [sides] = this.needed;
    const count = this.needed.length;
    this.input = /** @type {HTMLInputElement} */ (
      h("input", { type: "text", inputmode: "numeric", autocomplete: "off", name: "faces", "aria-label": t("real-dice.faces"), placeholder: t("real-dice.example"), oninput: () => this.check() })
    );
    this.lying = h("div", { class: "lying", "aria-hidden": "true" });
    this.count = h("p", { class: "hint", role: "status" });
    this.send = /** @type {HTMLButtonElement} */ (h("button", { class: "action primary", type: "submit" }, t("real-dice.send")));
    const face = (/** @type {number} */ n) => h("button", { class: "quiet face", type: "button", "aria-label": String(n), onclick: () => this.add(n) }, die(n));
    const form = h(
      "form",
      { class: "real-dice" },
      h("p", { class: "hint" }, t(this.earlier.length ? "real-dice.again" : "real-dice.roll", { n: count, sides, first: this.first })),
      h("div", { class: "faces", role: "group", "aria-label": t("real-dice.pad") }, ...Array.from({ length: sides }, (_, i) => face(i + 1))),
      h("div", { class: "row" }, this.input, h("button", { class: "quiet", type: "button", onclick: () => this.takeBack() }, t("real-dice.back"))),
      this.lying,
      this.count,
      this.send,
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (!this.send.disabled) this.dispatchEvent(new CustomEvent("faces", { detail: [...this.earlier, ...this.faces()], bubbles: true }));
    });
    fill(this, form);
    this.check();
  }

  /** The numbers typed so far. @returns {number[]} */
  faces() {
    return (this.input.value.match(/\d+/g) ?? []).map(Number);
  }

  /** @param {number} face */
  add(face) {
    this.input.value = [...this.faces(), face].join(" ");
    this.check();
  }

  takeBack() {
    this.input.value = this.faces().slice(0, -1).join(" ");
    this.check();
  }

  check() {
    const faces = this.faces();
    const wrong = faces.find((face) => face < 1 || face > this.needed[0]);
    const left = this.needed.length - faces.length;
    fill(this.lying, ...faces.filter((face) => face !== wrong).map(die));
    const words = wrong !== undefined ? t("real-dice.wrong", { face: wrong, sides: this.needed[0] }) : left > 0 ? t("real-dice.left", { n: left }) : left < 0 ? t("real-dice.too-many", { n: -left }) : t("real-dice.ready");
    fill(this.count, words);
    this.send.disabled = wrong !== undefined || left !== 0;
  }
}

customElements.define("real-dice", RealDice);
