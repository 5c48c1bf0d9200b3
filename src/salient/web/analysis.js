/** The analysis of a finished game: `<game-analysis>` asks for it, shows how far it is, and leads to the decisions that cost most. */

import { get, request } from "./api.js";
import { messageOf } from "./dialogs.js";
import { fill, h } from "./dom.js";
import { percent, t } from "./i18n.js";
import { later } from "./later.js";

/** @import { GameClient } from "./game.js" */
/** @import { AnalysisAnswer, MistakeLine } from "./wire.d.ts" */

const PATIENCE = 1500;

export class GameAnalysis extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /** Begins, or brings back what is known. @param {GameClient} game */
  async begin(game) {
    this.game = game;
    this.hidden = false;
    clearTimeout(this.timer);
    try {
      this.render(await get(`games/${game.id}/analysis`, game.eyes()));
    } catch (error) {
      fill(this, h("p", { class: "muted" }, messageOf(error)));
    }
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  /** @param {AnalysisAnswer} answer */
  render(answer) {
    fill(this, h("h3", {}, t("analysis.title")), this[answer.state](answer));
  }

  /** @param {AnalysisAnswer} analysisAnswer */
  running({ done, total }) {
    this.timer = setTimeout(() => this.begin(this.game), PATIENCE);
    const stop = h("button", { class: "quiet small", type: "button", "data-analysis": "stop", onclick: () => this.stop() }, t("analysis.stop"));
    return h("div", {}, h("label", { class: "muted" }, t("analysis.running"), h("progress", total ? { max: total, value: done } : {})), stop);
  }

  /** Nobody waits for it any more. */
  stop() {
    clearTimeout(this.timer);
    this.hidden = true;
    return request("DELETE", `games/${this.game.id}/analysis`, this.game.eyes()).catch(() => null);
  }

  failed() {
    return h("p", {}, t("analysis.failed"));
  }

  /** @param {AnalysisAnswer} analysisAnswer */
  done({ luck, skill, worst }) {
    const mistakes = worst ?? [];
    const side = this.game.name(this.game.snapshot.seats[0].seat);
    const signed = (/** @type {number} */ share) => (share > 0 ? "+" : "") + percent(share);
    return h(
      "div",
      {},
      h("p", {}, t("analysis.luck", { side, luck: signed(luck ?? 0), skill: signed(skill ?? 0) })),
      mistakes.length ? h("ol", { class: "moments" }, ...mistakes.map((mistake) => h("li", {}, this.mistake(mistake)))) : h("p", {}, t("analysis.no-mistakes")),
    );
  }

  /** A decision to look back at. @param {MistakeLine} mistakeLine */
  mistake({ ply, heading, seat, played, better, cost, reasons }) {
    return h(
      "button",
      { class: "listed", type: "button", "data-mistake": String(ply), onclick: () => this.dispatchEvent(new CustomEvent("look", { detail: ply })) },
      h("span", {}, h("b", {}, heading), h("br"), t("analysis.mistake", { side: this.game.name(seat), played, better, cost: percent(cost) }), ...reasons.map((text) => h("small", { class: "told" }, text))),
    );
  }
}

customElements.define("game-analysis", GameAnalysis);
