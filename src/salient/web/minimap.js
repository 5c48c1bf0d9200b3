/** The whole map in a corner: `<mini-map>` shows the units and the window, and moves it. */

import { changed, fill, h, icon } from "./dom.js";
import { lang, t } from "./i18n.js";
import { later } from "./later.js";
import { coloursOf } from "./palette.js";
import { change, settings } from "./settings.js";

/** @import { SalientBoard } from "./board.js" */
/** @import { GameClient } from "./game.js" */
/** @import { View } from "./wire.d.ts" */

const LONGEST = 190;
/** In a map area so narrow it takes up less. */
const NARROW = 880;
const SHORTER = 130;
/** Of the map this much in the window, and a small one is of no use. */
const NEARLY_ALL = 0.7;

export class MiniMap extends HTMLElement {
  /** @type {SalientBoard} */
  board = later();
  /** @type {GameClient | undefined} */
  game;
  /** The units as they were drawn. @type {View["units"] | undefined} */
  units;
  /** Pixels here for one of the map. */
  scale = 1;
  canvas = h("canvas", { role: "img", "data-label": "minimap.label", "aria-label": t("minimap.label") });
  window = h("div", { class: "window" });
  fold = h("button", { class: "quiet minimap-fold", type: "button", onclick: () => this.toggle() });
  background = new Image();
  /** @type {string[]} where something can be chosen */
  lit = [];

  /** @param {import("./board.js").SalientBoard} board */
  attach(board) {
    this.board = board;
    const { width, height } = board.geometry;
    this.scale = (board.viewport.clientWidth < NARROW ? SHORTER : LONGEST) / Math.max(width, height);
    this.canvas.width = Math.round(width * this.scale * 2);
    this.canvas.height = Math.round(height * this.scale * 2);
    this.canvas.style.width = `${width * this.scale}px`;
    this.replaceChildren(this.canvas, this.window, this.fold);
    this.label();
    this.background.src = board.small;
    this.background.onload = () => this.draw();
    board.camera.addEventListener("moved", () => this.frame());
    this.addEventListener("pointerdown", (event) => this.drag(event));
    this.addEventListener("pointermove", (event) => event.buttons && this.drag(event));
    this.frame();
  }

  /** Folds the map into a button, or unfolds it; the browser remembers. */
  toggle() {
    change({ minimap: !settings.minimap });
    this.label();
  }

  label() {
    if (!changed(this.fold, [lang(), settings.minimap])) return;
    this.classList.toggle("folded", !settings.minimap);
    const words = t(settings.minimap ? "minimap.fold" : "minimap.unfold");
    fill(this.fold, icon(settings.minimap ? "close" : "picture"));
    this.fold.setAttribute("aria-label", words);
    this.fold.title = words;
  }

  /** Shows a position, and lights up what can be chosen. @param {import("./game.js").GameClient} game @param {string[]} lit */
  show(game, lit) {
    this.label();
    if (this.game === game && this.units === game.shown.units && this.lit.join() === lit.join()) return;
    Object.assign(this, { game, lit, units: game.shown.units });
    this.draw();
  }

  draw() {
    const pen = this.canvas.getContext("2d");
    if (!pen || !this.game) return;
    const k = this.scale * 2;
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (this.background.complete && this.background.naturalWidth) pen.drawImage(this.background, 0, 0, this.canvas.width, this.canvas.height);
    const side = Math.max(7, this.board.geometry.size * k * 0.8);
    for (const [id, live] of Object.entries(this.game.shown.units)) {
      const p = live?.where && this.board.geometry.centre(live.where);
      const unit = this.game.components.units[id];
      if (!p || !unit) continue;
      pen.fillStyle = coloursOf(unit).body;
      pen.strokeStyle = "#000";
      pen.lineWidth = 1;
      pen.fillRect(p.x * k - side / 2, p.y * k - side / 2, side, side);
      pen.strokeRect(p.x * k - side / 2, p.y * k - side / 2, side, side);
    }
    for (const place of this.lit) {
      const p = this.board.geometry.centre(place);
      if (p) this.dot(pen, p.x * k, p.y * k);
    }
  }

  /** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y */
  dot(pen, x, y) {
    pen.beginPath();
    pen.arc(x, y, 4, 0, 2 * Math.PI);
    pen.fillStyle = "#fff";
    pen.strokeStyle = "#1b1b16";
    pen.lineWidth = 2;
    pen.fill();
    pen.stroke();
  }

  frame() {
    const view = this.board.camera.visible();
    const { width, height } = this.board.geometry;
    const clamp = (/** @type {number} */ value, /** @type {number} */ high) => Math.max(0, Math.min(high, value)) * this.scale;
    const [left, top, right, bottom] = [clamp(view.left, width), clamp(view.top, height), clamp(view.right, width), clamp(view.bottom, height)];
    this.window.style.transform = `translate(${left}px, ${top}px)`;
    this.window.style.width = `${right - left}px`;
    this.window.style.height = `${bottom - top}px`;
    this.classList.toggle("whole", (right - left) * (bottom - top) > NEARLY_ALL * width * height * this.scale ** 2);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (this.fold.contains(/** @type {Node} */ (event.target))) return;
    const box = this.canvas.getBoundingClientRect();
    this.board.camera.centreOn({ x: (event.clientX - box.left) / this.scale, y: (event.clientY - box.top) / this.scale });
  }
}

customElements.define("mini-map", MiniMap);
