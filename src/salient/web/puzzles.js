/** Problems with known best play: `<salient-puzzles>` lists them, shows one, and tells what every choice achieves. */

import { get, post } from "./api.js";
import { failed } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { lang, t } from "./i18n.js";

/** @import { ProblemLine, Weighed } from "./wire.d.ts" */

export class SalientPuzzles extends HTMLElement {
  /** @type {string | undefined} the problem that is shown */
  name;
  shown = h("section", { class: "puzzle", "aria-live": "polite" });
  choices = h("ul", { class: "puzzle-choices" });
  verdict = h("p", { class: "puzzle-verdict", role: "status" });
  reword = () => this.open(this.name);

  connectedCallback() {
    document.addEventListener("language", this.reword);
  }

  disconnectedCallback() {
    document.removeEventListener("language", this.reword);
  }

  /** Shows a problem, or all. @param {string} [name] */
  async open(name) {
    this.name = name;
    const { puzzles } = await get("puzzles");
    document.title = `${t("puzzle.title")} – Salient`;
    const index = h("section", { class: "puzzle-list", "aria-labelledby": "puzzles" }, h("h2", { id: "puzzles" }, t("puzzle.title")), h("p", { class: "muted" }, t("puzzle.help")), ...this.byGame(puzzles));
    fill(this, h("header", { class: "masthead" }, h("a", { class: "quiet", href: "#" }, icon("back"), h("span", {}, t("people.back"))), h("h1", {}, "Salient")), h("main", { class: "online puzzles" }, index, this.shown));
    await this.show((puzzles.find((each) => each.name === name) ?? puzzles[0]).name);
  }

  /** @param {ProblemLine[]} puzzles */
  byGame(puzzles) {
    const titles = [...new Set(puzzles.map(({ title }) => title))];
    const link = (/** @type {ProblemLine} */ { name, kind }) => h("li", {}, h("a", { href: `#puzzle/${name}`, "data-puzzle": name }, t(`puzzle.kind.${kind}`)));
    return titles.map((title) => h("div", {}, h("h3", {}, title), h("ul", {}, ...puzzles.filter((each) => each.title === title).map(link))));
  }

  /** @param {string} name */
  async show(name) {
    const puzzle = await get(`puzzles/${name}`);
    for (const link of this.querySelectorAll("[data-puzzle]")) link.toggleAttribute("aria-current", link.getAttribute("data-puzzle") === name);
    this.choices = h("ul", { class: "puzzle-choices" }, ...puzzle.legal.map(({ text, label }) => h("li", {}, h("button", { class: "action", type: "button", "data-answer": text, onclick: () => this.answer(name, text) }, label))));
    this.verdict = h("p", { class: "puzzle-verdict", role: "status" });
    fill(
      this.shown,
      h("h2", {}, `${puzzle.title}: ${t(`puzzle.kind.${puzzle.kind}`)}`),
      h("p", { class: "muted" }, puzzle.heading),
      h("p", {}, h("strong", {}, puzzle.goal), " ", puzzle.prompt),
      h("img", { class: "puzzle-board", alt: t("puzzle.board"), src: `/api/puzzles/${name}/board.svg?lang=${lang()}` }),
      this.choices,
      this.verdict,
    );
  }

  /** @param {string} name @param {string} action */
  async answer(name, action) {
    try {
      const { right, told } = await post(`puzzles/${name}/answers`, { action });
      fill(this.verdict, t(right ? "puzzle.right" : "puzzle.wrong"));
      this.verdict.classList.toggle("bad", !right);
      fill(this.choices, ...told.map((each) => this.told(each, each.action === action)));
    } catch (error) {
      failed(error);
    }
  }

  /** @param {Weighed} weighed @param {boolean} chosen */
  told({ action, label, share }, chosen) {
    const bar = h("span", { class: "puzzle-share", "aria-hidden": "true" });
    bar.style.width = `${Math.round(share * 100)}%`;
    return h("li", { class: `puzzle-told ${chosen ? "chosen" : ""} ${share > 0.999 ? "best" : ""}`, "data-told": action }, bar, h("span", {}, label), h("b", {}, `${Math.round(share * 100)} %`));
  }
}

customElements.define("salient-puzzles", SalientPuzzles);
