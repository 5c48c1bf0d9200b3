/** Odds before you commit: `<odds-panel>` with both sides, every modifier and its rule, and the exact outcomes. */

import { die } from "./dice.js";
import { fill, h, icon } from "./dom.js";
import { number, pair, percent, t } from "./i18n.js";
import { ruleButton } from "./rule.js";

/** @import { GameClient } from "./game.js" */
/** @import { Branch, Odds, OneMore, OutcomeLine, Said, Strength, SupportOdds } from "./wire.d.ts" */

export class OddsPanel extends HTMLElement {
  /**
   * The odds of what is being decided; without any, the last combat as it went, until something else is done.
   * @param {import("./game.js").GameClient} game @param {Odds | null | undefined} odds @param {import("./api.js").Entry | null} [rolled] the roll that decided it
   * @param {string} [about] what the odds are of, where several things could be done
   */
  show(game, odds, rolled = null, about = "") {
    this.hidden = !odds;
    if (!odds) return fill(this);
    fill(
      this,
      rolled ? this.told(rolled) : null,
      about ? h("p", { class: "about" }, t("odds.if", { action: about })) : null,
      h("header", {}, h("h2", {}, t("odds.title", { place: game.placeName(odds.target ?? "") })), this.column(odds)),
      this.totals(odds),
      odds.dice === undefined ? null : h("p", { class: "bar-legend" }, t("odds.destroyed")),
      this.bar(game, odds.outcomes ?? []),
      odds.tree ? this.tree(game, odds.tree) : this.table(game, odds.outcomes ?? []),
      odds.attackers?.length || odds.defenders?.length ? h("div", { class: "forces" }, this.force(game, t("odds.attackers"), odds.attackers, odds.attack, odds.attack_notes, odds.dice !== undefined), this.force(game, t("odds.defenders"), odds.defenders, odds.defence, odds.defence_notes)) : null,
      this.shifts(odds),
      this.then(odds.then ?? []),
      this.support(game, odds.support),
      this.oneMore(game, odds.one_more ?? []),
    );
  }

  /** How a combat went: the die and the result in words. @param {import("./api.js").Entry} rolled */
  told({ roll, events }) {
    return h(
      "div",
      { class: "outcome-told", role: "status" },
      h("button", { class: "quiet small", type: "button", "aria-label": t("close"), onclick: () => this.dispatchEvent(new CustomEvent("close")) }, icon("close")),
      ...(roll?.faces ?? []).map((face) => die(face)),
      ...events.map(({ text, rule }) => h("p", {}, text, " ", ruleButton(rule))),
    );
  }

  /** The column, or the number of dice, where there is one. @param {Odds} odds */
  column({ dice, column }) {
    if (dice === undefined && column === undefined) return null;
    return h("p", { class: "column" }, t(dice === undefined ? "odds.column" : "odds.dice"), h("strong", {}, String(dice ?? column)));
  }

  /** What a result leads to: another die, a stand. @param {import("./api.js").Message[]} messages */
  then(messages) {
    if (!messages.length) return null;
    return h("section", { class: "then" }, h("h3", {}, t("odds.then")), ...messages.map((m) => h("p", {}, m.text, " ", ruleButton(m.rule))));
  }

  /** What guns and aircraft in range would make of it. @param {GameClient} game @param {SupportOdds | undefined} support */
  support(game, support) {
    if (!support) return null;
    const units = [...support.units.map((id) => game.components.units[id]?.name ?? id), ...support.words.map((key) => game.name(key))].join(", ");
    return h("section", { class: "support" }, h("p", {}, t("odds.support", { units, column: support.column })), this.bar(game, support.outcomes ?? []), this.totals(support));
  }

  /** The distribution as one bar, from the best outcome for the attacker to the worst. @param {GameClient} game @param {OutcomeLine[]} outcomes */
  bar(game, outcomes) {
    if (!outcomes.length) return null;
    const words = (/** @type {OutcomeLine} */ o) => pair(game.name(o.result), percent(share(o)));
    const label = outcomes.map(words).join(", ");
    return h(
      "div",
      { class: "outcome-bar", role: "img", "aria-label": t("odds.bar", { list: label }) },
      ...outcomes.map((outcome) => {
        const part = h("span", { class: `outcome ${leaning(outcome)}`, title: words(outcome) }, h("b", {}, outcome.result));
        part.style.flexGrow = String(share(outcome));
        return part;
      }),
    );
  }

  /** @param {GameClient} game @param {OutcomeLine[]} outcomes */
  table(game, outcomes) {
    if (!outcomes.some(({ rolls }) => rolls?.length)) return null;
    return h(
      "table",
      { class: "outcomes" },
      h("caption", { class: "visually-hidden" }, t("odds.outcomes")),
      h("thead", {}, h("tr", {}, ...["odds.roll", "odds.result", "odds.attacker-loss", "odds.defender-loss", "odds.chance"].map((key) => h("th", { scope: "col" }, t(key))))),
      h(
        "tbody",
        {},
        ...outcomes.map((o) =>
          h(
            "tr",
            { class: leaning(o) },
            h("td", {}, spans(o.rolls ?? [])),
            h("td", {}, h("b", {}, game.name(o.result))),
            h("td", {}, String(o.attacker_loss ?? "")),
            h("td", {}, String(o.defender_loss ?? "")),
            h("td", {}, percent(share(o))),
          ),
        ),
      ),
    );
  }

  /** Die by die, with who leads what comes next, the losses of both sides and how it ends. @param {GameClient} game @param {Branch[]} branches @returns {HTMLElement} */
  tree(game, branches) {
    return h("ul", { class: "tree" }, ...branches.map((branch) => this.branch(game, branch)));
  }

  /** @param {GameClient} game @param {Branch} branch */
  branch(game, { probability, result, attacker_loss: own, defender_loss: enemy, end, lead, then }) {
    return h(
      "li",
      { class: end ? `end-${end}` : "goes-on" },
      h("span", { class: "share" }, percent(fraction(probability))),
      h("b", {}, game.name(result)),
      own || enemy ? h("span", { class: "losses" }, t("odds.losses", { attacker: own, defender: enemy })) : null,
      h("span", { class: "end", title: game.components.units[lead ?? ""]?.name }, end ? t(`odds.end.${end}`) : t("odds.led", { unit: lead ?? "" })),
      then ? this.tree(game, then) : null,
    );
  }

  /** The combat to its end: expected losses of both sides, and how likely each end is. @param {Odds | SupportOdds} odds */
  totals({ whole, expected }) {
    const sum = whole ?? expected;
    if (!sum) return null;
    return h(
      "p",
      { class: "expected" },
      t("odds.expected", { attacker: number(fraction(sum.attacker)), defender: number(fraction(sum.defender)) }),
      whole ? h("strong", {}, " ", t("odds.whole", { list: whole.ends.map(({ end, probability }) => pair(t(`odds.end.${end}`), percent(fraction(probability)))).join(", ") })) : null,
    );
  }

  /** @param {GameClient} game @param {string} title @param {Strength[]} units @param {number} total @param {Said[]} [notes] what changes the sum @param {boolean} [dice] whether strength is a number of dice */
  force(game, title, units, total, notes = [], dice = false) {
    const strength = (/** @type {Strength} */ { strength: n, final = n }) => (dice ? t("odds.dice-of", { n, n_each: final / n }) : final === n ? String(n) : `${n} → ${final}`);
    return h(
      "section",
      {},
      h("h3", {}, title, h("b", {}, total === undefined ? "" : dice ? t("odds.dice-in-all", { n: total }) : String(total))),
      h(
        "ul",
        {},
        ...units.map((row) =>
          h(
            "li",
            {},
            h("span", {}, game.components.units[row.unit]?.name ?? game.name(row.unit)),
            h("b", {}, strength(row)),
            ...(row.modifiers ?? []).map((m) => h("small", {}, m.text, " ", ruleButton(m.rule))),
          ),
        ),
        ...notes.map((m) => h("li", { class: "addition" }, h("span", {}, m.text, " ", ruleButton(m.rule)))),
      ),
    );
  }

  /** @param {Odds} odds */
  shifts({ ratio, dice, shifts = [] }) {
    if (ratio === undefined && !shifts.length) return null;
    return h(
      "section",
      { class: "shifts" },
      ratio === undefined || dice !== undefined ? null : h("p", {}, t("odds.ratio"), " ", h("b", {}, String(ratio))),
      ...shifts.map((m) => h("p", {}, m.text, " ", ruleButton(m.rule))),
    );
  }

  /** @param {GameClient} game @param {OneMore[]} rows */
  oneMore(game, rows) {
    if (!rows.length) return null;
    return h(
      "section",
      { class: "one-more" },
      h("h3", {}, t("odds.one-more")),
      h("ul", {}, ...rows.map(({ unit, column, cleared }) => h("li", {}, h("span", {}, game.components.units[unit]?.name ?? game.name(unit)), h("b", {}, String(column)), h("small", {}, t("odds.cleared", { share: percent(fraction(cleared)) }))))),
    );
  }
}

/** @param {string | number} text "1/6" */
export function fraction(text) {
  const [above, below = "1"] = String(text).split("/");
  return Number(above) / Number(below);
}

/** Rolls that follow each other are one span: 1, 3–6. @param {number[]} rolls */
export function spans(rolls) {
  const starts = rolls.filter((roll, i) => rolls[i - 1] !== roll - 1);
  const ends = rolls.filter((roll, i) => rolls[i + 1] !== roll + 1);
  return starts.map((start, i) => (start === ends[i] ? String(start) : `${start}–${ends[i]}`)).join(" ");
}

/** @param {OutcomeLine} outcome */
function share(outcome) {
  return fraction(outcome.probability);
}

/** @param {OutcomeLine} outcomeLine */
function leaning({ attacker_loss: a = 0, defender_loss: d = 0 }) {
  if (fraction(d) > fraction(a)) return "for-attacker";
  return fraction(d) < fraction(a) ? "for-defender" : "even";
}

customElements.define("odds-panel", OddsPanel);
