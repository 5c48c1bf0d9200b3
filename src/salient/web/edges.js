/** What lies on hexsides: the front line between two sides, bridges blown or rebuilt. */

import { fill, s } from "./dom.js";
import { sideColour } from "./palette.js";

/** @import { Point } from "./geometry.js" */
/** @import { Edge } from "./wire.d.ts" */
/** @typedef {{ x: number, y: number, across: Point, along: Point }} Hexside its middle, the way across it and the way along it */

export class EdgeLayer {
  /** @param {import("./board.js").SalientBoard} board */
  constructor(board) {
    this.geometry = board.geometry;
    const { width, height } = this.geometry;
    this.svg = s("svg", { class: "edges", "aria-hidden": "true", width, height, viewBox: `0 0 ${width} ${height}` });
    board.overlaySvg.after(this.svg);
    /** What is drawn now. */
    this.shown = "";
  }

  /** @param {Edge[]} edges @param {(key: string) => string} name */
  show(edges, name) {
    const text = JSON.stringify(edges);
    if (text === this.shown) return;
    this.shown = text;
    fill(this.svg, ...edges.flatMap((edge) => this.draw(edge, name)));
  }

  /** @param {Edge} edge @param {(key: string) => string} name */
  draw({ key, look, sides, between }, name) {
    const known = sides.map(([a, b]) => this.side(a, b)).filter((side) => side !== null);
    if (look === "line") return this.line(known, between ?? ["", ""]);
    return known.map((side) => s("g", { class: `edge-${look}`, "data-edge": key }, s("title", {}, name(key)), ...this.sign(look, side)));
  }

  /** The hexside between two hexes: its middle, the way along it, the way across from the first hex to the second. @param {string} a @param {string} b */
  side(a, b) {
    const [p, q] = [this.geometry.centre(a), this.geometry.centre(b)];
    if (!p || !q) return null;
    const length = Math.hypot(q.x - p.x, q.y - p.y);
    const across = { x: (q.x - p.x) / length, y: (q.y - p.y) / length };
    return { x: (p.x + q.x) / 2, y: (p.y + q.y) / 2, across, along: { x: -across.y, y: across.x } };
  }

  /** A double line: each half in the colour of the side it faces. @param {Hexside[]} sides @param {[string, string]} between */
  line(sides, between) {
    const r = this.geometry.size;
    const path = (/** @type {number} */ shift) =>
      sides
        .map(({ x, y, across, along }) => {
          const [cx, cy] = [x + across.x * shift * r, y + across.y * shift * r];
          const half = (0.5 - Math.abs(shift) * 0.3) * r;
          return `M${(cx - along.x * half).toFixed(1)},${(cy - along.y * half).toFixed(1)}L${(cx + along.x * half).toFixed(1)},${(cy + along.y * half).toFixed(1)}`;
        })
        .join("");
    const stroke = (/** @type {number} */ shift, /** @type {number} */ width, /** @type {string} */ colour, /** @type {string} */ name) => s("path", { class: name, d: path(shift), stroke: colour, "stroke-width": width * r });
    return [
      stroke(0, 0.26, "#fffdf5", "edge-casing"),
      stroke(-0.055, 0.1, sideColour(between[0]), "edge-line"),
      stroke(0.055, 0.1, sideColour(between[1]), "edge-line"),
    ];
  }

  /** @param {string} look @param {Hexside} hexside */
  sign(look, { x, y, across, along }) {
    const r = this.geometry.size;
    const at = (/** @type {number} */ u, /** @type {number} */ v) => `${(x + (across.x * u + along.x * v) * r).toFixed(1)},${(y + (across.y * u + along.y * v) * r).toFixed(1)}`;
    const d =
      look === "cut"
        ? `M${at(-0.2, -0.2)}L${at(0.2, 0.2)}M${at(-0.2, 0.2)}L${at(0.2, -0.2)}`
        : `M${at(-0.3, -0.26)}L${at(-0.2, -0.16)}L${at(0.2, -0.16)}L${at(0.3, -0.26)}M${at(-0.3, 0.26)}L${at(-0.2, 0.16)}L${at(0.2, 0.16)}L${at(0.3, 0.26)}`;
    return [s("path", { class: "under", d, "stroke-width": r * 0.18 }), s("path", { class: "over", d, "stroke-width": r * 0.09 })];
  }
}
