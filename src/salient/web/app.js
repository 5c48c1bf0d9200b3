/** The beginning: language, look, symbols, then the lobby or the table that the address names. */

import { post } from "./api.js";
import "./between.js";
import { loadSymbols } from "./counters.js";
import { notice } from "./dialogs.js";
import { h } from "./dom.js";
import { loadLanguage } from "./i18n.js";
import "./lobby.js";
import { confirmMail, openReset } from "./people.js";
import "./room.js";
import { applyLook, keepToken } from "./settings.js";
import { SalientTable } from "./table.js";

/** Shows what the address names: `#game/ID`, `#guide/ID`, `#join/ID/INVITATION`, `#room`, `#profile/NAME`, or the lobby. */
async function route() {
  const page = /** @type {HTMLElement} */ (document.getElementById("page"));
  const [what, id, invitation] = location.hash.slice(1).split("/");
  document.body.dataset.page = what === "game" || what === "guide" ? "table" : "lobby";
  try {
    if (what === "join") return await join(id, invitation);
    if (what === "game" || what === "guide") return await openTable(page, id, what === "guide");
    if (what === "room") return page.replaceChildren(h("salient-room"));
    if (what === "profile") return await openProfile(page, decodeURIComponent(id));
    if (what === "confirm") await confirmMail(id);
    if (what === "reset") openReset(id);
  } catch (error) {
    notice([/** @type {Error} */ (error).message], "bad");
  }
  document.body.dataset.page = "lobby";
  document.title = "Salient";
  page.replaceChildren(h("salient-lobby"));
}

async function openTable(page, id, guided) {
  const table = /** @type {SalientTable} */ (h("salient-table"));
  page.replaceChildren(table);
  await table.open(id, guided);
  if (!table.game.snapshot.between) return;
  const beside = /** @type {import("./between.js").BetweenBar} */ (h("between-bar"));
  page.append(beside);
  beside.attach(table.game);
}

async function openProfile(page, name) {
  const profile = /** @type {import("./people.js").SalientProfile} */ (h("salient-profile"));
  page.replaceChildren(profile);
  await profile.open(name);
}

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
