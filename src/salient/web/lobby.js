/** The lobby: `<salient-lobby>` with a new game and those that were begun. */

import { get } from "./api.js";
import { trouble } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { GAMES_A_PAGE, GameList } from "./gamelist.js";
import { openHelp } from "./help.js";
import { chooseLanguage, lang, LANGUAGES, t } from "./i18n.js";
import { NewGame } from "./newgame.js";
import { accountNav, whoAmI } from "./people.js";
import { openPreferences } from "./preferences.js";

/** @import { About, GameLine, GameTitle } from "./wire.d.ts" */

export class SalientLobby extends HTMLElement {
  newGame = new NewGame();
  reword = () => this.load();

  async connectedCallback() {
    document.addEventListener("language", this.reword);
    await this.load();
  }

  disconnectedCallback() {
    document.removeEventListener("language", this.reword);
  }

  async load() {
    try {
      const [about, library, games] = await Promise.all([get("about"), get("library"), get("games", { query: { limit: GAMES_A_PAGE } })]);
      if (about.public) await whoAmI();
      this.render(about, library, games);
    } catch (error) {
      fill(this, trouble(error, () => this.load()));
    }
  }

  /** @param {About} about @param {GameTitle[]} library @param {GameLine[]} games */
  render(about, library, games) {
    const list = new GameList(library, games, () => this.load());
    fill(
      this,
      this.header(about),
      h(
        "main",
        { class: "lobby" },
        h("section", { class: "new-game", "aria-labelledby": "new-game" }, h("h2", { id: "new-game" }, t("lobby.new")), ...this.newGame.content(about, library)),
        h("section", { class: "my-games", "aria-labelledby": "my-games" }, ...list.content()),
      ),
    );
  }

  /** @param {About} about */
  header(about) {
    const language = /** @type {HTMLSelectElement} */ (
      h("select", { "aria-label": t("settings.language"), onchange: () => chooseLanguage(language.value) }, ...Object.entries(LANGUAGES).map(([id, name]) => h("option", { value: id, selected: id === lang() }, name)))
    );
    return h(
      "header",
      { class: "masthead" },
      h("div", { class: "brand" }, icon("mark"), h("h1", {}, "Salient"), h("p", {}, t("lobby.motto"))),
      h(
        "nav",
        { "aria-label": t("lobby.nav") },
        ...(about.public ? accountNav(() => this.load()) : []),
        language,
        h("a", { class: "quiet", href: "#puzzle", "data-puzzles": "" }, icon("find"), h("span", {}, t("puzzle.title"))),
        h("button", { class: "quiet", type: "button", onclick: () => openHelp({ game: this.newGame.chosen.id, title: this.newGame.chosen.title }) }, icon("help"), h("span", {}, t("menu.help"))),
        h("button", { class: "quiet", type: "button", onclick: openPreferences }, icon("settings"), h("span", {}, t("menu.settings"))),
      ),
    );
  }
}

customElements.define("salient-lobby", SalientLobby);
