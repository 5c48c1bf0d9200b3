/** Arrows at the map's edge: how much can be chosen out of sight, in which direction; a click goes there. */

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";

const MARGIN = 34;
const SECTORS = 4;
/** Half the size of an arrow. */
const HALF = { x: 38, y: 20 };

/** @typedef {{ place: string, x: number, y: number, distance: number }} Sighted */

export class Beacons {
  /** @param {import("./board.js").SalientBoard} board @param {HTMLElement} layer above the map */
  constructor(board, layer) {
    this.board = board;
    this.layer = layer;
    /** @type {string[]} */
    this.places = [];
    /** @type {{ left: number, right: number, top: number, bottom: number }[]} where the buttons of the map and its overview lie */
    this.covered = [];
    board.camera.addEventListener("moved", () => this.drawSoon());
  }

  /** @param {Iterable<string>} places what can be chosen on the map */
  show(places) {
    this.places = [...places];
    const { left, top } = this.layer.getBoundingClientRect();
    this.covered = this.board.covers.map((cover) => cover.getBoundingClientRect()).map((box) => ({ left: box.left - left, right: box.right - left, top: box.top - top, bottom: box.bottom - top }));
    this.draw();
  }

  drawSoon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  draw() {
    const groups = new Map();
    for (const sighted of this.outOfSight()) {
      const sector = sectorOf(sighted, this.board.camera.window);
      groups.set(sector, [...(groups.get(sector) ?? []), sighted]);
    }
    fill(this.layer, ...[...groups.values()].map((group) => this.arrow(group)));
  }

  /** @returns {Sighted[]} */
  outOfSight() {
    const { camera, geometry } = this.board;
    const { clientWidth: width, clientHeight: height } = camera.window;
    return this.places.flatMap((place) => {
      const centre = geometry.centre(place);
      if (!centre || camera.sees(centre)) return [];
      const { x, y } = camera.toScreen(centre);
      return [{ place, x, y, distance: Math.hypot(x - width / 2, y - height / 2) }];
    });
  }

  /** @param {Sighted[]} group */
  arrow(group) {
    const { clientWidth: width, clientHeight: height } = this.board.camera.window;
    const nearest = group.reduce((a, b) => (a.distance <= b.distance ? a : b));
    const [dx, dy] = [nearest.x - width / 2, nearest.y - height / 2];
    const reach = Math.min((width / 2 - MARGIN) / Math.abs(dx || 1e-6), (height / 2 - MARGIN) / Math.abs(dy || 1e-6));
    const label = t("beacon.there", { n: group.length });
    const arrow = h("button", { class: "beacon", type: "button", title: label, "aria-label": label, onclick: () => this.board.goTo(nearest.place) }, icon("go"), h("b", {}, String(group.length)));
    const at = this.beside(width / 2 + dx * reach, height / 2 + dy * reach);
    arrow.style.left = `${at.x}px`;
    arrow.style.top = `${at.y}px`;
    arrow.style.setProperty("--turn", `${Math.atan2(dy, dx)}rad`);
    return arrow;
  }

  /** Beside what lies on the map there, all of which lies at its left. @param {number} x @param {number} y */
  beside(x, y) {
    const cover = this.covered.find(({ left, right, top, bottom }) => x > left - HALF.x && x < right + HALF.x && y > top - HALF.y && y < bottom + HALF.y);
    return { x: cover ? cover.right + HALF.x : x, y };
  }
}

/** @param {Sighted} sighted @param {{ clientWidth: number, clientHeight: number }} window */
function sectorOf({ x, y }, { clientWidth, clientHeight }) {
  const angle = Math.atan2(y - clientHeight / 2, x - clientWidth / 2);
  return Math.round((angle / Math.PI) * (SECTORS / 2) + SECTORS) % SECTORS;
}
