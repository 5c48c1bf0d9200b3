/** What an action would do: previews of what is pointed at, costs within reach, the odds, and the card of the last combat. */

import { listed } from "./choice.js";
import { h } from "./dom.js";
import { Note } from "./note.js";
import { ruleButton } from "./rule.js";

/** @import { Odds, Preview } from "./wire.d.ts" */
/** @import { Entry } from "./api.js" */

const MOST_COSTS = 120;
const MOST_BUTTONS = 6;

/** @typedef {import("./api.js").LegalAction} LegalAction */

export class Considering {
  /** @type {string | null} the action that is being looked at */
  action = null;
  /** @type {Preview} what it would do */
  preview = {};
  /** @type {string | null} whose preview that is: the action looked at, or the first button that has odds */
  previewOf = null;
  /** @type {string[]} where ending the decision would cost something */
  warned = [];
  /** What it is called, where the odds are those of one of several things. */
  about = "";
  /** @type {Map<string, string>} by place: what it costs to go there */
  costs = new Map();

  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    this.remark = new Note("below");
    /** @type {Odds | null} the odds of what was carried out last, until its die falls */
    this.committed = null;
    /** @type {{ odds: Odds, rolled: Entry } | null} the last combat as it went */
    this.card = null;
    /** @type {Entry | null} the roll whose odds were asked for last */
    this.asked = null;
  }

  forget() {
    this.action = null;
    this.preview = {};
    this.previewOf = null;
    this.warned = [];
    this.about = "";
    this.clearCosts();
  }

  clearCosts() {
    this.costs = new Map();
  }

  remove() {
    this.remark.remove();
  }

  /** @param {LegalAction | null} action @param {{ x: number, y: number }} [at] where the pointer is on the map */
  async look(action, at) {
    if (!action) return this.lookAtButtons();
    if (this.action === action.text) return;
    this.action = action.text;
    this.table.board.pieces.focus(this.formationsIn(action));
    const preview = await this.table.game.preview(action.text);
    if (this.action !== action.text) return;
    this.preview = preview;
    this.previewOf = action.text;
    this.about = at || !action.args.length ? "" : action.label;
    this.show();
    const remarks = [...(preview.note ? [preview.note] : []), ...(preview.effects ?? [])];
    if (remarks.length && at) this.remark.show(remarks.map(({ text, rule }) => h("p", {}, text, " ", ruleButton(rule))), at);
    else this.remark.hide();
  }

  /** The units of the formations that an action names. @param {LegalAction} action @returns {string[]} */
  formationsIn({ args }) {
    const named = new Set(args.filter(({ kind }) => kind === "formation").map(({ value }) => value));
    return Object.entries(this.table.game.components.units).flatMap(([id, { formation }]) => (formation !== undefined && named.has(formation) ? [id] : []));
  }

  /** The odds of an attack with just the units that are selected. @param {import("./plans.js").Plan} plan @param {string[]} units */
  async lookAtPlan({ action }, units) {
    const key = [action.text, ...units].join(" ");
    if (this.action === key) return;
    this.action = key;
    const preview = await this.table.group.tryToBegin(action.text, units);
    if (this.action !== key) return;
    this.preview = preview;
    this.previewOf = null;
    this.about = "";
    this.show();
  }

  /** With nothing pointed at: the odds of what the buttons would do now. */
  async lookAtButtons() {
    const { choice, game, sight, board } = this.table;
    if (this.action) board.pieces.focus(sight.unitsInFocus());
    this.action = null;
    this.remark.hide();
    const asked = choice.considered(MOST_BUTTONS);
    const previews = await Promise.all(asked.map(({ text }) => game.preview(text)));
    if (this.action !== null || choice !== this.table.choice) return;
    const first = previews.findIndex(({ odds }) => odds);
    this.preview = previews[first] ?? {};
    this.previewOf = asked[first]?.text ?? null;
    this.about = first >= 0 && asked[first].args.length ? asked[first].label : "";
    this.warn(asked, previews);
    this.table.panel.remark(new Map(asked.flatMap(({ text }, i) => (previews[i].note ? [[text, previews[i].note.text]] : []))));
    this.show();
  }

  /** What an ending would cost is said at its button. @param {LegalAction[]} asked @param {Preview[]} previews */
  warn(asked, previews) {
    const costly = asked.flatMap(({ args }, i) => (args.length ? [] : (previews[i].effects ?? [])));
    this.warned = costly.flatMap(({ args }) => [...listed(args ?? {}, "hex"), ...listed(args ?? {}, "unit").map((id) => this.table.sight.placeOf(id))]);
    this.table.panel.warn(costly);
  }

  /** Costs of every place within reach, as far as the game states them. */
  async loadCosts() {
    const { choice, game } = this.table;
    if (!choice.pins.length) return;
    const { costs } = this;
    const places = [...choice.places()].slice(0, MOST_COSTS);
    await Promise.all(
      places.map(async (place) => {
        const action = choice.wouldPlay(place);
        const cost = action ? (await game.preview(action.text)).cost : undefined;
        if (cost !== undefined) costs.set(place, String(cost));
      }),
    );
    if (costs === this.costs && costs.size) this.table.showing.marks();
  }

  /** An action is carried out: its odds stay in sight until the die falls; the last combat goes with the next decision. @param {LegalAction} [action] */
  commit(action) {
    this.remark.hide();
    const odds = (this.previewOf === action?.text && this.preview.odds) || null;
    this.committed = odds ?? (this.table.choice.cancel() ? this.committed : null);
    if (odds || this.table.choice.legal.some(({ left }) => left)) this.card = null;
  }

  /** A die has fallen: its card shows the odds as they stood then. @param {Entry} entry */
  async played(entry) {
    if (entry.seat !== "chance") return;
    this.committed = null;
    this.asked = entry;
    const { odds } = await this.table.game.rolled(entry.ply);
    if (this.asked !== entry || !odds) return;
    this.card = { odds, rolled: entry };
    this.showOdds();
  }

  /** The card of the last combat is put away. */
  putAway() {
    this.card = null;
    this.showOdds();
  }

  show() {
    this.showOdds();
    this.table.showing.marks();
  }

  /** The odds of what is being decided, else the card of the last combat, else the odds on which others decide now. */
  showOdds() {
    const { preview, card, committed } = this;
    const { game, odds, choice } = this.table;
    if (game.back !== null) return odds.show(game, null);
    if (preview.odds) return odds.show(game, preview.odds, null, this.about);
    if (card) return odds.show(game, card.odds, card.rolled);
    odds.show(game, game.choosing && !choice.cancel() ? null : committed);
  }
}
