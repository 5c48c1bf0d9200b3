/** At a table between people: `<between-bar>` with clocks, offers, resigning, talk and rematch. It stands beside the table. */

import { get, post } from "./api.js";
import { confirmed, notice } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { DiceShares } from "./shares.js";

export class BetweenBar extends HTMLElement {
  /** @param {import("./game.js").GameClient} game */
  attach(game) {
    this.game = game;
    this.clocks = h("div", { class: "clocks" });
    this.offers = h("div", { class: "row", "aria-live": "polite" });
    this.buttons = h("div", { class: "row" });
    this.lines = h("ol", { class: "talk", "aria-label": t("between.talk") });
    this.note = /** @type {HTMLInputElement} */ (h("input", { name: "say", maxlength: 500, "aria-label": t("between.say"), placeholder: t("between.say") }));
    this.speak = h("form", { class: "row" }, this.note, h("button", { class: "action", type: "submit" }, t("people.send")));
    this.speak.addEventListener("submit", (event) => this.say(event));
    fill(this, h("details", { open: true }, h("summary", {}, this.clocks), this.offers, this.buttons, this.lines, this.speak));
    for (const type of ["shown", "snapshot", "entries"]) game.addEventListener(type, () => this.show());
    game.addEventListener("chat", () => this.listen());
    this.timer = setInterval(() => this.tick(), 1000);
    this.show();
    this.listen();
    if (game.snapshot.dice.shares) this.shares = new DiceShares(game);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  get mine() {
    return this.game.snapshot.seats.find(({ mine }) => mine)?.seat ?? null;
  }

  show() {
    const { between, actor } = this.game.snapshot;
    if (!between) return;
    this.since = Date.now();
    this.tick();
    const over = actor === "over";
    this.speak.hidden = !this.mine;
    const button = (key, run) => h("button", { class: "action", type: "button", "data-between": key, onclick: run }, t(`between.${key}`));
    const offered = Object.entries(between.offers).map(([kind, { by, to }]) => this.offered(kind, by, to));
    fill(this.offers, ...offered);
    if (!this.mine) return fill(this.buttons, h("span", { class: "muted" }, t("between.watching")));
    if (over) return fill(this.buttons, button("rematch", () => this.rematch()));
    const offer = (kind, more = {}) => () => this.ask("offers", { kind, ...more });
    fill(
      this.buttons,
      button("draw", offer("draw")),
      button("undo", () => this.ask("offers", { kind: "undo", to: this.lastOwn() })),
      between.clock.paused ? button("resume", () => this.ask("resume", {})) : between.terms.pace === "none" ? null : button("pause", offer("pause")),
      between.terms.timeout === "claim" ? button("claim", () => this.ask("claim", {})) : null,
      button("resign", async () => (await confirmed(t("between.resign-question"), t("between.resign"))) && this.ask("resign", {})),
    );
  }

  /** The ply before one's own last action: what one usually wants to have back. */
  lastOwn() {
    const last = this.game.entries.findLast(({ seat }) => seat === this.mine);
    return last ? last.ply - 1 : Math.max(0, this.game.snapshot.ply - 1);
  }

  offered(kind, by, to) {
    const words = t(`between.offered.${kind}`, { ply: to ?? 0 });
    const reply = (yes) => () => this.ask("answers", { kind, yes });
    if (by === this.mine) return h("span", {}, words, " ", h("button", { class: "action", type: "button", onclick: reply(false) }, t("between.withdraw")));
    if (!this.mine) return h("span", {}, words);
    return h("span", {}, words, " ", h("button", { class: "action primary", type: "button", "data-answer": kind, onclick: reply(true) }, t("between.yes")), h("button", { class: "action", type: "button", onclick: reply(false) }, t("between.no")));
  }

  tick() {
    const { between, seats } = this.game.snapshot;
    if (!between) return;
    const gone = (Date.now() - this.since) / 1000;
    const left = ({ seat }) => (between.clock.left?.[seat] ?? 0) - (between.clock.running === seat ? gone : 0);
    fill(
      this.clocks,
      ...seats.map((line) =>
        h(
          "span",
          { class: `clock side-${line.seat}`, "data-clock": line.seat, "data-running": between.clock.running === line.seat || null },
          h("b", {}, line.person ?? line.name),
          between.terms.pace === "none" ? null : h("time", {}, ` ${clockText(left(line))}`),
        ),
      ),
    );
  }

  async ask(what, body) {
    try {
      this.game.settle(await post(`games/${this.game.id}/${what}`, body, { game: this.game.id }));
    } catch (error) {
      notice([error.message], "bad");
    }
  }

  async rematch() {
    try {
      const { game } = await post(`games/${this.game.id}/rematch`, {});
      if (game) location.hash = `#game/${game}`;
      else notice([t("between.rematch-offered")]);
    } catch (error) {
      notice([error.message], "bad");
    }
  }

  async listen() {
    const lines = await get(`games/${this.game.id}/chat`, { game: this.game.id }).catch(() => []);
    fill(this.lines, ...lines.map(({ name, seat, text }) => h("li", {}, h("b", { class: `side-${seat}` }, `${name || seat}: `), text)));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  async say(event) {
    event.preventDefault();
    if (!this.note.value.trim()) return;
    try {
      await post(`games/${this.game.id}/chat`, { text: this.note.value }, { game: this.game.id });
      this.note.value = "";
      await this.listen();
    } catch (error) {
      notice([error.message], "bad");
    }
  }
}

/** Time left: days and hours, or minutes and seconds. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const two = (n) => String(n).padStart(2, "0");
  if (left >= 86400) return t("between.days", { days: Math.floor(left / 86400), hours: Math.floor((left % 86400) / 3600) });
  if (left >= 3600) return `${Math.floor(left / 3600)}:${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`;
  return `${Math.floor(left / 60)}:${two(left % 60)}`;
}

customElements.define("between-bar", BetweenBar);
