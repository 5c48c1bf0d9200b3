/**
 * Several units ordered as one: a stack, a formation, or what was picked with Shift. The server tries the order and says
 * where each unit would end; a second click on the same hex carries it out, and one undo takes it back.
 */

import { ApiError, post } from "./api.js";

/** @typedef {{ actions: string[], ends: Record<string, string>, stragglers: string[], held: string[] }} Plan */

export class Group extends EventTarget {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    super();
    this.game = game;
    /** @type {Set<string>} */
    this.units = new Set();
    this.forget();
  }

  get size() {
    return this.units.size;
  }

  forget() {
    /** @type {Plan | null} what the last order tried would do */
    this.plan = null;
    /** @type {string | null} */
    this.goal = null;
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

  /** Tries the order to go to a place; the same place again carries it out. @param {string} place */
  async go(place) {
    if (this.goal === place && this.plan?.actions.length) return this.carryOut({ units: [...this.units], to: place });
    const answer = await this.ask({ units: [...this.units], to: place }, false);
    if (!answer) return;
    this.goal = place;
    this.plan = answer;
    this.dispatchEvent(new Event("changed"));
  }

  /** @param {Record<string, unknown>} order */
  async carryOut(order) {
    this.units.clear();
    this.forget();
    await this.game.submit("orders", { ...order, commit: true });
    this.dispatchEvent(new Event("changed"));
  }

  /** @param {Record<string, unknown>} order @param {boolean} commit */
  async ask(order, commit) {
    const { game } = this;
    try {
      return await post(`games/${game.id}/orders`, { seen: game.snapshot.seen, ...order, commit }, game.eyes());
    } catch (error) {
      game.refused(/** @type {ApiError} */ (error));
      return null;
    }
  }
}
