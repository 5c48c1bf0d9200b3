/** The past of a game: the pages of its replay that were looked at, and the views that follow from them. */

import { get } from "./api.js";
import { changedView } from "./changes.js";

/** @import { GameClient } from "./game.js" */
/** @import { LogEntry, View, ViewChange } from "./wire.d.ts" */

const KEYFRAME = 25;
const PAGE = 200;

/** The ply at which the page begins that holds a ply. @param {number} ply */
const pageOf = (ply) => ply - (ply % PAGE);

export class Past {
  /** @type {Map<number, ViewChange | undefined>} by ply: what led to it */
  changes = new Map();
  /** @type {Map<number, View>} by ply: the view at the beginning of each page, and some after it */
  keyframes = new Map();
  /** @type {string | null} whose eyes saw all this */
  seat = null;

  /** @param {GameClient} game */
  constructor(game) {
    this.game = game;
  }

  forget() {
    this.changes.clear();
    this.keyframes.clear();
  }

  /** Loads the pages that show the position after `ply` actions and the action that led to it. @param {number} ply */
  async load(ply) {
    const { game } = this;
    this.seat = game.snapshot.seat;
    for (const at of new Set([pageOf(Math.max(0, ply - 1)), pageOf(ply)])) {
      if (this.keyframes.has(at)) continue;
      const { start, entries } = await get(`games/${game.id}/replay`, game.eyes({ since: at, limit: PAGE }));
      this.keyframes.set(at, start);
      this.add(entries);
    }
  }

  /** What has happened since, for the same eyes. @param {LogEntry[]} entries */
  extend(entries) {
    if (!this.keyframes.size) return;
    if (this.seat !== this.game.snapshot.seat) this.forget();
    else this.add(entries);
  }

  /** @param {LogEntry[]} entries */
  add(entries) {
    for (const entry of entries) this.changes.set(entry.ply, entry.change);
  }

  /** The view after `ply` actions, whose page is loaded. @param {number} ply @returns {View} */
  viewAt(ply) {
    const known = [...this.keyframes.keys()].filter((at) => at <= ply);
    let at = Math.max(...known);
    let view = /** @type {View} */ (this.keyframes.get(at));
    for (; at < ply; at++) {
      view = changedView(view, this.changes.get(at + 1));
      if ((at + 1) % KEYFRAME === 0) this.keyframes.set(at + 1, view);
    }
    return view;
  }

  /** From where to where a unit went with the action that led to a ply, or null. @param {number} ply @returns {[string, string] | null} */
  moveAt(ply) {
    if (!ply || !this.keyframes.size) return null;
    const before = this.viewAt(ply - 1).units;
    for (const [id, unit] of Object.entries(this.changes.get(ply)?.units ?? {})) {
      const from = before[id]?.where;
      if (from && unit?.where && from !== unit.where) return [from, unit.where];
    }
    return null;
  }
}
