/** The legend of the marks: each as it looks on the map, with a sentence. */

import { counterMarkup } from "./counters.js";
import { h, s } from "./dom.js";
import { t } from "./i18n.js";

/** @import { Live } from "./counters.js" */

const UNIT = { side: "allied", name: "2/501", symbol: "infantry", size: "battalion", colour: "us", values: "4-3", source: "" };

/** Marks on counters and those on the ground, in the order in which a turn meets them. */
const ON_COUNTERS = { move: "selectable mover", choose: "selectable", chosen: "selectable selected", hinders: "in-focus hindering" };
const ON_GROUND = ["go", "place", "attack", "waypoint", "destination"];

export function markLegend() {
  const row = (/** @type {string} */ key, /** @type {Element} */ picture) => h("li", { "data-mark": key }, picture, h("span", {}, t(`mark.${key}`)));
  return h(
    "ul",
    { class: "mark-legend" },
    ...Object.entries(ON_COUNTERS).map(([key, classes]) => row(key, counter(classes, { badges: [] }))),
    row("acted", counter("", { badges: [], done: true })),
    ...ON_GROUND.map((key) => row(key, ground(key))),
  );
}

/** @param {string} classes @param {Live} live */
function counter(classes, live) {
  const box = h("span", { class: `counter ${classes}`, "aria-hidden": "true" });
  box.innerHTML = `<svg viewBox="0 0 100 100">${counterMarkup("", UNIT, live)}</svg>`;
  return h("span", { class: "mark-sample" }, box);
}

/** @param {string} key */
function ground(key) {
  const hex = (/** @type {number} */ r) => [0, 60, 120, 180, 240, 300].map((a) => `${24 + r * Math.cos((a * Math.PI) / 180)},${24 + r * Math.sin((a * Math.PI) / 180)}`).join(" ");
  /** @type {Record<string, string>} */
  const looks = { go: "legal go", place: "legal choose", attack: "legal hostile", waypoint: "legal go", destination: "legal go" };
  const cross = [45, 135, 225, 315].map((a) => [Math.cos((a * Math.PI) / 180), Math.sin((a * Math.PI) / 180)]).map(([x, y]) => `M${24 + x * 21},${24 + y * 21}L${24 + x * 14},${24 + y * 14}`).join("");
  /** @type {Record<string, () => SVGElement>} */
  const more = {
    attack: () => s("g", { class: "crosshair" }, s("path", { d: cross }), s("path", { d: cross })),
    waypoint: () => s("g", { class: "waypoint" }, s("path", { d: "M24,16L32,24L24,32L16,24Z" }), s("text", { x: 24, y: 27, "font-size": 9 }, "1")),
    destination: () => s("polygon", { class: "destination", points: hex(14) }),
  };
  return s(
    "svg",
    { class: "mark-sample marks", viewBox: "0 0 48 48", "aria-hidden": "true" },
    s("polygon", { class: "legal-casing", points: hex(19) }),
    s("polygon", { class: looks[key], points: hex(19) }),
    more[key]?.(),
  );
}
