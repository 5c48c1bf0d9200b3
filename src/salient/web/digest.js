/** What happened while others decided: `<turn-digest>`, one card with the sentences that matter, and arrows on the map. */

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rule.js";

/** @import { View } from "./wire.d.ts" */

const LEAST_ENTRIES = 4;
const MOST_LINES = 8;

/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {{ text: string, rule: string, place: string | null }} Line */

export class TurnDigest extends HTMLElement {
  /** @type {[string, string][]} from where to where counters went */
  moves = [];

  /**
   * @param {import("./game.js").GameClient} game
   * @param {Entry[]} entries what others did since the player's last decision
   * @param {View} before the view at that decision
   */
  show(game, entries, before) {
    if (entries.length < LEAST_ENTRIES) return this.close();
    this.moves = moved(before, game.snapshot.view);
    const lines = [...tracksChanged(game, before), ...entries.flatMap((entry) => (matters(entry) ? told(entry) : []))];
    this.hidden = false;
    fill(
      this,
      h("header", {}, h("h2", {}, t("digest.title")), h("button", { class: "quiet small", type: "button", "aria-label": t("close"), onclick: () => this.close() }, icon("close"))),
      h("p", { class: "muted" }, t("digest.counts", { moves: this.moves.length, fights: entries.filter(({ roll }) => roll).length })),
      h("ul", {}, ...lines.slice(-MOST_LINES).map((line) => h("li", {}, this.line(line)))),
    );
    this.tell("arrows", this.moves);
  }

  /** @param {Line} line */
  line({ text, rule, place }) {
    const words = [text, " ", ruleButton(rule)];
    return place ? h("span", {}, h("button", { class: "quiet small", type: "button", "aria-label": t("digest.go"), onclick: () => this.tell("go", place) }, icon("go")), ...words) : h("span", {}, ...words);
  }

  close() {
    if (this.hidden) return;
    this.hidden = true;
    this.tell("arrows", []);
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/** A roll, or the loss of a counter. @param {Entry} entry */
function matters(entry) {
  return Boolean(entry.roll) || Object.values(entry.change?.units ?? {}).some((unit) => unit === null);
}

/** @param {Entry} entry @returns {Line[]} */
function told(entry) {
  return entry.events.filter(({ text }) => text).map(({ text, rule, args }) => ({ text, rule, place: args?.hex ?? null }));
}

/** @param {import("./game.js").GameClient} game @param {View} before @returns {Line[]} */
function tracksChanged(game, before) {
  const now = game.snapshot.view.tracks ?? {};
  return Object.entries(now).flatMap(([id, value]) => (before.tracks?.[id] === value ? [] : [{ text: `${game.name(id)}: ${before.tracks?.[id]} → ${value}`, rule: "", place: null }]));
}

/** From where to where counters went. @param {View} before @param {View} now @returns {[string, string][]} */
function moved(before, now) {
  return Object.entries(now.units).flatMap(([id, unit]) => {
    const from = before.units[id]?.where;
    return from && unit?.where && from !== unit.where ? [/** @type {[string, string]} */ ([from, unit.where])] : [];
  });
}

customElements.define("turn-digest", TurnDigest);
