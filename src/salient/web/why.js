/** "Why not?": a small note beside the pointer with the rule and the failing condition. */

import { announce } from "./dialogs.js";
import { h } from "./dom.js";
import { t } from "./i18n.js";
import { Note } from "./note.js";
import { entryText } from "./situation.js";
import { ruleButton } from "./rule.js";
import { Standing } from "./standing.js";

/** @import { Said } from "./wire.d.ts" */

const DWELL = 550;

export class WhyNot {
  /** @param {import("./game.js").GameClient} game */
  constructor(game) {
    this.game = game;
    this.standing = new Standing(game);
    this.note = new Note("below");
    this.note.element.classList.add("why");
  }

  /** Asks once the pointer has rested. @param {import("./choice.js").Choice} choice @param {import("./board.js").Pointed} pointed */
  soon(choice, pointed) {
    this.hide();
    this.timer = setTimeout(() => this.ask(choice, pointed, false), DWELL);
  }

  /**
   * Asks the server about the actions that were probably meant and shows the first reason.
   * @param {import("./choice.js").Choice} choice
   * @param {import("./board.js").Pointed} pointed
   * @param {boolean} insist whether to say something even without a reason
   */
  async ask(choice, pointed, insist = true) {
    this.hide();
    const turn = (this.turn = (this.turn ?? 0) + 1);
    const reasons = await this.reasons(choice, pointed);
    if (turn === this.turn) this.tell(reasons, pointed, insist);
  }

  /** What speaks against the actions that were probably meant. @param {import("./choice.js").Choice} choice @param {import("./board.js").Pointed} pointed */
  async reasons(choice, pointed) {
    const answers = await Promise.all(choice.attempts(pointed).map((action) => this.game.why(action)));
    const against = unique(answers.filter(({ legal }) => !legal).flatMap(({ refusals }) => refusals)).slice(0, 3);
    return [...against, ...(await this.arrival(pointed.unit))];
  }

  /** When and where a unit that is not on the map comes. @param {string | null} unit @returns {Promise<Said[]>} */
  async arrival(unit) {
    const { game } = this;
    if (!unit || game.hexes[game.shown.units[unit]?.where ?? ""]) return [];
    const { arrivals } = await this.standing.situation();
    const { turn, places } = arrivals.find(({ units }) => units.includes(unit)) ?? { turn: 0, places: [] };
    if (turn <= game.shown.turn) return [];
    const text = places.length ? t("why.arrives-at", { turn, place: entryText(game, places) }) : t("why.arrives", { turn });
    return [{ key: "arrives", rule: "", text, args: {} }];
  }

  /** @param {Said[]} reasons @param {import("./board.js").Pointed} pointed @param {boolean} insist */
  tell(reasons, pointed, insist = true) {
    if (reasons.length) this.show(reasons.map((reason) => h("p", {}, reason.text || reason.key, " ", ruleButton(reason.rule))), pointed);
    else if (insist) this.show([h("p", {}, t("why.nothing"))], pointed);
  }

  /** @param {Node[]} content @param {{ x: number, y: number }} pointed */
  show(content, pointed) {
    this.note.show([h("strong", {}, t("why.title")), ...content], pointed);
    announce(this.note.element.textContent ?? "");
  }

  hide() {
    clearTimeout(this.timer);
    this.turn = (this.turn ?? 0) + 1;
    this.note.hide();
  }

  remove() {
    this.hide();
    this.note.remove();
  }
}

/** @param {Said[]} messages */
function unique(messages) {
  const seen = new Set();
  return messages.filter(({ rule, key }) => !seen.has(`${rule} ${key}`) && seen.add(`${rule} ${key}`));
}
