/** `<opening-book>`: what was tried in finished games where the position looked like this one, and who won them. */

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { GameClient } from "./game.js" */
/** @import { OpeningsAnswer } from "./wire.d.ts" */

export class OpeningBook extends HTMLElement {
  /** The position that is shown, or asked about. */
  key = "";

  /** Shows the book at the position that the table shows, as long as somebody looks. @param {import("./game.js").GameClient} game */
  async show(game) {
    const ply = game.back ?? game.snapshot.ply;
    const key = `${game.id} ${ply} ${game.snapshot.seen} ${document.documentElement.lang}`;
    if (this.closest("[hidden]") || key === this.key) return;
    this.key = key;
    const book = await get(`games/${game.id}/openings`, game.eyes({ ply })).catch(() => null);
    if (key !== this.key) return;
    fill(this, h("h3", {}, t("openings.title")), ...(book?.tried.length ? [this.table(game, book)] : [h("p", { class: "muted" }, t("openings.none", { n: book?.games ?? 0 }))]));
  }

  /** @param {GameClient} game @param {OpeningsAnswer} openingsAnswer */
  table(game, { tried, games }) {
    const seats = game.snapshot.seats;
    const share = (/** @type {number} */ won, /** @type {number} */ of) => `${Math.round((100 * won) / of)} %`;
    return h(
      "table",
      { class: "openings" },
      h("caption", {}, t("openings.caption", { n: games })),
      h("thead", {}, h("tr", {}, h("th", {}, t("openings.tried")), h("th", {}, t("openings.games")), ...seats.map(({ name }) => h("th", {}, t("openings.won", { side: name }))))),
      h("tbody", {}, ...tried.map((line) => h("tr", {}, h("td", {}, line.label), h("td", {}, String(line.games)), ...seats.map(({ seat }) => h("td", {}, share(line.wins[seat] ?? 0, line.games)))))),
    );
  }
}

customElements.define("opening-book", OpeningBook);
