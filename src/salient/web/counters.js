/** Counters: one drawing of 100 by 100 for the board, the panels and exported pictures. */

import { escapeText } from "./dom.js";
import { coloursOf } from "./palette.js";

/**
 * @typedef {{ side: string, name: string, symbol: string, size?: string, colour?: string, values: any, formation?: string, source?: string }} Unit
 * @typedef {{ where?: string, values?: any, badges?: { key: string, n?: number }[], done?: boolean, name?: string, symbol?: string }} Live
 */

/** Badges with their own shape; every other badge shows its first letter in a disc. */
const BADGES = {
  damage: { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  loss: { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  "step-loss": { shape: "disc", fill: "#b3261e", ink: "#ffffff", sign: "" },
  disrupted: { shape: "diamond", fill: "#d55e00", ink: "#ffffff", sign: "D" },
  "out-of-supply": { shape: "diamond", fill: "#f0c000", ink: "#241a00", sign: "!" },
  fortified: { shape: "wall", fill: "#f4f1ea", ink: "#1a1916", sign: "" },
  step: { shape: "disc", fill: "#f4f1ea", ink: "#1a1916", sign: "" },
};

/** Battlements along the upper edge. */
const WALL = "M0 4 V-11 h12.5 v6 h8.6 v-6 h12.5 v6 h8.6 v-6 h13.6 v6 h8.6 v-6 h12.5 v6 h8.6 v-6 H98 V4 Z";

/** The values as printed: "6-3". @param {any} values */
export function valuesText(values) {
  if (values === null || values === undefined) return "";
  if (Array.isArray(values)) return values.join("-");
  if (typeof values === "object") return Object.values(values).join("-");
  return String(values);
}

/** @param {Unit} unit @param {Live} live */
export function currentValues(unit, live) {
  return valuesText(live.values ?? unit.values);
}

/**
 * The drawing of a counter as SVG markup without its <svg> element; symbols are taken from the page's sprite.
 * @param {string} id @param {Unit} unit @param {Live} live
 */
export function counterMarkup(id, unit, live) {
  const c = coloursOf(unit);
  const values = currentValues(unit, live);
  const changed = live.values !== undefined && valuesText(live.values) !== valuesText(unit.values);
  const long = values.length > 5;
  return [
    `<rect x="5" y="6" width="94" height="94" rx="9" fill="#000" opacity=".35"/>`,
    `<rect x="1.5" y="1.5" width="95" height="95" rx="8" fill="${c.body}" stroke="${c.edge}" stroke-width="3"/>`,
    `<path d="M5 9 a6 6 0 0 1 6 -5 h76 a6 6 0 0 1 6 5" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="2.5"/>`,
    c.stripe ? `<path d="M3 62.5 h92 v5 h-92 z" fill="${c.stripe}"/>` : "",
    `<g class="near" fill="${c.ink}"><text x="7" y="17.5" font-size="16">${escapeText(shortName(unit, id))}</text></g>`,
    unit.size ? `<g class="near" color="${c.ink}"><use href="#size-${unit.size}" x="62" y="4" width="32" height="14"/></g>` : "",
    `<g class="symbol" color="${c.ink}"><rect x="21.4" y="23" width="55.2" height="36.5" fill="${c.box}"/>`,
    `<use href="#unit-${unit.symbol}" x="20" y="21.7" width="58" height="39.5"/></g>`,
    `<text class="values${long ? " long" : ""}${changed ? " changed" : ""}" x="49" y="92" fill="${c.ink}" text-anchor="middle">${escapeText(values)}</text>`,
    ...(live.badges ?? []).map((badge, i) => badgeMarkup(badge, i)),
  ].join("");
}

/** @param {{ key: string, n?: number }} badge @param {number} index */
function badgeMarkup({ key, n }, index) {
  const look = BADGES[/** @type {keyof typeof BADGES} */ (key)] ?? { shape: "disc", fill: "#2b5f8a", ink: "#ffffff", sign: key[0].toUpperCase() };
  if (look.shape === "wall") {
    return `<path class="badge" d="${WALL}" fill="${look.fill}" stroke="${look.ink}" stroke-width="2.5" stroke-linejoin="round"/>`;
  }
  const at = index % 2 === 0 ? [86, 40 + Math.floor(index / 2) * 30] : [12, 40 + Math.floor(index / 2) * 30];
  const sign = n === undefined ? look.sign : String(n);
  const shape =
    look.shape === "diamond"
      ? `<path d="M0 -17 L17 0 L0 17 L-17 0 Z" fill="${look.fill}" stroke="#fff" stroke-width="2.5"/>`
      : `<circle r="14" fill="${look.fill}" stroke="#fff" stroke-width="2.5"/>`;
  return `<g class="badge" transform="translate(${at})">${shape}<text y="7.5" font-size="21" text-anchor="middle" fill="${look.ink}">${escapeText(sign)}</text></g>`;
}

/** The name if a counter has room for it, else the id, which players write. @param {Unit} unit @param {string} id */
function shortName(unit, id) {
  const text = unit.name.length > 9 ? id : unit.name;
  return text.length > 10 ? `${text.slice(0, 9)}…` : text;
}

/**
 * A counter as an element of its own, for panels.
 * @param {string} id @param {Unit} unit @param {Live} live
 */
export function counterElement(id, unit, live) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 100");
  svg.setAttribute("class", `counter-art${live.done ? " done" : ""}`);
  svg.setAttribute("aria-hidden", "true");
  svg.innerHTML = counterMarkup(id, unit, live);
  return svg;
}

/** Brings the symbols into the page once. */
export async function loadSymbols() {
  const answer = await fetch(new URL("./symbols.svg", import.meta.url));
  const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml").documentElement;
  sprite.setAttribute("class", "sprite");
  sprite.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sprite, true));
}
