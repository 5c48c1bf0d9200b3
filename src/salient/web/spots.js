/** Places that somebody asked to see: rings on the map until the next click or after a while. */

import { fill, s } from "./dom.js";

/** @import { Point } from "./geometry.js" */

const WHILE = 6000;

export class Spots {
  /** @param {import("./board.js").SalientBoard} board */
  constructor(board) {
    this.board = board;
    const { width, height } = board.geometry;
    this.svg = s("svg", { class: "spots", "aria-hidden": "true", width, height, viewBox: `0 0 ${width} ${height}` });
    board.over.after(this.svg);
    board.addEventListener("pick", () => this.clear());
  }

  /** Rings places and brings them into sight. @param {string[]} places @param {number} [time] how long; 0 keeps them */
  show(places, time = WHILE) {
    const known = this.ring(places, time);
    if (!known.length) return;
    if (known.length === 1) this.board.goTo(known[0]);
    else this.board.showSome(known);
    this.board.reveal(known[0]);
  }

  /** Rings places wherever the map is; those that it has. @param {string[]} places @param {number} [time] */
  ring(places, time = WHILE) {
    const { geometry } = this.board;
    const known = [...new Set(places)].filter((place) => geometry.has(place));
    if (!known.length) return [];
    fill(this.svg, ...known.map((place) => ring(geometry.point(place), geometry.size)));
    clearTimeout(this.timer);
    if (time) this.timer = setTimeout(() => this.clear(), time);
    return known;
  }

  clear() {
    clearTimeout(this.timer);
    fill(this.svg);
  }
}

/** @param {Point} point @param {number} r */
function ring({ x, y }, r) {
  return s("g", { class: "spot" }, s("circle", { class: "under", cx: x, cy: y, r: r * 0.95, "stroke-width": r * 0.26 }), s("circle", { class: "over", cx: x, cy: y, r: r * 0.95, "stroke-width": r * 0.13 }));
}
