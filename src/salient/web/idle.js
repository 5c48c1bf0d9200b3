/** What the panel shows when there is nothing to decide: others think, others' actions are shown, the past is looked at. */

import { h, icon } from "./dom.js";
import { t } from "./i18n.js";
import { ruleButton } from "./rule.js";
import { settings } from "./settings.js";

/** @import { ActionPanel } from "./panel.js" */
/** @import { Snapshot } from "./wire.d.ts" */

/** Who looks on, if it is one side's player. @param {Snapshot} snapshot */
function you({ seats }) {
  const mine = seats.filter((seat) => seat.mine);
  return mine.length === 1 ? ` · ${t("sequence.you", { seat: mine[0].name })}` : "";
}

/** @param {ActionPanel} panel */
export function waiting(panel) {
  const { snapshot } = panel.game;
  const seat = snapshot.seats.find((row) => row.seat === (snapshot.dice.typists[0] ?? snapshot.actor));
  const name = seat?.name ?? panel.game.name(snapshot.actor);
  const bot = seat?.player.startsWith("bot");
  return h(
    "div",
    { class: "prompt", "aria-live": "polite" },
    h("p", { class: "heading" }, snapshot.heading, you(snapshot)),
    h("p", { class: "question" }, t(bot ? "panel.thinking" : snapshot.dice.typists.length ? "panel.waiting-dice" : "panel.waiting", { seat: name })),
    snapshot.trouble ? h("p", { class: "trouble", role: "alert" }, snapshot.trouble) : null,
    bot && snapshot.owner
      ? h(
          "button",
          { class: "quiet", type: "button", onclick: () => panel.tell("pause", !snapshot.paused) },
          icon(snapshot.paused ? "play" : "pause"),
          h("span", {}, t(snapshot.paused ? "panel.resume-bots" : "panel.pause-bots")),
        )
      : null,
  );
}

/** Others' actions are being shown: hold, step, shorten, skip. @param {ActionPanel} panel */
export function playback(panel) {
  const { showtime, entries } = panel.game;
  const entry = entries[entries.length - 1 - showtime.queue.length];
  const button = (/** @type {string} */ key, /** @type {string} */ text, /** @type {() => void} */ run, hint = "") => h("button", { class: "action", type: "button", "data-key": key, onclick: run }, h("span", {}, text), hint ? h("kbd", {}, hint) : null);
  return h(
    "div",
    { class: "prompt" },
    h("p", { class: "heading" }, t("panel.playback", { seat: panel.game.name(entry?.seat ?? "") }), you(panel.game.snapshot)),
    h("p", { class: "question" }, entry?.label ?? ""),
    h(
      "div",
      { class: "showing" },
      button("hold", t(showtime.held ? "panel.go-on-showing" : "panel.pause-showing"), () => showtime.hold(!showtime.held)),
      showtime.held ? button("step", t("panel.step-showing"), () => showtime.next()) : null,
      button("combats-only", t(settings.combatsOnly ? "panel.everything-shown" : "panel.combats-only"), () => panel.tell("combats-only", !settings.combatsOnly)),
      button("skip", t("panel.skip"), () => panel.game.skip(), "Esc"),
    ),
  );
}

/** @param {ActionPanel} panel @param {number} ply */
export function lookingBack(panel, ply) {
  const { game } = panel;
  const entry = game.entries[ply - 1];
  return h(
    "div",
    { class: "prompt back" },
    h("p", { class: "heading" }, t("panel.looking-back", { ply, of: game.snapshot.ply })),
    h("p", { class: "question" }, entry ? entry.label : t("panel.start-position")),
    ...(entry?.events ?? []).map((event) => h("p", { class: "sentence" }, event.text, " ", ruleButton(event.rule))),
    h("button", { class: "action primary", type: "button", onclick: () => panel.tell("present") }, t("panel.present"), h("kbd", {}, "Esc")),
  );
}
