/** The lobby: `<salient-lobby>` starts, resumes, renames, deletes, imports and exports games. */

import { get, post, request } from "./api.js";
import { confirmed, download, fileName, notice, openDialog } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { chooseLanguage, date, lang, LANGUAGES, pair, t } from "./i18n.js";
import { openHelp } from "./help.js";
import { accountNav, whoAmI } from "./people.js";
import { openPreferences } from "./preferences.js";
import { keepToken } from "./settings.js";

const MODES = ["bot", "two", "solitaire", "watch"];

/** A small picture of the map; the server draws one for a game that has none. */
function cover(game) {
  const image = /** @type {HTMLImageElement} */ (h("img", { alt: "", loading: "lazy" }));
  image.addEventListener("error", () => (image.src = `/api/library/${game.id}/map.png?v=${game.data_hash}&lang=${lang()}`), { once: true });
  image.src = new URL(`./thumbs/${game.id}.png`, import.meta.url).href;
  return image;
}

export class SalientLobby extends HTMLElement {
  async connectedCallback() {
    this.reword = () => this.load();
    document.addEventListener("language", this.reword);
    await this.load();
  }

  disconnectedCallback() {
    document.removeEventListener("language", this.reword);
  }

  async load() {
    try {
      [this.about, this.library, this.games] = await Promise.all([get("about"), get("library"), get("games")]);
      if (this.about.public) await whoAmI();
      this.render();
    } catch (error) {
      fill(this, h("main", { class: "lobby" }, h("p", { class: "trouble", role: "alert" }, error.message), h("button", { class: "action primary", type: "button", onclick: () => this.load() }, t("retry"))));
    }
  }

  render() {
    const chosen = this.library.find(({ id }) => id === this.chosen?.id) ?? this.library[0];
    this.chosen = chosen;
    this.form = h("div", { class: "setup" });
    fill(
      this,
      this.header(),
      h(
        "main",
        { class: "lobby" },
        h("section", { class: "new-game", "aria-labelledby": "new-game" }, h("h2", { id: "new-game" }, t("lobby.new")), this.shelf(), this.form),
        h("section", { class: "my-games", "aria-labelledby": "my-games" }, this.gamesHeader(), this.gameList()),
      ),
    );
    this.renderForm();
  }

  header() {
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
        ...(this.about.public ? accountNav(() => this.load()) : []),
        language,
        h("button", { class: "quiet", type: "button", onclick: () => openHelp({ game: this.chosen?.id }) }, icon("help"), h("span", {}, t("menu.help"))),
        h("button", { class: "quiet", type: "button", onclick: openPreferences }, icon("settings"), h("span", {}, t("menu.settings"))),
      ),
    );
  }

  // ---- a new game --------------------------------------------------------------

  shelf() {
    return h(
      "div",
      { class: "shelf", role: "radiogroup", "aria-label": t("lobby.choose-game") },
      ...this.library.map((game) =>
        h(
          "label",
          { class: "box" },
          h("input", { type: "radio", name: "game", value: game.id, checked: game === this.chosen, onchange: () => this.choose(game) }),
          h("span", { class: "cover" }, cover(game)),
          h("strong", {}, game.title),
          h("small", {}, t("lobby.scale", { turns: game.scenarios[0]?.turns ?? "" })),
        ),
      ),
    );
  }

  choose(game) {
    this.chosen = game;
    this.renderForm();
  }

  renderForm() {
    const game = this.chosen;
    this.kept = { ...this.kept, ...Object.fromEntries([...this.form.querySelectorAll("select")].map((field) => [field.name, field.value])) };
    const mode = (this.mode ??= "bot");
    const modes = h(
      "div",
      { class: "modes", role: "radiogroup", "aria-label": t("lobby.mode") },
      ...MODES.map((key) =>
        h(
          "label",
          { class: "mode" },
          h("input", { type: "radio", name: "mode", value: key, checked: key === mode, onchange: () => ((this.mode = key), this.renderForm()) }),
          h("span", {}, h("strong", {}, t(`mode.${key}`)), h("small", {}, t(`mode.${key}.help`))),
        ),
      ),
    );
    const level = this.select("level", t("lobby.level"), this.about.levels.map((id) => [id, levelName(id)]), this.about.levels.at(-1));
    const side = this.select("side", t("lobby.side"), game.seats.map(({ id, name }) => [id, name]), game.seats[0].id);
    fill(
      this.form,
      modes,
      h(
        "div",
        { class: "fields" },
        game.scenarios.length > 1 ? this.select("scenario", t("lobby.scenario"), game.scenarios.map(({ id, name }) => [id, name])) : null,
        mode === "bot" ? side : null,
        mode === "bot" || mode === "watch" ? level : null,
        ...game.options.map(({ id, name, choices }) => this.select(`option-${id}`, name, choices.map((row) => [row.id, row.name]))),
        mode === "two" || mode === "solitaire" ? this.select("dice", t("lobby.dice"), ["verified", "typed"].map((key) => [key, t(`lobby.dice.${key}`)])) : null,
      ),
      h(
        "div",
        { class: "starters" },
        h("button", { class: "action primary big", type: "button", "data-start": "", onclick: () => this.start() }, icon("play"), h("span", {}, t("lobby.start"))),
        game.id === "target-arnhem" ? h("button", { class: "action big", type: "button", "data-guide": "", onclick: () => this.start(true) }, icon("guide"), h("span", {}, t("lobby.guide"))) : null,
      ),
    );
  }

  select(name, label, options, usual = options[0]?.[0]) {
    const value = options.some(([id]) => id === this.kept[name]) ? this.kept[name] : usual;
    return h("label", { class: "field" }, h("span", {}, label), h("select", { name }, ...options.map(([id, text]) => h("option", { value: id, selected: id === value }, text))));
  }

  value(name) {
    return /** @type {HTMLSelectElement | null} */ (this.form.querySelector(`[name="${name}"]`))?.value;
  }

  async start(guided = false) {
    const game = this.chosen;
    const options = Object.fromEntries(game.options.map(({ id }) => [id, this.value(`option-${id}`)]));
    const body = { game: game.id, scenario: this.value("scenario") ?? game.scenarios[0].id, options, seats: guided ? all(game, "human") : this.players(game), dice: this.value("dice") ?? "verified" };
    try {
      const { id, token } = await post("games", body);
      if (token) keepToken(id, token);
      location.hash = guided ? `#guide/${id}` : `#game/${id}`;
    } catch (error) {
      notice([error.message], "bad");
    }
  }

  players(game) {
    const bot = `bot:${this.value("level") ?? this.about.levels[0]}`;
    if (this.mode === "watch") return all(game, bot);
    if (this.mode !== "bot") return all(game, "human");
    return Object.fromEntries(game.seats.map(({ id }) => [id, id === this.value("side") ? "human" : bot]));
  }

  // ---- games in progress ---------------------------------------------------------

  gamesHeader() {
    return h(
      "header",
      {},
      h("h2", { id: "my-games" }, t("lobby.games")),
      h("button", { class: "quiet", type: "button", "data-import": "", onclick: () => this.openImport() }, icon("import"), h("span", {}, t("lobby.import"))),
      h("button", { class: "quiet", type: "button", onclick: () => this.openJoin() }, icon("link"), h("span", {}, t("lobby.join"))),
    );
  }

  gameList() {
    if (!this.games.length) return h("p", { class: "empty" }, t("lobby.empty"));
    return h("ul", { class: "game-list" }, ...this.games.map((game) => this.gameRow(game)));
  }

  gameRow(game) {
    const players = game.seats.map(({ seat, player, person }) => pair(seatName(this.library, game.game, seat), person ?? playerName(player))).join(" · ");
    const tool = (name, label, run) => h("button", { class: "quiet", type: "button", title: label, "aria-label": pair(label, game.name), "data-tool": name, onclick: run }, icon(name));
    const stage = game.result ? t("lobby.over") : game.heading;
    const about = [
      h("strong", {}, game.name),
      h("span", {}, [game.title, stage].filter(Boolean).join(" · ")),
      h("small", {}, players),
      game.broken ? h("small", { class: "trouble" }, game.broken) : null,
      h("small", { class: "muted" }, `${t("lobby.moves", { n: game.ply })} · ${date(game.changed)}`),
    ];
    return h(
      "li",
      { class: "game-row", "data-game": game.id },
      game.broken ? h("div", { class: "resume" }, ...about) : h("a", { class: "resume", href: `#game/${game.id}` }, ...about),
      h(
        "div",
        { class: "tools" },
        tool("export", t("lobby.export"), () => this.exportGame(game)),
        game.owner ? tool("rename", t("lobby.rename"), () => this.rename(game)) : null,
        game.owner ? tool("delete", t("lobby.delete"), () => this.remove(game)) : null,
      ),
    );
  }

  async exportGame(game) {
    const record = await get(`games/${game.id}/record`, { game: game.id, text: true });
    download(`${fileName(game.name)}.salient`, new Blob([record], { type: "text/plain" }));
  }

  rename(game) {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: game.name, maxlength: "80", "aria-label": t("lobby.name"), autofocus: true }));
    const form = h("form", {}, input, h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit" }, t("lobby.rename"))));
    const dialog = openDialog(t("lobby.rename"), [form], { name: "rename" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.attempt(request("PATCH", `games/${game.id}`, { game: game.id, body: { name: input.value } }));
      dialog.close();
      await this.load();
    });
  }

  async remove(game) {
    if (!(await confirmed(t("lobby.delete-sure", { name: game.name }), t("lobby.delete")))) return;
    await this.attempt(request("DELETE", `games/${game.id}`, { game: game.id }));
    await this.load();
  }

  async attempt(promise) {
    await promise.catch((error) => notice([error.message], "bad"));
  }

  openImport() {
    const text = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: "10", "aria-label": t("lobby.record"), placeholder: "salient-record 1", name: "record" }));
    const trouble = h("p", { class: "trouble", role: "alert" });
    const file = /** @type {HTMLInputElement} */ (
      h("input", { type: "file", "aria-label": t("lobby.file"), accept: ".salient,.txt,text/plain", onchange: async () => (text.value = (await file.files?.[0]?.text()) ?? "") })
    );
    const send = async () => {
      try {
        const { id, token } = await post("games/import", { record: text.value });
        if (token) keepToken(id, token);
        dialog.close();
        location.hash = `#game/${id}`;
      } catch (error) {
        fill(trouble, error.message);
      }
    };
    const dialog = openDialog(t("lobby.import"), [h("p", {}, t("lobby.import-help")), file, text, trouble, h("div", { class: "row end" }, h("button", { class: "action primary", type: "button", onclick: send }, t("lobby.import")))], { name: "import" });
  }

  openJoin() {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "url", placeholder: "https://…/#join/…", "aria-label": t("lobby.link"), autofocus: true }));
    const form = h("form", {}, h("p", {}, t("lobby.join-help")), input, h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit" }, t("lobby.join"))));
    const dialog = openDialog(t("lobby.join"), [form], { name: "join" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const hash = input.value.match(/#join\/[^/\s]+\/[^/\s]+/)?.[0];
      if (!hash) return notice([t("lobby.bad-link")], "bad");
      dialog.close();
      location.hash = hash;
    });
  }
}

const all = (game, player) => Object.fromEntries(game.seats.map(({ id }) => [id, player]));

function seatName(library, game, seat) {
  return library.find(({ id }) => id === game)?.seats.find(({ id }) => id === seat)?.name ?? seat;
}

/** A bot level in the reader's words, as far as there are words for it. @param {string} level */
export function levelName(level) {
  const words = t(`level.${level}`);
  return words === `level.${level}` ? level : words;
}

/** @param {string} player */
export function playerName(player) {
  return player.startsWith("bot:") ? t("player.bot", { level: levelName(player.slice(4)) }) : t(`player.${player}`);
}

customElements.define("salient-lobby", SalientLobby);
