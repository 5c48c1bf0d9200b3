/** Find a unit or a place and go there. */

import { openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { SalientBoard } from "./board.js" */
/** @import { GameClient } from "./game.js" */

const MOST = 30;

/** @typedef {{ unit: string | null, place: string, label: string, search: string }} Thing */

/**
 * @param {import("./game.js").GameClient} game
 * @param {import("./board.js").SalientBoard} board
 * @param {(unit: string | null, place: string) => void} onFound
 */
export function openFind(game, board, onFound) {
  const things = [...units(game, board), ...places(game, board)];
  const list = h("ul", { class: "found", "aria-label": t("find.results") });
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "search", autofocus: true, placeholder: t("find.placeholder"), "aria-label": t("find.title") }));
  const go = (/** @type {Thing} */ thing) => {
    dialog.close();
    board.goTo(thing.place);
    onFound(thing.unit, thing.place);
  };
  const show = () => {
    const wanted = input.value.trim().toLocaleLowerCase();
    const found = wanted ? things.filter(({ search }) => search.includes(wanted)).slice(0, MOST) : [];
    fill(list, ...found.map((thing) => h("li", {}, h("button", { class: "listed", type: "button", onclick: () => go(thing) }, h("span", {}, thing.label), h("code", {}, thing.place)))));
  };
  input.addEventListener("input", show);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") /** @type {HTMLElement | null} */ (list.querySelector("button"))?.click();
  });
  const dialog = openDialog(t("find.title"), [input, list], { name: "find" });
}

/** @param {GameClient} game @param {SalientBoard} board */
function units(game, board) {
  return Object.entries(game.shown.units).flatMap(([id, { where }]) => {
    const name = game.components.units[id]?.name;
    return name && where && board.geometry.has(where) ? [{ unit: id, place: where, label: name, search: `${id} ${name}`.toLocaleLowerCase() }] : [];
  });
}

/** @param {GameClient} game @param {SalientBoard} board */
function places(game, board) {
  return [...board.geometry.centres.keys()].map((place) => {
    const label = game.hexes?.[place]?.place ?? game.name(place);
    return { unit: null, place, label, search: `${place} ${label}`.toLocaleLowerCase() };
  });
}
