/** The waiting room: `<salient-room>` shows who looks for an opponent, and offers games. */

import { get, post, request } from "./api.js";
import { notice } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { accountNav, whoAmI } from "./people.js";

const SECONDS_A_LOOK = 5;
const PACES = ["live", "fast", "slow", "none"];

export class SalientRoom extends HTMLElement {
  async connectedCallback() {
    this.me = await whoAmI();
    this.library = await get("library");
    this.list = h("ul", { class: "offers" });
    document.title = `${t("room.title")} – Salient`;
    fill(
      this,
      h("header", { class: "masthead" }, h("a", { class: "quiet", href: "#" }, icon("back"), h("span", {}, t("people.back"))), h("h1", {}, t("room.title")), h("nav", {}, ...accountNav(() => location.reload()))),
      h("main", { class: "online two" }, h("section", {}, h("h2", {}, t("room.offers")), this.list), this.me ? this.form() : h("p", {}, t("room.sign-in"))),
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

  /** Goes to a game that began while one waited here. */
  begun(games) {
    const known = this.known ?? new Set(games.map(({ id }) => id));
    const fresh = games.find(({ id, ply, actor }) => !known.has(id) && actor !== "over" && ply < 3);
    this.known = new Set(games.map(({ id }) => id));
    if (fresh) location.hash = `#game/${fresh.id}`;
  }

  offer({ id, by, mine, kind, game, seat, terms, rating, fits, note, invited }) {
    const known = this.library.find((each) => each.id === game);
    const side = known?.seats.find((each) => each.id === seat)?.name ?? t("room.any-side");
    const words = [known?.title ?? game, t("room.plays", { side }), paceText(terms), terms.rated ? t("room.rated") : t("room.unrated")];
    const join = h("button", { class: "action primary", type: "button", "data-join": id, disabled: !fits, onclick: () => this.join(id) }, t("room.join"));
    const close = h("button", { class: "action", type: "button", "data-close": id, onclick: () => this.close(id) }, t(mine ? "room.withdraw" : "room.refuse"));
    return h(
      "li",
      { class: "offer", "data-offer": id },
      h("div", {}, h("a", { href: `#profile/${encodeURIComponent(by)}` }, by), ` (${rating})`, kind === "ticket" ? ` · ${t("room.ticket")}` : "", invited ? ` · ${t("room.invited", { name: invited })}` : ""),
      h("div", {}, words.join(" · ")),
      note && !note.startsWith("rematch ") ? h("small", {}, note) : null,
      h("div", { class: "row end" }, mine ? close : join, !mine && invited ? close : null),
    );
  }

  form() {
    const select = (name, label, options) => h("label", { class: "field" }, h("span", {}, label), h("select", { name }, ...options.map(([value, text]) => h("option", { value }, text))));
    const game = select("game", t("room.game"), this.library.map(({ id, title }) => [id, title]));
    const rest = h("div", { class: "fields" });
    const fit = () => {
      const chosen = this.library.find(({ id }) => id === game.querySelector("select").value);
      fill(rest, select("scenario", t("lobby.scenario"), chosen.scenarios.map(({ id, name }) => [id, name])), select("seat", t("lobby.side"), [["", t("room.any-side")], ...chosen.seats.map(({ id, name }) => [id, name])]));
    };
    game.addEventListener("change", fit);
    fit();
    const form = /** @type {HTMLFormElement} */ (
      h(
        "form",
        { class: "stack-form" },
        h("h2", {}, t("room.new")),
        select("kind", t("room.kind"), ["table", "ticket", "invite"].map((key) => [key, t(`room.kind.${key}`)])),
        h("label", { class: "field" }, h("span", {}, t("room.invite")), h("input", { name: "invite", maxlength: 40 })),
        game,
        rest,
        select("pace", t("room.pace"), PACES.map((key) => [key, t(`pace.${key}`)])),
        select("rated", t("room.rating"), [["yes", t("room.rated")], ["no", t("room.unrated")]]),
        h("label", { class: "field" }, h("span", {}, t("room.note")), h("input", { name: "note", maxlength: 500 })),
        h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit", "data-offer-game": "" }, t("room.send"))),
      )
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send(Object.fromEntries(new FormData(form)));
    });
    return h("section", {}, form);
  }

  async send({ rated, ...values }) {
    try {
      const { game } = await post("room", { ...values, rated: rated === "yes" });
      if (game) location.hash = `#game/${game}`;
      else await this.look();
    } catch (error) {
      notice([error.message], "bad");
    }
  }

  async join(id) {
    try {
      location.hash = `#game/${(await post(`room/${id}/join`, {})).game}`;
    } catch (error) {
      notice([error.message], "bad");
      await this.look();
    }
  }

  async close(id) {
    await request("DELETE", `room/${id}`).catch((error) => notice([error.message], "bad"));
    await this.look();
  }
}

/** A pace in words. @param {{ pace: string, base: number, increment: number }} terms */
export function paceText({ pace, base, increment }) {
  if (pace === "none") return t("pace.none");
  if (pace === "live") return t("pace.live-text", { minutes: Math.round(base / 60), seconds: increment });
  return t("pace.move-text", { hours: Math.round(base / 3600) });
}

customElements.define("salient-room", SalientRoom);
