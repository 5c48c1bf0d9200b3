/** How a game stands, as the server tells it: the situation, the curve of the advantage with its moments, the luck. */

import { get } from "./api.js";
import { listed } from "./choice.js";
import { lang } from "./i18n.js";

/** @import { GameClient } from "./game.js" */
/** @import { Luck, Situation } from "./wire.d.ts" */

/**
 * @typedef {import("./wire.d.ts").CurvePoint} Point
 * @typedef {{ ply: number, from: Point, to: Point, gain: number, text: string, place: string | null }} Moment
 */

const LEAST_GAIN = 0.02;

export class Standing {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    this.game = game;
    /** @type {Map<string, Promise<any>>} */
    this.known = new Map();
    /** @type {Point[]} the curve, of the eyes and in the language that `curveKey` names */
    this.points = [];
    this.curveKey = "";
    /** @type {number | undefined} the position that it leads to */
    this.curveSeen = undefined;
    /** Whose advantage it tells. */
    this.seat = "";
  }

  /** The situation now, or at the ply looked back at. @returns {Promise<Situation>} */
  situation() {
    const { back, snapshot } = this.game;
    return this.ask(`situation|${back ?? snapshot.seen}`, "situation", back === null ? {} : { ply: back });
  }

  /** @returns {Promise<Luck>} */
  luck() {
    return this.ask(`luck|${this.game.snapshot.seen}`, "luck", {});
  }

  /** The points of the curve: those of closed phases are kept, the rest is asked anew. @returns {Promise<Point[]>} */
  async curve() {
    const { seen, ply } = this.game.snapshot;
    const key = `${lang()}|${this.game.snapshot.seat}`;
    if (this.curveKey !== key || this.points.some((point) => point.ply > ply)) {
      this.curveKey = key;
      this.points = [];
    }
    if (this.curveSeen !== seen || !this.points.length) {
      this.curveSeen = seen;
      const kept = this.points.slice(0, -2);
      const since = kept.length ? (kept.at(-1)?.ply ?? 0) + 1 : 0;
      const { points, seat } = await get(`games/${this.game.id}/curve`, this.game.eyes({ since }));
      this.points = [...kept, ...points];
      this.seat = seat;
    }
    return this.points;
  }

  /** What changed the advantage most, in the order of the game. @param {Point[]} points @param {number} most @returns {Moment[]} */
  moments(points, most) {
    const fought = points.filter(({ turn }) => turn > 1); // the first turn begins with set-up and landings, which are no turn of fortune
    const steps = fought.slice(1).map((to, i) => ({ from: fought[i], to, gain: to.share - fought[i].share }));
    const large = steps.filter(({ gain }) => Math.abs(gain) >= LEAST_GAIN).sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain));
    return large
      .slice(0, most)
      .sort((a, b) => a.to.ply - b.to.ply)
      .map((step) => ({ ...step, ...this.told(step) }));
  }

  /** What was said between two points that matters: the last sentence, its ply and its place; what only befell the side that gained explains nothing. @param {{ from: Point, to: Point, gain: number }} step */
  told({ from, to, gain }) {
    const { entries, components } = this.game;
    const explains = (/** @type {string[]} */ units) => !units.length || units.some((id) => (components.units[id]?.side === this.seat) !== gain > 0);
    const found = news(this.game, entries.slice(from.ply, to.ply)).filter(({ units }) => explains(units));
    const { text = "", place = null, ply = to.ply } = found.at(-1) ?? {};
    return { text, place, ply };
  }

  /** @param {string} key @param {string} what @param {Record<string, number>} query */
  async ask(key, what, query) {
    const whole = `${key}|${lang()}|${this.game.snapshot.seat}`;
    if (!this.known.has(whole)) {
      if (this.known.size > 20) this.known.clear();
      this.known.set(whole, get(`games/${this.game.id}/${what}`, this.game.eyes(query)));
    }
    return this.known.get(whole);
  }
}

/** Events that change how the game stands. @param {GameClient} game @param {import("./api.js").Entry[]} entries */
export function news(game, entries) {
  return entries.flatMap(({ ply, events }) =>
    events.filter((event) => event.news && event.text).map(({ text, rule, args }) => ({ ply, text, rule, place: placeTold(game, args ?? {}), units: listed(args ?? {}, "unit") })),
  );
}

/** The place that a message is about: the first that it names, else where the first of its units stands now. @param {GameClient} game @param {Record<string, any>} args @returns {string | null} */
export function placeTold(game, args) {
  const named = Object.entries(args).find(([key]) => /^(hex|place|hexes)(_|$)/.test(key));
  if (named) return String([named[1]].flat()[0]);
  const stands = listed(args, "unit").map((id) => game.shown.units[id]?.where ?? "");
  return stands.find((where) => game.hexes?.[where]) ?? null;
}
