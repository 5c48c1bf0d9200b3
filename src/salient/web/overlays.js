/** Overlays: what the game offers (supply, reach, control ...) and what the map data says (numbers, terrain, sources). */

import { get } from "./api.js";
import { fill, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { Note } from "./note.js";
import { overlayColour, sideOfOverlay } from "./palette.js";

/** @import { OverlayAnswer } from "./wire.d.ts" */

const OWN = ["hex-numbers", "place-names", "terrain", "provenance"];

/** @typedef {{ title: string, shapes: (SVGElement | null)[], legend: HTMLElement[], sentences?: [string, string][], routes?: Record<string, string[]> }} Layer */

export class Overlays {
  /** @param {import("./game.js").GameClient} game @param {import("./board.js").SalientBoard} board @param {HTMLElement} legend */
  constructor(game, board, legend) {
    this.game = game;
    this.board = board;
    this.legend = legend;
    /** @type {Set<string>} */
    this.chosen = new Set();
    /** @type {Map<string, string[]>} by place: what the overlays say of it */
    this.sentences = new Map();
    /** @type {Map<string, string[]>} by unit: by which hexes it is supplied, as far as an overlay of supply is shown */
    this.routes = new Map();
    this.route = s("g", { class: "overlay-route" });
    this.note = new Note("above");
  }

  /** The choice of overlays, for the menu. */
  menu() {
    const row = (/** @type {string} */ name, /** @type {string} */ label) =>
      h(
        "label",
        { class: "check" },
        h("input", { type: "checkbox", name, checked: this.chosen.has(name), onchange: (/** @type {{ target: HTMLInputElement }} */ event) => this.choose(name, event.target.checked) }),
        h("span", {}, label),
      );
    return [
      h("h3", {}, t("overlays.game")),
      ...(this.game.components.overlays ?? []).map((name) => row(name, this.game.name(name))),
      h("h3", {}, t("overlays.map")),
      ...OWN.map((name) => row(name, t(`overlay.${name}`))),
    ];
  }

  /** @param {string} name @param {boolean} on */
  choose(name, on) {
    if (on) this.chosen.add(name);
    else this.chosen.delete(name);
    return this.draw();
  }

  /** Draws what is chosen for the position shown now. */
  async draw() {
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const layers = await Promise.all([...this.chosen].map((name, i) => this.layer(name, i * 2)));
    if (turn !== this.turn) return;
    fill(this.board.overlaySvg, ...layers.flatMap((layer) => layer.shapes), this.route);
    fill(this.route);
    this.routes = new Map(layers.flatMap(({ routes = {} }) => Object.entries(routes)));
    this.sentences = new Map();
    for (const [place, text] of layers.flatMap((layer) => layer.sentences ?? [])) this.sentences.set(place, [...(this.sentences.get(place) ?? []), text]);
    const shown = layers.filter((layer) => layer.legend.length);
    this.legend.hidden = !shown.length;
    fill(this.legend, ...shown.map((layer) => h("section", {}, h("h3", {}, layer.title), h("ul", {}, ...layer.legend))));
  }

  /** @param {string} name @param {number} first the first colour, so that two overlays differ @returns {Promise<Layer>} */
  async layer(name, first) {
    if (OWN.includes(name)) return this.ownLayer(name);
    const query = this.game.back === null ? {} : { ply: this.game.back };
    /** @type {OverlayAnswer} */
    const overlay = await get(`games/${this.game.id}/overlay/${name}`, this.game.eyes(query)).catch(() => ({ hexes: {}, lines: [], legend: [] }));
    const values = overlay.legend.length ? overlay.legend.map(({ value }) => value) : [...new Set(Object.values(overlay.hexes))].sort();
    const sided = sideOfOverlay(name) !== null;
    const colour = (/** @type {string | number} */ value) => (sideOfOverlay(String(value)) ? overlayColour(value, 0) : overlayColour(value, (sided ? first / 2 : first) + values.indexOf(value), name));
    const hatch = (/** @type {string | number} */ value) => sideOfOverlay(name) ?? sideOfOverlay(String(value));
    const counted = !overlay.legend.length;
    const legend = () => {
      if (!values.length && !overlay.lines.length && !overlay.walls?.length) return [h("li", { class: "muted" }, t("overlays.none"))];
      if (counted) return values.map((value) => swatch(colour(value), t("overlays.count", { n: Number(value) })));
      return overlay.legend.map(({ value, text, key }) => swatch(colour(value), text ?? this.game.name(key)));
    };
    return {
      title: this.game.name(name),
      shapes: [
        ...Object.entries(overlay.hexes).map(([hex, value]) => this.hexShape(hex, colour(value), counted ? String(value) : (overlay.units?.[hex]?.length ?? ""), hatch(value))),
        ...(overlay.sides ?? []).map(({ between, value }) => this.sideShape(between, colour(value))),
        ...(overlay.walls ?? []).map((between) => this.wall(between, colour(values[0]))),
        ...overlay.lines.map((line) => s("polyline", { class: "overlay-line", points: this.board.geometry.line(line) })),
      ],
      sentences: this.named(overlay),
      routes: overlay.routes,
      legend: legend(),
    };
  }

  /** Which units a hex or a hexside is about, by place. @param {OverlayAnswer} overlay @returns {[string, string][]} */
  named({ units = {}, sides = [] }) {
    const list = (/** @type {string[]} */ ids) => ids.map((id) => this.game.components.units[id]?.name ?? id).join(", ");
    return [
      ...Object.entries(units).map(([hex, ids]) => /** @type {[string, string]} */ ([hex, t("overlay.cut-hex", { hex, units: list(ids) })])),
      ...sides.flatMap(({ between, units: ids }) => between.map((hex) => /** @type {[string, string]} */ ([hex, t("overlay.cut-bridge", { bridge: between.join("/"), units: list(ids) })]))),
    ];
  }

  /** What the overlays say of a place, in words. @param {string | null} place */
  about(place) {
    return (place && this.sentences.get(place)) || [];
  }

  /** Says beside the pointer what the overlays know of a place and of a unit there, and draws how that is supplied. @param {string | null} place @param {{ x: number, y: number, unit?: string | null }} at */
  point(place, at) {
    const units = at.unit ? [at.unit] : (this.board.pieces.stacks.get(place ?? "") ?? []);
    const unit = units.find((id) => this.routes.has(id));
    const way = this.routes.get(unit ?? "") ?? [];
    const { geometry } = this.board;
    fill(this.route, ...(way.length > 1 ? ["casing", "core"].map((part) => s("polyline", { class: part, points: geometry.line(way), "stroke-width": geometry.size * (part === "core" ? 0.13 : 0.24) })) : []));
    const sentences = [...this.about(place), ...(unit ? [this.supplyOf(unit, way)] : [])];
    if (sentences.length) this.note.show(sentences.map((text) => h("p", {}, text)), at);
    else this.note.hide();
  }

  /** Where a unit draws its supply, and how far off that is. @param {string} unit @param {string[]} way */
  supplyOf(unit, way) {
    const name = this.game.components.units[unit]?.name ?? unit;
    return way.length ? t("overlay.route", { unit: name, place: this.game.placeName(way[way.length - 1]), n: way.length - 1 }) : t("overlay.no-route", { unit: name });
  }

  remove() {
    this.note.remove();
  }

  /** @param {string} name @returns {Layer} */
  ownLayer(name) {
    const hexes = Object.entries(this.game.hexes ?? {});
    if (name === "hex-numbers") return { title: "", legend: [], shapes: hexes.map(([hex]) => this.text(hex, hex, "number", 0.8)) };
    if (name === "place-names") {
      const named = hexes.filter(([, { place }]) => place);
      return { title: "", legend: [], shapes: named.map(([hex, { place }]) => this.text(hex, String(place), "name", -0.72)) };
    }
    const field = name === "terrain" ? "terrain" : "source";
    const values = [...new Set(hexes.map(([, hex]) => hex[field]))].sort();
    const word = (/** @type {string} */ value) => (field === "source" ? t(`source.${value}`) : this.game.name(value));
    return {
      title: t(`overlay.${name}`),
      shapes: hexes.map(([hex, data]) => this.hexShape(hex, overlayColour(data[field], values.indexOf(data[field])), "")),
      legend: values.map((value, i) => swatch(overlayColour(value, i), word(value))),
    };
  }

  /** @param {string} hex @param {string} colour @param {string | number} text @param {"allied" | "german" | null} [side] */
  hexShape(hex, colour, text, side = null) {
    const g = this.board.geometry;
    if (!g.has(hex)) return null;
    const shape = g.areas.has(hex)
      ? s("rect", { ...g.areas.get(hex), fill: colour, stroke: colour })
      : s("polygon", { points: g.polygon(hex, g.size * 0.03), fill: colour, stroke: colour });
    return s("g", { class: "overlay-hex", "data-hex": hex }, shape, side ? this.hatching(hex, colour, side) : null, text ? this.text(hex, String(text), "count", -0.6) : null);
  }

  /** Strokes that tell the sides apart without colour: rising for the Allies, falling for the Germans. @param {string} hex @param {string} colour @param {"allied" | "german"} side */
  hatching(hex, colour, side) {
    const g = this.board.geometry;
    if (g.areas.has(hex)) return null;
    const { x, y } = g.point(hex);
    const r = g.size * 0.42;
    const tilt = side === "allied" ? -1 : 1;
    const d = [-0.45, 0, 0.45].map((k) => `M${(x - r + k * r).toFixed(1)},${(y - tilt * r).toFixed(1)}L${(x + r + k * r).toFixed(1)},${(y + tilt * r).toFixed(1)}`).join("");
    return s("path", { class: "overlay-hatch", d, stroke: colour, "stroke-width": g.size * 0.05 });
  }

  /** A hexside that is closed: a bar along it. @param {[string, string]} string @param {string} colour */
  wall([a, b], colour) {
    const g = this.board.geometry;
    if (!g.has(a) || !g.has(b)) return null;
    const points = g.sideBetween(a, b, 0.02).join(" ");
    return s("g", { class: "overlay-side overlay-wall", "data-wall": `${a}/${b}` }, s("polyline", { points, class: "casing", "stroke-width": g.size * 0.26 }), s("polyline", { points, stroke: colour, "stroke-width": g.size * 0.15 }));
  }

  /** A bar across a hexside. @param {[string, string]} string @param {string} colour */
  sideShape([a, b], colour) {
    const g = this.board.geometry;
    const [p, q] = [g.centre(a), g.centre(b)];
    if (!p || !q) return null;
    const points = [0.3, 0.7].map((k) => `${p.x + (q.x - p.x) * k},${p.y + (q.y - p.y) * k}`).join(" ");
    return s("g", { class: "overlay-side", "data-side": `${a}/${b}` }, s("polyline", { points, class: "casing", "stroke-width": g.size * 0.42 }), s("polyline", { points, stroke: colour, "stroke-width": g.size * 0.28 }));
  }

  /** @param {string} hex @param {string} text @param {string} name @param {number} drop */
  text(hex, text, name, drop) {
    const g = this.board.geometry;
    const p = g.centre(hex);
    if (!p) return null;
    const size = name === "number" ? 0.26 : name === "name" ? 0.34 : 0.36;
    return s("text", { class: `overlay-${name}`, x: p.x, y: p.y + g.size * drop, "font-size": g.size * size }, text);
  }
}

/** @param {string} colour @param {string} text */
function swatch(colour, text) {
  const box = h("span", { class: "swatch" });
  box.style.background = colour;
  return h("li", {}, box, h("span", {}, text));
}
