/** What to do now: `<action-panel>` with the prompt, the actions, undo and the typed command. */

import { ASIDE, SELECT } from "./choice.js";
import { die, facesOf } from "./dice.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./i18n.js";
import "./realdice.js";
import { ruleButton } from "./rule.js";
import { settings } from "./settings.js";

const ENDING = new Set(["pass", "end", "done"]);
const FEW = 12;
const SO_FEW = 6;
const MANY = 24;

/** @typedef {import("./api.js").LegalAction} LegalAction */

export class ActionPanel extends HTMLElement {
  connectedCallback() {
    /** @type {string | null} the ending action that waits for a second press */
    this.armed = null;
    /** Whether the list of all legal actions is open. */
    this.listOpen = false;
    /** @type {number[]} the faces of real dice that were sent last */
    this.typed = [];
    this.pressed = false;
    this.addEventListener("pointerdown", () => this.keepStill());
  }

  /** Draws nothing anew while a button is being pressed: a button that is replaced under the finger is never clicked. */
  keepStill() {
    this.pressed = true;
    const release = () => setTimeout(() => this.release());
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release, { once: true });
  }

  release() {
    this.pressed = false;
    if (this.late) this.show(...this.late);
  }

  /**
   * @param {import("./game.js").GameClient} game
   * @param {import("./choice.js").Choice} choice
   * @param {import("./group.js").Group} [group]
   */
  show(game, choice, group = this.group) {
    /** @type {Parameters<ActionPanel["show"]> | null} what was to be shown during a press */
    this.late = this.pressed ? [game, choice, group] : null;
    if (this.late) return;
    this.game = game;
    this.choice = choice;
    this.group = group;
    const focus = document.activeElement?.closest?.("action-panel") ? document.activeElement?.getAttribute("data-key") : null;
    if (game.back !== null) fill(this, this.lookingBack());
    else if (game.playing) fill(this, this.playback());
    else if (game.over) fill(this, this.ended());
    else if (!game.snapshot.yours) fill(this, this.waiting(), this.turnBack());
    else if (group?.size) fill(this, this.prompt(), this.together(), this.turnBack());
    else fill(this, this.prompt(), this.crumbs(), this.gathering(), this.buttons(), this.turnBack(), this.everything());
    if (focus) /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${CSS.escape(focus)}"]`))?.focus();
  }

  // ---- the prompt ------------------------------------------------------------

  prompt() {
    const { prompt, heading } = this.game.snapshot;
    return h(
      "div",
      { class: "prompt", "aria-live": "polite" },
      h("p", { class: "heading" }, heading),
      prompt ? h("p", { class: "question" }, prompt.text || prompt.key, " ", ruleButton(prompt.rule)) : null,
    );
  }

  crumbs() {
    const { pins } = this.choice;
    if (!pins.length) return null;
    return h(
      "div",
      { class: "crumbs" },
      ...pins.map(({ kind, value }) => h("span", { class: "crumb" }, kind === "unit" ? this.unitName(value) : this.game.name(value))),
      pins === this.choice.given ? null : h("button", { class: "quiet small", type: "button", onclick: () => this.tell("clear") }, t("panel.clear"), h("kbd", {}, "Esc")),
    );
  }

  unitName(id) {
    return this.game.components.units[id]?.name ?? this.game.name(id);
  }

  // ---- several units as one ----------------------------------------------------

  /** Offers the stack and the formation of the picked unit. */
  gathering() {
    const [unit] = this.choice.pinnedUnits();
    if (!unit || !this.group) return null;
    const able = this.choice.allUnits();
    const many = { stack: this.group.stackOf(unit, able).length, formation: this.group.formationOf(unit, able).length };
    const offer = (what) => (many[what] > 1 ? h("button", { class: "quiet small", type: "button", "data-group": what, onclick: () => this.tell("group", what) }, t(`group.${what}`, { n: many[what] }), h("kbd", {}, what === "stack" ? "S" : "G")) : null);
    return h("div", { class: "crumbs" }, offer("stack"), offer("formation"));
  }

  /** The units that are ordered together, and what the order tried last would do. */
  together() {
    const { units, plan, goal } = this.group;
    const short = (ids) => ids.join(", ");
    return h(
      "div",
      { class: "actions" },
      h("p", { class: "hint" }, plan ? t("group.again", { place: this.game.placeName(goal) }) : t("group.where", { n: units.size })),
      h("div", { class: "crumbs" }, ...[...units].map((id) => h("span", { class: "crumb", title: this.unitName(id) }, id))),
      plan?.stragglers.length ? h("p", { class: "hint" }, t("group.stragglers", { units: short(plan.stragglers) })) : null,
      plan?.held.length ? h("p", { class: "hint" }, t("group.held", { units: short(plan.held) })) : null,
      plan?.actions.length ? h("button", { class: "action primary", type: "button", "data-key": "order", onclick: () => this.group.go(goal) }, t("group.go", { n: Object.keys(plan.ends).length, place: this.game.placeName(goal) }), h("kbd", {}, "Enter")) : null,
      h("button", { class: "action", type: "button", "data-key": "clear-group", onclick: () => this.group.clear() }, t("panel.clear"), h("kbd", {}, "Esc")),
    );
  }

  /** Names every piece of a set at once, where several can be named. */
  all() {
    const sets = Object.entries(this.game.snapshot.sets ?? {}).filter(([, n]) => n > 1);
    return sets.map(([verb, n]) => h("button", { class: "action", type: "button", "data-key": `all-${verb}`, onclick: () => this.group?.carryOut({ each: verb }) }, t("group.all", { n })));
  }

  // ---- actions ---------------------------------------------------------------

  /** Actions that need no further pointing, or all if they are few; what carries the decision out comes first. */
  ready() {
    const { choice } = this;
    const fitting = choice.fitting();
    const isPointed = (arg) => arg.kind === "unit" || choice.isPlaceArgument(arg);
    const pointless = ({ action, open }) => fitting.length <= SO_FEW || action.verb === "drop" || !open.some(isPointed);
    const later = ({ args, verb }) => (ASIDE.has(verb) ? 2 : verb === SELECT ? 0 : Number(args.length > 0 || ENDING.has(verb)));
    return [...fitting.filter(pointless).map(({ action }) => action), ...this.forItsPlace()].sort((a, b) => later(a) - later(b));
  }

  /** Second thoughts, in small. @param {LegalAction[]} shown */
  asides(shown) {
    if (!shown.some(({ verb }) => ASIDE.has(verb))) return null;
    return h("div", { class: "asides" }, ...shown.map((action, i) => (ASIDE.has(action.verb) ? this.button(action, i) : null)));
  }

  /** The actions that have a button: a few, and always the way out. */
  shown() {
    const ready = this.ready();
    const ending = ready.filter(({ verb, args }) => ENDING.has(verb) && !args.length);
    const others = ready.filter((action) => !ending.includes(action));
    return [...others.slice(0, FEW - ending.length), ...ending];
  }

  /** What can be done with the place of the one unit that was picked: its counter lies on it and takes every click. */
  forItsPlace() {
    const { choice } = this;
    const [pin] = choice.pins;
    if (choice.pins.length !== 1 || pin.kind !== "unit" || choice.verb) return [];
    const { where } = this.game.shown.units[pin.value];
    const stays = ({ args, verb }) => !ASIDE.has(verb) && args.length === 2 && args[0].value === pin.value && args[1].value === where;
    if (choice.pins === choice.given) return choice.legal.filter(stays);
    return choice.legal.filter(({ args }) => args.length === 1 && choice.isPlaceArgument(args[0]) && args[0].value === where);
  }

  buttons() {
    if (this.realDice()) return this.realDice();
    const onMap = this.choice.units().size + this.choice.places().size;
    const shown = this.shown();
    const hidden = this.ready().length - shown.length;
    return h(
      "div",
      { class: `actions ${this.game.snapshot.actor === "chance" ? "dice" : ""}` },
      onMap || this.choice.selecting() ? h("p", { class: "hint" }, this.hint()) : null,
      ...(this.choice.pins === this.choice.given ? this.all() : []),
      ...shown.map((action, i) => (ASIDE.has(action.verb) ? null : this.button(action, i))),
      this.asides(shown),
      hidden ? h("p", { class: "hint" }, t("panel.more", { n: hidden })) : null,
    );
  }

  /** Several dice that people roll are typed face by face; one die is a button for each face. */
  realDice() {
    const { dice, seen } = this.game.snapshot;
    if ((dice.needed ?? []).length < 2) return null;
    if (this.rolledAt !== seen) {
      this.rolledAt = seen;
      this.tray = /** @type {import("./realdice.js").RealDice} */ (h("real-dice"));
      this.tray.show(dice.needed, this.game.snapshot.seats[0].name);
    }
    return this.tray;
  }

  /** Ties and hits are rolled again. @param {number[]} needed */
  moreDice(needed) {
    this.tray?.more(needed, this.typed);
    this.tray?.input.focus();
  }

  hint() {
    const units = this.choice.units().size;
    const places = this.choice.places().size;
    const select = this.choice.selecting();
    if (select && this.choice.pins.length) return t("panel.pick-again", { action: select.label });
    if (units && places) return t("panel.pick-either", { units, places });
    if (this.choice.pins.length && places) return t("panel.pick-place", { n: places });
    if (units) return t("panel.pick-unit", { n: units });
    return t("panel.pick-place", { n: places });
  }

  /** @param {LegalAction} action @param {number} index */
  button(action, index) {
    const armed = this.armed === action.text;
    const endsWhileOthersRemain = this.leavesMuch(action);
    const foremost = !endsWhileOthersRemain && !ASIDE.has(action.verb) && (!action.args.length || this.isOnlyOne(action));
    const label = armed ? t("panel.again", { action: action.label }) : action.label;
    return h(
      "button",
      {
        class: `action ${foremost ? "primary" : ""} ${armed ? "armed" : ""}`,
        type: "button",
        "data-key": action.text,
        "data-action": action.text,
        onclick: () => this.press(action),
        onmouseenter: () => this.tell("consider", action),
        onfocus: () => this.tell("consider", action),
        onmouseleave: () => this.tell("consider", null),
      },
      ...this.faces(action).map(die),
      h("span", {}, label),
      index < 9 ? h("kbd", {}, String(index + 1)) : null,
    );
  }

  /** Whether an action ends a decision while others remain; once something is named, it commits that. @param {LegalAction} action */
  leavesMuch(action) {
    const named = this.choice.legal.some(({ verb }) => ASIDE.has(verb));
    return ENDING.has(action.verb) && !named && this.choice.leavesOthers(action);
  }

  /** Whether an action is the only one that fits what was picked. @param {LegalAction} action */
  isOnlyOne(action) {
    const fitting = this.choice.fitting();
    return fitting.length === 1 && fitting[0].action === action;
  }

  /** With real dice the buttons show their faces. */
  faces(action) {
    return facesOf({ seat: this.game.snapshot.actor, action: action.text });
  }

  /** Plays an action; one that ends a phase while others remain is asked for twice. @param {LegalAction} action */
  press(action) {
    const ask = settings.confirmEnd && this.leavesMuch(action);
    if (ask && this.armed !== action.text) {
      this.armed = action.text;
      this.show(this.game, this.choice);
      return;
    }
    this.armed = null;
    this.tell("play", action);
  }

  /** Forgets a first press on an ending; whether there was one. */
  disarm() {
    if (!this.armed) return false;
    this.armed = null;
    this.show(this.game, this.choice);
    return true;
  }

  /** Presses the nth button of the panel. @param {number} index */
  pressNth(index) {
    const action = this.realDice() ? null : this.shown()[index];
    if (action) this.press(action);
  }

  /** Every legal action in words; the list stays open or closed as the player left it. */
  everything() {
    const { legal } = this.choice;
    if (legal.length < 2) return null;
    const box = h("details", { class: "all", open: this.listOpen }, h("summary", { onclick: () => (this.listOpen = !box.hasAttribute("open")) }, t("panel.all", { n: legal.length })));
    const render = () => {
      if (!box.hasAttribute("open") || box.querySelector(".choices")) return;
      const list = h("div", { class: "choices" }, ...this.grouped(legal));
      const filter = /** @type {HTMLInputElement} */ (
        h("input", { type: "search", placeholder: t("panel.filter"), "aria-label": t("panel.filter"), oninput: () => narrow(list, filter.value) })
      );
      box.append(filter, list);
    };
    box.addEventListener("toggle", render);
    render();
    return box;
  }

  /** Long lists by what they begin with: a unit, a hex, a chit; each group opens by itself. */
  grouped(legal) {
    const items = (actions) => h("ul", {}, ...actions.map((action) => h("li", {}, this.listed(action))));
    if (legal.length <= MANY) return [items(legal)];
    /** @type {Map<string, LegalAction[]>} */
    const groups = new Map();
    for (const action of legal) {
      const first = action.args[0]?.value ?? "";
      groups.set(first, [...(groups.get(first) ?? []), action]);
    }
    return [...groups].map(([first, actions]) =>
      actions.length === 1 ? items(actions) : h("details", {}, h("summary", {}, `${this.thingName(first)} (${actions.length})`), items(actions)),
    );
  }

  /** A unit with its place, a hex with its name, or another thing in words. @param {string} value */
  thingName(value) {
    const { game } = this;
    const where = game.shown.units[value]?.where;
    const place = (hex) => [hex, game.hexes?.[hex]?.place].filter(Boolean).join(" ");
    if (where) return `${this.unitName(value)} · ${game.hexes?.[where] ? place(where) : game.name(where)}`;
    return game.hexes?.[value] ? place(value) : game.name(value);
  }

  listed(action) {
    return h(
      "button",
      {
        class: "listed",
        type: "button",
        "data-action": action.text,
        onclick: () => this.tell("play", action),
        onfocus: () => this.tell("consider", action),
        onmouseenter: () => this.tell("consider", action),
      },
      h("span", {}, action.label),
      h("code", {}, action.text),
    );
  }

  turnBack() {
    const { snapshot } = this.game;
    const canUndo = snapshot.undo_to !== null && snapshot.undo_to < snapshot.ply;
    const button = (what, name, key, enabled) =>
      h(
        "button",
        { class: "quiet", type: "button", "data-key": what, "aria-keyshortcuts": key, disabled: !enabled, title: `${t(`panel.${what}`)} (${key})`, onclick: () => this.tell(what) },
        icon(name),
        h("span", {}, t(`panel.${what}`)),
      );
    return h(
      "div",
      { class: "turn-back", role: "group", "aria-label": t("panel.undo-group") },
      button("undo", "undo", "U", canUndo),
      button("redo", "redo", "Y", snapshot.can_redo),
      button("reset", "reset", "Shift+U", canUndo),
    );
  }

  // ---- when there is nothing to decide -----------------------------------------

  waiting() {
    const { snapshot } = this.game;
    const seat = snapshot.seats.find((row) => row.seat === snapshot.actor);
    const name = seat?.name ?? this.game.name(snapshot.actor);
    const bot = seat?.player.startsWith("bot");
    return h(
      "div",
      { class: "prompt", "aria-live": "polite" },
      h("p", { class: "heading" }, snapshot.heading),
      h("p", { class: "question" }, bot ? t("panel.thinking", { seat: name }) : t("panel.waiting", { seat: name })),
      snapshot.trouble ? h("p", { class: "trouble", role: "alert" }, snapshot.trouble) : null,
      bot && snapshot.owner
        ? h(
            "button",
            { class: "quiet", type: "button", onclick: () => this.tell("pause", !snapshot.paused) },
            icon(snapshot.paused ? "play" : "pause"),
            h("span", {}, t(snapshot.paused ? "panel.resume-bots" : "panel.pause-bots")),
          )
        : null,
    );
  }

  playback() {
    const entry = this.game.entries[this.game.entries.length - 1 - (this.game.queue?.length ?? 0)];
    return h(
      "div",
      { class: "prompt" },
      h("p", { class: "heading" }, t("panel.playback", { seat: this.game.name(entry?.seat ?? "") })),
      h("p", { class: "question" }, entry?.label ?? ""),
      h("button", { class: "action", type: "button", onclick: () => this.game.skip() }, t("panel.skip"), h("kbd", {}, "Esc")),
    );
  }

  lookingBack() {
    const { game } = this;
    const entry = game.entries[game.back - 1];
    return h(
      "div",
      { class: "prompt back" },
      h("p", { class: "heading" }, t("panel.looking-back", { ply: game.back, of: game.snapshot.ply })),
      h("p", { class: "question" }, entry ? entry.label : t("panel.start-position")),
      ...(entry?.events ?? []).map((event) => h("p", { class: "sentence" }, event.text, " ", ruleButton(event.rule))),
      h("button", { class: "action primary", type: "button", onclick: () => this.tell("present") }, t("panel.present"), h("kbd", {}, "Esc")),
    );
  }

  ended() {
    const { result } = this.game.snapshot;
    return h(
      "div",
      { class: "prompt over" },
      h("p", { class: "heading" }, t("panel.over")),
      h("p", { class: "verdict" }, result?.winner ? t("panel.winner", { seat: this.game.name(result.winner) }) : t("panel.draw")),
      h("p", { class: "question" }, result?.text ?? "", " ", ruleButton(result?.rule ?? "")),
      h("button", { class: "action primary", type: "button", onclick: () => this.tell("verify") }, icon("dice"), h("span", {}, t("dice.verify"))),
      h("button", { class: "action", type: "button", onclick: () => this.tell("report") }, icon("report"), h("span", {}, t("menu.report"))),
    );
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

function narrow(list, text) {
  const wanted = text.trim().toLocaleLowerCase();
  for (const item of list.querySelectorAll("li")) item.hidden = !item.textContent.toLocaleLowerCase().includes(wanted);
  for (const group of list.querySelectorAll("details")) {
    group.hidden = !group.querySelector("li:not([hidden])");
    group.open = Boolean(wanted);
  }
}

customElements.define("action-panel", ActionPanel);
