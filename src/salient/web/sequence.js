/** The sequence of play: `<sequence-bar>` shows turn, phases and whose decision it is. */

import { openDialog } from "./dialogs.js";
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
    if (!changed(this, [game.wording, innerWidth, settings.textSize, snapshot.name, snapshot.seats, snapshot.thinking, shown.turn, shown.turns, shown.at, deciding(game)])) return;
    const open = () => openSequence(game);
    fill(
      this,
      h("button", { class: "turn", type: "button", title: t("sequence.label"), onclick: open }, h("span", { class: "turn-label" }, t("sequence.turn")), h("strong", {}, `${shown.turn}`), h("span", {}, `/ ${shown.turns}`)),
      h("ol", { class: "phases", "aria-label": t("sequence.label") }, folded("past", open), ...phases.map((phase, i) => phaseItem(game, phase, i)), folded("ahead", open)),
      this.decision(game, snapshot),
    );
    this.nameAsManyAsFit(/** @type {Element} */ (this.querySelector(".phases")), shown.at);
  }

  /** Names around the present phase, as many as there is room for; how many others there are is a button that lists them. @param {Element} list @param {number} at */
  nameAsManyAsFit(list, at) {
    const phases = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".phase")]);
    const [before, after] = /** @type {HTMLElement[]} */ ([...list.querySelectorAll(".folded")]);
    for (let reach = phases.length; reach >= 0; reach--) {
      const out = phases.map((phase, i) => (phase.hidden = Math.abs(i - at) > reach));
      for (const [element, hidden] of /** @type {[HTMLElement, boolean[]][]} */ ([[before, out.slice(0, at)], [after, out.slice(at)]])) {
        const n = hidden.filter(Boolean).length;
        element.hidden = !n;
        fill(/** @type {Element} */ (element.firstChild), t(`sequence.${element.dataset.fold}`, { n }));
      }
      if (list.scrollWidth <= list.clientWidth) break;
    }
    this.querySelector(".now")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** @param {GameClient} game @param {Snapshot} snapshot */
  decision(game, snapshot) {
    const seat = deciding(game);
    if (seat === "over") return h("div", { class: "decision" }, t("sequence.over"));
    if (seat === "chance") return h("div", { class: "decision" }, t("sequence.dice"));
    const player = snapshot.seats.find((row) => row.seat === seat);
    return h(
      "button",
      { class: `decision side-${seat}`, type: "button", title: t("tab.situation"), onclick: () => this.dispatchEvent(new CustomEvent("situation")) },
      h("span", { class: "flag", "aria-hidden": "true" }),
      h("span", {}, player?.mine && alone(snapshot) ? t("sequence.you", { seat: player.name }) : (player?.name ?? game.name(seat))),
      snapshot.thinking ? h("span", { class: "spinner", role: "img", "aria-label": t("panel.thinking", { seat: player?.name ?? seat }) }) : null,
    );
  }
}

/** A phase by its name. @param {GameClient} game @param {PhaseLine} phaseLine @param {number} index */
function phaseItem(game, { key, side, n }, index) {
  const { at } = game.shown;
  const state = index === at ? "now" : index < at ? "past" : "ahead";
  const name = game.name(key);
  return h(
    "li",
    { class: `phase ${state} ${side ? `side-${side}` : ""}`, "aria-current": index === at ? "step" : null, title: side ? `${name}: ${game.name(side)}` : name },
    h("span", {}, n === undefined ? name : `${name} ${n}`),
  );
}

/** Phases for which there is no room: a button that lists all. @param {"past" | "ahead"} which @param {() => void} open */
function folded(which, open) {
  return h("li", { class: "folded", "data-fold": which, hidden: true }, h("button", { class: "quiet small", type: "button", title: t("sequence.label"), onclick: open }));
}

/** All phases of a turn, by the side that plays them. @param {GameClient} game */
function openSequence(game) {
  /** @type {{ side: string | null | undefined, items: HTMLElement[] }[]} */
  const runs = [];
  for (const [i, phase] of (game.components.sequence ?? []).entries()) {
    if (runs.at(-1)?.side !== phase.side || !i) runs.push({ side: phase.side, items: [] });
    runs.at(-1)?.items.push(phaseItem(game, phase, i));
  }
  const run = (/** @type {{ side: string | null | undefined, items: HTMLElement[] }} */ { side, items }) => h("section", {}, h("h3", {}, side ? game.name(side) : t("sequence.both")), h("ol", {}, ...items));
  openDialog(`${t("sequence.turn")} ${game.shown.turn} / ${game.shown.turns}`, runs.map(run), { name: "sequence" });
}

/** Whose decision is shown: that of the present, of the moment looked back at, or of the step that is being shown. @param {GameClient} game */
export function deciding({ playing, showtime, back, snapshot, shown }) {
  if (playing) return showtime.seat;
  return back === null ? snapshot.actor : shown.actor;
}

/** Whether this browser plays one seat only. @param {Snapshot} snapshot */
function alone({ seats }) {
  return seats.filter(({ mine }) => mine).length === 1;
}

customElements.define("sequence-bar", SequenceBar);
