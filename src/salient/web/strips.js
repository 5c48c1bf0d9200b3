/** Battle strips: `<battle-strips>` lays out the squares of a battle, and its dice where they land. */

import { counterElement } from "./counters.js";
import { fill, h, icon, s } from "./dom.js";
import { t } from "./i18n.js";

/** @import { GameClient } from "./game.js" */
/** @import { Square, StripRow, Strips } from "./wire.d.ts" */

const LONG_ENOUGH = 9000;

export class BattleStrips extends HTMLElement {
  /** @type {Strips | undefined} a roll that lies on the table for a while */
  rolled;
  /** What is drawn now, and the hex that it is about. */
  drawn = "";
  place = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** @param {import("./game.js").GameClient} game */
  show(game) {
    const open = (game.shown.panels ?? []).find((panel) => panel.kind === "strips");
    if (open) this.rolled = undefined;
    this.draw(game, open ?? this.rolled);
  }

  /** Keeps a roll on the table for a while. @param {import("./game.js").GameClient} game @param {import("./api.js").Entry} entry */
  throw(game, entry) {
    const panel = entry.roll?.panel;
    if (panel?.kind !== "strips") return;
    this.rolled = panel;
    this.draw(game, panel);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.close(), LONG_ENOUGH);
  }

  close() {
    this.rolled = undefined;
    this.drawn = "";
    this.hidden = true;
  }

  /** Puts a roll away that was left lying. */
  putAway() {
    if (this.rolled) this.close();
  }

  /** @param {GameClient} game @param {Strips | undefined} panel */
  draw(game, panel) {
    const look = JSON.stringify(panel ?? "");
    this.hidden = !panel;
    // What is over lies in nobody's way: a click on it goes to the map.
    this.classList.toggle("past", panel !== undefined && panel === this.rolled);
    if (!panel || look === this.drawn) return;
    this.drawn = look;
    this.place = panel.where;
    fill(
      this,
      h(
        "header",
        {},
        h("h2", {}, t("strips.title", { what: game.name(panel.key), place: [game.hexes?.[panel.where]?.place, panel.where].filter(Boolean).join(" ") })),
        h("button", { class: "quiet", type: "button", "aria-label": t("strips.close"), title: t("strips.close"), onclick: () => this.close() }, icon("close")),
      ),
      ...panel.rows.map((row) => this.row(game, row)),
    );
  }

  /** @param {GameClient} game @param {StripRow} stripRow */
  row(game, { side, dice, rolled, squares, missed }) {
    let fallen = 0;
    return h(
      "section",
      { class: `strip side-${side}` },
      h("p", { class: "strip-title" }, t(rolled ? "strips.rolled" : "strips.dice", { n: dice, side: game.name(side) })),
      h("ol", { class: "squares" }, ...squares.map((square) => this.square(game, side, square, () => fallen++))),
      missed.length ? h("p", { class: "missed" }, h("span", {}, t("strips.missed")), ...missed.map((face) => dodecahedron(face, fallen++))) : null,
    );
  }

  /** @param {GameClient} game @param {string} side @param {Square} square @param {() => number} next */
  square(game, side, { unit, n, numbers, dice, result }, next) {
    const piece = game.components.units[unit];
    const words = [piece.name, n > 1 ? `×${n}` : "", numbers.join(", "), ...dice.map(String), result ? game.name(result) : ""].filter(Boolean).join(", ");
    return h(
      "li",
      { class: `square ${result}`, "aria-label": words, title: words },
      h("span", { class: "numbers" }, runs(numbers).join(" · ")),
      h("span", { class: "on-square" }, counterElement(unit, piece, { values: n > 1 ? `×${n}` : "", badges: [] }), result ? h("span", { class: "hit-mark", "aria-hidden": "true" }) : null),
      h("span", { class: "square-dice" }, ...dice.map((face) => dodecahedron(face, next()))),
      h("span", { class: "square-result" }, result ? game.name(result) : ""),
    );
  }
}

/** Numbers in a row as one: 1 to 6 as "1–6". @param {number[]} numbers ascending */
export function runs(numbers) {
  /** @type {number[][]} */
  const found = [];
  for (const n of numbers) {
    const last = found.at(-1);
    if (last && last[1] === n - 1) last[1] = n;
    else found.push([n, n]);
  }
  return found.flatMap(([from, to]) => (to - from > 1 ? [`${from}–${to}`] : from === to ? [String(from)] : [String(from), String(to)]));
}

/** A twelve-sided die. @param {number} face @param {number} order of its fall */
function dodecahedron(face, order) {
  const points = Array.from({ length: 10 }, (_, i) => {
    const angle = ((36 * i - 90) * Math.PI) / 180;
    return `${(50 + 46 * Math.cos(angle)).toFixed(1)},${(50 + 46 * Math.sin(angle)).toFixed(1)}`;
  });
  const inner = Array.from({ length: 5 }, (_, i) => {
    const angle = ((72 * i - 90) * Math.PI) / 180;
    return `${(50 + 31 * Math.cos(angle)).toFixed(1)},${(50 + 31 * Math.sin(angle)).toFixed(1)}`;
  });
  const die = s(
    "svg",
    { class: "twelve", viewBox: "0 0 100 100", role: "img", "aria-label": String(face) },
    s("polygon", { class: "rim", points: points.join(" ") }),
    s("polygon", { class: "face", points: inner.join(" ") }),
    s("text", { x: 50, y: 65, "text-anchor": "middle", "font-size": 42 }, String(face)),
  );
  die.style.animationDelay = `${Math.min(order, 12) * 60}ms`;
  return die;
}

customElements.define("battle-strips", BattleStrips);
