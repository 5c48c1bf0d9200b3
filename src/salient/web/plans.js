/** Attacks before they are declared: for each target what could be brought to bear, from the odds that the game shows for it. */

/** @import { LegalAction, Odds } from "./wire.d.ts" */

/** @typedef {{ action: import("./api.js").LegalAction, odds: import("./wire.d.ts").Odds, units: Set<string> }} Plan */

export class Plans {
  /** @type {Map<string, Plan>} by target */
  known = new Map();

  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
  }

  forget() {
    this.known = new Map();
  }

  /** Asks once for every target of the present choice. */
  async load() {
    const { choice, game } = this.table;
    const openings = choice.openings();
    if (!openings.length) return;
    const previews = await Promise.all(openings.map(({ text }) => game.preview(text)));
    if (choice !== this.table.choice) return;
    openings.forEach((action, i) => this.add(action, previews[i].odds));
    if (this.known.size) this.table.showing.choice();
  }

  /** @param {LegalAction} action @param {Odds | undefined} odds */
  add(action, odds) {
    if (!odds?.target) return;
    const units = new Set([...(odds.attackers ?? []).map(({ unit }) => unit), ...(odds.support?.units ?? [])]);
    this.known.set(odds.target, { action, odds, units });
  }

  /** Every unit that could take part in an attack. @returns {Set<string>} */
  units() {
    return new Set([...this.known.values()].flatMap(({ units }) => [...units]));
  }

  /** The targets that any of some units could attack. @param {Iterable<string>} units @returns {string[]} */
  targetsOf(units) {
    const some = [...units];
    return [...this.known].filter(([, plan]) => some.some((id) => plan.units.has(id))).map(([target]) => target);
  }

  /** The plan against a place in which any of some units could take part. @param {string | null} place @param {Iterable<string>} units @returns {Plan | undefined} */
  against(place, units) {
    const plan = this.known.get(place ?? "");
    return plan && [...units].some((id) => plan.units.has(id)) ? plan : undefined;
  }
}
