/** After a first battle: the whole first turn of the same game against the computer, with the adviser beside you. */

import { post } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { keepToken } from "./settings.js";

/** Begins the advised turn of a lesson's game: the whole address of its table. @param {import("./lesson.js").Script} script @param {string} opponent */
export async function beginAdvised({ game, scenario, options, side, seats }, opponent) {
  const players = Object.fromEntries(Object.keys(seats).map((seat) => [seat, seat === side ? "human" : opponent]));
  const { id, token } = await post("games", { game, ...(scenario ? { scenario } : {}), options, seats: players, name: t("advised.name") });
  if (token) keepToken(id, token);
  return `#advised/${id}`;
}

/** A card lies on the map; on a phone, where it would cover the map, at the head of the column. @param {import("./table.js").SalientTable} table @param {HTMLElement} card */
export function layCard(table, card) {
  if (matchMedia("(max-width: 44rem)").matches) table.querySelector(".side")?.prepend(card);
  else table.querySelector(".map-area")?.append(card);
}

export class AdvisedTurn {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    this.first = table.game.snapshot.view.turn;
    /** The part of the turn for which the adviser has spoken. */
    this.heading = "";
    this.card = h("section", { class: "guide advised", role: "dialog", "aria-label": t("advised.title") });
    layCard(table, this.card);
    this.onLanguage = () => this.render();
    document.addEventListener("language", this.onLanguage);
    this.update();
  }

  get over() {
    const { snapshot } = this.table.game;
    return snapshot.view.turn > this.first || this.table.game.over;
  }

  /** The adviser speaks by itself where a new part of the turn begins. */
  update() {
    const { game, advice } = this.table;
    this.render();
    if (this.over || !game.choosing || game.snapshot.heading === this.heading) return;
    this.heading = game.snapshot.heading;
    advice.ask();
  }

  render() {
    const { snapshot } = this.table.game;
    const words = this.over ? "advised.over" : snapshot.yours ? "advised.yours" : "advised.theirs";
    fill(
      this.card,
      h("header", {}, h("small", {}, snapshot.heading), h("button", { class: "quiet", type: "button", "aria-label": t("guide.leave"), title: t("guide.leave"), onclick: () => this.remove() }, icon("close"))),
      h("h2", {}, t("advised.title")),
      h("p", { "aria-live": "polite" }, t(words)),
      this.over ? h("button", { class: "action primary", type: "button", "data-lesson": "alone", onclick: () => this.remove() }, t("advised.alone")) : null,
    );
  }

  remove() {
    document.removeEventListener("language", this.onLanguage);
    this.card.remove();
    this.table.guide = undefined;
  }
}
