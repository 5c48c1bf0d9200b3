/** Counters: one drawing of 100 by 100 for the board, the panels and exported pictures. */

import { escapeText } from "./dom.js";
import { coloursOf } from "./palette.js";

/**
 * @typedef {import("./wire.d.ts").Counter} Unit as it is printed
 * @typedef {import("./wire.d.ts").UnitSeen} Live as it is now
 */

/** @type {Map<string, string>} markup by `unit-<symbol>` and `size-<size>`, drawn where it lies on a counter */
const symbols = new Map();

/** @type {Map<string, SVGSVGElement>} counters by their markup: a copy is much cheaper than reading the markup again */
const drawn = new Map();
const MOST_DRAWN = 2000;

/** Badges with their own shape; every other badge shows its first letter in a disc. */
const BADGES = {
  damage: { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  loss: { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  "step-loss": { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  disrupted: { shape: "diamond", fill: "#d55e00", ink: "#ffffff", sign: "D" },
  routed: { shape: "diamond", fill: "#b3261e", ink: "#ffffff", sign: "R" },
  "out-of-fuel": { shape: "diamond", fill: "#f0c000", ink: "#241a00", sign: "F" },
  "out-of-supply": { shape: "diamond", fill: "#f0c000", ink: "#241a00", sign: "!" },
  fortified: { shape: "wall", fill: "#f4f1ea", ink: "#1a1916", sign: "" },
  step: { shape: "disc", fill: "#f4f1ea", ink: "#1a1916", sign: "" },
  "surrender-mark": { shape: "diamond", fill: "#f4f1ea", ink: "#1a1916", sign: "" },
  "mark-engaged": { shape: "disc", fill: "#7a2d00", ink: "#ffffff", sign: "E" },
  "mark-fired": { shape: "disc", fill: "#20231d", ink: "#ffffff", sign: "×" },
  "mark-fresh": { shape: "disc", fill: "#00694d", ink: "#ffffff", sign: "+" },
  "mark-march": { shape: "disc", fill: "#2b5f8a", ink: "#ffffff", sign: "»" },
  "mark-night-marks": { shape: "disc", fill: "#2a2350", ink: "#ffffff", sign: "N" },
  "mark-tractor": { shape: "disc", fill: "#2b5f8a", ink: "#ffffff", sign: "T" },
};

/** Battlements along the upper edge. */
const WALL = "M0 4 V-11 h12.5 v6 h8.6 v-6 h12.5 v6 h8.6 v-6 h13.6 v6 h8.6 v-6 h12.5 v6 h8.6 v-6 H98 V4 Z";

const PAPER = "#cfcabc";

/** The letters of a name, in hundredths of the counter. */
export const NAME = 19;
/** How wide a name may be beside the mark of the unit's size. */
const SIZE_MARKS = { company: 70, battalion: 66, regiment: 63, brigade: 66, division: 60, corps: 54, kampfgruppe: 55 };

/** A tick where the second badge would lie. */
const DONE = `<g class="done"><circle cx="15" cy="41" r="12.5" fill="#20231d" stroke="#fff" stroke-width="2.5"/><path d="M9 41.5 l4.5 5 8 -10" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></g>`;

/** Badges that count what a unit has lost. */
const WOUNDS = new Set(["damage", "loss", "step-loss", "step"]);

/** How much a unit has lost. @param {Live} live */
export function woundsOf({ badges = [] }) {
  return badges.reduce((sum, { key, n = 1 }) => sum + (WOUNDS.has(key) ? n : 0), 0);
}

/** The values as they are now: "6-3". @param {Unit} unit @param {Live} live */
export function currentValues(unit, live) {
  return live.values ?? unit.values;
}

/**
 * The drawing of a counter as SVG markup without its <svg> element. It has no transforms: each would cost a layer of its own.
 * @param {string} id @param {Unit} unit @param {Live} live
 */
export function counterMarkup(id, unit, live) {
  const c = coloursOf(unit);
  const values = currentValues(unit, live);
  const changed = live.values !== undefined && Boolean(unit.values) && live.values !== unit.values;
  const long = values.length > 5;
  const name = shortName(unit, id);
  const body = live.done ? paler(c.body) : c.body;
  return [
    `<rect x="5" y="6" width="94" height="94" rx="9" fill="#000" fill-opacity=".35"/>`,
    `<rect x="1.5" y="1.5" width="95" height="95" rx="8" fill="${body}" stroke="${c.edge}" stroke-width="3"/>`,
    `<path d="M5 9 a6 6 0 0 1 6 -5 h76 a6 6 0 0 1 6 5" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2.5"/>`,
    c.stripe ? `<path d="M3 62.5 h92 v5 h-92 z" fill="${c.stripe}"/>` : "",
    `<g class="near" fill="${c.ink}"><text x="5" y="18" font-size="${NAME}"${squeezed(name, unit.size)}>${escapeText(name)}</text></g>`,
    unit.size ? `<g class="near" color="${c.ink}">${symbols.get(`size-${unit.size}`) ?? ""}</g>` : "",
    `<g class="symbol" color="${c.ink}"><rect x="21.8" y="23" width="54.4" height="36.3" fill="${c.box}"/>`,
    `${symbols.get(`unit-${unit.symbol}`) ?? symbols.get("unit-unit") ?? ""}</g>`,
    `<text class="values${long ? " long" : ""}${changed ? " changed" : ""}" x="49" y="92" fill="${c.ink}" text-anchor="middle">${escapeText(values)}</text>`,
    live.done ? DONE : "",
    ...(live.badges ?? []).map((badge, i) => badgeMarkup(badge, live.done && i > 0 ? i + 1 : i)),
  ].join("");
}

/** A body colour a quarter on its way to paper: told from the others, and the ink on it stays readable. @param {string} colour `#rrggbb` */
export function paler(colour) {
  const part = (/** @type {string} */ text, /** @type {number} */ at) => parseInt(text.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(part(colour, at) * 0.75 + part(PAPER, at) * 0.25));
  return `#${mixed.map((n) => n.toString(16).padStart(2, "0")).join("")}`;
}

/** @param {{ key: string, n?: number }} badge @param {number} index */
function badgeMarkup({ key, n }, index) {
  const look = BADGES[/** @type {keyof typeof BADGES} */ (key)] ?? { shape: "disc", fill: "#2b5f8a", ink: "#ffffff", sign: key[0].toUpperCase() };
  if (look.shape === "wall") {
    return `<path class="badge" d="${WALL}" fill="${look.fill}" stroke="${look.ink}" stroke-width="2.5" stroke-linejoin="round"/>`;
  }
  const [x, y] = [index % 2 === 0 ? 86 : 12, 40 + Math.floor(index / 2) * 30];
  const sign = n === undefined ? look.sign : String(n);
  const paint = `fill="${look.fill}" stroke="#fff" stroke-width="2.5"`;
  const shape = look.shape === "diamond" ? `<path d="M${x} ${y - 17} l17 17 -17 17 -17 -17 z" ${paint}/>` : `<circle cx="${x}" cy="${y}" r="14" ${paint}/>`;
  return `<g class="badge">${shape}<text x="${x}" y="${y + 7.5}" font-size="21" text-anchor="middle" fill="${look.ink}">${escapeText(sign)}</text></g>`;
}

/** The name if a counter has room for it, else the id, which players write. @param {Unit} unit @param {string} id */
function shortName(unit, id) {
  const text = unit.name.length > 9 ? id : unit.name;
  return text.length > 10 ? `${text.slice(0, 9)}…` : text;
}

/** A long name is set narrower rather than smaller, up to the size mark. @param {string} name @param {string} [size] */
function squeezed(name, size = "") {
  const room = SIZE_MARKS[/** @type {keyof typeof SIZE_MARKS} */ (size)] ?? 88;
  return name.length * NAME * 0.42 > room ? ` textLength="${room}" lengthAdjust="spacingAndGlyphs"` : "";
}

/**
 * A counter as an element of its own, for panels.
 * @param {string} id @param {Unit} unit @param {Live} live
 */
export function counterElement(id, unit, live) {
  const markup = counterMarkup(id, unit, live);
  if (drawn.size > MOST_DRAWN) drawn.clear();
  const known = drawn.get(markup) ?? counterArt(markup);
  drawn.set(markup, known);
  return /** @type {SVGSVGElement} */ (known.cloneNode(true));
}

/** @param {string} markup */
function counterArt(markup) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", "counter-art");
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = markup;
  return svg;
}

/** Reads the symbols once; counters copy them, because references to a sprite are slow to draw by the hundred. */
export async function loadSymbols() {
  const answer = await fetch(new URL("./symbols.svg", import.meta.url));
  const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  for (const group of sprite.querySelectorAll("g[id]")) {
    symbols.set(group.id, group.innerHTML.replaceAll(' xmlns="http://www.w3.org/2000/svg"', ""));
  }
}
