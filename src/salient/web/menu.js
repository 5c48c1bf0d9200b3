/** The table's menu: exports, invitations, settings and the way back to the lobby. */

import { get, post } from "./api.js";
import { download, failed, fileName, notice, openDialog } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { mapPicture } from "./picture.js";
import { openPreferences } from "./preferences.js";

/** @import { SalientBoard } from "./board.js" */
/** @import { GameClient } from "./game.js" */

/** @param {import("./table.js").SalientTable} table */
export function openMenu(table) {
  const { game } = table;
  const item = (/** @type {string} */ name, /** @type {string} */ label, /** @type {() => void} */ run) =>
    h("li", {}, h("button", { class: "listed", type: "button", "data-menu": name, onclick: () => (dialog.close(), run()) }, icon(name), h("span", {}, label)));
  const people = game.snapshot.seats.filter(({ player }) => player === "human");
  const invitable = game.snapshot.owner && people.length > 1 ? people : []; // against the computer the only one is one's own
  const dialog = openDialog(
    game.snapshot.name,
    [
      h(
        "ul",
        { class: "menu" },
        item("back", t("menu.lobby"), () => (location.hash = "")),
        item("export", t("menu.record"), () => exportRecord(game)),
        item("picture", t("menu.picture"), () => exportPicture(game, table.board)),
        item("report", t("menu.report"), () => exportReport(game)),
        item("dice", t("menu.dice"), () => table.dice()),
        item("find", t("menu.find"), () => table.find()),
        item("text", t("menu.text"), () => table.textView()),
        item("why", t("menu.digest"), () => table.digest.again(game)),
        item("replay", t("menu.enemy-turn"), () => table.replay.enemyTurn()),
        ...invitable.map(({ seat, name }) => item("link", t("menu.invite", { seat: name }), () => invite(game, seat))),
        item("settings", t("menu.settings"), openPreferences),
        item("help", t("menu.help"), () => table.help()),
      ),
    ],
    { name: "menu" },
  );
}

/** @param {import("./game.js").GameClient} game */
export async function exportRecord(game) {
  await saved(async () => {
    const record = await get(`games/${game.id}/record`, { ...game.eyes(), text: true });
    download(`${fileName(game.snapshot.name)}.salient`, new Blob([record], { type: "text/plain" }));
  });
}

/** @param {GameClient} game @param {SalientBoard} board */
async function exportPicture(game, board) {
  await saved(async () => download(`${fileName(game.snapshot.name)}-${game.back ?? game.snapshot.ply}.png`, await mapPicture(game, board)));
}

/** @param {import("./game.js").GameClient} game */
export async function exportReport(game) {
  await saved(async () => {
    const report = await get(`games/${game.id}/report`, { ...game.eyes(), text: true });
    const file = `${fileName(game.snapshot.name)}.html`;
    download(file, new Blob([report], { type: "text/html" }));
    notice([t("menu.report-saved", { file })]);
  });
}

/** @param {() => Promise<void>} run */
async function saved(run) {
  try {
    await run();
  } catch (error) {
    failed(error);
  }
}

/** @param {GameClient} game @param {string} seat */
async function invite(game, seat) {
  await saved(async () => {
    const { link } = await post(`games/${game.id}/invitations`, { seat }, game.eyes());
    const address = new URL(link, location.href).href;
    const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", readonly: true, value: address, "aria-label": t("lobby.link") }));
    openDialog(
      t("menu.invite", { seat: game.name(seat) }),
      [
        h("p", {}, t("invite.help")),
        onlyHere(location.hostname) ? h("p", { class: "hindrance", role: "note" }, t("invite.local", { command: "salient serve --host 0.0.0.0 --allow-host NAME" })) : null,
        field,
        h("div", { class: "row end" }, h("button", { class: "action primary", type: "button", onclick: () => copy(field) }, icon("copy"), h("span", {}, t("invite.copy")))),
      ],
      { name: "invite" },
    );
    field.select();
  });
}

/** Whether a name means this computer to everybody who uses it. @param {string} host */
function onlyHere(host) {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** @param {HTMLInputElement} field */
async function copy(field) {
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy");
  }
  notice([t("invite.copied")]);
}
