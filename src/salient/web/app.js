/** The beginning: language, look, symbols, then the lobby or the table that the address names. */

import { ApiError, post } from "./api.js";
import "./between.js";
import { loadSymbols } from "./counters.js";
import { failed, trouble } from "./dialogs.js";
import { h } from "./dom.js";
import { loadLanguage } from "./i18n.js";
import "./lobby.js";
import { confirmMail, openReset } from "./people.js";
import "./puzzles.js";
import "./room.js";
import { applyLook, keepToken } from "./settings.js";
import "./table.js";

/** @import { GameClient } from "./game.js" */

const TABLES = new Set(["game", "guide", "advised"]);

/** Shows what the address names: `#game/ID`, `#guide/ID`, `#advised/ID`, `#join/ID/INVITATION`, `#room`, `#profile/NAME`, `#puzzle/NAME`, or the lobby. */
async function route() {
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  const [what, id, invitation] = location.hash.slice(1).split("/");
  document.body.dataset.page = TABLES.has(what) ? "table" : "lobby";
  try {
    if (what === "join") return await join(id, invitation);
    if (TABLES.has(what)) return await openTable(page, id, what);
    if (what === "room") return page.replaceChildren(h("salient-room"));
    if (what === "profile") return await openProfile(page, decodeURIComponent(id));
    if (what === "puzzle") return await openPuzzle(page, id);
    if (what === "confirm") await confirmMail(id);
    if (what === "reset") openReset(id);
  } catch (error) {
    if (error instanceof ApiError && error.passing) return showTrouble(page, error);
    failed(error);
  }
  document.body.dataset.page = "lobby";
  document.title = "Salient";
  page.replaceChildren(h("salient-lobby"));
}

/** What the address names stays what is wanted: it is tried again. @param {HTMLElement} page @param {ApiError} error */
function showTrouble(page, error) {
  document.body.dataset.page = "lobby";
  page.replaceChildren(trouble(error, route));
}

/** @param {HTMLElement} page @param {string} id @param {string} manner */
async function openTable(page, id, manner) {
  const table = h("salient-table");
  page.replaceChildren(table);
  await table.open(id, manner);
  if (!table.isConnected) return;
  sitTogether(page, table.game);
  table.game.addEventListener("shown", () => sitTogether(page, table.game));
}

/** The bar of a table where somebody else sits too, as soon as somebody does. @param {HTMLElement} page @param {GameClient} game */
function sitTogether(page, game) {
  const { between, seats } = game.snapshot;
  if (page.querySelector("between-bar") || !(between || seats.some(({ player }) => player === "link"))) return;
  const beside = h("between-bar");
  page.append(beside);
  beside.attach(game);
}

/** @param {HTMLElement} page @param {string} name */
async function openProfile(page, name) {
  const profile = h("salient-profile");
  page.replaceChildren(profile);
  await profile.open(name);
}

/** @param {HTMLElement} page @param {string} name */
async function openPuzzle(page, name) {
  const puzzles = h("salient-puzzles");
  page.replaceChildren(puzzles);
  await puzzles.open(name);
}

/** @param {string} id @param {string} invitation */
async function join(id, invitation) {
  const { token } = await post(`games/${id}/join`, { invitation });
  keepToken(id, token);
  location.replace(`#game/${id}`);
}

applyLook();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", applyLook);
await Promise.all([loadLanguage(), loadSymbols()]);
addEventListener("hashchange", route);
await route();
document.documentElement.dataset.ready = "";
