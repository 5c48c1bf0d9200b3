/** Every legal action in words, in the panel: a list that can be searched, long ones by what they begin with. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { ActionPanel } from "./panel.js" */
/** @import { LegalAction } from "./wire.d.ts" */

const MANY = 24;

/** Every legal action in words; the list stays open or closed as the player left it. @param {ActionPanel} panel */
export function listOfAll(panel) {
  const { legal } = panel.choice;
  if (legal.length < 2) return null;
  const box = h("details", { class: "all", open: panel.listOpen }, h("summary", { onclick: () => (panel.listOpen = !box.hasAttribute("open")) }, t("panel.all", { n: legal.length })));
  const render = () => {
    if (!box.hasAttribute("open") || box.querySelector(".choices")) return;
    const list = h("div", { class: "choices" }, ...grouped(panel, legal));
    const filter = /** @type {HTMLInputElement} */ (
      h("input", { type: "search", placeholder: t("panel.filter"), "aria-label": t("panel.filter"), oninput: () => narrow(list, filter.value) })
    );
    box.append(filter, list);
  };
  box.addEventListener("toggle", render);
  render();
  return box;
}

/** Long lists by what they begin with: a unit, a hex, a chit; each group opens by itself. @param {ActionPanel} panel @param {LegalAction[]} legal */
function grouped(panel, legal) {
  const items = (/** @type {LegalAction[]} */ actions) => h("ul", {}, ...actions.map((action) => h("li", {}, listed(panel, action))));
  if (legal.length <= MANY) return [items(legal)];
  /** @type {Map<string, LegalAction[]>} */
  const groups = new Map();
  for (const action of legal) {
    const first = action.args[0]?.value ?? "";
    groups.set(first, [...(groups.get(first) ?? []), action]);
  }
  return [...groups].map(([first, actions]) =>
    actions.length === 1 ? items(actions) : h("details", {}, h("summary", {}, `${thingName(panel, first)} (${actions.length})`), items(actions)),
  );
}

/** A unit with its place, a hex with its name, or another thing in words. @param {ActionPanel} panel @param {string} value */
function thingName(panel, value) {
  const { game } = panel;
  const where = game.shown.units[value]?.where;
  const place = (/** @type {string} */ hex) => [hex, game.hexes?.[hex]?.place].filter(Boolean).join(" ");
  if (where) return `${panel.unitName(value)} · ${game.hexes?.[where] ? place(where) : game.name(where)}`;
  return game.hexes?.[value] ? place(value) : game.name(value);
}

/** @param {ActionPanel} panel @param {LegalAction} action */
function listed(panel, action) {
  return h(
    "button",
    {
      class: "listed",
      type: "button",
      "data-action": action.text,
      onclick: () => panel.tell("play", action),
      onfocus: () => panel.tell("consider", action),
      onmouseenter: () => panel.tell("consider", action),
    },
    h("span", {}, action.label),
    h("code", {}, action.text),
  );
}

/** @param {HTMLElement} list @param {string} text */
function narrow(list, text) {
  const wanted = text.trim().toLocaleLowerCase();
  for (const item of list.querySelectorAll("li")) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  for (const group of list.querySelectorAll("details")) {
    group.hidden = !group.querySelector("li:not([hidden])");
    group.open = Boolean(wanted);
  }
}
