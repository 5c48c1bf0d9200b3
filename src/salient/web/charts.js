/** Beside the map: `<table-charts>` shows rows of chips (a cup, assets, rounds) and charts of what is still to come. */

import { counterElement } from "./counters.js";
import { changed, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";
import { describeUnit } from "./stack.js";
import { pointOf } from "./tray.js";

/** @import { GameClient } from "./game.js" */
/** @import { Chart, ChartCell, ChartRow, Chip, Chips, View } from "./wire.d.ts" */

/** @typedef {{ selectable: Set<string>, selected: Set<string>, places: Set<string>, things: Set<string> }} Marks */

export class TableCharts extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {Marks} */
  marks = later();
  /** @type {Map<string, boolean>} what the player opened or closed by hand */
  byHand = new Map();

  /** @param {import("./game.js").GameClient} game @param {Marks} marks */
  show(game, marks) {
    this.game = game;
    this.marks = marks;
    const panels = (game.shown.panels ?? []).filter((panel) => panel.kind !== "strips");
    this.hidden = !panels.length;
    if (!changed(this, this.content(panels))) return;
    fill(this, ...panels.map((panel) => (panel.kind === "chart" ? this.chart(panel) : this.chips(panel))));
    this.classList.toggle("wanted", this.querySelector(".wanted") !== null);
  }

  /** What the panels show. @param {(Chart | Chips)[]} panels */
  content(panels) {
    const { game, marks } = this;
    const units = [...charted(game.shown)].map((id) => [game.shown.units[id], marks.selectable.has(id), marks.selected.has(id), marks.places.has(id)]);
    return [game.wording, game.choosing, panels, [...marks.things], [...this.byHand], units];
  }

  // ---- chips -------------------------------------------------------------------

  /** @param {Chips} chips */
  chips({ key, chips }) {
    const wanted = this.game.choosing && chips.some((chip) => this.marks.things.has(chip.key));
    return h("section", { class: `chips-panel ${wanted ? "wanted" : ""}`, "data-panel": key }, h("h3", {}, this.game.name(key)), h("ul", { class: "chips" }, ...chips.map((chip) => h("li", {}, this.chip(chip)))));
  }

  /** @param {Chip} chip */
  chip({ key, label, hint, side, n, dim, now }) {
    const may = this.marks.things.has(key) && this.game.choosing;
    const look = `table-chip side-${side || "none"} ${dim ? "dim" : ""} ${now ? "now" : ""} ${may ? "selectable" : ""}`;
    const inside = [h("span", {}, label ?? this.game.name(key)), n === undefined ? null : h("b", {}, String(n))];
    const props = { class: look, "data-thing": key, title: hint ?? this.game.name(key) };
    return may ? h("button", { ...props, type: "button", onclick: (/** @type {MouseEvent} */ event) => this.pick({ thing: key }, event) }, ...inside) : h("span", props, ...inside);
  }

  // ---- charts ------------------------------------------------------------------

  /** @param {Chart} chart */
  wanted({ rows }) {
    return rows.some((row) => this.isWanted(row));
  }

  /** @param {ChartRow} chartRow */
  isWanted({ cells }) {
    const { selectable, selected, places } = this.marks;
    return cells.some((cell) => places.has(cell.key) || cell.units.some((id) => selectable.has(id) || selected.has(id)));
  }

  /** @param {Chart} panel */
  chart(panel) {
    const { key, rows } = panel;
    const number = rows.reduce((sum, { cells }) => sum + cells.reduce((n, { units }) => n + units.length, 0), 0);
    const box = h(
      "details",
      { class: `chart ${this.wanted(panel) ? "wanted" : ""}`, "data-panel": key, open: this.byHand.get(key) ?? this.wanted(panel) },
      h("summary", { onclick: () => this.byHand.set(key, !box.open) }, this.game.name(key), h("b", {}, String(number))),
      ...[...rows].sort((a, b) => Number(this.isWanted(b)) - Number(this.isWanted(a))).map((row) => this.row(row)),
    );
    return box;
  }

  /** @param {ChartRow} chartRow */
  row({ key, side, now, cells }) {
    return h("section", { class: `chart-row side-${side ?? "none"} ${now ? "now" : ""}` }, h("h4", {}, this.game.name(key)), ...cells.map((cell) => this.cell(cell)));
  }

  /** @param {ChartCell} chartCell */
  cell({ key, side, n, now, units, chips = [] }) {
    const title = n === undefined ? this.game.name(key) : `${t("sequence.turn")} ${n} · ${this.game.name(key)}`;
    return h(
      "div",
      { class: `chart-cell side-${side ?? "none"} ${now ? "now" : ""}`, "data-cell": key },
      h("p", {}, title),
      h("div", { class: "chart-units" }, ...units.map((id) => this.unit(id))),
      chips.length ? h("ul", { class: "chips" }, ...chips.map((chip) => h("li", {}, this.chip(chip)))) : null,
      this.marks.places.has(key) && this.game.choosing ? h("button", { class: "action", type: "button", onclick: (/** @type {MouseEvent} */ event) => this.pick({ place: key }, event) }, t("tray.here", { place: this.game.name(key) })) : null,
    );
  }

  /** @param {string} id */
  unit(id) {
    const { game, marks } = this;
    const unit = game.components.units[id];
    const live = game.shown.units[id];
    if (!unit || !live) return null;
    const words = describeUnit(game, id);
    const look = `tray-unit ${marks.selectable.has(id) ? "selectable" : ""} ${marks.selected.has(id) ? "selected" : ""}`;
    return h("button", { class: look, type: "button", "data-unit": id, title: words, "aria-label": words, onclick: (/** @type {MouseEvent} */ event) => this.pick({ unit: id, place: live.where }, event) }, counterElement(id, unit, live));
  }

  /** Puts the keyboard on something that can be picked here; false if it is not here. @param {string} value */
  focusOn(value) {
    const found = /** @type {HTMLElement | null} */ (this.querySelector(`[data-unit="${CSS.escape(value)}"], [data-cell="${CSS.escape(value)}"] > .action`));
    found?.focus();
    return Boolean(found);
  }

  /** @param {{ unit?: string, place?: string, thing?: string }} what @param {MouseEvent} event */
  pick(what, event) {
    this.dispatchEvent(new CustomEvent("pick", { detail: { unit: null, place: null, ...pointOf(event), ...what }, bubbles: true }));
  }
}

/** Everything that charts show: units, and boxes that are cells of theirs. @param {View} view @returns {Set<string>} */
export function charted(view) {
  const charts = (view.panels ?? []).filter((panel) => panel.kind === "chart");
  return new Set(charts.flatMap(({ rows }) => rows.flatMap(({ cells }) => cells.flatMap(({ key, units }) => [key, ...units]))));
}

customElements.define("table-charts", TableCharts);
