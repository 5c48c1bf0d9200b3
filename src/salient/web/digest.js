/** What happened while others decided: `<turn-digest>`, one card with the sentences that matter, and arrows on the map. */

import { notice } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { pair, t } from "./i18n.js";
import { enemyRound } from "./rounds.js";
import { ruleButton } from "./rule.js";
import { placeTold } from "./standing.js";
import { tracksTitle } from "./tray.js";

/** @import { GameClient } from "./game.js" */
/** @import { View } from "./wire.d.ts" */

const MOST_LINES = 8;
/** Where little is to be told, the longest moves are. */
const FEW_LINES = 4;

/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {{ text: string, rule: string, place: string | null }} Line */

export class TurnDigest extends HTMLElement {
  /** @type {[string, string][]} from where to where counters went */
  moves = [];

  /**
   * After others have acted: the card, if they have done more than answer.
   * @param {GameClient} game @param {Entry[]} entries what others did since the player's last decision @param {View} before the view at that decision
   */
  show(game, entries, before) {
    const answers = entries.every(({ heading }) => !heading) && !moved(before, game.snapshot.view).length;
    if (answers) this.close();
    else this.tell(game, entries, before, game.snapshot.view);
  }

  /** The other side's last turn, once more. @param {GameClient} game */
  async again(game) {
    const [first, last] = enemyRound(game);
    if (first === last) return notice([t("replay.no-enemy")]);
    await game.past.load(first);
    await game.past.load(last);
    const entries = game.entries.slice(first, last).map((entry) => ({ ...entry, change: game.past.changes.get(entry.ply) }));
    this.tell(game, entries, game.past.viewAt(first), game.past.viewAt(last));
  }

  /** @param {GameClient} game @param {Entry[]} entries @param {View} before @param {View} after */
  tell(game, entries, before, after) {
    this.moves = moved(before, after);
    const told = entries.flatMap((entry) => entry.events.map((event) => ({ event, entry })));
    const news = told.filter(({ event }) => event.news);
    const rolls = told.filter(({ event, entry }) => entry.roll && !event.news);
    const lines = [...tracksChanged(game, before, after), ...[...news, ...rolls].map(({ event }) => lineOf(game, event)).filter(({ text }) => text)];
    lines.push(...longestMoves(entries, before, FEW_LINES - lines.length));
    const moves = this.moves.length || entries.filter(({ seat, change }) => seat !== "chance" && Object.keys(change?.units ?? {}).length).length;
    this.hidden = false;
    fill(
      this,
      h("header", {}, h("h2", {}, t("digest.title")), h("button", { class: "quiet small", type: "button", "aria-label": t("close"), onclick: () => this.close() }, icon("close"))),
      h("p", { class: "muted" }, t("digest.counts", { moves, fights: entries.filter(({ roll }) => roll).length })),
      h("ul", {}, ...lines.slice(0, MOST_LINES).map((line) => h("li", {}, ...this.line(line)))),
    );
    this.send("arrows", this.moves);
  }

  /** @param {Line} line */
  line({ text, rule, place }) {
    const go = place ? h("button", { class: "quiet small", type: "button", "aria-label": t("digest.go"), title: t("digest.go"), onclick: () => this.send("go", place) }, icon("go")) : null;
    return [h("span", {}, text, " ", ruleButton(rule)), go];
  }

  close() {
    if (this.hidden) return;
    this.hidden = true;
    this.send("arrows", []);
  }

  /** @param {string} type @param {unknown} [detail] */
  send(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** @param {GameClient} game @param {import("./wire.d.ts").Event} event @returns {Line} */
function lineOf(game, { text, rule, args }) {
  return { text, rule, place: placeTold(game, args ?? {}) };
}

/** The moves that went farthest, in the order in which they were made. @param {Entry[]} entries @param {View} before @param {number} most @returns {Line[]} */
function longestMoves(entries, before, most) {
  const stands = new Map(Object.entries(before.units).map(([id, unit]) => [id, unit?.where]));
  const made = entries.flatMap((entry) => {
    const gone = Object.entries(entry.change?.units ?? {}).flatMap(([id, unit]) => (unit?.where && unit.where !== stands.get(id) ? [/** @type {const} */ ([id, unit.where])] : []));
    for (const [id, where] of gone) stands.set(id, where);
    return gone.length && entry.label && entry.seat !== "chance" ? [{ entry, goal: gone[0][1], length: entry.way?.length ?? 0 }] : [];
  });
  const longest = [...made].sort((a, b) => b.length - a.length).slice(0, Math.max(0, most));
  return made.filter((move) => longest.includes(move)).map(({ entry, goal }) => ({ text: entry.label ?? "", rule: "", place: goal }));
}

/** What the tracks have come to, in one line. @param {GameClient} game @param {View} before @param {View} after @returns {Line[]} */
function tracksChanged(game, before, after) {
  const changed = Object.entries(after.tracks ?? {}).filter(([id, value]) => before.tracks?.[id] !== value);
  if (!changed.length) return [];
  const list = changed.map(([id, value]) => `${game.name(id)} ${before.tracks?.[id]} → ${value}`).join(", ");
  return [{ text: pair(tracksTitle(game), list), rule: "", place: null }];
}

/** From where to where counters went. @param {View} before @param {View} now @returns {[string, string][]} */
function moved(before, now) {
  return Object.entries(now.units).flatMap(([id, unit]) => {
    const from = before.units[id]?.where;
    return from && unit?.where && from !== unit.where ? [/** @type {[string, string]} */ ([from, unit.where])] : [];
  });
}

customElements.define("turn-digest", TurnDigest);
