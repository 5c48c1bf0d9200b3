/** What lies in a place: `<stack-panel>` shows every counter of a stack in full, the terrain and where the data comes from. */

import { counterElement, currentValues } from "./counters.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";

/** @import { GameClient } from "./game.js" */

/** @typedef {{ selectable: Set<string>, selected: Set<string> }} Marks */

export class StackPanel extends HTMLElement {
  /**
   * @param {import("./game.js").GameClient} game
   * @param {string | null} place
   * @param {Marks} marks
   */
  show(game, place, marks) {
    if (!place) return fill(this, h("p", { class: "muted" }, t("stack.empty")));
    const units = unitsAt(game, place);
    fill(this, this.heading(game, place), h("ul", { class: "stack" }, ...units.map((id) => h("li", {}, this.row(game, id, marks)))));
  }

  /** @param {GameClient} game @param {string} place */
  heading(game, place) {
    const hex = game.hexes?.[place];
    const terrain = hex ? [hex.terrain, ...(hex.features ?? [])].map((key) => game.name(key)).join(", ") : game.name(place);
    return h(
      "header",
      {},
      h("h2", {}, game.placeName(place)),
      ...markersAt(game, place).map((text) => h("p", { class: "marker-here" }, text)),
      h("p", { class: "terrain" }, terrain, hex?.source ? sourceOf(hex.source) : null),
    );
  }

  /** @param {GameClient} game @param {string} id @param {Marks} marks */
  row(game, id, { selectable, selected }) {
    const unit = game.components.units[id];
    const live = game.shown.units[id];
    const may = selectable.has(id) && game.choosing;
    const text = h(
      "span",
      { class: "row-text" },
      h("strong", {}, unit.name),
      h("span", { class: "muted" }, [t(`symbol.${unit.symbol}`), unit.size ? t(`size.${unit.size}`) : "", unit.formation ? game.name(unit.formation) : ""].filter(Boolean).join(" · ")),
      h("span", { class: "badges" }, h("b", {}, valuesInWords(game, unit, live)), ...(live.badges ?? []).map((badge) => h("span", { class: `chip badge-${badge.key}` }, badgeText(game, badge))), live.done ? h("span", { class: "chip" }, t("stack.done")) : null),
    );
    const props = { class: `unit-row ${may ? "selectable" : ""} ${selected.has(id) ? "selected" : ""}`, "data-unit": id };
    if (!may) return h("div", props, counterElement(id, unit, live), text);
    return h("button", { ...props, type: "button", "aria-pressed": String(selected.has(id)), onclick: () => this.pick(id, live.where) }, counterElement(id, unit, live), text);
  }

  /** @param {string} unit @param {string | undefined} place */
  pick(unit, place) {
    this.dispatchEvent(new CustomEvent("pick", { detail: { unit, place }, bubbles: true }));
  }
}

/** What the numbers of a counter mean: "strength 6, resistance 3"; as they are printed where the game names none. @param {GameClient} game @param {import("./counters.js").Unit} unit @param {import("./counters.js").Live} live */
export function valuesInWords(game, unit, live) {
  const values = currentValues(unit, live);
  const bare = values.replace(/^\((.*-.*)\)$/, "$1").split("-");
  const names = game.components.values ?? [];
  return names.length === bare.length ? names.map((name, i) => `${game.name(name)} ${bare[i]}`).join(", ") : values;
}

/** The units in a place, in the order of the view. @param {import("./game.js").GameClient} game @param {string} place */
export function unitsAt(game, place) {
  return Object.entries(game.shown.units)
    .filter(([id, live]) => live?.where === place && game.components.units[id])
    .map(([id]) => id);
}

/** Where the data of a place comes from, behind a mark: in mid-battle it is not what one looks for. @param {string} source */
function sourceOf(source) {
  return h("details", { class: "source" }, h("summary", { title: t("stack.source-help"), "aria-label": t("stack.source-help") }, icon("why")), t(`source.${source}`));
}

/** What the markers in a place mean. @param {import("./game.js").GameClient} game @param {string} place @returns {string[]} */
function markersAt(game, place) {
  const here = (game.shown.markers ?? []).filter(({ where }) => where === place);
  return here.map(({ key, label }) => (/\d/.test(label ?? "") ? `${game.name(key)}: ${label}` : game.name(key)));
}

/** @param {import("./game.js").GameClient} game @param {{ key: string, n?: number }} badge */
export function badgeText(game, { key, n }) {
  return n === undefined ? game.name(key) : `${game.name(key)} ${n}`;
}

/**
 * A unit in one line, for screen readers and tooltips.
 * @param {import("./game.js").GameClient} game @param {string} id @param {boolean} [withPlace]
 */
export function describeUnit(game, id, withPlace = true) {
  const unit = game.components.units[id];
  const live = game.shown.units[id];
  if (!unit || !live) return id;
  const parts = [unit.name, t(`symbol.${unit.symbol}`), valuesInWords(game, unit, live), withPlace ? game.name(live.where ?? "") : "", ...(live.badges ?? []).map((badge) => badgeText(game, badge))];
  if (live.done) parts.push(t("stack.done"));
  return parts.filter(Boolean).join(", ");
}

customElements.define("stack-panel", StackPanel);
