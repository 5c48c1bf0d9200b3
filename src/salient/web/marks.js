/** What is lit up on the map: where one may go, what one may attack, costs, paths, the keyboard's cursor. */

import { fill, s } from "./dom.js";
import { isHexside } from "./geometry.js";

/**
 * @typedef {{
 *   legal?: Map<string, { hostile: boolean, cost?: string }>,
 *   focus?: string[],
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
  }

  /** @param {import("./geometry.js").Geometry} geometry */
  setGeometry(geometry) {
    this.geometry = geometry;
    for (const svg of [this.under, this.over]) svg.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
  }

  /** @param {Marks} marks */
  show(marks) {
    const g = this.geometry;
    if (!g) return;
    const legal = [...(marks.legal ?? new Map())].filter(([place]) => g.has(place));
    this.under.classList.toggle("many", legal.length > MANY && !marks.veil);
    fill(
      this.under,
      marks.veil && legal.length ? this.veil([...legal.map(([place]) => place), marks.selected ?? ""]) : null,
      ...(marks.focus ?? []).filter((place) => g.has(place)).map((place) => this.shape(place, "focus", 0.06)),
      ...legal.filter(([place]) => !isHexside(place)).map(([place, { hostile }]) => this.shape(place, hostile ? "legal hostile" : "legal", 0.05)),
      marks.selected && g.has(marks.selected) ? this.shape(marks.selected, "selected", 0.02) : null,
    );
    fill(
      this.over,
      ...(marks.moved ?? []).map((places) => this.path(places, "moved")),
      ...(marks.orders ?? []).map((places) => this.path(places, "path")),
      marks.path && marks.path.length > 1 ? this.path(marks.path, "path") : null,
      ...(marks.arrows ?? []).map(([from, to]) => this.arrow(from, to)),
      ...legal.filter(([, { cost }]) => cost !== undefined).map(([place, { cost }]) => this.cost(place, cost)),
      ...legal.filter(([, { hostile }]) => hostile).map(([place]) => this.crosshair(place)),
      ...legal.filter(([place]) => isHexside(place)).map(([place]) => this.shape(place, "legal hexside", 0)),
      marks.cursor && g.has(marks.cursor) ? this.shape(marks.cursor, "cursor", 0) : null,
    );
  }

  /** A hex, or the panel of an off-map area. */
  shape(place, name, inset) {
    const g = this.geometry;
    const props = { class: name, "data-place": place };
    if (!g.areas.has(place)) return s("polygon", { ...props, points: g.polygon(place, g.size * inset) });
    const box = g.areas.get(place);
    return s("rect", { ...props, ...box, rx: g.size * 0.12 });
  }

  /** Darkens everything that is not legal. */
  veil(places) {
    const g = this.geometry;
    const holes = places
      .filter((place) => g.has(place))
      .map((place) => hole(g, place))
      .join("");
    return s("path", { class: "veil", "fill-rule": "evenodd", d: `M0,0H${g.width}V${g.height}H0Z${holes}` });
  }

  path(places, name) {
    const points = this.geometry.line(places);
    return s(
      "g",
      { class: name },
      s("polyline", { class: "casing", points }),
      s("polyline", { class: "line", points, "marker-end": `url(#${name === "moved" ? "moved" : "arrow"}-head)` }),
    );
  }

  arrow(from, to) {
    const [a, b] = [this.geometry.centre(from), this.geometry.centre(to)];
    if (!a || !b) return null;
    const mix = (k) => `${a.x + (b.x - a.x) * k},${a.y + (b.y - a.y) * k}`;
    return s("polyline", { class: "attack-arrow", points: `${mix(0.3)} ${mix(0.72)}`, "marker-end": "url(#attack-head)" });
  }

  cost(place, text) {
    const p = this.geometry.centre(place);
    const r = this.geometry.size;
    return s(
      "g",
      { class: "cost", transform: `translate(${p.x} ${p.y + r * 0.62})` },
      s("rect", { x: -r * 0.3, y: -r * 0.2, width: r * 0.6, height: r * 0.4, rx: r * 0.2 }),
      s("text", { y: r * 0.11, "font-size": r * 0.32 }, text),
    );
  }

  crosshair(place) {
    const p = this.geometry.centre(place);
    const [far, near] = [this.geometry.size * 0.98, this.geometry.size * 0.68];
    const d = [45, 135, 225, 315]
      .map((angle) => [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)])
      .map(([x, y]) => `M${x * far},${y * far}L${x * near},${y * near}`)
      .join("");
    return s("g", { class: "crosshair", transform: `translate(${p.x} ${p.y})` }, s("path", { d }), s("path", { d }));
  }
}

function hole(g, place) {
  const box = g.areas.get(place);
  if (box) return `M${box.x},${box.y}h${box.width}v${box.height}h${-box.width}Z`;
  return `M${g.polygon(place).replaceAll(" ", "L")}Z`;
}
