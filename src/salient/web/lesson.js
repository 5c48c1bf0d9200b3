/** First battles: a scripted lesson with fixed dice. A card gives a reason and a task, waits until it is done, and ends in a real game. */

import { beginAdvised, layCard } from "./advised.js";
import { get, post } from "./api.js";
import { failed } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { lang, t } from "./i18n.js";
import { later } from "./later.js";
import { change, keepToken } from "./settings.js";
import { typeset } from "./template.js";

/**
 * `auto`: played by itself when the step begins, dice and the other side; a list is the faces of dice.
 * `do`: what the player is to play, in any order; `instead`: what is answered with its own sentence and taken back.
 * @typedef {{ key: string, auto?: (string | number[])[], do?: string[], instead?: Record<string, string>, look?: string[], part?: string }} Step
 * @typedef {{ game: string, scenario?: string, options: Record<string, string>, side: string, seats: Record<string, string>, steps: Step[] }} Script
 */

const OPPONENT = "bot:greedy";
/** So few places to choose from are all kept in sight. */
const FEW = 4;

/** Begins the lesson of a game: the whole address of its table. @param {string} game */
export async function beginLesson(game) {
  const { scenario, options, seats } = await scriptOf(game);
  const { id, token } = await post("games", { game, ...(scenario ? { scenario } : {}), options, seats, dice: "typed", name: t("lesson.name") });
  if (token) keepToken(id, token);
  return `#guide/${id}`;
}

/** @param {string} game @returns {Promise<Script>} */
async function scriptOf(game) {
  const answer = await fetch(new URL(`./lessons/${game}.json`, import.meta.url));
  return answer.json();
}

/** @param {string} game @returns {Promise<Record<string, string>>} */
async function wordsOf(game) {
  const answer = await fetch(new URL(`./lessons/${game}.${lang()}.json`, import.meta.url));
  return JSON.parse(await answer.text(), (_, value) => (typeof value === "string" ? typeset(value, lang()) : value));
}

export class Lesson {
  /** @type {Script} */
  script = later();
  /** @type {Record<string, string>} */
  words = {};
  /** The step that is under way, and the plies at which it began and that were judged last. */
  index = 0;
  first = 0;
  ply = 0;
  acting = false;
  /** Whether dice are being shown that take the view away from the task. */
  unseen = false;
  /** What is said of a wrong move. */
  answer = "";
  /** @type {string[]} what of the task is still to do */
  left = [];

  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    this.card = h("section", { class: "guide", role: "dialog", "aria-label": t("lesson.title") });
    layCard(table, this.card);
    this.onLanguage = () => this.reword();
    document.addEventListener("language", this.onLanguage);
    this.begin().catch(failed);
  }

  async begin() {
    const { game } = this.table.game.snapshot;
    [this.script, this.words] = await Promise.all([scriptOf(game), wordsOf(game)]);
    await this.resume(this.table.game.snapshot.ply);
  }

  /** Goes on where the lesson was left, so that a page that is loaded again does not begin it anew. @param {number} played how many actions */
  async resume(played) {
    const { steps } = this.script;
    const length = (/** @type {Step} */ { auto = [], do: task = [] }) => auto.length + task.length;
    let index = 0;
    while (played > 0 && index < steps.length - 1 && played >= length(steps[index])) {
      played -= length(steps[index]);
      index += 1;
    }
    await this.enter(index, played);
  }

  async reword() {
    this.words = await wordsOf(this.script.game);
    this.answer = "";
    this.render();
  }

  get step() {
    return this.script.steps[this.index];
  }

  /** Plays what a step begins with, then shows it. @param {number} index @param {number} [played] how many actions of the step have been played */
  async enter(index, played = 0) {
    this.index = index;
    const auto = this.step.auto ?? [];
    this.acting = true;
    for (const action of auto.slice(played)) await this.play(action);
    this.acting = false;
    this.ply = this.table.game.snapshot.ply;
    this.first = this.ply - Math.max(0, played - auto.length);
    this.left = this.undone();
    this.answer = "";
    this.render();
    this.table.spots.clear();
    if (this.step.look) this.table.spots.show(this.step.look);
    this.showTask();
  }

  /** What the task names is in sight, and the card does not lie on it; while dice are shown the view goes elsewhere, so it is brought there after them. */
  showTask() {
    const { board, game, sight, choice } = this.table;
    this.unseen = game.playing;
    const named = this.left.flatMap((action) => action.split(" ").slice(1)).map((word) => sight.placeOf(word));
    const places = named.filter((place) => board.geometry.has(place));
    board.showSome(places);
    const others = [...choice.places()].filter((place) => board.geometry.has(place));
    const wanted = others.length <= FEW ? [...places, ...others] : places;
    const hidden = (/** @type {boolean} */ above) => {
      this.card.classList.toggle("above", above);
      return wanted.filter((place) => board.sees(place) && sight.covered(place, this.card)).length;
    };
    if (!hidden(false) || !hidden(true)) return;
    hidden(false);
    const lowest = Math.max(...wanted.map((place) => sight.inWindow(place).y));
    board.camera.pan(0, this.card.getBoundingClientRect().top - sight.hexOnScreen() - lowest);
  }

  /** @param {string | number[]} action */
  async play(action) {
    const { game } = this.table;
    const before = game.snapshot.ply;
    await (typeof action === "string" ? game.play(action) : game.roll(action));
    if (game.snapshot.ply <= before) throw new Error(t("lesson.broken", { action: String(action) }));
  }

  /** Looks at what the player has done since. */
  async update() {
    const { game } = this.table;
    if (this.unseen && !game.playing) this.showTask();
    if (!this.script || this.acting || game.busy || game.back !== null || game.snapshot.ply === this.ply) return;
    this.acting = true;
    if (game.snapshot.ply < this.first) await game.turnBack("redo");
    else if (game.snapshot.ply < this.ply) this.left = this.undone();
    else await this.judge(game.entries.slice(this.ply, game.snapshot.ply));
    this.ply = game.snapshot.ply;
    this.acting = false;
    if (this.step.do && !this.left.length) return this.enter(this.index + 1);
    this.render();
  }

  /** What is to do again after the player has taken something back. */
  undone() {
    const { entries, snapshot } = this.table.game;
    const played = entries.slice(this.first, snapshot.ply).map(({ action }) => action);
    return (this.step.do ?? []).filter((action) => !played.includes(action));
  }

  /** What belongs to the task counts, what ends a decision as the last; anything else is answered and taken back. @param {import("./api.js").Entry[]} entries several, if an order was given */
  async judge(entries) {
    const { game } = this.table;
    const wrong = entries.find(({ action, ends }) => !this.left.includes(action ?? "") || (ends && this.left.length > entries.length))?.action;
    if (wrong === undefined) {
      const done = entries.map(({ action }) => action);
      this.left = this.left.filter((each) => !done.includes(each));
      this.answer = "";
      return;
    }
    const reply = this.step.instead?.[wrong ?? ""];
    this.answer = reply ? this.words[reply] : t(this.left.includes(wrong ?? "") ? "lesson.first" : "lesson.not-now");
    await game.turnBack("undo");
    this.left = this.undone();
  }

  render() {
    const { step, index } = this;
    const last = index === this.script.steps.length - 1;
    for (const element of document.querySelectorAll(".guided")) element.classList.remove("guided");
    if (step.part) this.table.querySelector(step.part)?.classList.add("guided");
    fill(
      this.card,
      h("header", {}, h("small", {}, t("guide.step", { n: index + 1, of: this.script.steps.length })), h("button", { class: "quiet", type: "button", "aria-label": t("guide.leave"), title: t("guide.leave"), onclick: () => this.remove() }, icon("close"))),
      h("h2", {}, this.words[`${step.key}.title`]),
      h("p", { "aria-live": "polite" }, this.words[step.key]),
      this.answer ? h("p", { class: "lesson-answer", role: "status" }, this.answer) : null,
      step.do ? h("p", { class: "lesson-task" }, icon("go"), this.words[`${step.key}.task`]) : null,
      h(
        "div",
        { class: "row" },
        step.do ? h("button", { class: "action", type: "button", "data-lesson": "show", onclick: () => this.doIt() }, t("lesson.show")) : null,
        step.do || last ? null : h("button", { class: "action primary", type: "button", "data-lesson": "next", onclick: () => this.enter(index + 1) }, t("guide.next")),
        last ? h("button", { class: "action primary", type: "button", "data-lesson": "play", onclick: () => this.playOn() }, t("lesson.play-on")) : null,
        last ? h("button", { class: "action", type: "button", "data-lesson": "advised", onclick: () => this.goOnAdvised() }, t("lesson.advised")) : null,
      ),
    );
  }

  /** Does the next thing of the task for a player who does not find it. */
  async doIt() {
    const legal = new Set(this.table.game.snapshot.legal.map(({ text }) => text));
    const next = this.left.find((action) => legal.has(action));
    if (next) await this.table.game.play(next);
  }

  /** A game against the computer from the position that the lesson ends in, with dice that nobody knows. */
  async playOn() {
    const { game } = this.table;
    try {
      const record = await get(`games/${game.id}/record`, { ...game.eyes(), text: true });
      const seats = Object.fromEntries(game.snapshot.seats.map(({ seat }) => [seat, seat === this.script.side ? "human" : OPPONENT]));
      const { id, token } = await post("games/import", { record: record.replace(/^dice: typed$/m, "dice: seeded"), seats, name: game.snapshot.title });
      if (token) keepToken(id, token);
      change({ guideDone: true });
      location.hash = `#game/${id}`;
    } catch (error) {
      failed(error);
    }
  }

  /** The second step: a whole turn from its beginning, with the adviser. */
  async goOnAdvised() {
    try {
      change({ guideDone: true });
      location.hash = await beginAdvised(this.script, OPPONENT);
    } catch (error) {
      failed(error);
    }
  }

  remove() {
    document.removeEventListener("language", this.onLanguage);
    for (const element of document.querySelectorAll(".guided")) element.classList.remove("guided");
    this.card.remove();
    this.table.guide = undefined;
  }
}
