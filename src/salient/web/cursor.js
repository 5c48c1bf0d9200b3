/** The keyboard's cursor on the map, and the way through all that can be picked. */

import { announce } from "./dialogs.js";
import { isHexside } from "./geometry.js";
import { t } from "./i18n.js";
import { describeUnit } from "./stack.js";

export class Cursor {
  /** @type {number | null} how far the round through what can be picked has come */
  round = null;

  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    /** @type {string | null} the place it stands on */
    this.place = null;
    this.shown = false;
    /** @type {string | null} the unit that the cycle stopped at */
    this.unit = null;
  }

  /** The next round through what can be picked begins anew. */
  restart() {
    this.round = null;
  }

  /** Stands where something was picked, if that is on the map. @param {string | null} place */
  follow(place) {
    if (place && this.table.board.geometry.has(place)) this.place = place;
  }

  /** @param {number} dx @param {number} dy */
  move(dx, dy) {
    const start = this.place ?? this.nearestToMiddle();
    this.go(this.shown ? this.table.board.geometry.step(start, dx, dy) : start);
  }

  nearestToMiddle() {
    const { camera, geometry } = this.table.board;
    const view = camera.visible();
    const middle = { x: (view.left + view.right) / 2, y: (view.top + view.bottom) / 2 };
    return geometry.placeAt(middle) ?? [...geometry.centres.keys()][0];
  }

  /** @param {string} place */
  go(place) {
    const { table } = this;
    this.place = place;
    this.shown = true;
    table.board.reveal(place);
    table.input.point({ unit: null, place, x: 0, y: 0 });
    table.overlays.point(place, table.sight.inWindow(place));
    table.showing.marks();
    announce(this.describe(place));
  }

  /** @param {string} place */
  describe(place) {
    const { game, board, choice, overlays } = this.table;
    const hex = game.hexes?.[place];
    const units = (board.pieces.stacks.get(place) ?? []).map((id) => describeUnit(game, id));
    const legal = choice.places().has(place) ? t("board.legal") : "";
    const what = hex ? game.name(hex.terrain) : isHexside(place) ? t("board.hexside") : game.name(place);
    return [place, hex?.place, what, ...units, legal, ...overlays.about(place)].filter(Boolean).join(", ");
  }

  /** Goes to the next thing that can be picked. @param {number} step */
  cycle(step) {
    const { choice, board, charts, tray, sight } = this.table;
    const units = this.byFormation(choice.units());
    const things = choice.pins.length ? [...choice.places(), ...units] : [...units, ...choice.places()];
    if (!things.length) return announce(t("board.nothing"));
    const at = this.round === null ? (step > 0 ? -1 : 0) : this.round;
    this.round = (at + step + things.length) % things.length;
    const thing = things[this.round];
    this.unit = choice.units().has(thing) ? thing : null;
    const place = this.unit ? sight.placeOf(thing) : thing;
    if (!board.geometry.has(place)) return charts.focusOn(thing) || tray.focusOn(this.unit, place);
    this.go(place);
    if (this.unit) this.focusOn(this.unit);
    else board.viewport.focus({ preventScroll: true });
  }

  /** Units of one formation after the other. @param {Iterable<string>} units */
  byFormation(units) {
    const { components } = this.table.game;
    const formation = (/** @type {string} */ id) => components.units[id]?.formation ?? "";
    const first = new Map();
    for (const id of units) if (!first.has(formation(id))) first.set(formation(id), first.size);
    return [...units].sort((a, b) => first.get(formation(a)) - first.get(formation(b)));
  }

  /** @param {string} unit */
  focusOn(unit) {
    const { board, sight, game } = this.table;
    board.pieces.fan(sight.placeOf(unit));
    board.pieces.pieces.get(unit)?.element.focus({ preventScroll: true });
    announce(describeUnit(game, unit));
  }

  /** Enter picks what the cursor or the cycle stands on. */
  pick() {
    const { table, place } = this;
    const { choice, group, panel } = table;
    const onward = panel.onward();
    if (onward && panel.armed === onward.text) return panel.confirm(onward);
    const decided = choice.decided();
    if (decided && choice.pins !== choice.given) return table.play(decided);
    if (group.plan && group.goal) return group.go(group.goal);
    if (!place) return;
    const stack = table.board.pieces.stacks.get(place) ?? [];
    const able = stack.filter((id) => choice.units().has(id));
    const unit = this.unit && stack.includes(this.unit) ? this.unit : (able[0] ?? stack.at(-1) ?? null);
    this.unit = null;
    table.input.pick({ unit: choice.places().has(place) && !able.length ? null : unit, place, ...table.sight.inWindow(place) });
  }
}
