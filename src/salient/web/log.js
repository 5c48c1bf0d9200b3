/** The log in words: `<game-log>`. A click looks back; rule numbers open the digest; bots give their reasons on demand. */

import { get } from "./api.js";
import { counterElement } from "./counters.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";
import { ruleButton } from "./rule.js";

/** @import { GameClient } from "./game.js" */
/** @import { Entry } from "./api.js" */

const FILTERS = ["all", "news", "roll"];

export class GameLog extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  list = h("ol", {});
  /** @type {HTMLElement[]} */
  rows = [];
  /** @type {Entry[]} */
  shownEntries = [];

  connectedCallback() {
    if (this.firstChild) return;
    // The scroller runs from below (css/panels.css), so that the last line stays in sight while the log grows.
    this.append(this.filter(), h("div", { class: "entries", tabindex: "0", role: "region", "data-label": "log.title", "aria-label": t("log.title") }, this.list));
  }

  /** @param {GameClient} game */
  show(game) {
    this.game = game;
    for (const button of this.querySelectorAll("[data-log]")) button.textContent = t(`log.filter.${button.getAttribute("data-log")}`);
    const entries = game.playing ? game.entries.slice(0, game.at) : game.entries; // no line tells what has not been shown yet
    let same = 0;
    while (same < this.shownEntries.length && this.shownEntries[same] === entries[same]) same++;
    while (this.rows.length > same) this.rows.pop()?.remove();
    for (const entry of entries.slice(same)) {
      const row = this.row(entry);
      this.rows.push(row);
      this.list.append(row);
    }
    this.shownEntries = entries;
    this.highlight();
    if (same < entries.length && game.back === null) /** @type {HTMLElement} */ (this.list.parentElement).scrollTop = 0;
  }

  /** Marks the entry looked back at. */
  highlight() {
    const { back } = this.game;
    this.rows.forEach((row, i) => row.classList.toggle("looked-at", back === i + 1));
    if (back) this.rows[back - 1]?.scrollIntoView({ block: "nearest" });
  }

  /** What happened; an action that only named something or took it back is no news. @param {Entry} entry */
  row(entry) {
    const [first, ...more] = entry.events;
    const news = first || entry.heading || entry.hint;
    return h(
      "li",
      { class: `entry side-${entry.seat} ${entry.events.some((event) => event.news) ? "is-news" : ""} ${entry.roll ? "is-roll" : ""}`, "data-ply": entry.ply, hidden: !news },
      entry.heading ? h("h3", {}, entry.heading) : null,
      first ? h("div", { class: "line" }, this.what(entry, first.text || first.key), ruleButton(first.rule)) : null,
      entry.hint ? h("p", { class: "event hint muted" }, icon("why"), t("log.hint", { action: entry.label ?? "" })) : null,
      ...more.map((event) => h("p", { class: "event" }, event.text || event.key, " ", ruleButton(event.rule))),
      entry.reasons && first ? this.reasons(entry.ply) : null,
    );
  }

  /** @param {Entry} entry @param {string} text */
  what(entry, text) {
    return h(
      "button",
      { class: "what", type: "button", title: `${t("log.look-back")}: ${entry.label ?? ""}`, onclick: () => this.tell("look", entry.ply) },
      h("span", { class: "ply" }, String(entry.ply)),
      this.counter(entry),
      h("span", {}, text),
    );
  }

  /** The small counter of the unit that a line is about. @param {import("./api.js").Entry} entry */
  counter(entry) {
    const id = entry.events[0]?.args?.unit;
    const unit = this.game.components.units[id];
    if (!unit) return null;
    return h("span", { class: "log-counter", title: unit.name }, counterElement(id, unit, { badges: [] }));
  }

  /** What the log shows: everything, what matters, or dice. */
  filter() {
    const choose = (/** @type {string} */ key) => {
      this.dataset.filter = key;
      for (const button of bar.children) button.setAttribute("aria-pressed", String(button.getAttribute("data-log") === key));
    };
    const bar = h("div", { class: "log-filter", role: "group", "aria-label": t("log.filter") }, ...FILTERS.map((key) => h("button", { class: "quiet small", type: "button", "data-log": key, "aria-pressed": String(key === "all"), onclick: () => choose(key) }, t(`log.filter.${key}`))));
    return bar;
  }

  /** @param {number} ply */
  reasons(ply) {
    const box = h("details", { class: "reasons" }, h("summary", {}, icon("why"), t("log.reasons")));
    box.addEventListener(
      "toggle",
      async () => {
        const { reasons } = await get(`games/${this.game.id}/reasons/${ply}`, this.game.eyes()).catch(() => ({ reasons: [] }));
        box.append(h("ul", {}, ...reasons.map((text) => h("li", {}, text))));
      },
      { once: true },
    );
    return box;
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

customElements.define("game-log", GameLog);
