/**
 * Several units ordered as one: a stack, a formation, or what was picked with Shift. The server tries the order and says
 * where each unit would end; a second click on the same hex carries it out, and one undo takes it back.
 */

import { request } from "./api.js";

/** @import { ApiError } from "./api.js" */
/** @import { Order, PlanAnswer, Preview } from "./wire.d.ts" */
/** @typedef {Pick<PlanAnswer, "actions" | "ends" | "stragglers" | "held">} Plan what an order would do */

export class Group extends EventTarget {
  /** @type {Set<string>} */
  units = new Set();
  /** @type {Plan | null} what the last order tried would do, and to which place */
  plan = null;
  /** @type {string | null} */
  goal = null;
  /** @type {string | undefined} */
  verb;

  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    super();
    this.game = game;
  }

  get size() {
    return this.units.size;
  }

  forget() {
    this.plan = null;
    this.goal = null;
    this.verb = undefined;
  }

  clear() {
    if (!this.size) return;
    this.units.clear();
    this.changed();
  }

  /** @param {string} unit */
  toggle(unit) {
    if (!this.units.delete(unit)) this.units.add(unit);
    this.changed();
  }

  /** Only these. @param {Iterable<string>} units */
  replace(units) {
    this.units = new Set(units);
    this.changed();
  }

  /** @param {Iterable<string>} units */
  take(units) {
    this.units = new Set([...this.units, ...units]);
    this.changed();
  }

  changed() {
    this.forget();
    this.dispatchEvent(new Event("changed"));
  }

  /** The units of a unit's stack that may act. @param {string} unit @param {Set<string>} able */
  stackOf(unit, able) {
    const { units } = this.game.shown;
    return [...able].filter((id) => units[id]?.where === units[unit]?.where);
  }

  /** The units of a unit's formation that may act. @param {string} unit @param {Set<string>} able */
  formationOf(unit, able) {
    const { units } = this.game.components;
    const name = units[unit]?.formation;
    return name ? [...able].filter((id) => units[id]?.formation === name) : [unit];
  }

  /** Tries the order to go to a place; the same place again carries it out. @param {string} place @param {string} [verb] how they go, where it is not a plain move */
  async go(place, verb = this.verb) {
    const order = { units: [...this.units], to: place, ...(verb ? { verb } : {}) };
    if (this.goal === place && this.plan?.actions.length) return this.carryOut(order);
    const answer = await this.ask(order);
    if (!answer) return;
    this.verb = verb;
    this.goal = place;
    this.plan = answer;
    this.dispatchEvent(new Event("changed"));
  }

  /** Begins what an action opens, with units named in it. @param {string} begin @param {string[]} units */
  begin(begin, units) {
    return this.carryOut({ begin, units });
  }

  /** What beginning with some units would lead to, as a preview. @param {string} begin @param {string[]} units @returns {Promise<Preview>} */
  tryToBegin(begin, units) {
    const order = { seen: this.game.snapshot.seen, begin, units, commit: false };
    return this.attempt(order).then(({ preview }) => preview, () => ({}));
  }

  /** Tries an order. @param {Order} order @returns {Promise<PlanAnswer>} */
  attempt(order) {
    return request("POST", `games/${this.game.id}/orders`, { ...this.game.eyes(), body: order });
  }

  /** The units stay selected until the order has been carried out: if it is refused or lost, nothing is. @param {Partial<Order>} order */
  carryOut(order) {
    return this.game.submit("orders", { ...order, commit: true });
  }

  /** What an order would do; null if it is refused. @param {Partial<Order>} order */
  async ask(order) {
    const { game } = this;
    try {
      return await this.attempt({ seen: game.snapshot.seen, ...order, commit: false });
    } catch (error) {
      game.refused(/** @type {ApiError} */ (error));
      return null;
    }
  }
}
