/** The end of a game: who won and why, three moments to look back at, losses against what was to be expected, and again. */

import { get, post } from "./api.js";
import { failed } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { number, t } from "./i18n.js";
import { ruleButton } from "./rule.js";
import { keepToken } from "./settings.js";

/** @import { GameClient } from "./game.js" */
/** @import { DiceAnswer, Luck, SideLuck, Situation } from "./wire.d.ts" */

const LEAST_LUCK = 0.1;

/** What decided the game on the map: goals of the winner that hold, goals of the loser that do not; where goals are counted in points, the places that count and that the winner holds. @param {Situation} situation @param {string | null | undefined} winner */
export function decisivePlaces({ objectives, prizes }, winner) {
  const decided = objectives.filter(({ side, met }) => (side === winner) === met).flatMap(({ places }) => places);
  return decided.length ? decided : prizes.filter(({ side }) => side === winner).map(({ place }) => place);
}

/** Who won and why, and what can be done now; `run` carries out verify and report. @param {GameClient} game @param {(what: string) => void} run */
export function verdict(game, run) {
  const { result, seats, between } = game.snapshot;
  const button = (/** @type {string} */ key, /** @type {string} */ name, /** @type {() => void} */ action, primary = false) => h("button", { class: `action ${primary ? "primary" : ""}`, type: "button", "data-end": key, onclick: action }, icon(name), h("span", {}, t(`end.${key}`)));
  const mine = seats.filter((seat) => seat.mine);
  const won = result?.winner && mine.length === 1 ? (mine[0].seat === result.winner ? t("end.you-won") : t("end.you-lost")) : null;
  return h(
    "div",
    { class: "prompt over" },
    h("p", { class: "heading" }, t("panel.over")),
    h("p", { class: "verdict" }, result?.winner ? (won ?? t("panel.winner", { seat: game.name(result.winner) })) : t("panel.draw")),
    h("p", { class: "question" }, result?.text ?? "", " ", ruleButton(result?.rule ?? "")),
    h(
      "div",
      { class: "end-buttons" },
      between ? null : button("rematch", "replay", () => again(game, false), true),
      between ? null : button("swap", "undo", () => again(game, true)),
      button("analysis", "why", () => run("analysis")),
      button("report", "report", () => run("report")),
      button("verify", "dice", () => run("verify")),
    ),
  );
}

/** Begins the same game anew, with the same players or with the sides exchanged. @param {GameClient} game @param {boolean} swapped */
async function again(game, swapped) {
  const { snapshot } = game;
  const ids = snapshot.seats.map(({ seat }) => seat);
  const players = snapshot.seats.map(({ player }) => (player === "link" ? "human" : player));
  const seats = Object.fromEntries(ids.map((seat, i) => [seat, (swapped ? [...players].reverse() : players)[i]]));
  const dice = snapshot.dice.kind === "typed" ? "typed" : "verified";
  try {
    const { id, token } = await post("games", { game: snapshot.game, scenario: snapshot.scenario, options: snapshot.options, seats, dice });
    if (token) keepToken(id, token);
    location.hash = `#game/${id}`;
  } catch (error) {
    failed(error);
  }
}

/** Three moments that turned the game. @param {import("./standing.js").Moment[]} moments @param {(what: string, detail: unknown) => void} tell */
export function momentList(moments, tell) {
  return h(
    "ol",
    { class: "moments" },
    ...moments.map((moment, i) =>
      h(
        "li",
        {},
        h(
          "button",
          { class: "listed", type: "button", onclick: () => (tell("look", moment.ply), moment.place && tell("spot", [moment.place])) },
          h("span", { class: "moment-number" }, String(i + 1)),
          h("span", {}, h("b", {}, moment.from.heading), h("br"), moment.text || t("end.moment")),
        ),
      ),
    ),
  );
}

/** How much more or less than expected each side lost in its fights. @param {GameClient} game @param {Luck} luck */
export function luckLines(game, { sides }) {
  const words = (/** @type {SideLuck} */ { more_lost: more }) => (Math.abs(more) < LEAST_LUCK ? "luck.as-expected" : more > 0 ? "luck.more" : "luck.less");
  return h("ul", { class: "luck" }, ...sides.map((side) => h("li", { class: `side-${side.seat}` }, t(words(side), { side: game.name(side.seat), n: number(Math.abs(side.more_lost)), fights: side.fights }))));
}

/** The rolls of each side by what they were for: how many, and the mean beside the expected one. @param {GameClient} game @param {DiceAnswer} dice */
export function purposeTable(game, dice) {
  const rows = Object.entries(dice.sides).flatMap(([seat, side]) => Object.entries(side.purposes ?? {}).map(([purpose, figures]) => ({ seat, purpose, ...figures })));
  if (!rows.length) return null;
  const mean = (/** @type {number} */ total, /** @type {number} */ rolls) => number(total / rolls);
  return h(
    "table",
    { class: "purposes" },
    h("thead", {}, h("tr", {}, ...["luck.for", "luck.rolls", "luck.mean", "luck.expected"].map((key) => h("th", { scope: "col" }, t(key))))),
    h("tbody", {}, ...rows.map((row) => h("tr", { class: `side-${row.seat}` }, h("th", { scope: "row" }, `${game.name(row.seat)} · ${game.name(row.purpose)}`), h("td", {}, String(row.rolls)), h("td", {}, mean(row.total, row.rolls)), h("td", {}, mean(row.expected, row.rolls))))),
  );
}

/** The figures of the dice. @param {import("./game.js").GameClient} game */
export function diceOf(game) {
  return get(`games/${game.id}/dice`, game.eyes());
}
