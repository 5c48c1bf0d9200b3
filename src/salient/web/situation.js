/** Who is winning, and why: `<situation-panel>` with the objectives and their state, the curve, news, forces, arrivals. */

import { counterElement } from "./counters.js";
import { curveOf, summary } from "./curve.js";
import { messageOf, notice } from "./dialogs.js";
import { changed, fill, h, icon, inSight } from "./dom.js";
import { decisivePlaces, diceOf, luckLines, momentList, purposeTable } from "./endgame.js";
import { lang, pair, t } from "./i18n.js";
import { later } from "./later.js";
import { ruleButton } from "./rule.js";
import { news, Standing } from "./standing.js";
import { describeUnit } from "./stack.js";

/** @import { GameClient } from "./game.js" */
/** @import { Child } from "./dom.js" */
/** @import { Moment, Point } from "./standing.js" */
/** @import { Arrival, Condition, DiceAnswer, Force, Luck, Objective, Prize, Score, Situation } from "./wire.d.ts" */

/** @typedef {{ luck: Luck, dice: DiceAnswer }} End what is told of a finished game */

const MOST_NEWS = 6;
/** The situation is told when the board rests: its questions do not hold up the next click. */
const SOON_AFTER = 250;
const SOON = 3;
const MOMENTS = 3;

export class SituationPanel extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {Standing} */
  standing = later();
  /** What was asked for last: an answer to an earlier question is not shown. */
  asked = {};
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;
  /** The game whose end has been lit on the map. */
  lit = "";
  /** @type {boolean[]} which objectives were reached when they were shown last */
  reached = [];

  /** Shows the situation if the panel is in sight; else when it comes into sight. @param {import("./game.js").GameClient} game */
  show(game) {
    if (this.game !== game) {
      this.game = game;
      this.standing = new Standing(game);
    }
    clearTimeout(this.timer);
    if (!inSight(this) || game.playing) return;
    if (this.hasChildNodes() && game.back === null) this.timer = setTimeout(() => this.load(), SOON_AFTER);
    else this.load();
  }

  async load() {
    const asked = (this.asked = {});
    try {
      const show = (/** @type {Situation} */ situation, /** @type {Point[]} */ points, /** @type {End | null} */ end) => asked === this.asked && this.render(situation, points, end);
      const curve = this.standing.curve();
      const situation = await this.standing.situation();
      if (!this.standing.points.length) show(situation, [], null); // the curve of a long game takes its time
      const points = await curve;
      show(situation, points, null);
      if (this.game.over) show(situation, points, await this.end());
    } catch (error) {
      if (asked === this.asked) fill(this, h("p", { class: "muted" }, messageOf(error)));
    }
  }

  /** What is told of a finished game. @returns {Promise<End>} */
  async end() {
    const [luck, dice] = await Promise.all([this.standing.luck(), diceOf(this.game)]);
    return { luck, dice };
  }

  /** @param {Situation} situation @param {Point[]} points @param {End | null} end */
  render(situation, points, end) {
    const { game } = this;
    const moments = game.over ? this.standing.moments(points.slice(0, -1), MOMENTS) : [];
    if (game.over && game.back === null) this.light(situation);
    if (game.back === null) this.tellReached(situation.objectives);
    if (!changed(this, [lang(), game.wording, game.snapshot.seat, game.shown.turn, game.back, game.over, situation, points, end, this.lastNews()])) return;
    fill(
      this,
      points.length > 1 ? this.advantage(points, moments) : null,
      moments.length ? this.section("end.moments", momentList(moments, (what, detail) => this.tell(what, detail))) : null,
      end ? this.section("luck.title", luckLines(game, end.luck), purposeTable(game, end.dice)) : null,
      this.score(situation.score),
      this.goals(situation),
      this.news(),
      this.prizes(situation.prizes),
      this.forces(situation.forces),
      this.conditions(situation.conditions),
      this.arrivals(situation.arrivals.filter(({ turn }) => turn <= game.shown.turn + SOON)),
    );
  }

  // ---- who is ahead -------------------------------------------------------------

  /** Lights on the map what decided the game, once. @param {Situation} situation */
  light(situation) {
    if (this.lit === this.game.id) return;
    this.lit = this.game.id;
    this.tell("decided", decisivePlaces(situation, this.game.snapshot.result?.winner));
  }

  /** @param {Point[]} points @param {Moment[]} moments */
  advantage(points, moments) {
    const { seat } = this.standing;
    const other = this.game.snapshot.seats.find((row) => row.seat !== seat)?.seat ?? "";
    return this.section("standing.curve", this.game.over && this.game.back === null ? null : h("p", { class: "verdict-line", title: t("standing.curve-help") }, summary(this.game, points, seat, other)), curveOf(this.game, points, { seat, moments, look: (ply) => this.tell("look", ply) }));
  }

  /** @param {Score | null} score */
  score(score) {
    if (!score) return null;
    const bar = h("meter", { min: 0, max: score.needed, value: Math.min(score.now, score.needed), "aria-label": t("standing.points") });
    const then = score.projected === score.now ? null : h("small", {}, t("standing.projected", { n: score.projected }));
    return h("div", { class: `standing-score side-${score.side}` }, h("strong", {}, this.game.name(score.side)), bar, h("b", {}, `${score.now} / ${score.needed}`), then);
  }

  /** An objective that has just been reached is told. @param {Objective[]} objectives */
  tellReached(objectives) {
    const before = this.reached;
    this.reached = objectives.map(({ met }) => met);
    const just = objectives.filter(({ met }, i) => met && before[i] === false);
    for (const { side, text } of just) notice([t("standing.reached", { goal: pair(this.whose(side), text) })]);
  }

  /** @param {string} side */
  whose(side) {
    return this.mine(side) ? t("standing.you") : this.game.name(side);
  }

  /** @param {Situation} situation */
  goals(situation) {
    const { objectives, notes } = situation;
    const row = (/** @type {Objective} */ { side, met, text, rule, places }) =>
      h(
        "li",
        { class: `goal side-${side} ${met ? "met" : "open"}` },
        h("span", { class: "goal-mark", "aria-label": t(met ? "standing.met" : "standing.open") }, icon(met ? "check" : "close")),
        h("span", {}, pair(this.whose(side), text), " ", ruleButton(rule)),
        this.showButton(places),
      );
    const enough = objectives.length > 1 ? h("p", { class: "muted" }, t(`standing.enough-${situation.enough}`)) : null;
    return this.section("standing.goals", enough, h("ul", { class: "goals" }, ...[...objectives, ...notes].map(row)));
  }

  // ---- what just happened --------------------------------------------------------

  lastNews() {
    const { game } = this;
    const until = game.back ?? game.entries.length;
    return news(game, game.entries.slice(Math.max(0, until - 250), until)).slice(-MOST_NEWS).reverse();
  }

  news() {
    const lines = this.lastNews();
    if (!lines.length) return null;
    return this.section("standing.news", h("ul", { class: "news" }, ...lines.map((line) => h("li", {}, h("span", {}, line.text, " ", ruleButton(line.rule)), this.showButton(line.place ? [line.place] : [])))));
  }

  // ---- places, forces, weather -----------------------------------------------------

  /** @param {Prize[]} prizes */
  prizes(prizes) {
    if (!prizes.length) return null;
    const place = (/** @type {Prize} */ prize) => this.game.hexes?.[prize.place]?.place ?? "";
    const twice = (/** @type {Prize} */ prize) => prizes.filter((other) => place(other) === place(prize)).length > 1;
    const name = (/** @type {Prize} */ prize) => (twice(prize) ? this.game.placeName(prize.place) : place(prize) || prize.place);
    const held = (/** @type {Prize} */ prize) => h("button", { class: `prize side-${prize.side} ${prize.counts ? "counts" : ""}`, type: "button", onclick: () => this.tell("spot", [prize.place]) }, name(prize), prize.worth > 1 ? h("b", {}, String(prize.worth)) : null);
    const sides = [...new Set(prizes.map(({ side }) => side))].sort();
    return this.section(
      "standing.prizes",
      ...sides.map((side) => h("div", { class: "prize-row" }, h("h4", {}, this.game.name(side)), h("div", { class: "prizes" }, ...prizes.filter((prize) => prize.side === side).map(held)))),
    );
  }

  /** @param {Record<string, Force>} forces */
  forces(forces) {
    const rows = Object.entries(forces);
    const line = (/** @type {string} */ key, /** @type {(force: Force) => Child} */ value) => h("tr", {}, h("th", { scope: "row" }, t(key)), ...rows.map(([, force]) => h("td", {}, value(force))));
    const cut = (/** @type {Force} */ force) => (force.cut_off.length ? h("button", { class: "quiet small", type: "button", onclick: () => this.tell("spot", force.cut_off.map((id) => this.game.shown.units[id]?.where).filter(Boolean)) }, String(force.cut_off.length), icon("go")) : "0");
    return this.section(
      "standing.forces",
      h(
        "table",
        { class: "force-table" },
        h("thead", {}, h("tr", {}, h("td", {}), ...rows.map(([side]) => h("th", { scope: "col", class: `side-${side}` }, this.game.name(side))))),
        h("tbody", {}, line("standing.on-map", (force) => String(force.on_map)), line("standing.cut-off", cut), line("standing.lost", (force) => (force.lost_units === force.lost_steps ? String(force.lost_units) : t("standing.lost-both", { units: force.lost_units, steps: force.lost_steps })))),
      ),
    );
  }

  /** @param {Condition[]} chips */
  conditions(chips) {
    if (!chips.length) return null;
    return this.section("standing.conditions", h("ul", { class: "chips" }, ...chips.map(({ text, n, side, dim }) => h("li", {}, h("span", { class: `table-chip side-${side || "none"} ${dim ? "dim" : ""}` }, text, n === undefined ? null : h("b", {}, String(n)))))));
  }

  /** @param {Arrival[]} rows */
  arrivals(rows) {
    if (!rows.length) return null;
    return this.section("standing.arrivals", ...rows.map((row) => arrivalRow(this.game, row, (places) => this.tell("spot", places))));
  }

  // ---- parts -----------------------------------------------------------------------

  /** @param {string} key @param {...Child} content */
  section(key, ...content) {
    return h("section", { class: "standing-part", "data-part": key.split(".")[1] }, h("h3", {}, t(key)), ...content);
  }

  /** @param {string} side */
  mine(side) {
    const commanded = this.game.shown.command ?? {};
    return this.game.snapshot.seats.filter(({ mine }) => mine).length === 1 && this.game.snapshot.seats.some(({ seat, mine }) => mine && (commanded[seat] ?? seat) === side);
  }

  /** @param {string[]} places */
  showButton(places) {
    if (!places.length) return null;
    return h("button", { class: "quiet small", type: "button", "aria-label": t("digest.go"), title: t("digest.go"), onclick: () => this.tell("spot", places) }, icon("go"));
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }
}

/**
 * Units that arrive together: their turn, their counters, where they come in.
 * @param {import("./game.js").GameClient} game
 * @param {{ turn: number, side: string, places: string[], units: string[] }} row
 * @param {(places: string[]) => void} spot
 */
export function arrivalRow(game, { turn, side, places, units }, spot) {
  const where = places.length ? h("button", { class: "quiet small", type: "button", onclick: () => spot(places) }, entryText(game, places), icon("go")) : null;
  const counter = (/** @type {string} */ id) => h("span", { class: "arrival-unit", title: describeUnit(game, id) }, counterElement(id, game.components.units[id], game.shown.units[id]));
  return h("div", { class: `arrival side-${side} ${turn <= game.shown.turn ? "now" : ""}` }, h("p", {}, h("b", {}, `${t("sequence.turn")} ${turn}`), where), h("div", { class: "chart-units" }, ...units.filter((id) => game.shown.units[id]).map(counter)));
}

/** Where units come in: one or two places by name, more by their number. @param {import("./game.js").GameClient} game @param {string[]} places */
export function entryText(game, places) {
  return places.length > 2 ? t("standing.entry-hexes", { n: places.length }) : places.map((place) => game.placeName(place)).join(", ");
}

customElements.define("situation-panel", SituationPanel);
