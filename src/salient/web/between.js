/** At a table between people: `<between-bar>` with who is there, clocks, offers, resigning, talk, a note to oneself and rematch. It stands beside the table. */

import { get, post, request } from "./api.js";
import { confirmed, failed, notice } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";
import { DiceShares } from "./shares.js";

/** @import { GameClient } from "./game.js" */
/** @import { Between, SeatLine } from "./wire.d.ts" */

export class BetweenBar extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  clocks = h("div", { class: "clocks" });
  offers = h("div", { class: "row", "aria-live": "polite" });
  buttons = h("div", { class: "row" });
  lines = h("ol", { class: "talk", "aria-label": t("between.talk") });
  note = h("input", { name: "say", maxlength: 500, "aria-label": t("between.say"), placeholder: t("between.say") });
  speak = h("form", { class: "row" }, this.note, h("button", { class: "action", type: "submit" }, t("people.send")));
  watchers = h("small", { class: "muted", "data-watchers": "", hidden: true });
  next = h("span");
  memo = h("details", { class: "memo", hidden: true }, h("summary", {}, t("between.note")));
  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer;
  /** When the clocks were told. */
  since = 0;
  /** The position for which other games were asked about. */
  asked = "";

  /** @param {GameClient} game */
  attach(game) {
    this.game = game;
    this.speak.addEventListener("submit", (event) => this.say(event));
    fill(this, h("details", { open: true }, h("summary", {}, this.clocks, " ", this.watchers), this.offers, this.buttons, this.lines, this.speak, this.memo, this.next));
    for (const type of ["shown", "snapshot", "entries"]) game.addEventListener(type, () => this.show());
    game.addEventListener("chat", () => this.listen());
    game.addEventListener("presence", () => this.tick());
    this.timer = setInterval(() => this.tick(), 1000);
    this.show();
    this.listen();
    this.openMemo();
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
    this.since = Date.now();
    this.tick();
    const over = actor === "over";
    this.speak.hidden = !this.mine;
    this.findNext();
    const button = (/** @type {string} */ key, /** @type {() => void} */ run) => h("button", { class: "action", type: "button", "data-between": key, onclick: run }, t(`between.${key}`));
    const resign = button("resign", async () => (await confirmed(t("between.resign-question"), t("between.resign"))) && this.ask("resign", {}));
    if (!between) return fill(this.buttons, this.mine && !over ? resign : null);
    const offered = Object.entries(between.offers).map(([kind, { by, to }]) => this.offered(kind, by, to));
    fill(this.offers, between.clock.paused ? h("span", {}, t("between.adjourned")) : null, ...offered);
    if (!this.mine) return fill(this.buttons, h("span", { class: "muted" }, t("between.watching"), between.terms.delay ? ` ${t("between.late", { n: Math.ceil(between.terms.delay / 60) })}` : ""));
    if (over) return fill(this.buttons, button("rematch", () => this.rematch()));
    const offer = (/** @type {"draw" | "pause"} */ kind, more = {}) => () => this.ask("offers", { kind, ...more });
    fill(
      this.buttons,
      button("draw", offer("draw")),
      button("undo", () => this.ask("offers", { kind: "undo", to: this.lastOwn() })),
      between.clock.paused ? button("resume", () => this.ask("resume", {})) : between.terms.pace === "none" ? null : button("pause", offer("pause")),
      between.terms.timeout === "claim" ? button("claim", () => this.ask("claim", {})) : null,
      resign,
      button("abandon", async () => (await confirmed(t("between.abandon-question"), t("between.abandon"))) && this.ask("abandon", {})),
    );
  }

  /** The ply before one's own last action: what one usually wants to have back. */
  lastOwn() {
    const last = this.game.entries.findLast(({ seat }) => seat === this.mine);
    return last ? last.ply - 1 : Math.max(0, this.game.snapshot.ply - 1);
  }

  /** @param {string} kind @param {string} by @param {number | undefined} to */
  offered(kind, by, to) {
    const words = t(`between.offered.${kind}`, { ply: to ?? 0 });
    const reply = (/** @type {boolean} */ yes) => () => this.ask("answers", { kind, yes });
    if (by === this.mine) return h("span", {}, words, " ", h("button", { class: "action", type: "button", onclick: reply(false) }, t("between.withdraw")));
    if (!this.mine) return h("span", {}, words);
    const no = kind === "resume" ? null : h("button", { class: "action", type: "button", onclick: reply(false) }, t("between.no"));
    return h("span", {}, words, " ", h("button", { class: "action primary", type: "button", "data-answer": kind, onclick: reply(true) }, t("between.yes")), no);
  }

  tick() {
    const { between, seats } = this.game.snapshot;
    const { watching } = this.game.present;
    fill(this.clocks, ...seats.map((line) => this.player(line, between)));
    this.watchers.hidden = !watching;
    fill(this.watchers, t("between.watchers", { n: watching }));
  }

  /** A player: whether at the table, the name, the time left. @param {SeatLine} seatLine @param {Between | null} between */
  player({ seat, person, name, player }, between) {
    const here = this.game.present.seats.includes(seat);
    const running = between?.clock.running === seat;
    const left = between?.clock.left[seat];
    const gone = running ? (Date.now() - this.since) / 1000 : 0;
    return h(
      "span",
      { class: `clock side-${seat}`, "data-clock": seat, "data-running": running || null, "data-here": here || null },
      player.startsWith("bot:") ? null : h("span", { class: "presence", role: "img", title: t(here ? "between.here" : "between.away"), "aria-label": t(here ? "between.here" : "between.away") }),
      h("b", {}, person ? h("a", { href: `#profile/${encodeURIComponent(person)}` }, person) : name),
      !between || left === undefined || left === null || between.terms.pace === "none" ? null : h("time", {}, ` ${clockText(left - gone)}`),
    );
  }

  /** A way to the next game that waits, as soon as this one does not. */
  async findNext() {
    const { between, yours, seen } = this.game.snapshot;
    if (!between || !this.mine || this.asked === `${seen} ${yours}`) return;
    this.asked = `${seen} ${yours}`;
    const waiting = yours ? [] : await get("notices/waiting").catch(() => []);
    const others = waiting.filter(({ id }) => id !== this.game.id);
    fill(this.next, others.length ? h("a", { class: "action", href: `#game/${others[0].id}`, "data-next": "" }, t("notices.next", { n: others.length })) : null);
  }

  /** One's own note to the game, kept as it is left. */
  async openMemo() {
    if (!this.game.snapshot.between || !this.mine) return;
    const { text } = await get(`games/${this.game.id}/note`).catch(() => ({ text: "" }));
    const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { name: "memo", rows: 4, maxlength: 5000, "aria-label": t("between.note") }));
    area.value = text;
    area.addEventListener("change", () => request("PUT", `games/${this.game.id}/note`, { body: { text: area.value } }).catch(failed));
    this.memo.append(area);
    this.memo.hidden = false;
  }

  /** @param {string} what @param {object} body */
  async ask(what, body) {
    try {
      this.game.settle(await request("POST", `games/${this.game.id}/${what}`, { body, game: this.game.id }));
    } catch (error) {
      failed(error);
    }
  }

  async rematch() {
    try {
      const { game } = await post(`games/${this.game.id}/rematch`, {});
      if (game) location.hash = `#game/${game}`;
      else notice([t("between.rematch-offered")]);
    } catch (error) {
      failed(error);
    }
  }

  async listen() {
    const lines = await get(`games/${this.game.id}/chat`, { game: this.game.id }).catch(() => []);
    fill(this.lines, ...lines.map(({ name, seat, text }) => h("li", {}, h("b", { class: `side-${seat}` }, `${name || seat}: `), text)));
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {Event} event */
  async say(event) {
    event.preventDefault();
    if (!this.note.value.trim()) return;
    try {
      await post(`games/${this.game.id}/chat`, { text: this.note.value }, { game: this.game.id });
      this.note.value = "";
      await this.listen();
    } catch (error) {
      failed(error);
    }
  }
}

/** Time left: days and hours, or minutes and seconds. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  if (left >= 86400) return t("between.days", { days: Math.floor(left / 86400), hours: Math.floor((left % 86400) / 3600) });
  if (left >= 3600) return `${Math.floor(left / 3600)}:${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`;
  return `${Math.floor(left / 60)}:${two(left % 60)}`;
}

customElements.define("between-bar", BetweenBar);
