/** The table in words: where everything stands, what may be done, and a line for typed commands. */

import { openDialog } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rule.js";
import { describeUnit, unitsAt } from "./stack.js";

/** @import { GameClient } from "./game.js" */

/**
 * @param {import("./game.js").GameClient} game
 * @param {(text: string) => void} onCommand
 */
export function openTextView(game, onCommand) {
  const body = h("div", { class: "text-view" });
  const render = () => fill(body, ...content(game));
  const dialog = openDialog(t("text.title"), [commandLine(game, onCommand), body], { name: "text", onclose: () => game.removeEventListener("shown", render) });
  game.addEventListener("shown", render);
  render();
  return dialog;
}

/** The line for typed commands, with the legal actions as suggestions. @param {GameClient} game @param {(text: string) => void} onCommand */
function commandLine(game, onCommand) {
  const options = h("datalist", { id: "legal-texts" });
  const input = /** @type {HTMLInputElement} */ (
    h("input", { id: "command", type: "text", autocomplete: "off", spellcheck: "false", list: "legal-texts", placeholder: t("text.example"), autofocus: true })
  );
  const suggest = () => fill(options, ...(game.snapshot.legal ?? []).map(({ text, label }) => h("option", { value: text }, label)));
  game.addEventListener("shown", suggest);
  suggest();
  const form = h("form", { class: "command" }, h("label", { for: "command" }, t("text.command")), input, options, h("button", { class: "action primary", type: "submit" }, t("text.do")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim()) onCommand(input.value.trim());
    input.value = "";
  });
  return form;
}

/** @param {GameClient} game */
function content(game) {
  const { snapshot } = game;
  return [
    h("p", { class: "heading" }, snapshot.heading),
    snapshot.prompt ? h("p", {}, snapshot.prompt.text, " ", ruleButton(snapshot.prompt.rule)) : null,
    h("h3", {}, t("text.units")),
    ...snapshot.seats.map(({ seat, name }) => sideList(game, seat, name)),
    tracks(game),
    h("h3", {}, t("text.legal", { n: (snapshot.legal ?? []).length })),
    h("ul", { class: "legal-list" }, ...(snapshot.legal ?? []).map(({ text, label }) => h("li", {}, h("code", {}, text), ` ${label}`))),
  ];
}

/** @param {GameClient} game @param {string} seat @param {string} name */
function sideList(game, seat, name) {
  const places = [...new Set(Object.values(game.shown.units).flatMap(({ where }) => where ?? []))].sort();
  const rows = places.flatMap((place) => {
    const own = unitsAt(game, place).filter((id) => game.components.units[id].side === seat);
    if (!own.length) return [];
    const where = game.hexes?.[place]?.place ? `${place} ${game.hexes[place].place}` : game.name(place);
    return [h("li", {}, h("b", {}, where), ": ", own.map((id) => describeUnit(game, id, false)).join("; "))];
  });
  return h("section", {}, h("h4", {}, name), h("ul", {}, ...rows));
}

/** @param {GameClient} game */
function tracks(game) {
  const rows = Object.entries(game.shown.tracks ?? {});
  return rows.length ? h("p", {}, rows.map(([id, value]) => `${game.name(id)} ${value}`).join(", ")) : null;
}
