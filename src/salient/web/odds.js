/** Odds before you commit: `<odds-panel>` with both sides, every modifier and its rule, and the exact outcomes. */

import { die } from "./dice.js";
import { fill, h } from "./dom.js";
import { number, pair, percent, t } from "./i18n.js";
import { ruleButton } from "./rule.js";

export class OddsPanel extends HTMLElement {
  /**
   * The odds of what is being decided; without any, the last combat as it went, until something else is done.
   * @param {import("./game.js").GameClient} game @param {any} odds @param {import("./api.js").Entry | null} [rolled] the roll that decided it
   */
  show(game, odds, rolled = null) {
    this.hidden = !odds;
    if (!odds) return fill(this);
    fill(
      this,
      rolled ? h("div", { class: "outcome-told", role: "status" }, ...(rolled.roll?.faces ?? []).map((face) => die(face)), ...rolled.events.map(({ text, rule }) => h("p", {}, text, " ", ruleButton(rule)))) : null,
      h("header", {}, h("h2", {}, t("odds.title", { place: game.placeName(odds.target ?? "") })), h("p", { class: "column" }, t(odds.dice === undefined ? "odds.column" : "odds.dice"), h("strong", {}, String(odds.dice ?? odds.column)))),
      this.bar(game, odds.outcomes ?? []),
      this.table(game, odds.outcomes ?? []),
      this.totals(odds),
      h("div", { class: "forces" }, this.force(game, t("odds.attackers"), odds.attackers, odds.attack, odds.attack_notes), this.force(game, t("odds.defenders"), odds.defenders, odds.defence, odds.defence_notes)),
      this.shifts(odds),
      this.oneMore(game, odds.one_more ?? []),
    );
  }

  /** The distribution as one bar, from the best outcome for the attacker to the worst. */
  bar(game, outcomes) {
    if (!outcomes.length) return null;
    const words = (o) => pair(game.name(o.result), percent(share(o)));
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
            h("td", {}, (o.rolls ?? []).join(" ")),
            h("td", {}, h("b", {}, game.name(o.result))),
            h("td", {}, String(o.attacker_loss ?? "")),
            h("td", {}, String(o.defender_loss ?? "")),
            h("td", {}, percent(share(o))),
          ),
        ),
      ),
    );
  }

  totals({ expected, cleared }) {
    if (!expected && cleared === undefined) return null;
    return h(
      "p",
      { class: "expected" },
      expected ? t("odds.expected", { attacker: number(fraction(expected.attacker)), defender: number(fraction(expected.defender)) }) : "",
      cleared !== undefined ? h("strong", {}, ` ${t("odds.cleared", { share: percent(fraction(cleared)) })}`) : null,
    );
  }

  /** @param {import("./api.js").Message[]} [notes] what changes the sum */
  force(game, title, units = [], total, notes = []) {
    return h(
      "section",
      {},
      h("h3", {}, title, h("b", {}, total === undefined ? "" : String(total))),
      h(
        "ul",
        {},
        ...units.map((row) =>
          h(
            "li",
            {},
            h("span", {}, game.components.units[row.unit]?.name ?? game.name(row.unit)),
            h("b", {}, row.final === row.strength || row.final === undefined ? String(row.strength) : `${row.strength} → ${row.final}`),
            ...(row.modifiers ?? []).map((m) => h("small", {}, m.text, " ", ruleButton(m.rule))),
          ),
        ),
        ...notes.map((m) => h("li", { class: "addition" }, h("span", {}, m.text, " ", ruleButton(m.rule)))),
      ),
    );
  }

  shifts({ ratio, dice, shifts = [] }) {
    return h(
      "section",
      { class: "shifts" },
      ratio === undefined || dice !== undefined ? null : h("p", {}, t("odds.ratio"), " ", h("b", {}, String(ratio))),
      ...shifts.map((m) => h("p", {}, m.text, " ", ruleButton(m.rule))),
    );
  }

  oneMore(game, rows) {
    if (!rows.length) return null;
    return h(
      "section",
      { class: "one-more" },
      h("h3", {}, t("odds.one-more")),
      h("ul", {}, ...rows.map(({ unit, column }) => h("li", {}, h("span", {}, game.components.units[unit]?.name ?? unit), h("b", {}, String(column))))),
    );
  }
}

/** @param {string | number} text "1/6" */
export function fraction(text) {
  const [above, below = "1"] = String(text).split("/");
  return Number(above) / Number(below);
}

function share(outcome) {
  return fraction(outcome.probability);
}

function leaning({ attacker_loss: a = 0, defender_loss: d = 0 }) {
  if (fraction(d) > fraction(a)) return "for-attacker";
  return fraction(d) < fraction(a) ? "for-defender" : "even";
}

customElements.define("odds-panel", OddsPanel);
