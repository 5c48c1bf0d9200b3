/**
 * Choosing among the legal actions by pointing. Each pick pins one argument; the actions that fit all pins remain.
 * Nothing here knows a rule: it only narrows the list that the server sent.
 */

/** @typedef {import("./api.js").LegalAction} LegalAction */
/** @typedef {import("./api.js").Argument} Argument */
/** @typedef {NonNullable<LegalAction["role"]>} Role */

/** What an action does to what is in hand, as the server tells it. @type {{ TAKE_UP: Role, TAKE_BACK: Role, LEAD: Role, FIGHT: Role }} */
const ROLE = { TAKE_UP: "take-up", TAKE_BACK: "take-back", LEAD: "lead", FIGHT: "fight" };

/** Whether an action takes a unit into the hand. @param {LegalAction} action */
export const takesUp = ({ role }) => role === ROLE.TAKE_UP;

/** Whether an action takes back what was named. @param {LegalAction} action */
export const takesBack = ({ role }) => role === ROLE.TAKE_BACK;

/** Whether an action leads the unit in hand on to a waypoint. @param {LegalAction} action */
export const leads = ({ role }) => role === ROLE.LEAD;

/** Second thoughts: they are offered, but a click means what goes on. @param {LegalAction} action */
export const isAside = (action) => takesBack(action) || leads(action);

/** @typedef {{ action: LegalAction, open: Argument[] }} Fitting an action and its arguments that are still open */

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
    /** @type {{ pins: Argument[], verb: string | null, fitting: Fitting[], units?: Set<string>, kinds?: Map<string, import("./marks.js").Kind> } | undefined} what has been worked out, and for which picks */
    this.known = undefined;
    /** @type {Choice | undefined} the same list with nothing pinned */
    this.free = undefined;
    /** @type {Set<string> | undefined} */
    this.going = undefined;
  }

  /** What has been worked out for the present picks. */
  get now() {
    const { pins, verb } = this;
    if (this.known?.pins !== pins || this.known.verb !== verb) this.known = { pins, verb, fitting: this.allFitting() };
    return this.known;
  }

  /** The actions that fit, each with the arguments still open. @returns {Fitting[]} */
  fitting() {
    return this.now.fitting;
  }

  /** @returns {Fitting[]} */
  allFitting() {
    return this.legal.flatMap((action) => {
      const aside = this.pins === this.given && !action.args.length && !this.verb;
      const open = this.verb && action.verb !== this.verb ? null : aside ? [] : this.open(action.args);
      return open ? [{ action, open }] : [];
    });
  }

  /** The arguments that remain after the pins were found in order; null if one was not found. @param {Argument[]} args */
  open(args) {
    const open = [];
    let next = 0;
    for (const arg of args) {
      if (next < this.pins.length && this.same(this.pins[next], arg)) next++;
      else open.push(arg);
    }
    return next === this.pins.length ? open : null;
  }

  /** @param {Argument} pin @param {Argument} arg */
  same(pin, arg) {
    return pin.value === arg.value && (pin.kind === "unit") === (arg.kind === "unit");
  }

  /** Units that can be picked next. @returns {Set<string>} */
  units() {
    return (this.now.units ??= new Set(this.fitting().flatMap(({ open }) => open.find((arg) => arg.kind === "unit")?.value ?? [])));
  }

  /** Places that can be picked next: where an action's next thing on the table is a place. @returns {Set<string>} */
  places() {
    return new Set(this.placeKinds().keys());
  }

  /** What picking each place would mean: a unit goes there, something is fought there, or it is merely chosen. @returns {Map<string, import("./marks.js").Kind>} */
  placeKinds() {
    return (this.now.kinds ??= this.kindsOfPlaces());
  }

  /** @returns {Map<string, import("./marks.js").Kind>} */
  kindsOfPlaces() {
    const kinds = new Map();
    for (const { action, open } of this.fitting()) {
      const next = open.find((arg) => arg.kind === "unit" || this.isPlaceArgument(arg));
      if (!next || next.kind === "unit" || kinds.get(next.value) === "attack") continue;
      const goes = action.args[0].kind === "unit" ? "go" : "choose";
      kinds.set(next.value, action.role === ROLE.FIGHT ? "attack" : goes);
    }
    return kinds;
  }

  /** The units that could go somewhere. @returns {Set<string>} */
  movers() {
    const goes = (/** @type {LegalAction} */ action) => takesUp(action) || action.args.some((arg) => this.isPlaceArgument(arg));
    return (this.going ??= new Set(this.legal.filter(goes).flatMap(({ args }) => args.find((arg) => arg.kind === "unit")?.value ?? [])));
  }

  /** The ways of going somewhere that any of some units has now. @param {Iterable<string>} units @returns {LegalAction[]} */
  goings(units) {
    const some = new Set(units);
    return this.legal.filter((action) => !isAside(action) && action.args.length === 2 && action.args[0].kind === "unit" && some.has(action.args[0].value) && this.isPlaceArgument(action.args[1]));
  }

  /** Other things that can be picked next, by name: chits, assets, formations. @returns {Set<string>} */
  things() {
    const isThing = (/** @type {Argument} */ arg) => arg.kind !== "unit" && arg.kind !== "n" && !this.isPlaceArgument(arg);
    return new Set(this.fitting().flatMap(({ open }) => open.filter(isThing).map(({ value }) => value)));
  }

  /** Units that can be picked when nothing is pinned. @returns {Set<string>} */
  allUnits() {
    if (!this.free) {
      this.free = new Choice(this.legal, this.isPlace);
      this.free.pins = [];
    }
    return this.free.units();
  }

  /** The units that were named for what is begun and can be taken back. @returns {string[]} */
  named() {
    return this.legal.filter((action) => takesBack(action) && action.args.length === 1 && action.args[0].kind === "unit").map(({ args }) => args[0].value);
  }

  /** @returns {string[]} */
  pinnedUnits() {
    return this.pins.filter(({ kind }) => kind === "unit").map(({ value }) => value);
  }

  /** Actions that need no further argument. */
  complete() {
    return this.fitting().filter(({ open }) => open.length === 0).map(({ action }) => action);
  }

  /** What is looked at while nothing is pointed at: what the buttons carry out, never what they take back. @param {number} most @returns {LegalAction[]} */
  considered(most) {
    const onward = this.fitting().filter(({ action }) => !isAside(action));
    const plain = onward.filter(({ action, open }) => (this.pins.length ? !open.length : !action.args.length));
    const asked = [...plain, ...(onward.length <= most ? onward : [])];
    return [...new Set(asked.map(({ action }) => action))].slice(0, most);
  }

  /** Actions that name a place and begin something in which pieces are named: attacks. */
  openings() {
    return this.legal.filter(({ names, args }) => names && args.length === 1 && this.isPlaceArgument(args[0]));
  }

  /** The one action without arguments that goes on from here, neither second thoughts nor an end. @param {(action: LegalAction) => boolean} isEnding */
  onward(isEnding) {
    const plain = this.plain().filter((action) => !isAside(action) && !isEnding(action));
    return plain.length === 1 ? plain[0] : null;
  }

  /** Second thoughts about something else than the unit in hand. @returns {LegalAction[]} */
  otherAsides() {
    if (!this.given.length || this.pins !== this.given || this.verb) return [];
    return this.legal.filter((action) => isAside(action) && action.args.length === 1 && !this.open(action.args));
  }

  /** What takes back all that was begun. @returns {LegalAction | undefined} */
  cancel() {
    return this.plain().find(takesBack);
  }

  /** What leads the unit in hand by way of a place. @param {string | null} place @returns {LegalAction | undefined} */
  waypoint(place) {
    const [unit] = this.pinnedUnits();
    return this.legal.find((action) => leads(action) && action.args.length === 2 && action.args[0].value === unit && action.args[1].value === place);
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
    const onward = complete.filter((action) => !isAside(action));
    const [first, ...others] = onward.length ? onward : complete;
    if (first || !this.pins.length) return first && !others.length && this.pins.length ? first : null;
    return this.onlyOneLeft();
  }

  /** The one action that a picked place leaves, if nothing on the table is still to be picked for it. @returns {LegalAction | null} */
  onlyOneLeft() {
    const [only, ...others] = this.fitting().filter(({ action }) => action.args.length);
    const picked = this.pins.length > this.given.length && this.pins.at(-1)?.kind !== "unit";
    const onTable = only?.open.some((arg) => arg.kind === "unit" || this.isPlaceArgument(arg));
    return picked && only && !others.length && !onTable ? only.action : null;
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
    if (this.takeUp(unit) || this.pin(unit, place)) return true;
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
    const instead = this.legal.find((action) => takesUp(action) && action.args[0].value === unit);
    if (!instead || !this.given.length) return false;
    this.pins = instead.args;
    this.verb = instead.verb;
    return true;
  }

  /** @param {string | null} unit @param {string | null} place */
  pin(unit, place) {
    if (unit && this.units().has(unit)) return this.add((arg) => arg.kind === "unit" && arg.value === unit);
    if (place && this.places().has(place)) return this.add((arg) => arg.value === place && this.isPlaceArgument(arg));
    return false;
  }

  /** @param {(arg: Argument) => boolean} wanted */
  add(wanted) {
    const found = this.fitting().flatMap(({ open }) => open.filter(wanted))[0];
    this.pins = [...this.pins, found];
    return true;
  }

  /** What a second click on a picked unit plays where several things could be done with it. */
  selecting() {
    return this.verb ? undefined : this.complete().find(takesUp);
  }

  /** A second click on a picked unit: select it, or let it be. */
  again() {
    const select = this.selecting();
    if (!select) return this.back();
    this.verb = select.verb;
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

  /** @param {Argument} arg */
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

  /** @param {LegalAction} action @param {string | null} unit @param {string | null} place */
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
  const onward = legal.filter((action) => action.args.length && !takesUp(action) && !(isAside(action) && action.args.length === 1));
  const [first] = onward;
  const one = onward.some(({ args }) => args.length > 1) && onward.every(({ args }) => args[0].kind === "unit" && args[0].value === first.args[0].value);
  return one ? [first.args[0]] : [];
}

/** The values of a message's arguments of one kind: `unit`, `units`, `unit_lead` ... @param {Record<string, any>} args @param {string} kind @returns {string[]} */
export function listed(args, kind) {
  return Object.entries(args)
    .filter(([name]) => [kind, `${kind}s`, `${kind}es`].includes(name.split("_")[0]))
    .flatMap(([, value]) => value)
    .map(String);
}
