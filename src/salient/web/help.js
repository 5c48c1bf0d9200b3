/** Help: a searchable rules digest in our own words, a glossary, the keys, and how to read the table. */

import { openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { lang, t } from "./i18n.js";
import { typeset } from "./template.js";

const TABS = ["rules", "glossary", "keys", "reading"];

/**
 * @param {{ game?: string, tab?: string, rule?: string, keys?: import("./keyboard.js").Shortcut[] }} what
 */
export async function openHelp({ game = "target-arnhem", tab = "rules", rule = "", keys = [] }) {
  const digest = await load(game);
  const body = h("div", { class: "help-body" });
  const show = (name) => {
    for (const button of tabs.children) button.setAttribute("aria-selected", String(button.getAttribute("data-tab") === name));
    fill(body, ...{ rules: () => rules(digest, rule), glossary: () => glossary(digest), keys: () => keyList(keys), reading: () => reading() }[name]());
  };
  const tabs = h("div", { class: "tabs", role: "tablist" }, ...TABS.map((name) => h("button", { type: "button", role: "tab", "data-tab": name, onclick: () => show(name) }, t(`help.${name}`))));
  show(tab);
  openDialog(t("help.title"), [tabs, body], { name: "help" });
  if (rule) body.querySelector(".asked")?.scrollIntoView({ block: "center" });
}

async function load(game) {
  for (const tag of [lang(), "en"]) {
    const answer = await fetch(new URL(`./help/${game}.${tag}.json`, import.meta.url));
    if (answer.ok) return JSON.parse(await answer.text(), (_, value) => (typeof value === "string" ? typeset(value, tag) : value));
  }
  return { rules: [], glossary: [] };
}

function rules(digest, asked) {
  const found = answering(digest.rules.map(({ rule }) => rule), asked);
  const list = h(
    "dl",
    { class: "digest" },
    ...digest.rules.map(({ rule, title, text }) =>
      h("div", { class: rule === found ? "asked" : "", id: `rule-${rule}` }, h("dt", {}, h("b", {}, rule), " ", title), h("dd", {}, text)),
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
  const within = (part, whole) => part.startsWith(whole) && /^([.a-z]|$)/.test(part.slice(whole.length));
  const above = rules.filter((rule) => within(asked, rule)).sort((a, b) => b.length - a.length);
  return above[0] ?? rules.find((rule) => within(rule, asked)) ?? null;
}

function glossary(digest) {
  const list = h("dl", { class: "digest" }, ...digest.glossary.map(({ term, text }) => h("div", {}, h("dt", {}, term), h("dd", {}, text))));
  return digest.glossary.length ? [search(list), list] : [h("p", { class: "muted" }, t("help.no-digest"))];
}

/** A text as people type it: small letters, straight apostrophes, common spaces. */
const plain = (text) => text.toLocaleLowerCase().replaceAll("’", "'").replace(/\s/g, " ");

function search(list) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", {
      type: "search",
      autofocus: true,
      placeholder: t("help.search"),
      "aria-label": t("help.search"),
      oninput: () => {
        const wanted = plain(input.value.trim());
        for (const item of list.children) item.hidden = !plain(item.textContent).includes(wanted);
      },
    })
  );
  return input;
}

function keyList(keys) {
  const names = [...new Set(keys.map(({ name }) => name))];
  const shown = (name) => keys.filter((key) => key.name === name).flatMap((key) => (key.keys.length > 4 ? ["1 – 9"] : key.keys));
  return [
    h("p", {}, t("help.keys-intro")),
    h("dl", { class: "keys" }, ...names.map((name) => h("div", {}, h("dt", {}, ...shown(name).map((key) => h("kbd", {}, keyName(key)))), h("dd", {}, t(`key.${name}`))))),
  ];
}

function keyName(key) {
  return { " ": t("key-name.space"), ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc", Enter: "↵", U: "Shift U" }[key] ?? key.toUpperCase();
}

function reading() {
  return ["counter", "highlights", "stacks", "why", "odds", "sources"].map((key) => h("section", {}, h("h3", {}, t(`reading.${key}.title`)), h("p", {}, t(`reading.${key}`))));
}
