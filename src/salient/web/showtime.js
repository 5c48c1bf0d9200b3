/** Others' actions at a readable pace: `Showtime` shows them one after the other, can be held, stepped, shortened and skipped. */

import { change, settings } from "./settings.js";

/** @import { Snapshot, View } from "./wire.d.ts" */

/** The longest that others' turn takes to be shown, in milliseconds at the normal pace, however often it asks for an answer. */
const LONGEST = 18_000;
/** What an own action gives back of it where phases belong to no side; an own phase gives back all. */
const GIVEN_BACK = LONGEST / 120;
const NORMAL_PACE = 0.9;
const ROLL = 350;

/** @typedef {import("./api.js").Entry} Entry */

export class Showtime {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    this.game = game;
    /** @type {{ entry: Entry, wait: number }[]} */
    this.queue = [];
    /** Who did what is shown. */
    this.seat = "";
    /** Whether the showing is held by the player. */
    this.held = false;
    /** @type {{ before: View, entries: Entry[], spent: number } | undefined} what others did since the last own decision */
    this.others = undefined;
    /** How much of the longest time their turn has taken so far. */
    this.used = 0;
    /** When the next step is due: a browser that draws slowly leaves out steps rather than falling behind. */
    this.due = 0;
  }

  /** @param {Entry[]} entries @param {Snapshot} before the snapshot that they follow @returns {void} */
  add(entries, before) {
    const mine = new Set(before.seats.filter(({ mine: yes }) => yes).map(({ seat }) => seat));
    this.begin(before, entries, mine);
    this.queue.push(...entries.map((entry, i) => ({ entry, wait: this.together(entry, entries[i + 1]) ? 0 : this.waitFor(entry, mine) })));
    if (this.game.playing) return;
    this.due = performance.now();
    this.next();
  }

  /** Remembers what others do since the last own decision, and how long the showing has taken. @param {Snapshot} before @param {Entry[]} entries @param {Set<string>} mine */
  begin(before, entries, mine) {
    const fresh = before.yours || !this.others;
    const others = fresh || !this.others ? { before: before.view, entries: [], spent: 0 } : this.others;
    this.others = others;
    if (fresh) this.game.tell("others-begin");
    this.used = this.rested(before, entries, mine);
    others.entries.push(...entries.filter(({ seat }) => !mine.has(seat)));
  }

  /** What others' turn has taken of the longest time, after what was done now. @param {Snapshot} before @param {Entry[]} entries @param {Set<string>} mine */
  rested(before, entries, mine) {
    const side = this.game.components.sequence?.[before.view.at]?.side;
    if (side && mine.has(side)) return 0;
    const own = side ? 0 : entries.filter(({ seat }) => mine.has(seat)).length;
    return Math.max(0, this.used - own * GIVEN_BACK);
  }

  /** Whether two actions are shown as one: moves of one formation. @param {Entry} entry @param {Entry | undefined} after */
  together(entry, after) {
    if (!after || entry.roll || after.roll) return false;
    const { units } = this.game.components;
    const formations = [entry, after].map(({ change }) => Object.keys(change?.units ?? {}).map((id) => units[id]?.formation));
    const [a, b] = formations.map((names) => (new Set(names).size === 1 ? names[0] : undefined));
    return a !== undefined && a === b;
  }

  /** Own actions show at once, others' at the chosen pace: long turns ever faster, and nothing where nothing is to be seen. @param {Entry} entry @param {Set<string>} mine */
  waitFor(entry, mine) {
    const { others } = this;
    if (!others || document.hidden || mine.has(entry.seat)) return 0;
    if (entry.seat === "chance" && others.spent === 0) return entry.roll?.panel ? Math.max(ROLL, settings.pace * 1000) : ROLL;
    if (!entry.events.length && !Object.keys(entry.change?.units ?? {}).length) return 0;
    if (settings.combatsOnly && !entry.roll) return 0;
    const left = (LONGEST * settings.pace) / NORMAL_PACE - this.used;
    const wait = Math.min(settings.pace * 1000, Math.max(0, left) / (entry.roll ? 12 : 40));
    others.spent += wait;
    this.used += wait;
    return wait;
  }

  /** Shows the next action; at the end the present. @returns {void} */
  next() {
    clearTimeout(this.timer);
    const next = this.queue.shift();
    if (!next) return this.game.settle(this.game.snapshot);
    this.game.playing = this.queue.length > 0 || next.wait > 0;
    if (next.entry.seat !== "chance") this.seat = next.entry.seat;
    this.game.showEntry(next.entry);
    const delay = this.untilDue(next.wait);
    if (!delay) return this.next();
    this.game.tell("shown");
    if (!this.held) this.timer = setTimeout(() => this.next(), delay);
  }

  /** How long a step stays, in milliseconds; none if what came before it took longer than it should. @param {number} wait */
  untilDue(wait) {
    const now = performance.now();
    this.due = Math.min(this.due, now) + wait;
    return this.held || !wait ? wait : Math.max(0, this.due - now);
  }

  /** Holds the showing, or lets it go on. @param {boolean} held */
  hold(held) {
    this.held = held;
    clearTimeout(this.timer);
    this.due = performance.now();
    if (held) this.game.tell("shown");
    else if (this.game.playing) this.next();
  }

  /** Shows rolls only from now on, or everything. @param {boolean} only */
  combatsOnly(only) {
    change({ combatsOnly: only });
    if (!only) return this.game.tell("shown");
    for (const each of this.queue) if (!each.entry.roll) each.wait = 0;
    if (!this.held) this.next();
  }

  /** Forgets what is still to be shown. */
  clear() {
    clearTimeout(this.timer);
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
