/** Dice: the roll with its purpose on the table, statistics for each side, the commitment and its verification. */

import { get } from "./api.js";
import { messageOf, openDialog } from "./dialogs.js";
import { fill, h, icon, s } from "./dom.js";
import { diceOf, luckLines, purposeTable } from "./endgame.js";
import { number, t } from "./i18n.js";
import { sideColour } from "./palette.js";

/** @import { GameClient } from "./game.js" */
/** @import { DiceAnswer, DiceSide, RollLine } from "./wire.d.ts" */

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

const MOST_DICE = 6;
const MOST_SENTENCES = 3;

/** A die that shows a face. @param {number} face */
export function die(face) {
  const pips = PIPS[/** @type {keyof typeof PIPS} */ (face)];
  const inside = pips
    ? pips.map((i) => s("circle", { cx: 25 + (i % 3) * 25, cy: 25 + Math.floor(i / 3) * 25, r: 9 }))
    : [s("text", { x: 50, y: 66, "text-anchor": "middle", "font-size": 46 }, String(face))];
  return s("svg", { class: "die", viewBox: "0 0 100 100", role: "img", "aria-label": String(face) }, s("rect", { x: 4, y: 4, width: 92, height: 92, rx: 18 }), ...inside);
}

/** The faces of an entry of the log, if it is a roll of a few dice. @param {{ seat: string, action: string | null, roll?: { faces: number[] } }} entry @returns {number[]} */
export function facesOf(entry) {
  if (entry.seat !== "chance") return [];
  const numbers = entry.roll?.faces ?? (entry.action?.match(/\b\d+\b/g) ?? []).map(Number);
  return numbers.length <= MOST_DICE && numbers.every((face) => face in PIPS) ? numbers : [];
}

/** Dice thrown now: `<dice-tray>`, visible for a moment. */
export class DiceTray extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {import("./api.js").Entry} entry */
  throw(entry) {
    if (entry.seat !== "chance") return;
    const faces = facesOf(entry);
    const said = entry.events.flatMap(({ text }) => text || []);
    const words = said.length ? said.slice(0, MOST_SENTENCES).join(" ") : entry.label;
    fill(this, h("div", { class: "throw" }, ...faces.map(die), h("span", {}, words)));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.replaceChildren(), 4200);
  }
}

/** @param {import("./game.js").GameClient} game */
export async function openDice(game) {
  const [dice, luck] = await Promise.all([diceOf(game), get(`games/${game.id}/luck`, game.eyes())]);
  const body = h("div", { class: "dice-report" });
  openDialog(t("dice.title"), [body], { name: "dice" });
  const sides = Object.entries(dice.sides).filter(([, side]) => side.rolls);
  fill(
    body,
    h("p", {}, t(`dice.kind.${dice.kind}`)),
    luck.fights.length ? luckLines(game, luck) : null,
    ...(sides.length ? sides.map(([seat, side]) => sideReport(game, seat, side)) : [h("p", { class: "muted" }, t("dice.none"))]),
    purposeTable(game, dice),
    dice.commitment ? commitment(game, dice) : null,
    rollList(game, dice.rolls),
  );
}

/** @param {GameClient} game @param {string} seat @param {DiceSide} side */
function sideReport(game, seat, side) {
  const faces = [...new Set([1, 2, 3, 4, 5, 6, ...Object.keys(side.faces).map(Number)])].map((face) => ({ face: String(face), n: side.faces[face] ?? 0 }));
  const most = Math.max(1, ...Object.values(side.faces).map(Number));
  return h(
    "section",
    { class: "dice-side" },
    h("h3", {}, game.name(seat)),
    h(
      "div",
      { class: "histogram", role: "img", "aria-label": faces.map(({ face, n }) => `${face}: ${n}`).join(", ") },
      ...faces.map(({ face, n }) => {
        const bar = h("span", { class: "bar" });
        bar.style.height = `${(n / most) * 100}%`;
        bar.style.background = sideColour(seat);
        return h("div", {}, h("small", {}, String(n)), h("div", { class: "column" }, bar), h("b", {}, face));
      }),
    ),
    h("p", {}, t("dice.total", { rolls: side.rolls, total: side.total, expected: number(side.expected) })),
  );
}

/** @param {GameClient} game @param {DiceAnswer} dice */
function commitment(game, dice) {
  const answer = h("p", { role: "status" });
  const verify = h(
    "button",
    {
      class: "action",
      type: "button",
      disabled: !game.over,
      onclick: async () => fill(answer, await get(`games/${game.id}/verify`, game.eyes()).then(({ message }) => message, messageOf)),
    },
    icon("check"),
    h("span", {}, t("dice.verify")),
  );
  return h(
    "section",
    { class: "commitment" },
    h("h3", {}, t("dice.commitment")),
    h("p", { class: "muted" }, t("dice.commitment-help")),
    h("code", {}, dice.commitment),
    dice.secret ? h("p", {}, t("dice.secret"), " ", h("code", {}, dice.secret)) : null,
    verify,
    answer,
  );
}

/** @param {GameClient} game @param {RollLine[]} rolls */
function rollList(game, rolls) {
  if (!rolls.length) return null;
  return h(
    "details",
    {},
    h("summary", {}, t("dice.all", { n: rolls.length })),
    h("ol", { class: "rolls" }, ...rolls.map((roll) => h("li", {}, h("span", { class: "ply" }, String(roll.ply)), h("span", {}, `${game.name(roll.seat)}: ${game.name(roll.purpose)}`), ...roll.faces.map(die)))),
  );
}

customElements.define("dice-tray", DiceTray);
