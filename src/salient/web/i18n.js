/** The client's own words in four languages. The server words everything that belongs to a game. */

import { change, settings } from "./settings.js";
import { fill, typeset } from "./template.js";

export const LANGUAGES = { en: "English", it: "Italiano", fr: "Français", de: "Deutsch" };

/** @type {Record<string, string>} */
let words = {};
let current = "en";

/** The language in use. */
export function lang() {
  return current;
}

/** Loads the chosen language, else the browser's, else English. */
export async function loadLanguage() {
  const wanted = [settings.lang, ...navigator.languages.map((tag) => tag.slice(0, 2))];
  await use(wanted.find((tag) => tag in LANGUAGES) ?? "en");
}

/** Switches and remembers the language. @param {string} tag */
export async function chooseLanguage(tag) {
  change({ lang: tag });
  await use(tag);
  document.dispatchEvent(new Event("language"));
}

/** @param {string} tag */
async function use(tag) {
  const answer = await fetch(new URL(`./i18n/${tag}.json`, import.meta.url));
  const typed = Object.entries(await answer.json());
  words = Object.fromEntries(typed.map(([key, text]) => [key, typeset(text, tag)]));
  current = tag;
  document.documentElement.lang = tag;
}

/**
 * A text of the client, its places filled as template.js tells.
 * @param {string} key
 * @param {Record<string, import("./template.js").Value>} [args]
 */
export function t(key, args = {}) {
  return fill(words[key] ?? key, { args, lang: current, joints: { and: words["list.and"], or: words["list.or"] } });
}

/** Two texts, the second saying more about the first, with the language's colon. @param {string} a @param {string} b */
export function pair(a, b) {
  return t("pair", { a, b });
}

/** A date in the reader's manner. @param {string | number} when seconds or ISO text */
export function date(when) {
  const moment = typeof when === "number" ? new Date(when * 1000) : new Date(when);
  return new Intl.DateTimeFormat(current, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** A share as a whole per cent. @param {number} value */
export function percent(value) {
  return new Intl.NumberFormat(current, { style: "percent", maximumFractionDigits: value < 0.1 ? 1 : 0 }).format(value);
}

/** A number in the reader's manner. @param {number} value @param {number} [digits] */
export function number(value, digits = 1) {
  return new Intl.NumberFormat(current, { maximumFractionDigits: digits }).format(value);
}
