/** Several units as one, in the panel: what can be gathered, what an order would do, all that can be named at once. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { ActionPanel } from "./panel.js" */

/** So many units are listed by formation; fewer are seen at a glance. */
const MANY = 8;

/** Offers the stack and the formation of the picked unit. @param {ActionPanel} panel */
export function gathering(panel) {
  const [unit] = panel.choice.pinnedUnits();
  return unit ? offers(panel, unit, panel.choice.allUnits()) : null;
}

/** @param {ActionPanel} panel @param {string} unit @param {Set<string>} able */
function offers(panel, unit, able) {
  const many = { stack: panel.group.stackOf(unit, able).length, formation: panel.group.formationOf(unit, able).length };
  const offer = (/** @type {"stack" | "formation"} */ what) => (many[what] > 1 ? h("button", { class: "quiet small", type: "button", "data-group": what, onclick: () => panel.tell("group", what) }, t(`group.${what}`, { n: many[what] }), h("kbd", {}, what === "stack" ? "S" : "G")) : null);
  return h("div", { class: "crumbs" }, offer("stack"), offer("formation"));
}

/** The units that have not moved, formation by formation: a press selects a whole one. @param {ActionPanel} panel */
export function unmoved(panel) {
  const { choice, game } = panel;
  const { units } = game.components;
  const movers = choice.pins.length ? [] : [...choice.movers()].filter((id) => game.shown.units[id]);
  if (movers.length < MANY || !movers.some((id) => units[id].formation)) return null;
  /** @type {Map<string, string[]>} */
  const formations = new Map();
  for (const id of movers) {
    const name = units[id].formation ? game.name(units[id].formation) : id;
    formations.set(name, [...(formations.get(name) ?? []), id]);
  }
  const chip = (/** @type {[string, string[]]} */ [name, ids]) => h("button", { type: "button", "data-formation": name, title: ids.join(", "), onclick: () => panel.tell("formation", ids) }, name, ids.length > 1 ? h("b", {}, String(ids.length)) : null);
  return h("div", { class: "unmoved" }, h("p", { class: "hint" }, t("group.unmoved")), ...[...formations].map(chip));
}

/** The units that are ordered together, and what the order tried last would do. @param {ActionPanel} panel */
export function together(panel) {
  const { units, plan } = panel.group;
  const goal = panel.group.goal ?? "";
  const short = (/** @type {string[]} */ ids) => ids.join(", ");
  const movers = panel.choice.movers();
  const where = [...units].some((id) => movers.has(id)) ? "group.where" : "group.target";
  const [only, ...others] = units;
  return h(
    "div",
    { class: "actions" },
    // What carries it out comes first: however many units there are, it stays in sight.
    plan?.actions.length ? h("button", { class: "action primary", type: "button", "data-key": "order", onclick: () => panel.group.go(goal) }, t("group.go", { n: Object.keys(plan.ends).length, place: panel.game.placeName(goal) }), h("kbd", {}, "Enter")) : null,
    h("p", { class: "hint" }, plan ? t("group.again", { place: panel.game.placeName(goal) }) : t(where, { n: units.size })),
    plan?.stragglers.length ? h("p", { class: "hint" }, t("group.stragglers", { units: short(plan.stragglers) })) : null,
    plan?.held.length ? h("p", { class: "hint" }, t("group.held", { units: short(plan.held) })) : null,
    h("div", { class: "crumbs" }, ...[...units].map((id) => h("span", { class: "crumb", title: panel.unitName(id) }, id)), panel.letGo("clear-group", () => panel.group.clear())),
    others.length ? null : offers(panel, only, panel.able()),
  );
}

/** Names every piece of a set at once, where several can be named. @param {ActionPanel} panel */
export function allAtOnce(panel) {
  const sets = Object.entries(panel.game.snapshot.sets ?? {}).filter(([, n]) => n > 1);
  return sets.map(([verb, n]) => h("button", { class: "action", type: "button", "data-key": `all-${verb}`, onclick: () => panel.group.carryOut({ each: verb }) }, t("group.all", { n })));
}
