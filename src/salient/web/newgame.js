/** A new game in the lobby: which box, how it is played, the scenario, the rules that players may choose. */

import { post } from "./api.js";
import { failed } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { levelName } from "./gamelist.js";
import { openHelp } from "./help.js";
import { pair, t } from "./i18n.js";
import { later } from "./later.js";
import { beginLesson } from "./lesson.js";
import { keepToken } from "./settings.js";
import { beginnerChoice, cover, factsLine, storyOf } from "./story.js";

/** @import { About, GameTitle } from "./wire.d.ts" */

const MODES = ["bot", "two", "solitaire", "watch"];

export class NewGame {
  /** @type {About} */
  about = later();
  /** @type {GameTitle[]} */
  library = [];
  /** @type {GameTitle} */
  chosen = later();
  form = h("div", { class: "setup" });
  /** @type {Record<string, string | undefined>} what was chosen in the form, by field */
  kept = {};
  mode = "bot";
  optionsOpen = false;

  /** The boxes and the form, of what the server offers. @param {About} about @param {GameTitle[]} library */
  content(about, library) {
    Object.assign(this, { about, library });
    this.chosen = library.find(({ id }) => id === this.chosen?.id) ?? library[0];
    this.renderForm();
    return [this.shelf(), this.form];
  }

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
          factsLine(game),
        ),
      ),
    );
  }

  /** Another game begins with what suits it; strength, mode and dice stay as they were chosen. @param {GameTitle} game */
  choose(game) {
    this.chosen = game;
    for (const name of ["side", "scenario"]) this.form.querySelector(`select[name=${name}]`)?.remove();
    this.kept = { ...this.kept, side: undefined, scenario: undefined };
    this.renderForm();
  }

  renderForm() {
    const game = this.chosen;
    this.kept = { ...this.kept, ...Object.fromEntries([...this.form.querySelectorAll("select")].map((field) => [field.name, field.value])) };
    const { mode } = this;
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
    const suits = beginnerChoice(game.id);
    const level = this.select("level", t("lobby.level"), this.about.levels.map((id) => [id, levelName(id)]), this.about.level);
    const side = this.select("side", t("lobby.side"), game.seats.map(({ id, name }) => [id, name]), suits?.side ?? game.seats[0].id);
    fill(
      this.form,
      storyOf(game),
      modes,
      h(
        "div",
        { class: "fields" },
        game.scenarios.length > 1 ? this.select("scenario", t("lobby.scenario"), game.scenarios.map(({ id, name, turns }) => [id, `${name} · ${t("lobby.scale", { turns })}`]), suits?.scenario) : null,
        mode === "bot" ? side : null,
        mode === "bot" || mode === "watch" ? level : null,
        mode === "two" || mode === "solitaire" ? this.select("dice", t("lobby.dice"), ["verified", "typed"].map((key) => [key, t(`lobby.dice.${key}`)])) : null,
      ),
      this.options(game, suits),
      h(
        "div",
        { class: "starters" },
        h("button", { class: "action primary big", type: "button", "data-start": "", onclick: () => this.start() }, icon("play"), h("span", {}, t("lobby.start"))),
        beginnerChoice(game.id)?.lesson ? h("button", { class: "action big", type: "button", "data-guide": "", onclick: () => this.learn(game.id) }, icon("guide"), h("span", {}, t("lobby.guide"))) : null,
      ),
    );
  }

  /** The rules that players may choose, each with the rule that explains it; many of them are folded. @param {GameTitle} game @param {ReturnType<typeof beginnerChoice>} suits */
  options(game, suits) {
    const fields = game.options.map(({ id, name, choices, rule }) =>
      h("div", { class: "option" }, this.select(`option-${id}`, name, choices.map((row) => [row.id, row.name]), suits?.options[id]), h("button", { class: "quiet small", type: "button", title: t("lobby.about-rule"), "aria-label": pair(name, t("lobby.about-rule")), onclick: () => openHelp({ game: game.id, title: game.title, rule }) }, icon("help"))),
    );
    if (fields.length < 2) return h("div", { class: "fields" }, ...fields);
    const details = h("details", { class: "options", open: this.optionsOpen, ontoggle: () => (this.optionsOpen = details.open) }, h("summary", {}, t("lobby.options", { n: fields.length })), h("div", { class: "fields" }, ...fields));
    return details;
  }

  /** @param {string} name @param {string} label @param {string[][]} options */
  select(name, label, options, usual = options[0]?.[0]) {
    const value = options.some(([id]) => id === this.kept[name]) ? this.kept[name] : (usual ?? options[0]?.[0]);
    return h("label", { class: "field" }, h("span", {}, label), h("select", { name }, ...options.map(([id, text]) => h("option", { value: id, selected: id === value }, text))));
  }

  /** @param {string} name */
  value(name) {
    return /** @type {HTMLSelectElement | null} */ (this.form.querySelector(`[name="${name}"]`))?.value;
  }

  /** Begins the lesson of a game. @param {string} game */
  async learn(game) {
    await beginLesson(game).then((address) => (location.hash = address), failed);
  }

  async start() {
    const game = this.chosen;
    const options = Object.fromEntries(game.options.map(({ id, choices }) => [id, this.value(`option-${id}`) ?? choices[0].id]));
    const body = { game: game.id, scenario: this.value("scenario") ?? game.scenarios[0].id, options, seats: this.players(game), dice: /** @type {"verified" | "typed"} */ (this.value("dice") ?? "verified") };
    try {
      const { id, token } = await post("games", body);
      if (token) keepToken(id, token);
      location.hash = `#game/${id}`;
    } catch (error) {
      failed(error);
    }
  }

  /** @param {GameTitle} game */
  players(game) {
    const bot = `bot:${this.value("level") ?? this.about.levels[0]}`;
    if (this.mode === "watch") return all(game, bot);
    if (this.mode !== "bot") return all(game, "human");
    return Object.fromEntries(game.seats.map(({ id }) => [id, id === this.value("side") ? "human" : bot]));
  }
}

const all = (/** @type {GameTitle} */ game, /** @type {string} */ player) => Object.fromEntries(game.seats.map(({ id }) => [id, player]));
