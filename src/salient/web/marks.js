/**
 * What is lit up on the map: where one may go (a solid line), what one may choose (a dashed one), what one may attack (a
 * crosshair), waypoints (numbered diamonds), the destination (a double line), costs, paths, the keyboard's cursor.
 */

import { fill, s } from "./dom.js";
import { isHexside } from "./geometry.js";
import { later } from "./later.js";

/** @import { Geometry } from "./geometry.js" */

/** @typedef {"go" | "choose" | "attack"} Kind */

/**
 * @typedef {{
 *   legal?: Map<string, { kind: Kind, cost?: string }>,
 *   open?: Iterable<string>,
 *   waypoints?: string[],
 *   focus?: string[],
 *   warned?: string[],
 *   selected?: string | null,
 *   path?: string[],
 *   arrows?: [string, string][],
 *   moved?: string[][],
 *   orders?: string[][],
 *   cursor?: string | null,
 *   veil?: boolean,
 * }} Marks
 */

const MANY = 30;

export class MarksLayer {
  /** @param {SVGElement} under below the counters @param {SVGElement} over above them */
  constructor(under, over) {
    this.under = under;
    this.over = over;
    /** @type {Geometry} */
    this.geometry = later();
    /** What lies below the counters, as it was drawn. */
    this.ground = "";
  }

  /** @param {Geometry} geometry */
  setGeometry(geometry) {
    this.geometry = geometry;
    for (const svg of [this.under, this.over]) svg.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
  }

  /** @param {Marks} marks */
  show(marks) {
    const g = this.geometry;
    if (!g) return;
    const legal = [...(marks.legal ?? new Map())].filter(([place]) => g.has(place));
    this.showGround(marks, legal);
    fill(
      this.over,
      ...(marks.moved ?? []).map((places) => this.path(places, "moved")),
      ...(marks.orders ?? []).map((places) => this.path(places, "path")),
      ...(marks.orders ?? []).map((places) => this.destination(places)),
      marks.path && marks.path.length > 1 ? [this.path(marks.path, "path"), this.destination(marks.path)] : null,
      ...(marks.arrows ?? []).map(([from, to]) => this.arrow(from, to)),
      ...legal.filter(([, { cost }]) => cost !== undefined).map(([place, { cost }]) => this.cost(place, String(cost))),
      ...legal.filter(([, { kind }]) => kind === "attack").map(([place]) => this.crosshair(place)),
      ...legal.filter(([place]) => isHexside(place)).map(([place]) => this.shape(place, "legal hexside", 0)),
      ...[...new Set(marks.warned ?? [])].map((place) => this.warning(place)),
      ...(marks.waypoints ?? []).map((place, i) => this.waypoint(place, i + 1)),
      marks.cursor && g.has(marks.cursor) ? this.shape(marks.cursor, "cursor", 0) : null,
    );
  }

  /** Where something has been ordered that is not known to have been done: until all is shown again. @param {string} place */
  expect(place) {
    this.over.append(this.shape(place, "destination", 0.2));
  }

  /** What lies below the counters; drawn only when it has changed, for a pointer changes what lies above. @param {Marks} marks @param {[string, { kind: Kind }][]} legal */
  showGround(marks, legal) {
    const places = legal.filter(([place]) => !isHexside(place));
    const open = marks.veil ? [...(marks.open ?? [])] : [];
    const focus = (marks.focus ?? []).filter((place) => this.geometry.has(place));
    const key = JSON.stringify([places.map(([place, { kind }]) => [place, kind]), open, focus, marks.selected, marks.veil]);
    if (key === this.ground) return;
    this.ground = key;
    const many = places.length > MANY && !marks.veil;
    this.under.classList.toggle("many", many);
    fill(
      this.under,
      marks.veil && legal.length ? this.veil([...places.map(([place]) => place), ...open, ...focus, marks.selected ?? ""]) : null,
      s("path", { class: "legal-casing", d: places.map(([place]) => outline(this.geometry, place, 0.05)).join("") }),
      ...focus.map((place) => this.shape(place, "focus", 0.06)),
      ...places.map(([place, { kind }]) => this.shape(place, kind === "attack" ? "legal hostile" : `legal ${kind}`, 0.05)),
      many ? this.rings(places.map(([place]) => place)) : null,
      marks.selected && this.geometry.has(marks.selected) ? this.shape(marks.selected, "selected", 0.02) : null,
    );
  }

  /** A small ring in each of so many hexes that their edges would be a second grid. @param {string[]} places */
  rings(places) {
    const { size } = this.geometry;
    const r = size * 0.13;
    const d = places.map((place) => this.geometry.point(place)).map(({ x, y }) => `M${x - r},${y + size * 0.66}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`);
    return s("path", { class: "rings", d: d.join("") });
  }

  /** Where a way ends: a hexagon within the hexagon. @param {string[]} places */
  destination(places) {
    const end = places[places.length - 1];
    return this.geometry.has(end) && !this.geometry.areas.has(end) ? this.shape(end, "destination", 0.2) : null;
  }

  /** A place where something will be lost if all stays as it is. @param {string} place */
  warning(place) {
    const p = this.geometry.centre(place);
    if (!p || this.geometry.areas.has(place)) return null;
    const r = this.geometry.size * 0.3;
    const badge = s("g", { transform: `translate(${p.x - this.geometry.size * 0.62} ${p.y - this.geometry.size * 0.42})` }, s("circle", { r }), s("text", { y: r * 0.42, "font-size": r * 1.3 }, "!"));
    return s("g", { class: "warning", "data-place": place }, this.shape(place, "warned", 0.04), badge);
  }

  /** A place by way of which a unit goes, with its number. @param {string} place @param {number} n */
  waypoint(place, n) {
    const p = this.geometry.centre(place);
    if (!p) return null;
    const r = this.geometry.size * 0.34;
    return s("g", { class: "waypoint", "data-place": place, transform: `translate(${p.x} ${p.y - this.geometry.size * 0.5})` }, s("path", { d: `M0,${-r}L${r},0L0,${r}L${-r},0Z` }), s("text", { y: r * 0.36, "font-size": r }, String(n)));
  }

  /** A hex, or the panel of an off-map area. @param {string} place @param {string} name @param {number} inset */
  shape(place, name, inset) {
    const g = this.geometry;
    const props = { class: name, "data-place": place };
    if (!g.areas.has(place)) return s("polygon", { ...props, points: g.polygon(place, g.size * inset) });
    const box = g.areas.get(place);
    return s("rect", { ...props, ...box, rx: g.size * 0.12 });
  }

  /** Darkens everything that is not legal. @param {string[]} places */
  veil(places) {
    const g = this.geometry;
    const holes = [...new Set(places)].map((place) => outline(g, place)).join("");
    return s("path", { class: "veil", "fill-rule": "evenodd", d: `M0,0H${g.width}V${g.height}H0Z${holes}` });
  }

  /** @param {string[]} places @param {string} name */
  path(places, name) {
    const points = this.geometry.line(places);
    return s(
      "g",
      { class: name },
      s("polyline", { class: "casing", points }),
      s("polyline", { class: "line", points, "marker-end": `url(#${name === "moved" ? "moved" : "arrow"}-head)` }),
    );
  }

  /** @param {string} from @param {string} to */
  arrow(from, to) {
    const [a, b] = [this.geometry.centre(from), this.geometry.centre(to)];
    if (!a || !b) return null;
    const mix = (/** @type {number} */ k) => `${a.x + (b.x - a.x) * k},${a.y + (b.y - a.y) * k}`;
    return s("polyline", { class: "attack-arrow", points: `${mix(0.3)} ${mix(0.72)}`, "marker-end": "url(#attack-head)" });
  }

  /** @param {string} place @param {string} text */
  cost(place, text) {
    const p = this.geometry.point(place);
    const r = this.geometry.size;
    return s(
      "g",
      { class: "cost", transform: `translate(${p.x} ${p.y + r * 0.7})` },
      s("rect", { x: -r * 0.28, y: -r * 0.17, width: r * 0.56, height: r * 0.34, rx: r * 0.17 }),
      s("text", { y: r * 0.11, "font-size": r * 0.31 }, text),
    );
  }

  /** @param {string} place */
  crosshair(place) {
    const p = this.geometry.point(place);
    const [far, near] = [this.geometry.size * 0.98, this.geometry.size * 0.68];
    const d = [45, 135, 225, 315]
      .map((angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)])
      .map(([x, y]) => `M${x * far},${y * far}L${x * near},${y * near}`)
      .join("");
    return s("g", { class: "crosshair", transform: `translate(${p.x} ${p.y})` }, s("path", { d }), s("path", { d }));
  }
}

/** The edge of a place as path data; nothing for a place that is not on the map. @param {import("./geometry.js").Geometry} g @param {string} place @param {number} [inset] */
function outline(g, place, inset = 0) {
  const box = g.areas.get(place);
  if (box) return `M${box.x},${box.y}h${box.width}v${box.height}h${-box.width}Z`;
  return g.has(place) ? `M${g.polygon(place, g.size * inset).replaceAll(" ", "L")}Z` : "";
}
