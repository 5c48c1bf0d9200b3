/** Others' actions at a readable pace: `Showtime` shows them one after the other, can be held, stepped, shortened and skipped. */

import { change, settings } from "./settings.js";

/** @import { Snapshot, View } from "./wire.d.ts" */
/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {"moves" | "rolls"} Part of what others do */

/**
 * The longest that others are shown in a turn at the normal pace, in milliseconds: so much for their moves and so much for
 * their combats, however many there are. Each step may take a share of what is left, and what it really takes is taken off:
 * where the browser draws slowly, more is shown in one step, and nothing is shown step by step once nothing is left.
 */
const LONGEST = { moves: 7_000, rolls: 9_000 };
const SHARE = { moves: 40, rolls: 12 };
/** The first moves after an own decision may take more: such a share at most, and each so much less than the one before. */
const FIRST = { share: 8, less: 0.8 };
/** Steps that would be shorter are shown as one. */
const LEAST = 50;
const NORMAL_PACE = 0.9;
/** How long the roll for an own action lies on the table before it goes on. */
const OWN_ROLL = 350;

export class Showtime {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    this.game = game;
    /** @type {Entry[]} what is still to be shown */
    this.queue = [];
    /** Who did what is shown. */
    this.seat = "";
    /** Whether the showing is held by the player. */
    this.held = false;
    /** @type {{ before: View, entries: Entry[], seen: boolean } | undefined} what others did since the last own decision, and whether any of it has been shown */
    this.others = undefined;
    /** @type {Set<string>} the player's own seats */
    this.mine = new Set();
    /** Of which turn `left` is what is left. @type {number | undefined} */
    this.turn = undefined;
    this.left = { ...LONGEST };
    /** How many moves have been shown since the last own decision. */
    this.moves = 0;
    /** What steps that were too short to be shown alone would have taken. */
    this.saved = 0;
    /** @type {{ part: Part | null, at: number } | null} the step that is on the table, and since when */
    this.step = null;
  }

  /** @param {Entry[]} entries @param {Snapshot} before the snapshot that they follow @returns {void} */
  add(entries, before) {
    this.mine = new Set(before.seats.filter(({ mine }) => mine).map(({ seat }) => seat));
    this.begin(before);
    this.others?.entries.push(...entries.filter(({ seat }) => !this.mine.has(seat)));
    this.queue.push(...entries);
    if (!this.game.playing) this.next();
  }

  /** An own decision ends what others did before it; the first one of a turn gives back the whole time. @param {Snapshot} before */
  begin({ yours, view }) {
    if (this.others && !yours) return;
    this.others = { before: view, entries: [], seen: false };
    if (view.turn !== this.turn) this.left = { ...LONGEST };
    this.turn = view.turn;
    this.moves = 0;
    this.game.tell("others-begin");
  }

  // ---- step by step ------------------------------------------------------------

  /** Shows the next step, with all before it that nobody needs to see alone; at the end the present. @returns {void} */
  next() {
    this.charge();
    for (let entry = this.queue.shift(); entry; entry = this.queue.shift()) {
      const part = this.partOf(entry);
      const wait = part ? this.waitFor(part, entry) : 0;
      this.game.playing = this.queue.length > 0 || wait > 0;
      if (entry.seat !== "chance") this.seat = entry.seat;
      this.game.showEntry(entry);
      if (wait || (part && this.held)) return this.stay(part, wait);
    }
    this.game.settle(this.game.snapshot);
  }

  /** A step stays on the table for a while, drawing it included. @param {Part | "own" | null} part @param {number} wait */
  stay(part, wait) {
    this.game.playing = true;
    this.step = { part: part === "own" ? null : part, at: performance.now() };
    this.game.tell("shown");
    if (!this.held) this.timer = setTimeout(() => this.next(), Math.max(0, this.step.at + wait - performance.now()));
  }

  /** Takes off what the step on the table has really taken. */
  charge() {
    clearTimeout(this.timer);
    const { step } = this;
    this.step = null;
    if (!step?.part || this.held) return;
    this.left[step.part] -= (performance.now() - step.at) / (this.slowness || 1);
  }

  /** How much slower than normally everything is to be shown. */
  get slowness() {
    return settings.pace / NORMAL_PACE;
  }

  /** What an action counts as: own ones, and what nobody can see, are no steps, nor are moves whose formation goes on moving. @param {Entry} entry @returns {Part | "own" | null} */
  partOf(entry) {
    const { others, queue } = this;
    if (!others || document.hidden || this.mine.has(entry.seat)) return null;
    const first = !others.seen;
    others.seen = true;
    if (entry.seat === "chance" && first) return "own";
    if (!entry.events.length && !Object.keys(entry.change?.units ?? {}).length) return null;
    if (entry.roll) return "rolls";
    return settings.combatsOnly || this.together(entry, queue[0]) ? null : "moves";
  }

  /** Whether two actions are shown as one: moves of one formation. @param {Entry} entry @param {Entry | undefined} after */
  together(entry, after) {
    if (!after || after.roll) return false;
    const { units } = this.game.components;
    const formations = [entry, after].map(({ change }) => Object.keys(change?.units ?? {}).map((id) => units[id]?.formation));
    const [a, b] = formations.map((names) => (new Set(names).size === 1 ? names[0] : undefined));
    return a !== undefined && a === b;
  }

  /** How long a step is to stay: a share of what is left; nothing if it is too short to be seen alone. @param {Part | "own"} part @param {Entry} entry */
  waitFor(part, { roll }) {
    if (part === "own") return roll?.panel ? Math.max(OWN_ROLL, settings.pace * 1000) : OWN_ROLL;
    const left = Math.max(0, this.left[part]);
    const first = part === "moves" ? (left / FIRST.share) * FIRST.less ** this.moves++ : 0;
    const share = Math.min(NORMAL_PACE * 1000, Math.max(first, left / SHARE[part])) * this.slowness;
    const wait = this.saved + share;
    this.saved = wait < LEAST ? wait : 0;
    return wait < LEAST ? 0 : wait;
  }

  // ---- in the player's hand ----------------------------------------------------

  /** Holds the showing, or lets it go on. @param {boolean} held */
  hold(held) {
    this.charge();
    this.held = held;
    if (held) this.game.tell("shown");
    else if (this.game.playing) this.next();
  }

  /** Shows rolls only from now on, or everything. @param {boolean} only */
  combatsOnly(only) {
    change({ combatsOnly: only });
    if (!only || this.held) return this.game.tell("shown");
    this.next();
  }

  /** Forgets what is still to be shown. */
  clear() {
    this.charge();
    this.queue = [];
    this.held = false;
  }

  /** What others did, once it has all been shown; only once. */
  over() {
    const { others } = this;
    this.others = undefined;
    return others?.entries.length ? others : undefined;
  }
}
