/** The games of this browser in the lobby: resumed, renamed, deleted, imported, exported, joined by a link. */

import { get, post, request } from "./api.js";
import { confirmed, download, failed, fileName, messageOf, notice, openDialog } from "./dialogs.js";
import { fill, h, icon } from "./dom.js";
import { date, lang, pair, t } from "./i18n.js";
import { keepToken } from "./settings.js";
import { cover } from "./story.js";
import { typeset } from "./template.js";

/** @import { GameLine, GameTitle } from "./wire.d.ts" */

export const GAMES_A_PAGE = 30;

export class GameList {
  /** @param {GameTitle[]} library @param {GameLine[]} games @param {() => Promise<void>} reload what is done after a change */
  constructor(library, games, reload) {
    this.library = library;
    this.games = games;
    this.reload = reload;
  }

  content() {
    return [this.header(), this.list()];
  }

  header() {
    return h(
      "header",
      {},
      h("h2", { id: "my-games" }, t("lobby.games")),
      h("button", { class: "quiet", type: "button", "data-import": "", onclick: () => this.openImport() }, icon("import"), h("span", {}, t("lobby.import"))),
      h("button", { class: "quiet", type: "button", onclick: () => this.openJoin() }, icon("link"), h("span", {}, t("lobby.join"))),
    );
  }

  list() {
    if (!this.games.length) return h("p", { class: "empty" }, t("lobby.empty"));
    const list = h("ul", { class: "game-list" }, ...this.games.map((game) => this.gameRow(game)));
    const more = h("button", { class: "action", type: "button", "data-more-games": "", hidden: this.games.length < GAMES_A_PAGE, onclick: () => this.moreGames(list, more) }, t("lobby.more"));
    return h("div", {}, list, more);
  }

  /** @param {HTMLElement} list @param {HTMLElement} button */
  async moreGames(list, button) {
    try {
      const page = await get("games", { query: { limit: GAMES_A_PAGE, before: this.games[this.games.length - 1].changed } });
      this.games.push(...page);
      list.append(...page.map((game) => this.gameRow(game)));
      button.hidden = page.length < GAMES_A_PAGE;
    } catch (error) {
      failed(error);
    }
  }

  /** @param {GameLine} game */
  gameRow(game) {
    const players = game.seats.map(({ seat, player, person }) => pair(seatName(this.library, game.game, seat), person ?? playerName(player))).join(" · ");
    const tool = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ run) => h("button", { class: "quiet", type: "button", title: label, "aria-label": pair(label, game.name), "data-tool": name, onclick: run }, icon(name));
    const stage = game.result ? t("lobby.over") : game.heading;
    const own = game.seats.filter(({ mine }) => mine).map(({ seat }) => seat);
    const about = [
      h("span", { class: "resume-name" }, h("strong", {}, game.name), game.yours ? h("span", { class: "your-move" }, t("lobby.your-move")) : null),
      own.length === 1 ? h("span", {}, t("lobby.you", { side: seatName(this.library, game.game, own[0]) })) : null,
      h("span", {}, [typeset(game.name, lang()) === game.title ? "" : game.title, stage].filter(Boolean).join(" · ")),
      h("small", {}, players),
      game.broken ? h("small", { class: "trouble" }, game.broken) : null,
      h("small", { class: "muted" }, `${t("lobby.moves", { n: game.ply })} · ${date(game.changed)}`),
    ];
    return h(
      "li",
      { class: "game-row", "data-game": game.id },
      game.broken ? h("div", { class: "resume" }, ...about) : h("a", { class: "resume", href: `#game/${game.id}` }, h("span", { class: "thumb" }, cover({ id: game.game })), h("span", { class: "resume-text" }, ...about)),
      h(
        "div",
        { class: "tools" },
        tool("export", t("lobby.export"), () => this.exportGame(game)),
        game.owner ? tool("rename", t("lobby.rename"), () => this.rename(game)) : null,
        game.owner ? tool("delete", t("lobby.delete"), () => this.remove(game)) : null,
      ),
    );
  }

  /** @param {GameLine} game */
  async exportGame(game) {
    const record = await get(`games/${game.id}/record`, { game: game.id, text: true });
    download(`${fileName(game.name)}.salient`, new Blob([record], { type: "text/plain" }));
  }

  /** @param {GameLine} game */
  rename(game) {
    const input = /** @type {HTMLInputElement} */ (h("input", { type: "text", value: game.name, maxlength: "80", "aria-label": t("lobby.name"), autofocus: true }));
    const form = h("form", {}, input, h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit" }, t("lobby.rename"))));
    const dialog = openDialog(t("lobby.rename"), [form], { name: "rename" });
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await request("PATCH", `games/${game.id}`, { game: game.id, body: { name: input.value } }).catch(failed);
      dialog.close();
      await this.reload();
    });
  }

  /** @param {GameLine} game */
  async remove(game) {
    if (!(await confirmed(t("lobby.delete-sure", { name: game.name, stage: [game.heading, date(game.changed)].filter(Boolean).join(", ") }), t("lobby.delete")))) return;
    await request("DELETE", `games/${game.id}`, { game: game.id }).catch(failed);
    await this.reload();
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
        fill(trouble, messageOf(error));
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

/** @param {GameTitle[]} library @param {string} game @param {string} seat */
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
