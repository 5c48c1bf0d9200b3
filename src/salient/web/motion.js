/** What happens to counters, as it is seen: along the way they went, a flash where one was hit, a fall where one is eliminated. */

import { woundsOf } from "./counters.js";

/** @import { Entry } from "./api.js" */
/** @import { Pieces } from "./pieces.js" */

/** Milliseconds of each hex of a way, and of a way at most. */
const HEX = 110;
const LONGEST_WAY = 800;
const FLASH = 650;
const FALL = 520;

export class Motion {
  /** @param {Pieces} pieces */
  constructor(pieces) {
    this.pieces = pieces;
    /** @type {Map<string, string[]>} the ways that units went, as far as they are not yet shown */
    this.ways = new Map();
    /** @type {Set<string>} units that were hit */
    this.hit = new Set();
    /** @type {HTMLElement[]} pictures of counters that are gone, where they lay */
    this.gone = [];
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** Notes what an action does to counters that are on the map, before they are shown as they are then. @param {Entry} entry */
  note({ change, way }) {
    for (const [id, now] of Object.entries(change?.units ?? {})) {
      const piece = this.pieces.pieces.get(id);
      if (!piece?.shown) continue;
      if (!now?.where || !this.pieces.geometry.has(now.where)) this.gone.push(pictureOf(piece.element));
      else if (piece.live && woundsOf(now) > woundsOf(piece.live)) this.hit.add(id);
      if (way && now?.where === way.at(-1)) this.ways.set(id, this.joined(id, way));
    }
  }

  /** A way after the one that the unit has gone already, if it goes on from there. @param {string} id @param {string[]} way */
  joined(id, way) {
    const before = this.ways.get(id) ?? [];
    return before.at(-1) === way[0] ? [...before, ...way.slice(1)] : way;
  }

  /** Shows what was noted, once the counters lie where they lie now. */
  show() {
    const { ways, hit, gone } = this;
    Object.assign(this, { ways: new Map(), hit: new Set(), gone: [] });
    if (this.still.matches) return;
    for (const [id, way] of ways) this.along(id, way);
    for (const id of hit) this.flash(id);
    for (const picture of gone) this.fall(picture);
  }

  /** Along a way instead of straight. @param {string} id @param {string[]} way */
  along(id, way) {
    const piece = this.pieces.pieces.get(id);
    const { geometry } = this.pieces;
    const end = way[way.length - 1];
    if (piece?.place !== end || !way.every((place) => geometry.has(place))) return;
    for (const slide of piece.element.getAnimations()) if (slide instanceof CSSTransition) slide.cancel();
    const to = geometry.point(end);
    const steps = way.map((place) => geometry.point(place)).map(({ x, y }) => ({ translate: `${(x - to.x).toFixed(1)}px ${(y - to.y).toFixed(1)}px` }));
    piece.element.animate(steps, { id: "way", duration: Math.min(LONGEST_WAY, HEX * (way.length - 1)), easing: "ease-in-out" });
  }

  /** @param {string} id */
  flash(id) {
    const ring = (/** @type {string} */ reach, /** @type {number} */ strength) => ({ boxShadow: `0 0 0 ${reach} rgb(194 36 15 / ${strength}%)` });
    this.pieces.pieces.get(id)?.element.animate([ring("0", 100), ring("calc(var(--counter) * 0.5)", 0)], { duration: FLASH, iterations: 2, easing: "ease-out" });
  }

  /** @param {HTMLElement} picture */
  fall(picture) {
    this.pieces.layer.append(picture);
    const fallen = picture.animate([{ opacity: 1 }, { opacity: 0, translate: "0 calc(var(--counter) * 0.6)", rotate: "18deg" }], { duration: FALL, easing: "ease-in" });
    fallen.onfinish = fallen.oncancel = () => picture.remove();
  }
}

/** A picture of a counter that nobody can press. @param {HTMLElement} counter */
function pictureOf(counter) {
  const picture = document.createElement("div");
  picture.className = "counter fallen";
  picture.style.cssText = counter.style.cssText;
  picture.setAttribute("aria-hidden", "true");
  picture.append(...[...counter.children].map((part) => part.cloneNode(true)));
  return picture;
}
