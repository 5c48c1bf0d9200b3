/**
 * Choosing among the legal actions by pointing. Each pick pins one argument; the actions that fit all pins remain.
 * Nothing here knows a rule: it only narrows the list that the server sent.
 */

/** @typedef {import("./api.js").LegalAction} LegalAction */
/** @typedef {import("./api.js").Argument} Argument */

export const SELECT = "select";
/** Second thoughts: they are offered, but a click means what goes on. */
export const ASIDE = new Set(["cancel", "drop", "via"]);

export class Choice {
  /** @param {LegalAction[]} legal @param {(place: string) => boolean} isPlace */
  constructor(legal, isPlace) {
    this.legal = legal;
    this.isPlace = isPlace;
    /** @type {Argument[]} what every action with arguments begins with: pinned from the start */
    this.given = onlyUnit(legal);
    /** @type {Argument[]} */
    this.pins = this.given;
    /** @type {string | null} only actions of this verb, once one was chosen */
    this.verb = null;
  }

  /** The actions that fit, each with the arguments still open. */
  fitting() {
    return this.legal.flatMap((action) => {
      const aside = this.pins === this.given && !action.args.length && !this.verb;
      const open = this.verb && action.verb !== this.verb ? null : aside ? [] : this.open(action.args);
      return open ? [{ action, open }] : [];
    });
  }

  /** The arguments that remain after the pins were found in order; null if one was not found. */
  open(args) {
    const open = [];
    let next = 0;
    for (const arg of args) {
      if (next < this.pins.length && this.same(this.pins[next], arg)) next++;
      else open.push(arg);
    }
    return next === this.pins.length ? open : null;
  }

  same(pin, arg) {
    return pin.value === arg.value && (pin.kind === "unit") === (arg.kind === "unit");
  }

  /** Units that can be picked next. @returns {Set<string>} */
  units() {
    return new Set(this.fitting().flatMap(({ open }) => open.find((arg) => arg.kind === "unit")?.value ?? []));
  }

  /** Places that can be picked next: where an action's next thing on the table is a place. @returns {Set<string>} */
  places() {
    return new Set(
      this.fitting().flatMap(({ open }) => {
        const next = open.find((arg) => arg.kind === "unit" || this.isPlaceArgument(arg));
        return next && next.kind !== "unit" ? [next.value] : [];
      }),
    );
  }

  /** Other things that can be picked next, by name: chits, assets, formations. @returns {Set<string>} */
  things() {
    const isThing = (arg) => arg.kind !== "unit" && arg.kind !== "n" && !this.isPlaceArgument(arg);
    return new Set(this.fitting().flatMap(({ open }) => open.filter(isThing).map(({ value }) => value)));
  }

  /** Units that can be picked when nothing is pinned. @returns {Set<string>} */
  allUnits() {
    const all = new Choice(this.legal, this.isPlace);
    all.pins = [];
    return all.units();
  }

  /** @returns {string[]} */
  pinnedUnits() {
    return this.pins.filter(({ kind }) => kind === "unit").map(({ value }) => value);
  }

  /** Actions that need no further argument. */
  complete() {
    return this.fitting().filter(({ open }) => open.length === 0).map(({ action }) => action);
  }

  /** Actions without any argument: pass, resolve, end. */
  plain() {
    return this.legal.filter(({ args }) => args.length === 0);
  }

  /**
   * The one action that is fully chosen, if there is one. Longer actions that go on from here (by way of a place) need
   * their own gesture and do not stand in the way.
   * @returns {LegalAction | null}
   */
  decided() {
    const complete = this.complete().filter(({ args }) => args.length);
    const onward = complete.filter(({ verb }) => !ASIDE.has(verb));
    const [first, ...others] = onward.length ? onward : complete;
    return this.pins.length && first && !others.length ? first : null;
  }

  /** Whether something else than an action could go on from here. @param {LegalAction} action */
  leavesOthers(action) {
    return this.legal.some((other) => other !== action && !ASIDE.has(other.verb));
  }

  /** What picking a place would play at once. @param {string} place @returns {LegalAction | null} */
  wouldPlay(place) {
    const next = new Choice(this.legal, this.isPlace);
    Object.assign(next, { pins: this.pins, verb: this.verb });
    return next.pin(null, place) ? next.decided() : null;
  }

  /**
   * Picks a counter, a place or another thing; false if no legal action has it.
   * @param {{ unit: string | null, place: string | null, thing?: string }} pointed
   */
  pick({ unit, place, thing }) {
    if (thing) return this.things().has(thing) && this.add((arg) => arg.value === thing);
    if (unit && this.given.some(({ value }) => value === unit) && this.pins === this.given) return true;
    if (unit && this.pinnedUnits().includes(unit)) return this.again();
    if (this.pin(unit, place) || this.takeUp(unit)) return true;
    const before = { pins: this.pins, verb: this.verb };
    for (const pins of [this.given, []]) {
      Object.assign(this, { pins, verb: null });
      if (this.pin(unit, place)) return true;
    }
    Object.assign(this, before);
    return false;
  }

  /** Picks another unit instead of the one in hand. @param {string | null} unit */
  takeUp(unit) {
    const instead = this.legal.find(({ args, verb }) => verb === SELECT && args[0].value === unit);
    if (!instead || !this.given.length) return false;
    this.pins = instead.args;
    this.verb = SELECT;
    return true;
  }

  pin(unit, place) {
    if (unit && this.units().has(unit)) return this.add((arg) => arg.kind === "unit" && arg.value === unit);
    if (place && this.places().has(place)) return this.add((arg) => arg.value === place && this.isPlaceArgument(arg));
    return false;
  }

  add(wanted) {
    const found = this.fitting().flatMap(({ open }) => open.filter(wanted))[0];
    this.pins = [...this.pins, found];
    return true;
  }

  /** What a second click on a picked unit plays where several things could be done with it. */
  selecting() {
    return this.verb ? undefined : this.complete().find(({ verb }) => verb === SELECT);
  }

  /** A second click on a picked unit: select it, or let it be. */
  again() {
    if (!this.selecting()) return this.back();
    this.verb = SELECT;
    return true;
  }

  /** Takes the last pick back. */
  back() {
    if (this.verb && !this.pins.length) this.verb = null;
    this.pins = this.pins.length <= this.given.length + 1 ? this.given : this.pins.slice(0, -1);
    return true;
  }

  clear() {
    this.pins = this.given;
    this.verb = null;
  }

  isPlaceArgument(arg) {
    return arg.kind !== "unit" && this.isPlace(arg.value);
  }

  /**
   * What the player seems to mean by pointing at something that cannot be picked: actions to ask "why not?" about.
   * The shapes are those of the legal actions; the pointed thing takes the place of its argument.
   * @param {{ unit: string | null, place: string | null }} pointed
   * @returns {string[]}
   */
  attempts({ unit, place }) {
    const shapes = new Map();
    for (const { action } of this.pins.length ? this.fitting() : this.legal.map((action) => ({ action }))) {
      const key = `${action.verb} ${action.args.map(({ kind }) => kind).join(" ")}`;
      if (!shapes.has(key)) shapes.set(key, action);
    }
    return [...shapes.values()].flatMap((action) => this.attempt(action, unit, place)).slice(0, 4);
  }

  attempt(action, unit, place) {
    const pins = [...this.pins];
    let used = false;
    const words = action.args.map((arg) => {
      if (pins.length && (pins[0].kind === "unit") === (arg.kind === "unit")) return /** @type {Argument} */ (pins.shift()).value;
      if (used) return arg.value;
      if (arg.kind === "unit" && unit) return ((used = true), unit);
      if (this.isPlaceArgument(arg) && place) return ((used = true), place);
      return arg.value;
    });
    return used ? [[action.verb, ...words].join(" ")] : [];
  }
}

/** The unit with which every action begins that has arguments, if it goes on from there; others may be selected instead. @param {LegalAction[]} legal @returns {Argument[]} */
function onlyUnit(legal) {
  const onward = legal.filter(({ args, verb }) => args.length && verb !== SELECT && !(ASIDE.has(verb) && args.length === 1));
  const [first] = onward;
  const one = onward.some(({ args }) => args.length > 1) && onward.every(({ args }) => args[0].kind === "unit" && args[0].value === first.args[0].value);
  return one ? [first.args[0]] : [];
}
