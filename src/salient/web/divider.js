/**
 * `<pane-divider>`: the edge of a part of the table, which can be dragged, moved with arrow keys and put back by a double
 * click. The browser remembers the size; the style sheets read it from a property of the table and say when there is an edge.
 */

import { t } from "./i18n.js";
import { later } from "./later.js";
import { change, settings } from "./settings.js";

/** @typedef {"column" | "shelf" | "decision"} Size what can be sized: the column beside the map, what lies below the map, the decision */

/** What each edge sizes, along which axis, and on which side of the edge it lies. @type {Record<Size, { part: string, axis: "x" | "y", after: boolean }>} */
const EDGES = {
  column: { part: ".side", axis: "x", after: true },
  shelf: { part: ".side", axis: "y", after: true },
  decision: { part: "action-panel", axis: "y", after: false },
};
/** What an arrow key moves an edge by, in letters. */
const STEP = 1;
const ARROWS = { ArrowRight: { x: 1, y: 0 }, ArrowLeft: { x: -1, y: 0 }, ArrowDown: { x: 0, y: 1 }, ArrowUp: { x: 0, y: -1 } };

export class PaneDivider extends HTMLElement {
  /** @type {HTMLElement} the table, of which the size is a property */
  table = later();
  /** @type {Size} */
  size = "column";

  /** @param {HTMLElement} table @param {Size} size */
  attach(table, size) {
    this.table = table;
    this.size = size;
    this.tabIndex = 0;
    this.setAttribute("role", "separator");
    this.setAttribute("aria-orientation", this.edge.axis === "x" ? "vertical" : "horizontal");
    this.dataset.size = size;
    this.dataset.label = `divider.${size}`;
    this.setAttribute("aria-label", t(`divider.${size}`));
    this.addEventListener("pointerdown", (event) => this.press(event));
    this.addEventListener("dblclick", () => this.choose(0));
    this.addEventListener("keydown", (event) => this.step(event));
    this.addEventListener("focus", () => this.tell());
    this.setAttribute("aria-valuenow", String(settings[size]));
    this.apply();
  }

  get edge() {
    return EDGES[this.size];
  }

  /** How large the part is now, in letters, so that larger text gets more room. */
  get letters() {
    const part = /** @type {HTMLElement} */ (this.table.querySelector(this.edge.part));
    return (this.edge.axis === "x" ? part.offsetWidth : part.offsetHeight) / letter();
  }

  /** Gives the part the size that was chosen; 0 leaves it to the style sheets. */
  apply() {
    const letters = settings[this.size];
    if (letters) this.table.style.setProperty(`--${this.size}`, `${letters}rem`);
    else this.table.style.removeProperty(`--${this.size}`);
  }

  /** @param {number} letters */
  choose(letters) {
    change({ [this.size]: Math.max(0, Math.round(letters * 10) / 10) });
    this.apply();
    this.tell();
  }

  /** Says how large the part is. */
  tell() {
    this.setAttribute("aria-valuenow", this.letters.toFixed());
  }

  /** @param {PointerEvent} event */
  press(event) {
    event.preventDefault();
    this.focus();
    this.setPointerCapture(event.pointerId);
    const { letters } = this;
    const move = (/** @type {PointerEvent} */ now) => this.choose(letters + this.growth({ x: now.clientX - event.clientX, y: now.clientY - event.clientY }) / letter());
    this.addEventListener("pointermove", move);
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) this.addEventListener(end, () => this.removeEventListener("pointermove", move), { once: true });
  }

  /** By how much the part grows if its edge is moved. @param {{ x: number, y: number }} by */
  growth(by) {
    const { axis, after } = this.edge;
    return after ? -by[axis] : by[axis];
  }

  /** @param {KeyboardEvent} event */
  step(event) {
    const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
    if (!arrow) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.letters + this.growth(arrow) * STEP);
  }
}

/** The height of a letter, in pixels. */
const letter = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

customElements.define("pane-divider", PaneDivider);
