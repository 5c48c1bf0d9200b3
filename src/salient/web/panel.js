/** What to do now: `<action-panel>` with the prompt, the actions that have a button, and how to take things back. */

import { advised } from "./advice.js";
import { isAside, takesBack, takesUp } from "./choice.js";
import { die, facesOf } from "./dice.js";
import { fill, h, icon } from "./dom.js";
import { verdict } from "./endgame.js";
import { t } from "./i18n.js";
import { lookingBack, playback, waiting } from "./idle.js";
import { later } from "./later.js";
import { listOfAll } from "./listing.js";
import "./realdice.js";
import { ruleButton } from "./rule.js";
import { settings } from "./settings.js";
import { allAtOnce, gathering, together, unmoved } from "./together.js";

/** @import { RealDice } from "./realdice.js" */
/** @import { Group } from "./group.js" */
/** @import { GameClient } from "./game.js" */
/** @import { Choice, Fitting } from "./choice.js" */
/** @import { Argument } from "./wire.d.ts" */

const FEW = 12;
const SO_FEW = 6;

/** @typedef {import("./api.js").LegalAction} LegalAction */

export class ActionPanel extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {Choice} */
  choice = later();
  /** @type {Group} */
  group = later();
  /** @type {string | null} the ending action that waits for a second press */
  armed = null;
  /** Whether the list of all legal actions is open. */
  listOpen = false;
  /** @type {number[]} the faces of real dice that were sent last */
  typed = [];
  /** @type {RealDice | null} where they are typed, and the position in which they are rolled */
  tray = null;
  rolledAt = -1;
  pressed = false;
  /** @type {[GameClient, Choice, Group] | null} what was to be shown during a press */
  late = null;
  /** @type {{ unit: string, actions: LegalAction[] } | null} what the unit in hand could do instead of moving */
  instead = null;
  /** @type {Map<string, string>} what is said of an action at its button */
  remarks = new Map();
  /** @type {HTMLElement | undefined} */
  warnings;
  /** Where the pointer was pressed last. */
  pressedAt = "";

  connectedCallback() {
    this.addEventListener("pointerdown", (event) => this.keepStill(event));
  }

  /** Draws nothing anew while a button is being pressed: a button that is replaced under the finger is never clicked. @param {PointerEvent} event */
  keepStill({ clientX, clientY }) {
    this.pressed = true;
    this.pressedAt = `${clientX} ${clientY}`;
    const release = () => setTimeout(() => this.release());
    for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, release, { once: true });
  }

  release() {
    this.pressed = false;
    if (this.late) this.show(...this.late);
  }

  /** @param {GameClient} game @param {Choice} choice @param {Group} group */
  show(game, choice, group) {
    this.late = this.pressed ? [game, choice, group] : null;
    if (this.late) return;
    this.game = game;
    this.choice = choice;
    this.group = group;
    const focus = document.activeElement?.closest?.("action-panel") ? document.activeElement?.getAttribute("data-key") : null;
    if (game.back !== null) fill(this, lookingBack(this, game.back));
    else if (game.playing) fill(this, playback(this));
    else if (game.over) fill(this, this.ended());
    else if (!game.snapshot.yours) fill(this, waiting(this), this.turnBack());
    else if (group.size) fill(this, this.prompt(), together(this), this.foot());
    else fill(this, this.prompt(), this.crumbs(), gathering(this), this.buttons(), unmoved(this), this.foot(), listOfAll(this));
    if (focus) /** @type {HTMLElement | null} */ (this.querySelector(`[data-key="${CSS.escape(focus)}"]`))?.focus();
  }

  /** The units that can be selected now, and how many targets what is selected has. */
  able = () => this.choice.allUnits();
  targets = () => 0;

  /** Draws the same decision anew. */
  refresh() {
    this.show(this.game, this.choice, this.group);
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
      ...pins.map(({ kind, value }) => this.crumb(kind === "unit" ? this.unitName(value) : this.game.placeName(value))),
      pins === this.choice.given ? null : this.letGo("clear", () => this.tell("clear")),
    );
  }

  /** @param {string} name */
  crumb(name) {
    return h("span", { class: "crumb", title: name }, name);
  }

  /** What lets go what is selected. @param {string} key @param {() => void} run */
  letGo(key, run) {
    return h("button", { class: "quiet small", type: "button", "data-key": key, title: t("panel.clear"), "aria-label": t("panel.clear"), onclick: run }, icon("close"), h("kbd", {}, "Esc"));
  }

  /** @param {string} id */
  unitName(id) {
    return this.game.components.units[id]?.name ?? this.game.name(id);
  }

  // ---- actions ---------------------------------------------------------------

  /** Actions that need no further pointing, or all if they are few; what carries the decision out comes first. */
  ready() {
    const { choice } = this;
    const fitting = choice.fitting();
    const isPointed = (/** @type {Argument} */ arg) => arg.kind === "unit" || choice.isPlaceArgument(arg);
    const few = fitting.length <= SO_FEW && !choice.pins.length;
    const pointless = (/** @type {Fitting} */ { action, open }) => few || takesBack(action) || !open.some(isPointed);
    const rank = (/** @type {LegalAction} */ action) => (isAside(action) ? 2 : takesUp(action) ? 0 : Number(action.args.length > 0 || isEnding(action)));
    const ready = [...new Set([...fitting.filter(pointless).map(({ action }) => action), ...this.forItsPlace(), ...choice.otherAsides(), ...choice.plain().filter(isEnding)])];
    const kinds = ready.map(whatever);
    const first = (/** @type {LegalAction} */ action) => kinds.indexOf(whatever(action));
    return [...ready].sort((a, b) => rank(a) - rank(b) || first(a) - first(b) || this.more(a, b));
  }

  /** Of the same thing the most comes first, as it is mostly meant; faces of dice in their order, as keys have them. @param {LegalAction} a @param {LegalAction} b */
  more(a, b) {
    return this.game.snapshot.actor === "chance" ? numberOf(a) - numberOf(b) : numberOf(b) - numberOf(a);
  }

  /** Second thoughts and what the unit in hand could do where it stands, in small. @param {LegalAction[]} shown */
  asides(shown) {
    const buttons = [...shown.flatMap((action, i) => (this.isSmall(action) ? [this.button(action, i)] : [])), ...this.insteadOfMoving()];
    return buttons.length ? h("div", { class: "asides" }, ...buttons) : null;
  }

  /** @param {LegalAction} action */
  isSmall(action) {
    const { pins, given } = this.choice;
    return isAside(action) || (pins === given && given.length > 0 && action.args[0]?.value === given[0].value);
  }

  /** What the unit in hand could have done instead of being taken up. */
  insteadOfMoving() {
    const { choice, instead } = this;
    if (!instead?.actions.length || choice.given[0]?.value !== instead.unit || !choice.cancel()) return [];
    const button = (/** @type {LegalAction} */ action) => h("button", { class: "action", type: "button", "data-action": action.text, onclick: () => this.tell("instead", action) }, h("span", {}, action.label));
    return instead.actions.map(button);
  }

  /** The actions that have a button: a few, and always the way out. */
  shown() {
    const ready = this.ready();
    const ending = ready.filter(isEnding);
    const others = ready.filter((action) => !ending.includes(action));
    return [...others.slice(0, FEW - ending.length), ...ending];
  }

  /** What can be done with the place of the one unit that was picked: its counter lies on it and takes every click. */
  forItsPlace() {
    const { choice } = this;
    const [pin] = choice.pins;
    if (choice.pins.length !== 1 || pin.kind !== "unit" || choice.verb) return [];
    const { where } = this.game.shown.units[pin.value];
    const stays = (/** @type {LegalAction} */ action) => !isAside(action) && action.args.length === 2 && action.args[0].value === pin.value && action.args[1].value === where;
    if (choice.pins === choice.given) return choice.legal.filter(stays);
    return choice.legal.filter(({ args }) => args.length === 1 && choice.isPlaceArgument(args[0]) && args[0].value === where);
  }

  buttons() {
    if (this.realDice()) return this.realDice();
    const { pins, given } = this.choice;
    const inHand = pins === given && given.length > 0; // the prompt itself asks where it goes
    const onMap = inHand ? 0 : this.choice.units().size + this.choice.places().size;
    const shown = this.shown();
    const hidden = this.ready().length - shown.length;
    return h(
      "div",
      { class: `actions ${this.game.snapshot.actor === "chance" ? "dice" : ""}` },
      onMap || this.choice.selecting() || this.targets() ? h("p", { class: "hint" }, this.hint()) : null,
      ...(this.choice.pins === this.choice.given ? allAtOnce(this) : []),
      ...shown.map((action, i) => (this.isSmall(action) || isEnding(action) ? null : this.button(action, i))),
      this.asides(shown),
      hidden ? h("p", { class: "hint" }, t("panel.more", { n: hidden })) : null,
    );
  }

  /** What never leaves the window: how the decision ends, or why it cannot end yet, and how to take things back. */
  foot() {
    const endings = this.shown().flatMap((action, i) => (isEnding(action) ? [this.button(action, i)] : []));
    this.warnings = h("div", { class: "warnings", role: "status" });
    return h("div", { class: "foot" }, this.hindrance(), this.warnings, endings.length ? h("div", { class: "actions" }, ...endings) : null, this.turnBack());
  }

  /** What ending now would cost. @param {import("./api.js").Message[]} messages */
  warn(messages) {
    if (this.warnings) fill(this.warnings, ...messages.map(({ text, rule }) => h("p", { class: "hindrance" }, h("span", {}, text, " ", ruleButton(rule)))));
  }

  /** What is to be said of some actions at their buttons. @param {Map<string, string>} remarks by action */
  remark(remarks) {
    if (!remarks.size && !this.remarks.size) return;
    this.remarks = remarks;
    this.refresh();
  }

  /** Why the decision cannot end yet; the button goes to the units that stand in the way. */
  hindrance() {
    const { hindrance } = this.game.snapshot;
    if (!hindrance) return null;
    return h(
      "p",
      { class: "hindrance", role: "note" },
      h("span", {}, hindrance.text, " ", ruleButton(hindrance.rule)),
      h("button", { class: "quiet small", type: "button", "data-key": "hindrance", onclick: () => this.tell("hindered") }, t("panel.show-where")),
    );
  }

  /** Several dice that people roll are typed face by face; one die is a button for each face. */
  realDice() {
    const { dice, seen } = this.game.snapshot;
    if ((dice.needed ?? []).length < 2) return null;
    if (this.rolledAt !== seen) {
      this.rolledAt = seen;
      this.tray = h("real-dice");
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
    if (this.targets() && !places) return t("group.target", { n: this.choice.pinnedUnits().length });
    if (select && this.choice.pins.length) return t("panel.pick-again", { action: select.label });
    if (units && places) return t("panel.pick-either", { units, places });
    if (this.choice.pins.length && places) return t("panel.pick-place", { n: places });
    if (units) return t("panel.pick-unit", { n: units });
    return t("panel.pick-place", { n: places });
  }

  /** @param {LegalAction} action @param {number} index */
  button(action, index) {
    const armed = this.armed === action.text;
    const foremost = isEnding(action) ? this.isAllThatIsLeft(action) : !isAside(action) && (this.leadsOn(action) || this.isOnlyOne(action));
    const label = armed ? t("panel.again", { action: action.label }) : action.label;
    const more = action.left ?? this.remarks.get(action.text) ?? this.strengthOf(action);
    return h(
      "button",
      {
        class: `action ${foremost ? "primary" : ""} ${armed ? "armed" : ""}`,
        type: "button",
        "data-key": action.text,
        "data-action": action.text,
        onclick: (/** @type {MouseEvent} */ event) => this.clicked(event, action),
        onmousemove: (/** @type {MouseEvent} */ event) => this.pointed(event, action),
        onfocus: () => this.tell("consider", action),
        onmouseleave: () => this.tell("consider", null),
      },
      ...this.faces(action).map(die),
      h("span", {}, label, more ? h("small", { class: "left" }, more) : null),
      index < 9 ? h("kbd", {}, String(index + 1)) : null,
    );
  }

  /** How strong the support is that an action names: it lies on no map where one could read it. @param {LegalAction} action */
  strengthOf({ args }) {
    const assets = args.flatMap(({ value, kind }) => (kind === "asset" ? (this.game.components.assets?.[value] ?? []) : []));
    return assets.length && assets[0].strength ? t("panel.strength", { n: assets[0].strength }) : null;
  }

  /** Whether an action ends a decision with something worthwhile left. @param {LegalAction} action */
  leavesMuch(action) {
    return isEnding(action) && Boolean(action.left);
  }

  /** Whether there is nothing else to do but to have second thoughts. @param {LegalAction} action */
  isAllThatIsLeft(action) {
    return this.choice.legal.every((each) => each === action || isAside(each));
  }

  /** Whether an action carries out what was begun: beside an ending it is one of two ways, and neither is urged. @param {LegalAction} action */
  leadsOn({ args }) {
    return !args.length && !this.choice.legal.some(isEnding);
  }

  /** Whether an action is the only one that fits what was picked. @param {LegalAction} action */
  isOnlyOne(action) {
    const fitting = this.choice.fitting();
    return fitting.length === 1 && fitting[0].action === action && !this.targets();
  }

  /** With real dice the buttons show their faces. @param {LegalAction} action */
  faces(action) {
    return facesOf({ seat: this.game.snapshot.actor, action: action.text });
  }

  /** The second half of a double click counts only where a second press is asked for: else it presses what has come under the pointer. @param {MouseEvent} event @param {LegalAction} action */
  clicked({ detail }, action) {
    if (detail < 2 || this.armed === action.text) this.press(action);
  }

  /** A button that comes under a resting pointer is not looked at. @param {MouseEvent} event @param {LegalAction} action */
  pointed({ clientX, clientY }, action) {
    if (`${clientX} ${clientY}` !== this.pressedAt) this.tell("consider", action);
  }

  /** Plays an action; one that ends a phase while others remain is asked for twice. @param {LegalAction} action */
  press(action) {
    const ask = settings.confirmEnd && this.leavesMuch(action);
    if (ask && this.armed !== action.text) {
      this.armed = action.text;
      this.refresh();
      return;
    }
    this.armed = null;
    this.tell("play", action);
  }

  /** The one action that goes on from here. @returns {LegalAction | null} */
  onward() {
    return this.choice.onward(isEnding);
  }

  /** Plays what was asked for once already; else asks. @param {LegalAction} action */
  confirm(action) {
    const again = this.armed === action.text;
    this.armed = again ? null : action.text;
    if (again) this.tell("play", action);
    else this.refresh();
  }

  /** Forgets a first press on an ending; whether there was one. */
  disarm() {
    if (!this.armed) return false;
    this.armed = null;
    this.refresh();
    return true;
  }

  /** Presses the nth button of the panel. @param {number} index */
  pressNth(index) {
    const action = this.realDice() ? null : this.shown()[index];
    if (action) this.press(action);
  }

  turnBack() {
    const { snapshot } = this.game;
    const canUndo = snapshot.undo_to !== null && snapshot.undo_to < snapshot.ply;
    const button = (/** @type {string} */ what, /** @type {string} */ name, /** @type {string} */ key, /** @type {boolean} */ enabled) =>
      h(
        "button",
        { class: "quiet", type: "button", "data-key": what, "aria-keyshortcuts": key, disabled: !enabled, title: `${t(`panel.${what}`)} (${key})`, onclick: () => this.tell(what) },
        icon(name),
        h("span", { class: what === "redo" || what === "reset" ? "visually-hidden" : "" }, t(what === "advice" ? "panel.ask" : `panel.${what}`)),
      );
    return h(
      "div",
      { class: "turn-back", role: "group", "aria-label": t("panel.undo-group") },
      button("undo", "undo", "U", canUndo),
      button("redo", "redo", "Y", snapshot.can_redo),
      button("reset", "reset", "Shift+U", canUndo),
      advised(snapshot) ? button("advice", "why", "W", true) : null,
    );
  }

  ended() {
    return verdict(this.game, (what) => this.tell(what));
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true }));
  }
}

/** What an action does, in whatever number. @param {LegalAction} action */
function whatever({ verb, args }) {
  return [verb, ...args.filter(({ kind }) => kind !== "n").map(({ value }) => value)].join(" ");
}

/** How many an action is about. @param {LegalAction} action */
function numberOf({ args }) {
  return Number(args.find(({ kind }) => kind === "n")?.value ?? 0);
}

/** @param {LegalAction} action */
function isEnding({ ends }) {
  return ends === "decision";
}

customElements.define("action-panel", ActionPanel);
