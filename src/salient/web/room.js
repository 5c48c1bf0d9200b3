/** The waiting room: `<salient-room>` shows who looks for an opponent, and offers games. */

import { get, post, request } from "./api.js";
import { failed, trouble } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { offerForm } from "./offering.js";
import { accountNav, whoAmI } from "./people.js";

/** @import { Account, GameLine, GameTitle, NewOffer, OfferLine, Terms } from "./wire.d.ts" */

const SECONDS_A_LOOK = 5;
const ALL_RATINGS = [0, 9999];

export class SalientRoom extends HTMLElement {
  /** @type {Account | null} */
  me = null;
  /** @type {GameTitle[]} */
  library = [];
  list = h("ul", { class: "offers" });
  /** @type {ReturnType<typeof setInterval> | undefined} */
  timer;
  /** The offers that are shown. */
  shown = "";
  /** @type {Set<string> | undefined} the games that were there when one came */
  known;

  async connectedCallback() {
    try {
      await this.open();
    } catch (error) {
      fill(this, trouble(error, () => this.connectedCallback()));
    }
  }

  async open() {
    this.me = await whoAmI();
    this.library = await get("library");
    if (!this.isConnected) return;
    document.title = `${t("room.title")} – Salient`;
    fill(
      this,
      h("header", { class: "masthead" }, h("a", { class: "quiet", href: "#" }, icon("back"), h("span", {}, t("people.back"))), h("h1", {}, t("room.title")), h("nav", {}, ...accountNav(() => location.reload()))),
      h("main", { class: "online two" }, h("section", {}, h("h2", {}, t("room.offers")), this.list), this.me ? offerForm(this.library, (order) => this.send(order)) : h("p", {}, t("room.sign-in"))),
    );
    if (!this.me) return;
    this.timer = setInterval(() => this.look(), SECONDS_A_LOOK * 1000);
    await this.look();
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }

  async look() {
    const [offers, games] = await Promise.all([get("room").catch(() => null), get("games").catch(() => [])]);
    if (!offers) return;
    this.begun(games);
    const shown = JSON.stringify(offers);
    if (shown === this.shown) return;
    this.shown = shown;
    fill(this.list, ...(offers.length ? offers.map((offer) => this.offer(offer)) : [h("li", { class: "muted" }, t("room.empty"))]));
  }

  /** Goes to a game that began while one waited here. @param {GameLine[]} games */
  begun(games) {
    const known = this.known ?? new Set(games.map(({ id }) => id));
    const fresh = games.find(({ id, ply, actor }) => !known.has(id) && actor !== "over" && ply < 3);
    this.known = new Set(games.map(({ id }) => id));
    if (fresh) location.hash = `#game/${fresh.id}`;
  }

  /** @param {OfferLine} offerLine */
  offer({ id, by, mine, kind, game, scenario, options, seat, terms, lowest, highest, rating, fits, note, invited }) {
    const known = this.library.find((each) => each.id === game);
    const side = known?.seats.find((each) => each.id === seat)?.name ?? t("room.any-side");
    const play = known && known.scenarios.length > 1 ? known.scenarios.find((each) => each.id === scenario)?.name : null;
    const words = [known?.title ?? game, play, t("room.plays", { side }), paceText(terms), terms.rated ? t("room.rated") : t("room.unrated")];
    const unusual = (known?.options ?? []).filter((each) => options[each.id] !== each.choices[0].id).map((each) => `${each.name}: ${each.choices.find((row) => row.id === options[each.id])?.name ?? options[each.id]}`);
    const range = lowest > ALL_RATINGS[0] || highest < ALL_RATINGS[1] ? t("room.range", { low: lowest, high: highest }) : null;
    const more = [...unusual, range, terms.timeout === "claim" ? t("room.timeout.claim") : null, terms.watch ? (terms.delay ? t("between.late", { n: Math.ceil(terms.delay / 60) }) : null) : t("room.watch.none-text")];
    const join = h("button", { class: "action primary", type: "button", "data-join": id, disabled: !fits, onclick: () => this.join(id) }, t("room.join"));
    const close = h("button", { class: "action", type: "button", "data-close": id, onclick: () => this.close(id) }, t(mine ? "room.withdraw" : "room.refuse"));
    return h(
      "li",
      { class: "offer", "data-offer": id },
      h("div", {}, h("a", { href: `#profile/${encodeURIComponent(by)}` }, by), ` (${rating})`, kind === "ticket" ? ` · ${t("room.ticket")}` : "", invited ? ` · ${t("room.invited", { name: invited })}` : ""),
      h("div", {}, words.filter(Boolean).join(" · ")),
      more.some(Boolean) ? h("small", { "data-terms": "" }, more.filter(Boolean).join(" · ")) : null,
      note && !note.startsWith("rematch ") ? h("small", {}, note) : null,
      h("div", { class: "row end" }, mine ? close : join, !mine && invited ? close : null),
    );
  }

  /** @param {NewOffer} order */
  async send(order) {
    try {
      const { game } = await post("room", order);
      if (game) location.hash = `#game/${game}`;
      else await this.look();
    } catch (error) {
      failed(error);
    }
  }

  /** @param {string} id */
  async join(id) {
    try {
      location.hash = `#game/${(await post(`room/${id}/join`, {})).game}`;
    } catch (error) {
      failed(error);
      await this.look();
    }
  }

  /** @param {string} id */
  async close(id) {
    await request("DELETE", `room/${id}`).catch(failed);
    await this.look();
  }
}

/** A pace in words. @param {Terms} terms */
export function paceText({ pace, base, increment }) {
  if (pace === "none") return t("pace.none");
  if (pace === "live") return t("pace.live-text", { minutes: Math.round((base ?? 0) / 60), seconds: increment });
  return t("pace.move-text", { hours: Math.round((base ?? 0) / 3600) });
}

customElements.define("salient-room", SalientRoom);
