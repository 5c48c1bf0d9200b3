/** The log in words: `<game-log>`. A click looks back; rule numbers open the digest; bots give their reasons on demand. */

import { get } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rule.js";

export class GameLog extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.list = h("ol", {});
    // The scroller runs from below (css/panels.css), so that the last line stays in sight while the log grows.
    this.append(h("div", { class: "entries", tabindex: "0", role: "region", "data-label": "log.title", "aria-label": t("log.title") }, this.list));
    /** @type {HTMLElement[]} */
    this.rows = [];
    /** @type {import("./api.js").Entry[]} */
    this.shownEntries = [];
  }

  /** @param {import("./game.js").GameClient} game */
  show(game) {
    this.game = game;
    let same = 0;
    while (same < this.shownEntries.length && this.shownEntries[same] === game.entries[same]) same++;
    while (this.rows.length > same) this.rows.pop()?.remove();
    for (const entry of game.entries.slice(same)) {
      const row = this.row(entry);
      this.rows.push(row);
      this.list.append(row);
    }
    this.shownEntries = game.entries;
    this.highlight();
    if (same < game.entries.length && game.back === null) /** @type {HTMLElement} */ (this.list.parentElement).scrollTop = 0;
  }

  /** Marks the entry looked back at. */
  highlight() {
    const { back } = this.game;
    this.rows.forEach((row, i) => row.classList.toggle("looked-at", back === i + 1));
    if (back) this.rows[back - 1]?.scrollIntoView({ block: "nearest" });
  }

  /** What happened; an action that only named something or took it back is no news. */
  row(entry) {
    const [first, ...more] = entry.events;
    const news = first || entry.heading;
    return h(
      "li",
      { class: `entry side-${entry.seat}`, "data-ply": entry.ply, hidden: !news },
      entry.heading ? h("h3", {}, entry.heading) : null,
      first ? h("div", { class: "line" }, this.what(entry, first.text || first.key), ruleButton(first.rule)) : null,
      ...more.map((event) => h("p", { class: "event" }, event.text || event.key, " ", ruleButton(event.rule))),
      entry.reasons && first ? this.reasons(entry.ply) : null,
    );
  }

  what(entry, text) {
    return h(
      "button",
      { class: "what", type: "button", title: `${t("log.look-back")}: ${entry.label ?? ""}`, onclick: () => this.tell("look", entry.ply) },
      h("span", { class: "ply" }, String(entry.ply)),
      h("span", {}, text),
    );
  }

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

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

customElements.define("game-log", GameLog);
