/** The guided first game: a card that explains one thing at a time, waits until it is done, and can go back. */

import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { change } from "./settings.js";

/**
 * Each step shows `guide.<key>`; `done` tells from the table when the player has done it; `look` is what it points at.
 * @type {{ key: string, look?: string, done?: (table: any, start: any) => boolean }[]}
 */
const STEPS = [
  { key: "welcome" },
  { key: "map", look: "mini-map", done: (table, start) => Math.abs(table.board.camera.scale - start.scale) > 0.05 },
  { key: "sequence", look: "sequence-bar" },
  { key: "prompt", look: "action-panel" },
  { key: "first", look: "action-panel", done: (table, start) => table.game.snapshot.ply > start.ply },
  { key: "undo", look: ".turn-back", done: (table, start) => table.game.snapshot.ply < start.ply },
  { key: "again", look: "action-panel", done: (table, start) => table.game.snapshot.ply > start.ply },
  { key: "stack", look: "stack-panel" },
  { key: "whynot", look: ".map-area", done: (table) => !table.why.note.element.hidden },
  { key: "move", look: ".map-area", done: (table, start) => table.game.entries.slice(start.ply).some(({ action }) => action.startsWith("move")) },
  { key: "attack", look: ".map-area", done: (table, start) => table.game.entries.slice(start.ply).some(({ action }) => action.startsWith("attack")) },
  { key: "odds", look: "odds-panel", done: (table, start) => table.game.entries.slice(start.ply).some(({ action }) => action.startsWith("resolve")) },
  { key: "log", look: "game-log", done: (table) => table.game.back !== null },
  { key: "replay", look: "replay-bar", done: (table) => table.game.back === null },
  { key: "overlays", look: ".toolbar", done: (table) => table.overlays.chosen.size > 0 },
  { key: "end" },
];

export class Guide {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    this.card = h("section", { class: "guide", role: "dialog", "aria-label": t("guide.title") });
    table.querySelector(".map-area")?.append(this.card);
    this.go(0);
    this.poll = setInterval(() => this.update(), 400);
  }

  go(index) {
    this.index = Math.max(0, Math.min(STEPS.length - 1, index));
    this.start = { ply: this.table.game.snapshot.ply, scale: this.table.board.camera.scale };
    this.render();
  }

  /** Goes on when the step was done. */
  update() {
    const step = STEPS[this.index];
    if (step.done?.(this.table, this.start)) this.go(this.index + 1);
  }

  /** One step back; what was played in it is taken back as far as the rules of undo allow. */
  async back() {
    const { game } = this.table;
    const { undo_to: lowest, ply } = game.snapshot;
    if (ply > this.start.ply && lowest !== null && lowest < ply) await game.turnBack("undo");
    this.go(this.index - 1);
  }

  render() {
    const step = STEPS[this.index];
    for (const element of document.querySelectorAll(".guided")) element.classList.remove("guided");
    if (step.look) this.table.querySelector(step.look)?.classList.add("guided");
    const last = this.index === STEPS.length - 1;
    fill(
      this.card,
      h("header", {}, h("small", {}, t("guide.step", { n: this.index + 1, of: STEPS.length })), h("button", { class: "quiet", type: "button", "aria-label": t("guide.leave"), title: t("guide.leave"), onclick: () => this.remove() }, icon("close"))),
      h("h2", {}, t(`guide.${step.key}.title`)),
      h("p", { "aria-live": "polite" }, t(`guide.${step.key}`)),
      h(
        "div",
        { class: "row" },
        h("button", { class: "action", type: "button", disabled: this.index === 0, onclick: () => this.back() }, t("guide.back")),
        h("button", { class: "action primary", type: "button", onclick: () => (last ? this.remove() : this.go(this.index + 1)) }, t(last ? "guide.finish" : step.done ? "guide.skip" : "guide.next")),
      ),
    );
  }

  remove() {
    clearInterval(this.poll);
    change({ guideDone: true });
    for (const element of document.querySelectorAll(".guided")) element.classList.remove("guided");
    this.card.remove();
    this.table.guide = undefined;
  }
}
