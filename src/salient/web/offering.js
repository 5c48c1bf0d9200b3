/** The form that offers a game in the waiting room: to all, to one by name, to whom the match maker finds, and on which terms. */

import { fill, h } from "./dom.js";
import { t } from "./i18n.js";

/** @import { GameTitle, NewOffer } from "./wire.d.ts" */

const PACES = ["live", "fast", "slow", "none"];
/** @type {Record<string, number>} */
const UNIT = { live: 60, fast: 3600, slow: 86400 };
/** @type {Record<string, number>} */
const USUAL = { live: 60, fast: 12, slow: 3 };
const DELAYS = ["0", "900", "3600", "86400", "none"];

const field = (/** @type {string} */ label, /** @type {HTMLElement} */ input) => h("label", { class: "field" }, h("span", {}, label), input);
const select = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string[][]} */ options) => field(label, h("select", { name }, ...options.map(([value, text]) => h("option", { value }, text))));
const number = (/** @type {string} */ name, /** @type {string} */ label, /** @type {number} */ value, /** @type {number} */ min, /** @type {number} */ max) => field(label, h("input", { name, type: "number", value, min, max, step: "any" }));
const chosen = (/** @type {HTMLElement} */ label) => /** @type {HTMLSelectElement} */ (label.querySelector("select"));

/** @param {GameTitle[]} library @param {(order: NewOffer) => void} send */
export function offerForm(library, send) {
  const game = select("game", t("room.game"), library.map(({ id, title }) => [id, title]));
  const pace = select("pace", t("room.pace"), PACES.map((key) => [key, t(`pace.${key}`)]));
  const [ofGame, ofPace, options] = [h("div", { class: "fields" }), h("div", { class: "fields" }), h("div", { class: "fields" })];
  const fitGame = () => {
    const known = library.find(({ id }) => id === chosen(game).value) ?? library[0];
    fill(ofGame, select("scenario", t("lobby.scenario"), known.scenarios.map(({ id, name }) => [id, name])), select("seat", t("lobby.side"), [["", t("room.any-side")], ...known.seats.map(({ id, name }) => [id, name])]));
    fill(options, ...known.options.map(({ id, name, choices }) => select(`option-${id}`, name, choices.map((row) => [row.id, row.name]))));
  };
  const fitPace = () => {
    const key = chosen(pace).value;
    fill(ofPace, UNIT[key] ? number("base", t(`room.time.${key}`), USUAL[key], 1, 10_000) : null, key === "live" ? number("increment", t("room.increment"), 30, 0, 3600) : null);
  };
  game.addEventListener("change", fitGame);
  pace.addEventListener("change", fitPace);
  fitGame();
  fitPace();
  const form = /** @type {HTMLFormElement} */ (
    h(
      "form",
      { class: "stack-form" },
      h("h2", {}, t("room.new")),
      select("kind", t("room.kind"), ["table", "ticket", "invite"].map((key) => [key, t(`room.kind.${key}`)])),
      field(t("room.invite"), h("input", { name: "invite", maxlength: 40 })),
      game,
      ofGame,
      pace,
      ofPace,
      select("rated", t("room.rating"), [["yes", t("room.rated")], ["no", t("room.unrated")]]),
      h("details", {}, h("summary", {}, t("room.terms")), h("div", { class: "fields" }, options, select("timeout", t("room.timeout"), ["lose", "claim"].map((key) => [key, t(`room.timeout.${key}`)])), select("watch", t("room.watch"), DELAYS.map((key) => [key, t(`room.watch.${key}`)])), number("lowest", t("room.lowest"), 0, 0, 9999), number("highest", t("room.highest"), 9999, 0, 9999))),
      field(t("room.note"), h("input", { name: "note", maxlength: 500 })),
      h("div", { class: "row end" }, h("button", { class: "action primary", type: "submit", "data-offer-game": "" }, t("room.send"))),
    )
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(order(Object.fromEntries(new FormData(form))));
  });
  return h("section", {}, form);
}

/** What the form says, as the server takes it. @param {Record<string, any>} values @returns {NewOffer} */
function order({ rated, watch, base, increment, lowest, highest, ...values }) {
  const options = Object.fromEntries(Object.entries(values).filter(([name]) => name.startsWith("option-")).map(([name, value]) => [name.slice(7), value]));
  const rest = Object.fromEntries(Object.entries(values).filter(([name]) => !name.startsWith("option-")));
  const times = { ...(base === undefined ? {} : { base: Number(base) * UNIT[values.pace] }), ...(increment === undefined ? {} : { increment: Number(increment) }) };
  return { ...rest, game: values.game, ...times, options, rated: rated === "yes", watch: watch !== "none", delay: watch === "none" ? 0 : Number(watch), lowest: Number(lowest), highest: Number(highest) };
}
