/** What stands on the table: the parts of `<salient-table>`, each made once and put in its place. */

import "./advice.js";
import "./analysis.js";
import "./board.js";
import "./digest.js";
import "./divider.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import "./log.js";
import { openMenu } from "./menu.js";
import "./minimap.js";
import "./odds.js";
import "./openings.js";
import "./panel.js";
import "./replay.js";
import "./rulebook.js";
import "./sequence.js";
import "./situation.js";
import "./calendar.js";
import "./tables.js";
import "./stack.js";
import "./strips.js";
import "./tabs.js";
import "./tray.js";

const tool = (/** @type {string} */ name, /** @type {string} */ key, /** @type {() => void} */ run) => h("button", { class: "quiet tool", type: "button", "data-tool": name, onclick: run }, icon(name), h("span", { class: "visually-hidden", "data-t": key }));

/** The parts by name. */
function parts() {
  return {
    board: h("salient-board"),
    sequence: h("sequence-bar"),
    panel: h("action-panel"),
    tray: h("table-tray"),
    charts: h("table-charts"),
    strips: h("battle-strips", { hidden: true }),
    stack: h("stack-panel"),
    odds: h("odds-panel", { hidden: true }),
    log: h("game-log"),
    openings: h("opening-book"),
    rules: h("rule-book"),
    replay: h("replay-bar"),
    minimap: h("mini-map"),
    diceTray: h("dice-tray", { "aria-live": "polite" }),
    legend: h("div", { class: "legend", hidden: true }),
    digest: h("turn-digest", { hidden: true, "aria-live": "polite" }),
    advice: h("plan-advice", { hidden: true }),
    analysis: h("game-analysis", { hidden: true }),
    beaconLayer: h("div", { class: "beacons" }),
    offline: h("p", { class: "offline", role: "alert", hidden: true }),
    situation: h("situation-panel"),
    calendar: h("arrival-calendar"),
    tables: h("reference-tables"),
    tabs: h("side-tabs"),
    column: h("pane-divider"),
    shelf: h("pane-divider"),
    decision: h("pane-divider"),
  };
}

/** Makes the parts and puts them on the table. @param {import("./table.js").SalientTable} table @returns {ReturnType<typeof parts>} */
export function furnish(table) {
  const made = parts();
  const { board, panel, odds, tabs } = made;
  const pages = [
    { id: "situation", content: [made.analysis, made.situation] },
    { id: "here", content: [made.stack] },
    { id: "forces", content: [made.calendar, made.tray, made.charts] },
    { id: "log", content: [made.log] },
    { id: "charts", content: [made.tables, made.openings] },
    { id: "rules", content: [made.rules] },
  ];
  tabs.build(pages, odds);
  const toolbar = h(
    "div",
    { class: "toolbar" },
    tool("find", "menu.find", () => table.find()),
    tool("overlays", "overlays.title", () => table.openOverlays()),
    tool("zoom-in", "key.zoom-in", () => board.camera.zoom(1.3)),
    tool("zoom-out", "key.zoom-out", () => board.camera.zoom(1 / 1.3)),
    tool("fit", "key.fit", () => board.camera.fit()),
  );
  board.covers = [toolbar, made.minimap];
  fill(
    table,
    h("header", { class: "top" }, tool("menu", "menu.title", () => openMenu(table)), h("h1", { class: "game-title" }), made.sequence, tool("help", "menu.help", () => table.help())),
    h("main", { class: "map-area" }, board, made.beaconLayer, toolbar, made.minimap, made.legend, made.strips, made.diceTray, made.digest, made.advice, made.offline),
    h("aside", { class: "side", "data-label": "panel.title", "aria-label": t("panel.title") }, panel, made.decision, tabs),
    h("footer", { class: "bottom" }, made.replay),
    made.column,
    made.shelf,
  );
  for (const size of /** @type {const} */ (["column", "shelf", "decision"])) made[size].attach(table, size);
  return made;
}

/** Words and tooltips of what carries a message key, in the language of now. @param {HTMLElement} root */
export function label(root) {
  for (const labelled of root.querySelectorAll("[data-t]")) {
    const text = t(labelled.getAttribute("data-t") ?? "");
    labelled.textContent = text;
    labelled.parentElement?.setAttribute("title", text);
  }
  for (const element of root.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.getAttribute("data-label") ?? ""));
}
