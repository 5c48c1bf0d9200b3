/** The sequence of play: `<sequence-bar>` shows turn, phases and whose decision it is. */

import { changed, fill, h } from "./dom.js";
import { t } from "./i18n.js";
import { settings } from "./settings.js";

/** @import { GameClient } from "./game.js" */
/** @import { PhaseLine, Snapshot } from "./wire.d.ts" */

export class SequenceBar extends HTMLElement {
  /** @param {import("./game.js").GameClient} game */
  show(game) {
    const { components, shown, snapshot } = game;
    const phases = components.sequence ?? [];
    if (!changed(this, [game.wording, innerWidth, settings.textSize, snapshot.name, snapshot.seats, snapshot.thinking, shown.turn, shown.turns, shown.at, game.back === null ? snapshot.actor : shown.actor])) return;
    fill(
      this,
      h("div", { class: "turn" }, h("span", { class: "turn-label" }, t("sequence.turn")), h("strong", {}, `${shown.turn}`), h("span", {}, `/ ${shown.turns}`)),
      h("ol", { class: "phases", "aria-label": t("sequence.label") }, ...phases.map((phase, i) => this.phase(game, phase, i, shown.at))),
      this.decision(game, snapshot),
    );
    const list = /** @type {Element} */ (this.querySelector(".phases"));
    this.nameAsManyAsFit(list, shown.at);
  }

  /** Names around the present phase, as many as there is room for; the others are dots with a tooltip. @param {Element} list @param {number} at */
  nameAsManyAsFit(list, at) {
    const phases = [...list.children];
    for (let reach = phases.length; reach >= 0; reach--) {
      phases.forEach((phase, i) => phase.classList.toggle("dot", Math.abs(i - at) > reach));
      if (list.scrollWidth <= list.clientWidth) break;
    }
    this.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** @param {GameClient} game @param {PhaseLine} phaseLine @param {number} index @param {number} at */
  phase(game, { key, side, n }, index, at) {
    const state = index === at ? "now" : index < at ? "past" : "ahead";
    const name = game.name(key);
    return h(
      "li",
      { class: `phase ${state} ${side ? `side-${side}` : ""}`, "aria-current": index === at ? "step" : null, title: side ? `${name}: ${game.name(side)}` : name },
      h("span", {}, n === undefined ? name : `${name} ${n}`),
    );
  }

  /** @param {GameClient} game @param {Snapshot} snapshot */
  decision(game, snapshot) {
    const seat = game.playing ? game.showtime.seat : game.back === null ? snapshot.actor : game.shown.actor;
    if (seat === "over") return h("div", { class: "decision" }, t("sequence.over"));
    if (seat === "chance") return h("div", { class: "decision" }, t("sequence.dice"));
    const player = snapshot.seats.find((row) => row.seat === seat);
    return h(
      "div",
      { class: `decision side-${seat}` },
      h("span", { class: "flag", "aria-hidden": "true" }),
      h("span", {}, player?.mine && alone(snapshot) ? t("sequence.you", { seat: player.name }) : (player?.name ?? game.name(seat))),
      snapshot.thinking ? h("span", { class: "spinner", role: "img", "aria-label": t("panel.thinking", { seat: player?.name ?? seat }) }) : null,
    );
  }
}

/** Whether this browser plays one seat only. @param {Snapshot} snapshot */
function alone({ seats }) {
  return seats.filter(({ mine }) => mine).length === 1;
}

customElements.define("sequence-bar", SequenceBar);
