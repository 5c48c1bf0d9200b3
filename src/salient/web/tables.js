/** Every table of the game: `<reference-tables>`, with the column of the present combat and the present turn marked. */

import { get } from "./api.js";
import { fill, h, inSight } from "./dom.js";
import { lang, t } from "./i18n.js";
import { later } from "./later.js";

/** @import { GameClient } from "./game.js" */
/** @import { TableOfGame } from "./wire.d.ts" */

export class ReferenceTables extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** The game and the language of what is shown. */
  loaded = "";

  /** @param {import("./game.js").GameClient} game */
  show(game) {
    this.game = game;
    if (inSight(this)) this.load();
  }

  async load() {
    const key = `${this.game.snapshot.game}|${lang()}`;
    if (this.loaded !== key) {
      const tables = await get(`library/${this.game.snapshot.game}/tables`).catch(() => []);
      this.loaded = key;
      fill(this, ...tables.map((table) => this.table(table)));
    }
    this.mark();
  }

  /** @param {TableOfGame} tableOfGame */
  table({ key, columns, rows }) {
    return h(
      "details",
      { class: "reference", "data-table": key, open: key === "combat" || key === "pieces" },
      h("summary", {}, t(`table.${key}`)),
      h("div", { class: "reference-scroll", tabindex: "0" }, h("table", {}, h("thead", {}, h("tr", {}, ...columns.map((column) => h("th", { scope: "col", "data-value": column }, this.word(column))))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, i) => h(i ? "td" : "th", { "data-value": cell, "data-column": columns[i], title: this.word(cell) }, key === "combat" ? cell : this.word(cell)))))))),
    );
  }

  /** A word of the game in the reader's language, else as the table has it. @param {string} text */
  word(text) {
    const own = t(`column.${text}`);
    return own === `column.${text}` ? this.game.name(text) : own;
  }

  /** Marks the column of the combat whose odds are in sight, and the present turn. */
  mark() {
    for (const marked of this.querySelectorAll(".now")) marked.classList.remove("now");
    const column = document.querySelector("odds-panel:not([hidden]) .column strong")?.textContent ?? "";
    if (column) for (const cell of this.querySelectorAll(`[data-table=combat] :is([data-value="${CSS.escape(column)}"], [data-column="${CSS.escape(column)}"])`)) cell.classList.add("now");
    for (const cell of this.querySelectorAll(`[data-table=combat] th[data-column=column].now`)) cell.parentElement?.classList.add("now");
    for (const cell of this.querySelectorAll(`[data-table=turns] th[data-column=turn][data-value="${this.game.shown.turn}"]`)) cell.parentElement?.classList.add("now");
  }
}

customElements.define("reference-tables", ReferenceTables);
