/** What can be chosen, lit up everywhere at once: counters, hexes, edges, minimap, panel, stack, trays. */

import { charted } from "./charts.js";
import { leads, takesUp } from "./choice.js";
import { isHexside } from "./geometry.js";

/** @import { Kind } from "./marks.js" */

export class Showing {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    /** @type {string[] | null} where the last move went */
    this.trail = null;
    /** @type {[string, string][]} where others' counters went in their turn */
    this.trails = [];
    /** @type {Set<string>} verbs that lead a unit on to a waypoint, as far as they were offered */
    this.leading = new Set();
    /** @type {Set<string>} units that may be picked, and those that are */
    this.selectable = new Set();
    /** @type {Set<string>} */
    this.selected = new Set();
  }

  /** The choice as it stands now: map and decision at once, what lies around them a frame later. */
  choice() {
    const { table } = this;
    const { game, choice, group, board, sight } = table;
    const selected = new Set([...choice.pinnedUnits(), ...group.units, ...choice.named()]);
    const selectable = new Set([...choice.units(), ...(choice.pins.length ? choice.allUnits() : []), ...table.plans.units()]);
    const told = (/** @type {string[]} */ units) => new Set(game.choosing ? units : []);
    Object.assign(this, { selected, selectable });
    board.pieces.mark({ selectable, selected, movers: choice.movers(), focus: told(sight.unitsInFocus()), hindering: told(sight.hindering()) });
    board.hexsides = [...choice.places()].filter(isHexside);
    this.marks();
    table.panel.show(game, choice, group);
    table.considering.showOdds();
    table.around.soon();
  }

  /** What lies around map and decision: edges, minimap, stack, trays. */
  around() {
    const { table, selected, selectable } = this;
    const { game, choice, board, sight } = table;
    table.strategic.show(game, selectable);
    const choosable = game.choosing ? sight.choosable() : [];
    table.beacons.show(choosable);
    table.minimap.show(game, choosable);
    table.stack.show(game, table.place, { selectable, selected });
    const marks = { selectable, selected, places: choice.places(), things: choice.things() };
    table.tray.show(game, (place) => board.geometry.has(place), charted(game.shown), marks);
    table.charts.show(game, marks);
    sight.turnToForces();
  }

  /** An action is on its way: its unit and where it goes are lit at once; what is shown with the answer replaces that. @param {import("./api.js").LegalAction} action */
  expect(action) {
    const { board } = this.table;
    for (const { kind, value } of action.args) {
      if (kind === "unit" && takesUp(action)) board.pieces.expect(value);
      else if (kind !== "unit" && board.geometry.has(value)) board.marks.expect(value);
    }
  }

  /** What is lit up on the map. */
  marks() {
    const { game, choice, group, plans, board, considering, cursor, sight } = this.table;
    const selected = choice.pins.findLast(({ value }) => board.geometry.has(sight.placeOf(value)));
    const { path, odds } = considering.preview;
    board.marks.show({
      legal: this.legal(),
      open: [...this.selectable].map((id) => sight.placeOf(id)),
      waypoints: this.waypoints(),
      veil: choice.pins.length > 0 || (group.size > 0 && plans.known.size > 0),
      selected: selected ? sight.placeOf(selected.value) : null,
      focus: game.choosing ? sight.promptSpeaksOf("hex", "bridge") : [],
      warned: game.choosing ? considering.warned : [],
      path,
      orders: this.orderTrails(),
      arrows: odds ? [...new Set(odds.attackers.map(({ unit }) => sight.placeOf(unit)))].map((from) => [from, odds.target]) : [],
      moved: [...this.trails, ...(this.trail ? [this.trail] : [])],
      cursor: cursor.shown ? cursor.place : null,
    });
  }

  /** The places that can be picked, and the targets of what is selected: whether an enemy is there, and what it costs to go. */
  legal() {
    const { game, choice, group, plans, input, board, considering } = this.table;
    const targets = plans.targetsOf(input.selected());
    const goals = group.size ? choice.goings(group.units).map(({ args }) => args[1].value) : [];
    const places = group.size && plans.known.size ? [...goals, ...targets] : [...choice.places(), ...goals, ...targets];
    const kinds = group.size ? new Map(goals.map((place) => /** @type {[string, Kind]} */ ([place, "go"]))) : choice.placeKinds();
    const hostile = (/** @type {string} */ place) => (board.pieces.stacks.get(place) ?? []).some((id) => game.components.units[id].side !== game.snapshot.actor);
    const attacked = (/** @type {string} */ place) => targets.includes(place) || (kinds.get(place) === "attack" && hostile(place));
    const mark = (/** @type {string} */ place) => ({ kind: /** @type {Kind} */ (attacked(place) ? "attack" : kinds.get(place) === "go" ? "go" : "choose"), cost: considering.costs.get(place) });
    return new Map(places.map((place) => [place, mark(place)]));
  }

  /** By way of which places the unit in hand has been led. @returns {string[]} */
  waypoints() {
    const { game, choice } = this.table;
    const [unit] = choice.given;
    const { entries } = game;
    for (const { verb } of choice.legal.filter(leads)) this.leading.add(verb);
    const isLed = (/** @type {string | null} */ action) => [...this.leading].some((verb) => action?.startsWith(`${verb} ${unit.value} `));
    const led = [];
    for (let i = entries.length - 1; unit && i >= 0 && isLed(entries[i].action); i--) led.unshift(String(entries[i].action).split(" ")[2]);
    return led;
  }

  /** Where the units of a tried order would go. */
  orderTrails() {
    const { group, board, sight } = this.table;
    const ends = Object.entries(group.plan?.ends ?? {});
    return ends.map(([unit, end]) => [sight.placeOf(unit), end]).filter(([from, end]) => board.geometry.has(from) && from !== end);
  }

  /** Where others' counters went. @param {[string, string][]} trails */
  othersWent(trails) {
    this.trails = trails;
    this.marks();
  }

  /** Shows where a move of the past went. @param {string[] | null} trail */
  follow(trail) {
    const { board } = this.table;
    this.trail = trail;
    if (trail && board.geometry.has(trail[trail.length - 1])) board.reveal(trail[trail.length - 1]);
  }

  /** An action was carried out: where its counter went; during playback the camera goes along. @param {import("./api.js").Entry} entry */
  played(entry) {
    const { board, game } = this.table;
    const placeNow = (/** @type {string} */ id) => board.pieces.pieces.get(id)?.place;
    const moved = Object.entries(entry.change?.units ?? {}).find(([id, unit]) => unit?.where && placeNow(id) !== unit.where);
    if (!moved) return;
    const [id, unit] = moved;
    const where = unit?.where ?? "";
    const from = placeNow(id);
    this.trail = entry.way ?? (from ? [from, where] : null);
    if (game.playing) board.reveal(where);
  }
}
