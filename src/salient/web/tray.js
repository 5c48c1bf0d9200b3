/** Beside the map: `<table-tray>` shows tracks, and boxes whose counters have no place on the map. */

import { counterElement } from "./counters.js";
import { changed, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { describeUnit, unitsAt } from "./stack.js";

/** @import { GameClient } from "./game.js" */

/** @typedef {{ selectable: Set<string>, selected: Set<string>, places: Set<string> }} Marks */

export class TableTray extends HTMLElement {
  /** @type {Map<string, boolean>} what the player opened or closed by hand */
  byHand = new Map();

  /**
   * @param {import("./game.js").GameClient} game
   * @param {(place: string) => boolean} onMap
   * @param {Set<string>} charted units and boxes that a chart shows
   * @param {Marks} marks
   */
  show(game, onMap, charted, marks) {
    const boxes = (game.components.places ?? []).filter(({ id }) => !onMap(id) && !charted.has(id));
    if (!changed(this, [game.wording, game.snapshot.seat, game.shown.tracks, ...boxes.map(({ id }) => this.content(game, id, charted, marks))])) return;
    fill(this, this.tracks(game), ...boxes.map((box) => this.box(game, box.id, charted, marks)));
    this.classList.toggle("wanted", this.querySelector(".wanted") !== null);
  }

  /** What a box shows. @param {GameClient} game @param {string} place @param {Set<string>} charted @param {Marks} marks */
  content(game, place, charted, { selectable, selected, places }) {
    const units = unitsAt(game, place).filter((id) => !charted.has(id));
    return [place, places.has(place), this.byHand.get(place), units.map((id) => [id, game.shown.units[id], selectable.has(id), selected.has(id)])];
  }

  /** @param {GameClient} game */
  tracks(game) {
    const rows = (game.components.tracks ?? []).filter(({ id }) => game.shown.tracks?.[id] !== undefined);
    if (!rows.length) return null;
    const title = tracksTitle(game);
    return h(
      "ul",
      { class: "tracks", "aria-label": title },
      h("li", { class: "tracks-title" }, title),
      ...rows.map(({ id, side }) => h("li", { class: `side-${side}` }, h("span", {}, game.name(id)), h("b", {}, String(game.shown.tracks[id])))),
    );
  }

  /** @param {GameClient} game @param {string} place @param {Set<string>} charted @param {Marks} marks */
  box(game, place, charted, { selectable, selected, places }) {
    const own = (/** @type {string} */ id) => Number(game.components.units[id].side === game.snapshot.seat);
    const first = (/** @type {string} */ id) => 2 * Number(selectable.has(id)) + own(id);
    const units = unitsAt(game, place)
      .filter((id) => !charted.has(id))
      .sort((a, b) => first(b) - first(a));
    const wanted = places.has(place) || units.some((id) => selectable.has(id) || selected.has(id));
    if (!units.length && !wanted) return null;
    const box = h(
      "details",
      { class: `tray-box ${places.has(place) ? "legal" : ""} ${wanted ? "wanted" : ""}`, "data-box": place, open: this.byHand.get(place) ?? wanted },
      h("summary", { onclick: () => this.byHand.set(place, !box.open) }, game.name(place), h("b", {}, String(units.length))),
      h("div", { class: "tray-units" }, ...units.map((id) => this.unit(game, id, place, selectable.has(id), selected.has(id)))),
      places.has(place) ? h("button", { class: "action", type: "button", onclick: (/** @type {MouseEvent} */ event) => this.pick(null, place, event) }, t("tray.here", { place: game.name(place) })) : null,
    );
    return box;
  }

  /** @param {GameClient} game @param {string} id @param {string} place @param {boolean} may @param {boolean} chosen */
  unit(game, id, place, may, chosen) {
    return h(
      "button",
      { class: `tray-unit ${may ? "selectable" : ""} ${chosen ? "selected" : ""}`, type: "button", "data-unit": id, title: describeUnit(game, id), "aria-label": describeUnit(game, id), onclick: (/** @type {MouseEvent} */ event) => this.pick(id, place, event) },
      counterElement(id, game.components.units[id], game.shown.units[id]),
    );
  }

  /** Puts the keyboard on a counter of a box, or on the button that picks the box. @param {string | null} unit @param {string} place */
  focusOn(unit, place) {
    const wanted = unit ? `[data-unit="${CSS.escape(unit)}"]` : `[data-box="${CSS.escape(place)}"] .action`;
    /** @type {HTMLElement | null} */ (this.querySelector(wanted))?.focus();
  }

  /** @param {string | null} unit @param {string} place @param {MouseEvent} event */
  pick(unit, place, event) {
    this.dispatchEvent(new CustomEvent("pick", { detail: { unit, place, ...pointOf(event) }, bubbles: true }));
  }
}

/** What the tracks of a game count. @param {GameClient} game */
export function tracksTitle(game) {
  return game.name("tracks") === "tracks" ? t("tray.tracks") : game.name("tracks");
}

/** Where something was pressed, by pointer or keyboard: what is said about it is said there. @param {MouseEvent} event */
export function pointOf({ currentTarget }) {
  const { left, bottom } = /** @type {HTMLElement} */ (currentTarget).getBoundingClientRect();
  return { x: left, y: bottom };
}

customElements.define("table-tray", TableTray);
