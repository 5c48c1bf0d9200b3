/** Help: a searchable rules digest in our own words, a glossary, the keys, and how to read the table. */

import { openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { lang, t } from "./i18n.js";
import { shortcuts } from "./keyboard.js";
import { later } from "./later.js";
import { markLegend } from "./marklegend.js";
import { ranked } from "./search.js";
import { typeset } from "./template.js";

/** @typedef {{ rules: { rule: string, title: string, text: string }[], glossary: { term: string, text: string }[] }} Digest */

const TABS = ["rules", "glossary", "keys", "reading"];

/**
 * @param {{ game: string, title?: string, tab?: string, rule?: string }} what
 */
export async function openHelp({ game, title = "", tab = "rules", rule = "" }) {
  const digest = await load(game);
  const body = h("div", { class: "help-body" });
  /** @type {Record<string, () => HTMLElement[]>} */
  const pages = { rules: () => rules(digest, rule), glossary: () => glossary(digest), keys: () => keyList(), reading: () => reading() };
  const show = (/** @type {string} */ name) => {
    for (const button of tabs.children) button.setAttribute("aria-selected", String(button.getAttribute("data-tab") === name));
    fill(body, ...(pages[name] ?? pages.rules)());
  };
  const tabs = h("div", { class: "tabs", role: "tablist" }, ...TABS.map((name) => h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => show(name) }, t(`help.${name}`))));
  show(tab);
  openDialog(title ? t("help.title-of", { game: title }) : t("help.title"), [tabs, body], { name: "help" });
  if (rule) body.querySelector(".asked")?.scrollIntoView({ block: "center" });
  else body.querySelector("input")?.focus();
}

/** The rules of a game with their search, for a page that is looked at beside the map. @param {string} game */
export async function digestOf(game) {
  return rules(await load(game), "");
}

/** @param {string} game @returns {Promise<Digest>} */
async function load(game) {
  for (const tag of [lang(), "en"]) {
    const answer = await fetch(new URL(`./help/${game}.${tag}.json`, import.meta.url));
    if (answer.ok) return JSON.parse(await answer.text(), (_, value) => (typeof value === "string" ? typeset(value, tag) : value));
  }
  return { rules: [], glossary: [] };
}

/** @param {Digest} digest @param {string} asked */
function rules(digest, asked) {
  const found = answering(digest.rules.map(({ rule }) => rule), asked);
  const list = h(
    "dl",
    { class: "digest" },
    ...digest.rules.map(({ rule, title, text }) =>
      h("div", { class: rule === found ? "asked" : "" }, h("dt", {}, h("b", {}, rule), " ", title), h("dd", {}, text)),
    ),
  );
  if (!digest.rules.length) return [h("p", { class: "muted" }, t("help.no-digest"))];
  return [search(list), list];
}

/**
 * The rule of a digest that answers for the number asked: itself, else the nearest heading above it, else its first part.
 * @param {string[]} rules @param {string} asked @returns {string | null}
 */
export function answering(rules, asked) {
  if (!asked) return null;
  const within = (/** @type {string} */ part, /** @type {string} */ whole) => part.startsWith(whole) && /^([.a-z]|$)/.test(part.slice(whole.length));
  const above = rules.filter((rule) => within(asked, rule)).sort((a, b) => b.length - a.length);
  return above[0] ?? rules.find((rule) => within(rule, asked)) ?? null;
}

/** @param {Digest} digest */
function glossary(digest) {
  const list = h("dl", { class: "digest" }, ...digest.glossary.map(({ term, text }) => h("div", {}, h("dt", {}, term), h("dd", {}, text))));
  return digest.glossary.length ? [search(list), list] : [h("p", { class: "muted" }, t("help.no-digest"))];
}

/** @param {HTMLElement} list */
function search(list) {
  const nothing = h("p", { class: "muted", role: "status", hidden: true });
  const items = /** @type {HTMLElement[]} */ ([...list.children]).map((element) => ({ element, text: element.textContent ?? "", title: element.querySelector("dt")?.textContent ?? "" }));
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      placeholder: t("help.search"),
      "aria-label": t("help.search"),
      oninput: () => {
        const found = ranked(items, input.value);
        for (const { element } of items) element.hidden = !found.includes(element);
        list.append(...(input.value.trim() ? found : items.map(({ element }) => element)));
        nothing.hidden = found.length > 0;
        fill(nothing, t("help.nothing", { text: input.value.trim(), words: t("help.words") }));
      },
    })
  );
  return h("div", { class: "search" }, input, nothing);
}

/** The keys of the table, whether or not one is open. */
function keyList() {
  const keys = shortcuts(later());
  const names = [...new Set(keys.map(({ name }) => name))];
  const shown = (/** @type {string} */ name) => keys.filter((key) => key.name === name).flatMap((key) => (key.keys.length > 4 ? ["1 – 9"] : key.keys));
  return [
    h("p", {}, t("help.keys-intro")),
    h("dl", { class: "keys" }, ...names.map((name) => h("div", {}, h("dt", {}, ...shown(name).map((key) => h("kbd", {}, keyName(key)))), h("dd", {}, t(`key.${name}`))))),
    ...mouseList(),
  ];
}

/** What a mouse can do on the map. */
function mouseList() {
  const gestures = ["click", "again", "drag", "box", "shift", "badge"];
  return [h("h3", {}, t("help.mouse")), h("dl", { class: "keys" }, ...gestures.map((name) => h("div", {}, h("dt", {}, t(`mouse.${name}`)), h("dd", {}, t(`mouse.${name}.text`)))))];
}

/** @param {string} key */
function keyName(key) {
  return { " ": t("key-name.space"), ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Enter: "↵", U: "Shift U", N: "Shift N" }[key] ?? key.toUpperCase();
}

function reading() {
  return ["counter", "highlights", "stacks", "why", "odds", "sources"].map((key) => h("section", {}, h("h3", {}, t(`reading.${key}.title`)), h("p", {}, t(`reading.${key}`)), key === "highlights" ? markLegend() : null));
}
