/** What a click, a pointer or a key means: picks narrow the choice, gathered units are ordered, a full choice is played. */

import { isAside, takesUp } from "./choice.js";
import { notice } from "./dialogs.js";
import { t } from "./i18n.js";

/** @import { Pointed } from "./board.js" */

export class Input {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    /** @type {string | null} the counter under the pointer */
    this.pointedUnit = null;
    /** @type {string | null} the target of an attack that was begun by a click: a second click on it goes on */
    this.begunAt = null;
  }

  /** Every unit that is selected, alone or with others. */
  selected() {
    return [...this.table.choice.pinnedUnits(), ...this.table.group.units];
  }

  // ---- picking -------------------------------------------------------------------

  /** @param {import("./board.js").Pointed} pointed */
  pick(pointed) {
    const { table } = this;
    const { game, choice } = table;
    if (game.busy) return this.pickAfterAnswer(pointed);
    table.why.hide();
    table.overlays.point(pointed.place, pointed);
    table.place = pointed.place ?? table.place;
    table.cursor.follow(pointed.place);
    if (game.playing) return game.skip();
    if (!game.choosing) return table.showing.choice();
    if (this.begin(pointed) || this.lead(pointed) || this.pickGroup(pointed) || this.goOn(pointed)) return;
    if (this.putDown(pointed)) return;
    if (!choice.pick(pointed)) return this.inVain(pointed);
    if (this.takeUp(pointed)) return;
    const decided = choice.decided();
    const commits = pointed.unit && decided && !decided.names && !takesUp(decided);
    if (decided && !commits && !this.waitsForMore(pointed)) return table.play(decided);
    if (choice.places().size) table.board.pieces.fan(null);
    table.sight.orient();
    this.narrowed();
  }

  /** A click while an answer is under way counts once it has come; the second half of a double click does not. @param {import("./board.js").Pointed} pointed */
  async pickAfterAnswer(pointed) {
    const { game } = this.table;
    if (pointed.again) return;
    while (game.busy) await game.answered;
    if (game.choosing) this.pick(pointed);
  }

  /** The position was changed elsewhere: what can still be chosen stays selected, the rest is named. @param {string[]} units */
  keep(units) {
    const { choice, group, panel } = this.table;
    const able = this.able();
    const [still, gone] = [units.filter((id) => able.has(id)), units.filter((id) => !able.has(id))];
    if (gone.length) notice([t("group.gone", { units: gone.map((id) => panel.unitName(id)).join(", ") })]);
    if (still.length > 1) group.replace(still);
    else if (still.length && !choice.pinnedUnits().includes(still[0])) choice.pin(still[0], null);
    if (still.length) this.narrowed();
  }

  /** A unit that can move is taken up at once; what else it could do stays on offer. @param {import("./board.js").Pointed} pointed */
  takeUp({ unit }) {
    const { table } = this;
    const { choice, panel } = table;
    const select = unit ? choice.selecting() : undefined;
    if (!select) return false;
    panel.instead = { unit: select.args[0].value, actions: choice.complete().filter((action) => action !== select && action.args.length === 1) };
    table.play(select);
    return true;
  }

  /** The unit in hand is put down by a second click on it, or by one beside the map; it forfeits nothing. @param {import("./board.js").Pointed} pointed */
  putDown({ unit, place }) {
    const { choice } = this.table;
    const [inHand] = choice.given;
    if (!inHand || choice.pins !== choice.given || (unit ? unit !== inHand.value : place)) return false;
    return this.cancel();
  }

  /** Whether a unit is in hand that has not been led anywhere yet, and the click was on bare ground. @param {import("./board.js").Pointed} pointed */
  isEmptyGround({ unit, place }) {
    const { choice, board, showing } = this.table;
    const bare = !unit && place && !board.pieces.stacks.has(place);
    return Boolean(bare && choice.given.length && choice.pins === choice.given && !showing.waypoints().length);
  }

  /** Bare ground that a unit cannot go to lets it go, and says why it cannot. @param {import("./board.js").Pointed} pointed */
  async putDownAndTell(pointed) {
    const { choice, why, game } = this.table;
    const reasons = await why.reasons(choice, pointed);
    if (choice !== this.table.choice) return;
    this.cancel();
    await game.answered;
    why.tell(reasons, pointed, false);
  }

  /** Takes back what has been begun, where the game lets it. */
  cancel() {
    const action = this.table.choice.cancel();
    if (action) this.table.play(action);
    return Boolean(action);
  }

  /** Nothing legal has what was picked: says why not. @param {import("./board.js").Pointed} pointed */
  inVain(pointed) {
    const { choice, why, board, tabs, showing } = this.table;
    if (this.isEmptyGround(pointed) && choice.cancel()) {
      this.putDownAndTell(pointed);
      return;
    }
    if (pointed.unit || choice.pins.length || !pointed.place) why.ask(choice, pointed);
    if (!pointed.unit) choice.clear();
    if (board.geometry.has(pointed.place ?? "")) tabs.open("here");
    showing.choice();
  }

  /** With units selected, a click on a target begins the attack with them; nothing is rolled. @param {import("./board.js").Pointed} pointed */
  begin({ place }) {
    const { table } = this;
    const units = this.selected();
    const plan = table.plans.against(place, units);
    if (!plan) return false;
    this.begunAt = place;
    table.ready();
    table.group.begin(plan.action.text, units.filter((id) => plan.units.has(id)));
    return true;
  }

  /** Shift and a click on a hex leads the unit in hand by way of it. @param {import("./board.js").Pointed} pointed */
  lead({ place, more }) {
    const action = more ? this.table.choice.waypoint(place) : undefined;
    if (action) this.table.play(action);
    return Boolean(action);
  }

  /** A second click on what is being attacked goes on, where only one thing goes on. @param {import("./board.js").Pointed} pointed */
  goOn({ unit, place }) {
    const { choice, sight, panel, game } = this.table;
    if (!place || (unit && choice.units().has(unit)) || choice.places().has(place)) return false;
    const action = sight.promptSpeaksOf("hex").includes(place) ? panel.onward() : null;
    if (!action || game.snapshot.actor === "chance" || this.holds(place)) return false;
    panel.confirm(action);
    return true;
  }

  /** Whether units of whoever decides stand in a place: a click on them commits nothing, even where they attack from. @param {string} place */
  holds(place) {
    const { game, board } = this.table;
    const { actor } = game.snapshot;
    const side = game.shown.command?.[actor] ?? actor;
    return (board.pieces.stacks.get(place) ?? []).some((id) => game.components.units[id]?.side === side);
  }

  /** A new decision: an attack begun by a click waits for the second one. */
  expectSecondClick() {
    const { sight, panel, game } = this.table;
    const action = this.begunAt && game.choosing && sight.promptSpeaksOf("hex").includes(this.begunAt) ? panel.onward() : null;
    panel.armed = action?.text ?? null;
    if (game.choosing) this.begunAt = null;
  }

  /** Shift gathers units, a stack's number the whole stack; with some gathered, a click on another place orders them there. @param {import("./board.js").Pointed} pointed */
  pickGroup({ unit, place, more, stack }) {
    const { choice, group, board, plans } = this.table;
    const able = this.able();
    if (unit && able.has(unit) && (more || stack)) {
      const before = more ? this.selected() : [];
      choice.clear();
      if (stack) group.replace([...before, ...group.stackOf(unit, able)]);
      else if (before.includes(unit)) group.replace(before.filter((id) => id !== unit));
      else group.replace([...before, unit]);
      return true;
    }
    if (unit && plans.units().has(unit) && !choice.units().has(unit)) {
      choice.clear();
      group.replace(group.units.has(unit) && group.size === 1 ? [] : [unit]);
      return true;
    }
    if (!group.size || (unit && able.has(unit))) {
      group.clear();
      return false;
    }
    if (!this.goes(group.units)) {
      group.clear();
      return false;
    }
    if (place && board.geometry.has(place)) group.go(place, choice.goings(group.units)[0]?.verb);
    return true;
  }

  /** Whether any of some units can go somewhere. @param {Iterable<string>} units */
  goes(units) {
    const movers = this.table.choice.movers();
    return [...units].some((id) => movers.has(id));
  }

  /** The units that can be selected: those of legal actions, and those that could take part in an attack. */
  able() {
    return new Set([...this.table.choice.allUnits(), ...this.table.plans.units()]);
  }

  /** Selects the units inside a box of the map. @param {{ left: number, right: number, top: number, bottom: number }} box @param {boolean} more */
  box(box, more) {
    const { game, choice, group, board } = this.table;
    if (!game.choosing) return;
    const inside = (/** @type {string} */ id) => {
      const p = board.geometry.centre(game.shown.units[id]?.where);
      return p && p.x > box.left && p.x < box.right && p.y > box.top && p.y < box.bottom;
    };
    const before = more ? this.selected() : [];
    choice.clear();
    group.replace([...before, ...[...this.able()].filter(inside)]);
  }

  /** The stack or the formation of what is selected, or of what the pointer is on. @param {"stack" | "formation"} what */
  async gather(what) {
    await this.table.game.answered;
    const { game, choice, group } = this.table;
    const unit = [...group.units, ...choice.pinnedUnits(), this.pointedUnit].find((id) => id && game.shown.units[id]);
    if (!unit || !game.choosing) return;
    const able = this.able();
    choice.clear();
    group.take(what === "stack" ? group.stackOf(unit, able) : group.formationOf(unit, able));
  }

  /** Selects units by their names, wherever they stand. @param {string[]} units */
  select(units) {
    const { choice, group, board, sight } = this.table;
    choice.clear();
    group.replace(units);
    board.showSome(units.map((id) => sight.placeOf(id)));
  }

  /** A unit that could also be picked for something longer is not played at once. @param {Pointed} pointed */
  waitsForMore(pointed) {
    const { choice, panel } = this.table;
    if (!pointed.unit || choice.pins.at(-1)?.kind !== "unit") return false;
    return choice.fitting().length > 1 || panel.forItsPlace().length > 0 || choice.openings().length > 0;
  }

  /** Whether a unit of a place can be picked: its stack opens, even if the place itself can be picked, too. @param {string} place */
  picksIn(place) {
    const { board } = this.table;
    const units = this.able();
    return (board.pieces.stacks.get(place) ?? []).some((id) => units.has(id));
  }

  // ---- dragging --------------------------------------------------------------------

  /** Whether a unit can be carried: it can be taken up, go somewhere or attack. @param {string} unit */
  liftable(unit) {
    const { game, choice, plans, group } = this.table;
    if (!game.choosing) return false;
    const goes = choice.legal.some((action) => action.args[0]?.value === unit && (takesUp(action) || (action.args.length > 1 && !isAside(action))));
    return goes || plans.units().has(unit) || group.units.has(unit);
  }

  /** A counter is carried off: it is selected, unless it is already. @param {import("./board.js").Pointed} pointed */
  lift(pointed) {
    if (!this.selected().includes(/** @type {string} */ (pointed.unit))) this.pick({ ...pointed, more: false, stack: false });
  }

  /** It is put down: on a lit place that orders the move or the attack. @param {{ place: string | null, from: string | null, x: number, y: number }} dropped */
  async drop({ place, from, x, y }) {
    const { table } = this;
    await table.game.answered;
    if (!place || place === from || !table.game.choosing) return;
    const lit = table.choice.places().has(place) || table.plans.against(place, this.selected()) || table.group.size;
    if (lit) this.pick({ unit: null, place, x, y });
    else table.why.ask(table.choice, { unit: null, place, x, y });
  }

  // ---- second thoughts -------------------------------------------------------------

  clear() {
    this.table.choice.clear();
    this.narrowed();
  }

  /** The choice is another one: costs and odds are those of before. */
  narrowed() {
    const { considering, cursor, showing } = this.table;
    cursor.restart();
    considering.clearCosts();
    considering.lookAtButtons();
    showing.choice();
    considering.loadCosts();
  }

  escape() {
    const { why, board, panel, group, game, replay, choice } = this.table;
    why.hide();
    board.pieces.fan(null);
    if (panel.disarm()) return;
    if (group.size) return group.clear();
    if (game.playing) return game.skip();
    if (game.back !== null) return replay.present();
    if (choice.pins === choice.given && this.cancel()) return;
    if (choice.pins.length) choice.back();
    else choice.clear();
    this.narrowed();
  }

  // ---- pointing ----------------------------------------------------------------------

  /** @param {import("./board.js").Pointed} pointed */
  point(pointed) {
    const { game, choice, why, overlays, considering, plans } = this.table;
    this.pointedUnit = pointed.unit;
    why.hide();
    overlays.point(pointed.place, pointed);
    if (!game.choosing) return this.inspect(pointed);
    const plan = plans.against(pointed.place, this.selected());
    const place = pointed.place && choice.places().has(pointed.place) ? pointed.place : null;
    const may = plan || place || (pointed.unit && (choice.units().has(pointed.unit) || this.able().has(pointed.unit)));
    if (plan) considering.lookAtPlan(plan, this.selected().filter((id) => plan.units.has(id)));
    else if (place) considering.look(choice.wouldPlay(place), pointed);
    else if (considering.action) considering.lookAtButtons();
    if (!may && (pointed.unit || (pointed.place && choice.pins.length)) && pointed.x) why.soon(choice, pointed);
    this.inspect(pointed);
  }

  /** The stack panel follows the pointer until a place is picked. @param {Pointed} pointed */
  inspect({ place }) {
    const { table } = this;
    if (!place || place === table.place || !table.board.pieces.stacks.has(place)) return;
    table.place = place;
    table.stack.show(table.game, place, { selectable: this.able(), selected: new Set(this.selected()) });
  }
}
