/** The counters on the map: real buttons, in tidy stacks that fan out, hidden while out of sight. */

import { counterMarkup } from "./counters.js";
import { h } from "./dom.js";
import { later } from "./later.js";

/** @import { Live, Unit } from "./counters.js" */
/** @import { Geometry, Point } from "./geometry.js" */

const COUNTER = 1.12;
const LEAN = 0.085;
const DEEPEST = 4;
const FAN_MIN = 58;
const FAN_ROW = 4;
const FINGER = 24;
/** A bare number says nothing: it comes with the name of what it is a number of. */
const NUMBER = /^\d+$/;
const AT_THE_BOTTOM = new Set(["supply", "truck"]);
/** How a counter is marked: each kind is a class name and a bit of what is remembered of its counter. */
const KINDS = /** @type {const} */ (["selectable", "mover", "selected", "in-focus", "hindering"]);
const SELECTABLE = 1;
const SELECTED = 4;

/** @typedef {{ id: string, element: HTMLElement, place: string, x: number, y: number, scale: number, look: string, live?: Live, wording: number, lies: string, marks: number, shown: boolean }} Piece a counter as it is drawn */
/** @typedef {{ x: number, y: number, scale: number }} Spot where a counter lies in its hex */

export class Pieces {
  /** @param {HTMLElement} layer @param {import("./camera.js").Camera} camera */
  constructor(layer, camera) {
    this.layer = layer;
    this.camera = camera;
    /** @type {Map<string, Piece>} */
    this.pieces = new Map();
    /** @type {Map<string, string[]>} */
    this.stacks = new Map();
    /** @type {string | null} */
    this.fanned = null;
    /** Whether the counters of a stack lie side by side rather than on top of each other. */
    this.spread = false;
    /** @type {Geometry} */
    this.geometry = later();
    /** The side of a counter, in pixels of the map. */
    this.side = 0;
    /** The part of the map whose counters are drawn. */
    this.drawn = { left: 0, top: 0, right: 0, bottom: 0 };
    this.plate = h("div", { class: "fan-plate", hidden: true });
    this.markerLayer = h("div", { class: "markers" });
    /** The markers that are shown. */
    this.markers = "";
    layer.append(this.markerLayer, this.plate);
    camera.addEventListener("moved", () => this.reveal());
    camera.addEventListener("settled", () => this.cull());
  }

  /** @param {Geometry} geometry */
  setGeometry(geometry) {
    this.geometry = geometry;
    this.side = geometry.size * COUNTER;
    this.layer.style.setProperty("--counter", `${this.side}px`);
  }

  /**
   * Shows a position.
   * @param {Record<string, import("./counters.js").Unit>} units what never changes
   * @param {Record<string, import("./counters.js").Live>} live where they are now
   * @param {(id: string) => string} describe
   * @param {number} [wording] tells when the words of descriptions are others
   */
  show(units, live, describe, wording = 0) {
    this.stacks = new Map();
    for (const [id, now] of Object.entries(live)) {
      if (!now?.where || !this.geometry.has(now.where) || !units[id]) continue;
      const stack = this.stacks.get(now.where);
      if (stack) stack.push(id);
      else this.stacks.set(now.where, [id]);
    }
    for (const ids of this.stacks.values()) ids.sort((a, b) => Number(AT_THE_BOTTOM.has(units[b].symbol)) - Number(AT_THE_BOTTOM.has(units[a].symbol)));
    for (const [id, piece] of this.pieces) {
      if (!live[id]?.where || !this.geometry.has(live[id].where)) this.drop(piece);
    }
    for (const [place, ids] of this.stacks) {
      for (const id of ids) this.update(id, place, units[id], live[id], describe, wording);
    }
    if (this.fanned && (this.stacks.get(this.fanned)?.length ?? 0) < 2) this.fanned = null;
    this.arrange();
  }

  /** Draws a counter unless it is as it was. @param {string} id @param {string} place @param {Unit} unit @param {Live} now @param {(id: string) => string} describe @param {number} wording */
  update(id, place, unit, now, describe, wording) {
    let piece = this.pieces.get(id);
    if (!piece) {
      const element = h("button", { class: "counter", type: "button", tabindex: "-1", dataset: { unit: id } });
      piece = { id, element, place, x: NaN, y: NaN, scale: 1, look: "", wording, lies: "", marks: 0, shown: true };
      this.pieces.set(id, piece);
      this.layer.append(element);
    }
    if (piece.live === now && piece.wording === wording) return;
    Object.assign(piece, { place, live: now, wording });
    const look = JSON.stringify([now.values, now.badges, now.done]);
    if (look !== piece.look) {
      piece.look = look;
      piece.element.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true">${counterMarkup(id, unit, now)}</svg>`;
    }
    piece.element.setAttribute("aria-label", describe(id));
  }

  /** @param {Piece} piece */
  drop(piece) {
    piece.element.remove();
    this.pieces.delete(piece.id);
  }

  // ---- stacks ----------------------------------------------------------------

  arrange() {
    for (const [place, ids] of this.stacks) {
      const centre = this.geometry.point(place);
      const spots = place === this.fanned ? this.fanSpots(place, ids.length) : this.closedSpots(ids.length);
      ids.forEach((id, i) => this.put(/** @type {Piece} */ (this.pieces.get(id)), centre, spots[i], i, ids.length, place));
    }
    this.showPlate();
    this.cull();
  }

  /** @param {number} count */
  closedSpots(count) {
    return this.spread ? spreadSpots(count, this.side) : stackSpots(count, this.side);
  }

  /** Whether the counters of a place must be fanned out before one can be picked. @param {string} place */
  opens(place) {
    const count = this.stacks.get(place)?.length ?? 0;
    if (count < 2) return false;
    return !this.spread || this.side * this.camera.scale * this.closedSpots(count)[0].scale < FINGER;
  }

  /** @param {Piece} piece @param {Point} centre @param {Spot} spot @param {number} index @param {number} count @param {string} place */
  put(piece, centre, spot, index, count, place) {
    const { scale } = spot;
    const x = centre.x + spot.x - (this.side * scale) / 2;
    const y = centre.y + spot.y - (this.side * scale) / 2;
    const { element } = piece;
    const fanned = place === this.fanned;
    const shows = count > 1 && index === count - 1 && !fanned && !this.spread ? String(count) : "";
    const lies = `${x} ${y} ${scale} ${index} ${fanned} ${shows}`;
    if (lies === piece.lies) return;
    piece.lies = lies;
    if (x !== piece.x || y !== piece.y || scale !== piece.scale) {
      element.style.left = `${x.toFixed(1)}px`;
      element.style.top = `${y.toFixed(1)}px`;
      element.style.transform = scale === 1 ? "" : `scale(${scale.toFixed(3)})`;
      Object.assign(piece, { x, y, scale });
    }
    element.style.zIndex = String((fanned ? 1000 : 10) + index);
    element.classList.toggle("fanned", fanned);
    element.classList.toggle("small", scale < 0.8);
    if (shows) element.dataset.count = shows;
    else delete element.dataset.count;
  }

  /** Where the counters of an opened stack lie: rows around the hex, never smaller than a fingertip. @param {string} place @param {number} count */
  fanSpots(place, count) {
    const scale = Math.max(1, FAN_MIN / (this.side * this.camera.scale));
    const step = this.side * scale * 1.07;
    const columns = Math.min(count, FAN_ROW);
    const rows = Math.ceil(count / columns);
    const shift = this.fanShift(place, columns, rows, step);
    return Array.from({ length: count }, (_, i) => {
      const row = Math.floor(i / columns);
      const inRow = Math.min(columns, count - row * columns);
      return {
        x: ((i % columns) - (inRow - 1) / 2) * step + shift.x,
        y: (row - (rows - 1) / 2) * step + shift.y,
        scale,
      };
    });
  }

  /** Keeps the opened stack inside the window. @param {string} place @param {number} columns @param {number} rows @param {number} step */
  fanShift(place, columns, rows, step) {
    const c = this.geometry.point(place);
    const view = this.camera.visible();
    const inside = (/** @type {number} */ at, /** @type {number} */ half, /** @type {number} */ low, /** @type {number} */ high) => Math.min(Math.max(at, low + half), high - half) - at;
    const [halfWidth, halfHeight] = [(columns / 2 + 0.1) * step, (rows / 2 + 0.1) * step];
    this.fanBox = { halfWidth, halfHeight };
    return { x: inside(c.x, halfWidth, view.left, view.right), y: inside(c.y, halfHeight, view.top, view.bottom) };
  }

  showPlate() {
    const ids = this.fanned ? (this.stacks.get(this.fanned) ?? []) : [];
    this.plate.hidden = ids.length < 2;
    if (ids.length < 2) return;
    const all = ids.flatMap((id) => this.pieces.get(id) ?? []);
    const [first] = all;
    const pad = this.side * first.scale * 0.12;
    const left = Math.min(...all.map((p) => p.x)) - pad;
    const top = Math.min(...all.map((p) => p.y)) - pad;
    const right = Math.max(...all.map((p) => p.x)) + this.side * first.scale + pad;
    const bottom = Math.max(...all.map((p) => p.y)) + this.side * first.scale + pad;
    Object.assign(this.plate.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
  }

  /** Opens a stack, or closes the open one. @param {string | null} place */
  fan(place) {
    const wanted = place && this.opens(place) ? place : null;
    if (wanted === this.fanned) return;
    this.fanned = wanted;
    this.arrange();
  }

  // ---- marks on counters -----------------------------------------------------

  /** @param {Record<"selectable" | "selected" | "movers" | "focus" | "hindering", Set<string>>} marked */
  mark({ selectable, selected, movers, focus, hindering }) {
    const sets = [selectable, movers, selected, focus, hindering];
    for (const piece of this.pieces.values()) this.markOne(piece, sets.reduce((bits, set, i) => bits | (Number(set.has(piece.id)) << i), 0));
  }

  /** Changes of a counter's marks only what has changed: asking anything of the focused one makes the browser lay out everything. @param {Piece} piece @param {number} marks */
  markOne(piece, marks) {
    const { element } = piece;
    const changed = piece.marks ^ marks;
    if (!changed) return;
    piece.marks = marks;
    KINDS.forEach((kind, i) => changed & (1 << i) && element.classList.toggle(kind, Boolean(marks & (1 << i))));
    if (changed & SELECTABLE) element.tabIndex = marks & SELECTABLE ? 0 : -1;
    if (!(changed & (SELECTABLE | SELECTED))) return;
    if (marks & SELECTABLE) element.setAttribute("aria-pressed", String(Boolean(marks & SELECTED)));
    else element.removeAttribute("aria-pressed");
  }

  /** Shows a unit as selected until the marks are set again. @param {string} id */
  expect(id) {
    const piece = this.pieces.get(id);
    if (piece) this.markOne(piece, piece.marks | SELECTED);
  }

  /** Frames what is spoken of. @param {Iterable<string>} ids */
  focus(ids) {
    const focus = new Set(ids);
    const bit = 1 << KINDS.indexOf("in-focus");
    for (const piece of this.pieces.values()) this.markOne(piece, focus.has(piece.id) ? piece.marks | bit : piece.marks & ~bit);
  }

  // ---- markers ---------------------------------------------------------------

  /** @param {{ key: string, where: string, label?: string, side?: string }[]} markers @param {(key: string) => string} name */
  showMarkers(markers, name) {
    const look = JSON.stringify(markers.map((marker) => [marker, name(marker.key)]));
    if (look === this.markers) return;
    this.markers = look;
    const size = this.geometry.size;
    this.markerLayer.replaceChildren(
      ...markers
        .filter(({ where }) => this.geometry.has(where))
        .map(({ key, where, label, side }) => {
          const p = this.geometry.point(where);
          const text = NUMBER.test(label ?? "") ? `${name(key)} ${label}` : (label ?? name(key));
          const element = h("span", { class: `marker side-${side ?? "none"}`, title: name(key), dataset: { key } }, text);
          element.style.left = `${p.x}px`;
          element.style.top = `${p.y - size * 0.95}px`;
          return element;
        }),
    );
  }

  // ---- out of sight ----------------------------------------------------------

  /** While the map moves, counters only come into sight, as soon as it has moved so far; hiding them would draw everything again. */
  reveal() {
    const { drawn, side } = this; // a counter begins a side before what is seen of it
    const view = this.camera.visible();
    if (view.left < drawn.left + side || view.top < drawn.top + side || view.right > drawn.right || view.bottom > drawn.bottom) this.cull(true);
  }

  cull(onlyReveal = false) {
    const view = this.camera.visible();
    const marginX = (view.right - view.left) / 2;
    const marginY = (view.bottom - view.top) / 2;
    this.drawn = { left: view.left - marginX, top: view.top - marginY, right: view.right + marginX, bottom: view.bottom + marginY };
    const { left, top, right, bottom } = this.drawn;
    for (const piece of this.pieces.values()) {
      const shown = piece.x > left && piece.x < right && piece.y > top && piece.y < bottom;
      if (shown === piece.shown || (onlyReveal && !shown)) continue;
      piece.shown = shown;
      piece.element.classList.toggle("culled", !shown);
    }
  }
}

/** Where the counters of a closed stack lie: a small step up and right for each. @param {number} count @param {number} side */
function stackSpots(count, side) {
  const deep = Math.min(count, DEEPEST);
  return Array.from({ length: count }, (_, i) => {
    const level = Math.max(0, i - (count - deep)) - (deep - 1) / 2;
    return { x: level * side * LEAN, y: -level * side * LEAN, scale: 1 };
  });
}

/** Where the counters of a stack lie side by side inside their hex. @param {number} count @param {number} side */
function spreadSpots(count, side) {
  const columns = count < 2 ? 1 : count <= 4 ? 2 : 3;
  const rows = Math.ceil(count / columns);
  const scale = count < 3 ? 0.7 : count <= 4 ? 0.62 : 0.5;
  return Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / columns);
    const inRow = Math.min(columns, count - row * columns);
    return { x: ((i % columns) - (inRow - 1) / 2) * side * scale, y: (row - (rows - 1) / 2) * side * scale, scale };
  });
}
