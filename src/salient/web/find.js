/** Find a unit or a place and go there. */

import { openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

const MOST = 30;

/**
 * @param {import("./game.js").GameClient} game
 * @param {import("./board.js").SalientBoard} board
 * @param {(unit: string | null, place: string) => void} onFound
 */
export function openFind(game, board, onFound) {
  const things = [...units(game, board), ...places(game, board)];
  const list = h("ul", { class: "found", "aria-label": t("find.results") });
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "search", autofocus: true, placeholder: t("find.placeholder"), "aria-label": t("find.title") }));
  const go = (thing) => {
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

function units(game, board) {
  return Object.entries(game.shown.units)
    .filter(([id, live]) => live?.where && board.geometry.has(live.where) && game.components.units[id])
    .map(([id, live]) => {
      const { name } = game.components.units[id];
      return { unit: id, place: live.where, label: name, search: `${id} ${name}`.toLocaleLowerCase() };
    });
}

function places(game, board) {
  return [...board.geometry.centres.keys()].map((place) => {
    const label = game.hexes?.[place]?.place ?? game.name(place);
    return { unit: null, place, label, search: `${place} ${label}`.toLocaleLowerCase() };
  });
}
