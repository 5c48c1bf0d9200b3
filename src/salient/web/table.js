/** The table: `<salient-table>` joins the board and the panels for one game. */

import { request } from "./api.js";
import "./board.js";
import { Beacons } from "./beacons.js";
import { charted } from "./charts.js";
import { Choice } from "./choice.js";
import { announce, notice, openDialog } from "./dialogs.js";
import { openDice } from "./dice.js";
import "./digest.js";
import { fill, h, icon } from "./dom.js";
import { EdgeLayer } from "./edges.js";
import { openFind } from "./find.js";
import { GameClient } from "./game.js";
import { isHexside } from "./geometry.js";
import { Group } from "./group.js";
import { Guide } from "./guide.js";
import { openHelp } from "./help.js";
import { t } from "./i18n.js";
import { listenToKeys, shortcuts } from "./keyboard.js";
import "./log.js";
import { exportReport, openMenu } from "./menu.js";
import "./minimap.js";
import { Note } from "./note.js";
import "./odds.js";
import { Overlays } from "./overlays.js";
import "./panel.js";
import "./replay.js";
import { ruleButton } from "./rule.js";
import "./sequence.js";
import "./stack.js";
import { describeUnit } from "./stack.js";
import "./strips.js";
import { openTextView } from "./textview.js";
import "./tabs.js";
import "./tray.js";
import { WhyNot } from "./why.js";

const MOST_COSTS = 120;
const MOST_BUTTONS = 6;

export class SalientTable extends HTMLElement {
  /** @param {string} id @param {boolean} guided */
  async open(id, guided) {
    this.game = new GameClient(id);
    this.group = new Group(this.game);
    await this.game.load();
    this.build();
    this.listen();
    this.board.setMap(this.game.map);
    this.board.pieces.spread = this.game.components.stacks === "spread";
    this.edges = new EdgeLayer(this.board);
    this.beacons = new Beacons(this.board, this.beaconLayer);
    this.minimap.attach(this.board);
    this.overlays = new Overlays(this.game, this.board, this.legend);
    this.why = new WhyNot(this.game);
    this.remark = new Note("below");
    this.render();
    this.board.begin(this.startingPlaces());
    this.orient();
    this.uncovered = null;
    this.uncover();
    requestAnimationFrame(() => this.board.counterLayer.classList.add("lively"));
    if (guided) this.guide = new Guide(this);
  }

  /** Where to look first: at what may be chosen, else at the units of who decides. */
  startingPlaces() {
    const { snapshot, components } = this.game;
    const focus = [...listed(snapshot.prompt?.args ?? {}, "hex"), ...this.choice.pinnedUnits().map((id) => this.placeOf(id))];
    if (focus.length) return focus;
    const chosen = [...this.choice.units()].map((id) => this.placeOf(id));
    if (chosen.length) return chosen;
    return Object.entries(snapshot.view.units).flatMap(([id, live]) => (components.units[id]?.side === snapshot.actor && live.where ? [live.where] : []));
  }

  build() {
    const make = (tag, props = {}) => /** @type {any} */ (h(tag, props));
    this.board = make("salient-board");
    this.sequence = make("sequence-bar");
    this.panel = make("action-panel");
    this.tray = make("table-tray");
    this.charts = make("table-charts");
    this.strips = make("battle-strips", { hidden: true });
    this.stack = make("stack-panel", { hidden: true });
    this.odds = make("odds-panel", { hidden: true });
    this.log = make("game-log");
    this.replay = make("replay-bar");
    this.minimap = make("mini-map");
    this.diceTray = make("dice-tray", { "aria-live": "polite" });
    this.legend = h("div", { class: "legend", hidden: true });
    this.digest = make("turn-digest", { hidden: true, "aria-live": "polite" });
    this.beaconLayer = h("div", { class: "beacons" });
    this.offline = h("p", { class: "offline", role: "alert", hidden: true });
    const tool = (name, key, run) => h("button", { class: "quiet tool", type: "button", "data-tool": name, onclick: run }, icon(name), h("span", { class: "visually-hidden", "data-t": key }));
    this.tabs = make("side-tabs");
    this.tabs.build([
      { id: "here", content: [this.stack] },
      { id: "forces", content: [this.tray, this.charts] },
      { id: "log", content: [this.log] },
    ]);
    this.toolbar = h(
      "div",
      { class: "toolbar" },
      tool("find", "menu.find", () => this.find()),
      tool("overlays", "overlays.title", () => this.openOverlays()),
      tool("zoom-in", "key.zoom-in", () => this.board.camera.zoom(1.3)),
      tool("zoom-out", "key.zoom-out", () => this.board.camera.zoom(1 / 1.3)),
      tool("fit", "key.fit", () => this.board.camera.fit()),
    );
    fill(
      this,
      h("header", { class: "top" }, tool("menu", "menu.title", () => openMenu(this)), h("h1", { class: "game-title" }), this.sequence, tool("help", "menu.help", () => this.help())),
      h("main", { class: "map-area" }, this.board, this.beaconLayer, this.toolbar, this.minimap, this.legend, this.strips, this.diceTray, this.digest, this.offline),
      h("aside", { class: "side", "data-label": "panel.title", "aria-label": t("panel.title") }, this.panel, this.odds, this.tabs),
      h("footer", { class: "bottom" }, this.replay),
    );
  }

  listen() {
    const { game, panel } = this;
    const on = (target, type, run) => target.addEventListener(type, (event) => run(event.detail));
    for (const type of ["shown", "snapshot"]) on(game, type, () => this.render());
    on(game, "entries", () => this.log.show(game));
    on(game, "played", (entry) => this.played(entry));
    on(game, "refused", ({ message, refusals }) => this.refused(message, refusals));
    on(game, "more-dice", (needed) => panel.moreDice(needed));
    on(game, "turn-over", ({ entries, before }) => this.digest.show(game, entries, before));
    on(this.digest, "go", (place) => this.board.goTo(place));
    on(this.digest, "arrows", (moves) => this.showTrails(moves));
    on(game, "connection", () => this.connection());
    on(game, "gone", () => this.gone());
    on(this.board, "pick", (pointed) => this.pick(pointed));
    on(this.board, "point", (pointed) => this.point(pointed));
    on(this.stack, "pick", (pointed) => this.pick(pointed));
    on(this.tray, "pick", (pointed) => this.pick(pointed));
    on(this.charts, "pick", (pointed) => this.pick(pointed));
    on(panel, "play", (action) => this.play(action));
    on(panel, "consider", (action) => this.consider(action));
    on(panel, "clear", () => this.clearChoice());
    on(panel, "faces", (faces) => game.roll((panel.typed = faces)));
    for (const what of ["undo", "redo", "reset"]) on(panel, what, () => this.turnBack(what));
    on(panel, "present", () => this.replay.present());
    on(panel, "verify", () => this.dice());
    on(panel, "report", () => exportReport(game));
    on(panel, "pause", (paused) => request("PATCH", `games/${game.id}`, { ...game.eyes(), body: { paused } }).then((snapshot) => game.settle(snapshot)));
    on(this.log, "look", (ply) => game.look(ply));
    this.group.addEventListener("changed", () => this.renderChoice());
    on(panel, "group", (what) => this.gather(what));
    this.stopKeys = listenToKeys(this);
    this.onLanguage = async () => {
      await game.reword();
      this.board.setImages(game.map);
      announce("");
      for (const element of this.querySelectorAll("[data-label]")) element.setAttribute("aria-label", t(element.getAttribute("data-label") ?? ""));
      this.render();
    };
    this.onRule = (event) => this.help({ tab: "rules", rule: event.detail });
    document.addEventListener("language", this.onLanguage);
    document.addEventListener("open-rule", this.onRule);
  }

  disconnectedCallback() {
    this.game?.close();
    this.why?.remove();
    this.remark?.remove();
    this.overlays?.remove();
    this.guide?.remove();
    this.stopKeys?.();
    document.removeEventListener("language", this.onLanguage);
    document.removeEventListener("open-rule", this.onRule);
  }

  // ---- showing -------------------------------------------------------------------

  render() {
    const { game } = this;
    this.renewChoice();
    const title = /** @type {HTMLElement} */ (this.querySelector(".game-title"));
    fill(title, game.snapshot.name);
    document.title = `${game.snapshot.yours ? `● ${t("title.your-move")} · ` : ""}${game.snapshot.name} · Salient`;
    for (const label of this.querySelectorAll("[data-t]")) {
      const text = t(label.getAttribute("data-t") ?? "");
      label.textContent = text;
      label.parentElement?.setAttribute("title", text);
    }
    this.board.pieces.show(game.components.units, game.shown.units, (id) => describeUnit(game, id));
    this.board.pieces.showMarkers(game.shown.markers ?? [], (key) => game.name(key));
    this.edges.show(game.shown.edges ?? [], (key) => game.name(key));
    this.strips.show(game);
    this.uncover();
    this.sequence.show(game);
    this.tabs.label();
    this.log.show(game);
    this.replay.show(game);
    this.minimap.show(game);
    if (this.overlays.chosen.size) this.overlays.draw();
    this.classList.toggle("looking-back", game.back !== null);
    if (game.back !== null) this.follow(game.moveAt(game.back));
    this.renderChoice();
    this.guide?.update();
  }

  /** Shows where a move of the past went. @param {string[] | null} trail */
  follow(trail) {
    this.trail = trail;
    if (trail && this.board.geometry.has(trail[trail.length - 1])) this.board.reveal(trail[trail.length - 1]);
  }

  /** A new list of legal actions begins a new choice. */
  renewChoice() {
    const { game } = this;
    const key = `${game.snapshot.seen}|${game.choosing}|${game.snapshot.legal?.length}`;
    if (key === this.choiceKey) return;
    this.choiceKey = key;
    const places = new Set((game.components.places ?? []).map(({ id }) => id));
    this.choice = new Choice(game.choosing ? (game.snapshot.legal ?? []) : [], (place) => this.board.geometry.has(place) || places.has(place));
    this.board.picksPlace = (place) => this.choice.places().has(place) && !this.picksIn(place);
    this.cycling = null;
    this.considered = null;
    this.preview = {};
    this.panel.armed = null;
    this.costs = new Map();
    this.why.hide();
    this.group.clear();
    this.tabs.back();
    this.revealFocus();
    if (this.board.geometry) this.orient();
    this.considerDefault();
    this.loadCosts();
  }

  /** Where something can be chosen on the map. */
  choosable() {
    const places = [...this.choice.places(), ...[...this.choice.units()].map((id) => this.placeOf(id))];
    return [...new Set(places)].filter((place) => this.board.geometry.has(place));
  }

  /** The camera goes to the decision if nothing of it is in sight. */
  orient() {
    if (this.game.choosing) this.board.showSome(this.choosable());
  }

  /** Brings into sight what the prompt speaks of, if it is one place. */
  revealFocus() {
    if (!this.game.choosing) return;
    const args = this.game.snapshot.prompt?.args ?? {};
    const places = new Set([...listed(args, "hex"), ...listed(args, "bridge"), ...listed(args, "unit").map((id) => this.placeOf(id))]);
    if (places.size === 1) this.board.reveal([...places][0]);
  }

  /** The strips lie above or below, wherever the hex is not that they are about. */
  uncover() {
    const place = this.strips.hidden ? null : this.strips.place;
    if (place === this.uncovered) return;
    this.uncovered = place;
    if (!place) return;
    this.board.reveal(place);
    this.strips.classList.remove("above");
    this.strips.classList.toggle("above", this.covered(place));
    if (this.covered(place)) this.board.camera.pan(0, this.strips.getBoundingClientRect().bottom + this.hexOnScreen() - this.screenPoint(place).y);
  }

  /** Whether the strips lie on a hex, or touch it. @param {string} place */
  covered(place) {
    const box = this.strips.getBoundingClientRect();
    const { x, y } = this.screenPoint(place);
    const r = this.hexOnScreen();
    return x > box.left - r && x < box.right + r && y > box.top - r && y < box.bottom + r;
  }

  /** From the middle of a hex to a corner, in pixels of the window. */
  hexOnScreen() {
    return this.board.geometry.size * this.board.camera.scale;
  }

  renderChoice() {
    const { game, choice } = this;
    const selected = new Set([...choice.pinnedUnits(), ...this.group.units]);
    const selectable = choice.pins.length ? new Set([...choice.units(), ...choice.allUnits()]) : choice.units();
    const args = game.snapshot.prompt?.args ?? {};
    const focus = new Set(game.choosing ? [...listed(args, "unit")] : []);
    this.board.pieces.mark(selectable, selected, focus);
    this.board.hexsides = [...choice.places()].filter(isHexside);
    this.showMarks();
    const choosable = game.choosing ? this.choosable() : [];
    this.beacons.show(choosable);
    this.minimap.light(choosable);
    this.panel.show(game, choice, this.group);
    this.stack.show(game, this.place ?? null, { selectable, selected });
    const marks = { selectable, selected, places: choice.places(), things: choice.things() };
    this.tray.show(game, (place) => this.board.geometry.has(place), charted(game.shown), marks);
    this.charts.show(game, marks);
    this.turnToForces();
    this.showOdds();
  }

  /** What can be chosen only beside the map is brought into sight. */
  turnToForces() {
    if (!this.game.choosing) return;
    const asked = listed(this.game.snapshot.prompt?.args ?? {}, "unit").filter((id) => this.choice.units().has(id));
    if (this.choosable().length && !asked.some((id) => !this.board.geometry.has(this.placeOf(id)))) return;
    const beside = this.tabs.querySelector(".tray-unit.selectable, .table-chip.selectable, .chart-cell > .action, .tray-box .action");
    if (!beside) return;
    this.tabs.open("forces");
    beside.scrollIntoView({ block: "nearest" });
  }

  showMarks() {
    const { game, choice, preview } = this;
    const selected = choice.pins.findLast(({ value }) => this.board.geometry.has(this.placeOf(value)));
    const hostileTo = game.snapshot.actor;
    const sides = (place) => (this.board.pieces.stacks.get(place) ?? []).map((id) => game.components.units[id].side);
    const legal = new Map(
      [...choice.places()].map((place) => [place, { hostile: sides(place).some((side) => side !== hostileTo), cost: this.costs.get(place) }]),
    );
    const odds = preview.odds;
    const args = game.snapshot.prompt?.args ?? {};
    this.board.marks.show({
      legal,
      veil: choice.pins.length > 0,
      selected: selected ? this.placeOf(selected.value) : null,
      focus: game.choosing ? [...listed(args, "hex"), ...listed(args, "bridge")] : [],
      path: preview.path,
      orders: this.orderTrails(),
      arrows: odds ? [...new Set((odds.attackers ?? []).map(({ unit }) => game.shown.units[unit]?.where))].map((from) => [from, odds.target]) : [],
      moved: [...(this.trails ?? []), ...(this.trail ? [this.trail] : [])].filter((way) => way.every((place) => this.board.geometry.has(place))),
      cursor: this.cursorShown ? this.cursor : null,
    });
  }

  /** Where the units of a tried order would go. */
  orderTrails() {
    const ends = Object.entries(this.group.plan?.ends ?? {});
    return ends.map(([unit, end]) => [this.placeOf(unit), end]).filter(([from, end]) => this.board.geometry.has(from) && from !== end);
  }

  /** Where others' counters went. @param {[string, string][]} trails */
  showTrails(trails) {
    this.trails = trails;
    this.showMarks();
  }

  /** Where a pinned argument lies: a unit's place, or the place itself. */
  placeOf(value) {
    return this.game.shown.units[value]?.where ?? value;
  }

  // ---- choosing ------------------------------------------------------------------

  /** @param {import("./board.js").Pointed} pointed */
  pick(pointed) {
    this.why.hide();
    this.overlays.point(pointed.place, pointed);
    this.place = pointed.place ?? this.place;
    this.cursor = pointed.place ?? this.cursor;
    if (this.game.playing) return this.game.skip();
    if (!this.game.choosing) return this.renderChoice();
    if (this.pickGroup(pointed)) return;
    if (!this.choice.pick(pointed)) {
      if (pointed.unit || this.choice.pins.length || !pointed.place) this.why.ask(this.choice, pointed);
      if (!pointed.unit) this.choice.clear();
      if (this.board.geometry.has(pointed.place ?? "")) this.tabs.open("here");
      return this.renderChoice();
    }
    const decided = this.choice.decided();
    if (decided && !(pointed.unit && !decided.names) && !this.waitsForMore(pointed)) return this.play(decided);
    this.cycling = null;
    this.costs = new Map();
    if (this.choice.places().size) this.board.pieces.fan(null);
    this.orient();
    this.considerDefault();
    this.renderChoice();
    this.loadCosts();
  }

  /** Shift gathers units; with some gathered, a click on another place orders them there. @param {import("./board.js").Pointed} pointed */
  pickGroup({ unit, place, more }) {
    const able = this.choice.allUnits();
    if (unit && more && able.has(unit)) {
      for (const pinned of this.choice.pinnedUnits()) this.group.take([pinned]);
      this.choice.clear();
      this.group.toggle(unit);
      return true;
    }
    if (!this.group.size || (unit && able.has(unit))) {
      this.group.clear();
      return false;
    }
    if (place && this.board.geometry.has(place)) this.group.go(place);
    return true;
  }

  /** The stack or the formation of what is selected, or of what the pointer is on. @param {"stack" | "formation"} what */
  gather(what) {
    const unit = [...this.group.units, ...this.choice.pinnedUnits(), this.pointedUnit].find((id) => id && this.game.shown.units[id]);
    if (!unit || !this.game.choosing) return;
    const able = this.choice.allUnits();
    this.choice.clear();
    this.group.take(what === "stack" ? this.group.stackOf(unit, able) : this.group.formationOf(unit, able));
  }

  /** A unit that could also be picked for something longer is not played at once. */
  waitsForMore(pointed) {
    if (!pointed.unit || this.choice.pins.at(-1)?.kind !== "unit") return false;
    return this.choice.fitting().length > 1 || this.panel.forItsPlace().length > 0;
  }

  /** Whether a unit of a place can be picked: its stack opens, even if the place itself can be picked, too. @param {string} place */
  picksIn(place) {
    const units = this.choice.units();
    return (this.board.pieces.stacks.get(place) ?? []).some((id) => units.has(id));
  }

  /** @param {import("./api.js").LegalAction} action */
  play(action) {
    this.why.hide();
    this.remark.hide();
    this.trail = null;
    this.digest.close();
    this.card = null;
    this.committed = this.preview.odds ?? this.committed;
    return this.command(action.text);
  }

  /** @param {string} text */
  async command(text) {
    await this.game.play(text);
    if (this.board.viewport.contains(document.activeElement) || document.activeElement === document.body) this.board.viewport.focus({ preventScroll: true });
  }

  turnBack(what) {
    this.trail = null;
    return this.game.turnBack(what);
  }

  clearChoice() {
    this.choice.clear();
    this.costs = new Map();
    this.cycling = null;
    this.considerDefault();
    this.renderChoice();
  }

  escape() {
    this.why.hide();
    this.board.pieces.fan(null);
    if (this.panel.disarm()) return;
    if (this.group.size) return this.group.clear();
    if (this.game.playing) this.game.skip();
    else if (this.game.back !== null) this.replay.present();
    else if (this.choice.pins.length) {
      this.choice.back();
      this.cycling = null;
      this.considerDefault();
      this.renderChoice();
    } else this.clearChoice();
  }

  // ---- what an action would do -----------------------------------------------------

  /** @param {import("./api.js").LegalAction | null} action @param {{ x: number, y: number }} [at] where the pointer is on the map */
  async consider(action, at) {
    if (!action) return this.considerDefault();
    if (this.considered === action.text) return;
    this.considered = action.text;
    const preview = await this.game.preview(action.text);
    if (this.considered !== action.text) return;
    this.preview = preview;
    this.showOdds();
    this.showMarks();
    const remarks = [preview.note, ...(preview.effects ?? [])].filter(Boolean);
    if (remarks.length && at) this.remark.show(remarks.map(({ text, rule }) => h("p", {}, text, " ", ruleButton(rule))), at);
    else this.remark.hide();
  }

  /** With nothing pointed at: the odds of what the buttons would do now. */
  async considerDefault() {
    this.considered = null;
    this.remark.hide();
    const { choice } = this;
    const plain = choice.pins.length ? choice.complete() : choice.plain();
    const few = choice.fitting().length <= MOST_BUTTONS ? choice.fitting().map(({ action }) => action) : [];
    const previews = await Promise.all([...plain, ...few].slice(0, MOST_BUTTONS).map(({ text }) => this.game.preview(text)));
    if (this.considered !== null || choice !== this.choice) return;
    this.preview = previews.find(({ odds }) => odds) ?? {};
    this.showOdds();
    this.showMarks();
  }

  /** The odds of what is being decided, else the card of the last combat. */
  showOdds() {
    const { game, preview, card } = this;
    if (game.back !== null) this.odds.show(game, null);
    else if (preview.odds || !card) this.odds.show(game, preview.odds);
    else this.odds.show(game, card.odds, card.rolled);
  }

  /** Costs of every place within reach, as far as the game states them. */
  async loadCosts() {
    const { choice } = this;
    if (!choice.pins.length) return;
    const places = [...choice.places()].slice(0, MOST_COSTS);
    await Promise.all(
      places.map(async (place) => {
        const action = choice.wouldPlay(place);
        const { cost } = action ? await this.game.preview(action.text) : {};
        if (cost !== undefined && cost !== null) this.costs.set(place, String(cost));
      }),
    );
    if (choice === this.choice && this.costs.size) this.showMarks();
  }

  /** @param {import("./board.js").Pointed} pointed */
  point(pointed) {
    this.pointedUnit = pointed.unit;
    this.why.hide();
    this.overlays.point(pointed.place, pointed);
    if (!this.game.choosing) return this.inspect(pointed);
    const { choice } = this;
    const place = pointed.place && choice.places().has(pointed.place) ? pointed.place : null;
    const may = place || (pointed.unit && (choice.units().has(pointed.unit) || choice.allUnits().has(pointed.unit)));
    if (place) this.consider(choice.wouldPlay(place), pointed);
    else if (this.considered) this.considerDefault();
    if (!may && (pointed.unit || (pointed.place && choice.pins.length)) && pointed.x) this.why.soon(choice, pointed);
    this.inspect(pointed);
  }

  /** The stack panel follows the pointer until a place is picked. */
  inspect({ place }) {
    if (!place || place === this.place || !this.board.pieces.stacks.has(place)) return;
    this.place = place;
    const { choice } = this;
    this.stack.show(this.game, place, { selectable: choice.allUnits(), selected: new Set(choice.pinnedUnits()) });
  }

  // ---- by keyboard -----------------------------------------------------------------

  moveCursor(dx, dy) {
    const { geometry } = this.board;
    const start = this.cursor ?? this.place ?? this.nearestToMiddle();
    this.goCursor(this.cursorShown ? geometry.step(start, dx, dy) : start);
  }

  nearestToMiddle() {
    const view = this.board.camera.visible();
    const middle = { x: (view.left + view.right) / 2, y: (view.top + view.bottom) / 2 };
    return this.board.geometry.placeAt(middle) ?? [...this.board.geometry.centres.keys()][0];
  }

  goCursor(place) {
    this.cursor = place;
    this.cursorShown = true;
    this.board.reveal(place);
    this.point({ unit: null, place, x: 0, y: 0 });
    this.overlays.point(place, this.screenPoint(place));
    this.showMarks();
    announce(this.describePlace(place));
  }

  describePlace(place) {
    const { game } = this;
    const hex = game.hexes?.[place];
    const units = (this.board.pieces.stacks.get(place) ?? []).map((id) => describeUnit(game, id));
    const legal = this.choice.places().has(place) ? t("board.legal") : "";
    const what = hex ? game.name(hex.terrain) : isHexside(place) ? t("board.hexside") : game.name(place);
    return [place, hex?.place, what, ...units, legal, ...this.overlays.about(place)].filter(Boolean).join(", ");
  }

  /** Goes to the next thing that can be picked. @param {number} step */
  cycle(step) {
    const { choice } = this;
    const units = choice.pins.length ? [] : [...choice.units()];
    const things = units.length ? units : [...choice.places(), ...choice.units()];
    if (!things.length) return announce(t("board.nothing"));
    const at = this.cycling === null ? (step > 0 ? -1 : 0) : this.cycling;
    this.cycling = (at + step + things.length) % things.length;
    const thing = things[this.cycling];
    const unit = choice.units().has(thing) ? thing : null;
    this.cycled = unit;
    const place = unit ? this.placeOf(thing) : thing;
    if (!this.board.geometry.has(place)) return this.charts.focusOn(thing) || this.tray.focusOn(unit, place);
    this.goCursor(place);
    if (unit) {
      this.board.pieces.fan(this.placeOf(unit));
      this.board.pieces.pieces.get(unit)?.element.focus({ preventScroll: true });
      announce(describeUnit(this.game, unit));
    } else this.board.viewport.focus({ preventScroll: true });
  }

  /** Enter picks what the cursor or the cycle stands on. */
  pickCursor() {
    const decided = this.choice.decided();
    if (decided && this.choice.pins !== this.choice.given) return this.play(decided);
    if (this.group.plan && this.group.goal) return this.group.go(this.group.goal);
    if (!this.cursor) return;
    const stack = this.board.pieces.stacks.get(this.cursor) ?? [];
    const able = stack.filter((id) => this.choice.units().has(id));
    const unit = this.cycled && stack.includes(this.cycled) ? this.cycled : (able[0] ?? stack.at(-1) ?? null);
    this.cycled = null;
    this.pick({ unit: this.choice.places().has(this.cursor) && !able.length ? null : unit, place: this.cursor, ...this.screenPoint(this.cursor) });
  }

  /** Where a place lies in the window. @param {string} place */
  screenPoint(place) {
    const { camera, geometry } = this.board;
    const p = camera.toScreen(geometry.centre(place) ?? { x: 0, y: 0 });
    const box = this.board.viewport.getBoundingClientRect();
    return { x: p.x + box.left, y: p.y + box.top };
  }

  // ---- what happens ----------------------------------------------------------------

  /** @param {import("./api.js").Entry} entry */
  played(entry) {
    if (entry.roll && this.committed) this.card = { odds: this.committed, rolled: entry };
    if (entry.roll) this.committed = null;
    if (entry.roll?.panel) this.strips.throw(this.game, entry);
    else this.diceTray.throw(entry);
    announce(entry.label);
    const moved = Object.entries(entry.change?.units ?? {}).find(([id, unit]) => unit?.where && this.board.pieces.pieces.get(id)?.place !== unit.where);
    if (!moved) return;
    const [id, { where }] = moved;
    const from = this.board.pieces.pieces.get(id)?.place;
    this.trail = from ? [from, where] : null;
    if (this.game.playing) this.board.reveal(where);
  }

  refused(message, refusals) {
    const reasons = refusals.map((refusal) => h("span", {}, refusal.text, " ", ruleButton(refusal.rule)));
    notice(reasons.length ? reasons : [message], "bad");
  }

  connection() {
    this.offline.hidden = this.game.connected;
    fill(this.offline, t("error.reconnecting"));
  }

  gone() {
    notice([t("error.gone")], "bad");
    location.hash = "";
  }

  // ---- dialogs -----------------------------------------------------------------------

  find() {
    openFind(this.game, this.board, (unit, place) => {
      this.place = place;
      this.goCursor(place);
      this.cycled = unit;
      this.renderChoice();
    });
  }

  textView() {
    openTextView(this.game, (text) => this.command(text));
  }

  openOverlays() {
    openDialog(t("overlays.title"), this.overlays.menu(), { name: "overlays-menu", modal: true });
  }

  dice() {
    return openDice(this.game).catch((error) => notice([error.message], "bad"));
  }

  /** Plays the other side's last turn again. */
  replayEnemy() {
    const { entries, snapshot } = this.game;
    const mine = new Set(snapshot.seats.filter(({ mine: yes }) => yes).map(({ seat }) => seat));
    let last = entries.length;
    while (last > 0 && (mine.has(entries[last - 1].seat) || entries[last - 1].seat === "chance")) last--;
    let first = last;
    while (first > 0 && !mine.has(entries[first - 1].seat)) first--;
    if (last > first) this.replay.playFrom(first);
    else notice([t("replay.no-enemy")]);
  }

  help(what = {}) {
    openHelp({ game: this.game.snapshot.game, keys: shortcuts(this), ...what });
  }
}

/** The values of a message's arguments of one kind: `unit`, `units`, `unit_lead` ... */
function listed(args, kind) {
  return Object.entries(args)
    .filter(([name]) => [kind, `${kind}s`, `${kind}es`].includes(name.split("_")[0]))
    .flatMap(([, value]) => value)
    .map(String);
}

customElements.define("salient-table", SalientTable);
