/** The table: `<salient-table>` joins the board and the panels for one game. */

import { AdvisedTurn } from "./advised.js";
import { AfterFrame } from "./afterframe.js";
import { Attention } from "./attention.js";
import { Beacons } from "./beacons.js";
import { Choice, listed } from "./choice.js";
import { Considering } from "./considering.js";
import { Cursor } from "./cursor.js";
import { announce, failed, notice, openDialog } from "./dialogs.js";
import { openDice } from "./dice.js";
import { changed, fill, h } from "./dom.js";
import { EdgeLayer } from "./edges.js";
import { openFind } from "./find.js";
import { furnish, label } from "./furniture.js";
import { GameClient } from "./game.js";
import { Group } from "./group.js";
import { Lesson } from "./lesson.js";
import { openHelp } from "./help.js";
import { lang, t } from "./i18n.js";
import { Input } from "./input.js";
import { listenToKeys } from "./keyboard.js";
import { later } from "./later.js";
import { Motion } from "./motion.js";
import { Overlays } from "./overlays.js";
import { Plans } from "./plans.js";
import { ruleButton } from "./rule.js";
import { Showing } from "./showing.js";
import { Sight } from "./sight.js";
import { Spots } from "./spots.js";
import { describeUnit } from "./stack.js";
import { Strategic } from "./strategic.js";
import { openTextView } from "./textview.js";
import { WhyNot } from "./why.js";
import { wire } from "./wiring.js";

/** @import { Entry } from "./api.js" */
/** @import { Said, View } from "./wire.d.ts" */

/** How long the places of what matters have a ring, in milliseconds. */
const NEWS = 2500;

export class SalientTable extends HTMLElement {
  /** @type {GameClient} */
  game = later();
  /** @type {Attention | undefined} */
  attention;
  /** @type {Lesson | AdvisedTurn | undefined} what leads a beginner */
  guide;
  /** The present list of legal actions, by what tells it from others. */
  choiceKey = "";
  /** What waits for the frame after: a new list of actions, the whole table, the focus after an own action. */
  due = { choice: false, all: false, focus: false };
  around = new AfterFrame(() => this.renderAround());
  choice = new Choice([], () => false);
  /** @type {string | null} the place that the stack panel shows */
  place = null;
  stopKeys = () => {};
  onLanguage = () => this.reword();
  onRule = (/** @type {Event} */ event) => this.help({ tab: "rules", rule: /** @type {CustomEvent} */ (event).detail });

  // What stands on the table (furniture.js).
  /** @type {import("./board.js").SalientBoard} */
  board = later();
  /** @type {import("./sequence.js").SequenceBar} */
  sequence = later();
  /** @type {import("./panel.js").ActionPanel} */
  panel = later();
  /** @type {import("./tray.js").TableTray} */
  tray = later();
  /** @type {import("./charts.js").TableCharts} */
  charts = later();
  /** @type {import("./strips.js").BattleStrips} */
  strips = later();
  /** @type {import("./stack.js").StackPanel} */
  stack = later();
  /** @type {import("./odds.js").OddsPanel} */
  odds = later();
  /** @type {import("./log.js").GameLog} */
  log = later();
  /** @type {import("./openings.js").OpeningBook} */
  openings = later();
  /** @type {import("./rulebook.js").RuleBook} */
  rules = later();
  /** @type {import("./replay.js").ReplayBar} */
  replay = later();
  /** @type {import("./minimap.js").MiniMap} */
  minimap = later();
  /** @type {import("./dice.js").DiceTray} */
  diceTray = later();
  /** @type {HTMLElement} */
  legend = later();
  /** @type {import("./digest.js").TurnDigest} */
  digest = later();
  /** @type {import("./advice.js").PlanAdvice} */
  advice = later();
  /** @type {import("./analysis.js").GameAnalysis} */
  analysis = later();
  /** @type {HTMLElement} */
  beaconLayer = later();
  /** @type {HTMLElement} */
  offline = later();
  /** @type {import("./situation.js").SituationPanel} */
  situation = later();
  /** @type {import("./calendar.js").ArrivalCalendar} */
  calendar = later();
  /** @type {import("./tables.js").ReferenceTables} */
  tables = later();
  /** @type {import("./tabs.js").SideTabs} */
  tabs = later();

  // What works with it, each concern in its own module.
  /** @type {EdgeLayer} */
  edges = later();
  /** @type {Spots} */
  spots = later();
  /** @type {Motion} */
  motion = later();
  /** @type {Strategic} */
  strategic = later();
  /** @type {Beacons} */
  beacons = later();
  /** @type {Overlays} */
  overlays = later();
  /** @type {WhyNot} */
  why = later();
  /** @type {Group} */
  group = later();
  /** @type {Plans} */
  plans = later();
  /** @type {Sight} */
  sight = later();
  /** @type {Considering} */
  considering = later();
  /** @type {Cursor} */
  cursor = later();
  /** @type {Showing} */
  showing = later();
  /** @type {Input} */
  input = later();

  /** @param {string} id @param {string} manner how it is played: a plain `game`, a lesson (`guide`) or `advised` */
  async open(id, manner) {
    this.game = new GameClient(id);
    await this.game.load();
    if (!this.isConnected) return this.game.close();
    Object.assign(this, furnish(this));
    this.equip();
    wire(this);
    this.stopKeys = listenToKeys(this);
    document.addEventListener("language", this.onLanguage);
    document.addEventListener("open-rule", this.onRule);
    this.render();
    this.around.now();
    this.board.begin(this.sight.start());
    this.sight.orient();
    this.sight.uncovered = null;
    this.sight.uncover();
    requestAnimationFrame(() => this.board.counterLayer.classList.add("lively"));
    this.attention = new Attention(this);
    if (manner === "guide") this.guide = new Lesson(this);
    if (manner === "advised") this.guide = new AdvisedTurn(this);
  }

  /** What works with the parts: each concern has its own module and finds the others on the table. */
  equip() {
    const { game } = this;
    this.board.setMap(game.map);
    this.board.pieces.spread = game.components.stacks === "spread";
    this.edges = new EdgeLayer(this.board);
    this.spots = new Spots(this.board);
    this.motion = new Motion(this.board.pieces);
    this.strategic = new Strategic(this.board);
    this.beacons = new Beacons(this.board, this.beaconLayer);
    this.minimap.attach(this.board);
    this.advice.attach(this);
    this.overlays = new Overlays(game, this.board, this.legend);
    this.why = new WhyNot(game);
    this.group = new Group(game);
    this.plans = new Plans(this);
    this.sight = new Sight(this);
    this.considering = new Considering(this);
    this.cursor = new Cursor(this);
    this.showing = new Showing(this);
    this.input = new Input(this);
  }

  async reword() {
    for (const page of [this.situation, this.calendar, this.tables]) fill(page);
    await this.game.reword();
    this.board.setImages(this.game.map);
    announce("");
    this.render();
  }

  disconnectedCallback() {
    this.game?.close();
    for (const part of [this.why, this.considering, this.overlays, this.guide, this.attention]) part?.remove();
    this.stopKeys();
    document.removeEventListener("language", this.onLanguage);
    document.removeEventListener("open-rule", this.onRule);
  }

  // ---- showing -------------------------------------------------------------------

  /** The pages that load what they show: each does so only while it is in sight. */
  showPages() {
    for (const part of [this.situation, this.calendar, this.tables, this.openings, this.rules]) part.show(this.game);
  }

  /** What the player looks at comes at once: the map, its counters and marks, the decision. */
  render() {
    const { game } = this;
    this.renewChoice();
    this.board.pieces.show(game.components.units, game.shown.units, (id) => describeUnit(game, id), game.wording);
    this.motion.show();
    this.board.pieces.showMarkers(game.shown.markers ?? [], (key) => game.name(key));
    this.edges.show(game.shown.edges ?? [], (key) => game.name(key));
    this.strips.show(game);
    this.sight.uncover();
    this.sight.uncoverFromDice();
    this.classList.toggle("looking-back", game.back !== null);
    if (game.back !== null) this.showing.follow(game.past.moveAt(game.back));
    this.due.all = true;
    this.showing.choice();
  }

  /** Everything around it. */
  renderAround() {
    if (!this.isConnected) return;
    const { choice, all, focus } = this.due;
    this.due = { choice: false, all: false, focus: false };
    if (choice) this.tabs.back();
    this.showing.around();
    if (all) this.renderRest();
    if (focus) this.keepFocus();
    if (choice) this.askAboutChoice();
  }

  /** The bar above, the tabs, the log, the replay, the minimap. */
  renderRest() {
    const { game } = this;
    const title = `${game.snapshot.yours ? `● ${t("title.your-move")} · ` : ""}${game.snapshot.name} · Salient`;
    if (document.title !== title) document.title = title;
    if (changed(this, [game.wording, lang(), game.snapshot.name])) {
      fill(/** @type {HTMLElement} */ (this.querySelector(".game-title")), game.snapshot.name);
      label(this);
    }
    this.sequence.show(game);
    this.tabs.label();
    this.showPages();
    this.log.show(game);
    this.replay.show(game);
    if (this.overlays.chosen.size) this.overlays.draw();
    if (game.over) this.tabs.once("situation");
    this.guide?.update();
  }

  /** A new list of legal actions begins a new choice. */
  renewChoice() {
    const { game, board, considering } = this;
    const key = `${game.wording}|${game.snapshot.seen}|${game.choosing}|${game.snapshot.legal?.length}`;
    if (key === this.choiceKey) return;
    this.choiceKey = key;
    const selected = game.changedElsewhere ? this.input.selected() : [];
    const boxes = new Set((game.components.places ?? []).map(({ id }) => id));
    this.choice = new Choice(game.choosing ? (game.snapshot.legal ?? []) : [], (place) => board.geometry.has(place) || boxes.has(place));
    board.picksPlace = (place) => this.choice.places().has(place) && !this.input.picksIn(place);
    this.cursor.restart();
    considering.forget();
    this.plans.forget();
    this.panel.choice = this.choice;
    this.input.expectSecondClick();
    this.why.hide();
    this.advice.close();
    this.group.clear();
    this.due.choice = true;
    this.sight.revealFocus();
    this.sight.orient();
    if (selected.length && game.choosing) this.input.keep(selected);
  }

  /** What a new choice would do is asked for when it is shown: the answers take their time anyway. */
  askAboutChoice() {
    this.considering.lookAtButtons();
    this.considering.loadCosts();
    this.plans.load();
  }

  // ---- playing -------------------------------------------------------------------

  /** @param {import("./api.js").LegalAction} action */
  play(action) {
    this.ready(action);
    if (this.game.choosing) this.showing.expect(action);
    return this.command(action.text);
  }

  /** @param {string} text */
  async command(text) {
    await this.game.play(text);
    this.due.focus = true;
    this.around.soon();
  }

  /** Clears away what was said about the moment before. @param {import("./api.js").LegalAction} [action] what is carried out */
  ready(action) {
    this.why.hide();
    this.showing.trail = null;
    this.digest.close();
    this.strips.putAway();
    this.considering.commit(action);
  }

  /** The keyboard stays with the map, whatever becomes of the counter or the button that was pressed. */
  keepFocus() {
    const { viewport } = this.board;
    const active = document.activeElement;
    if (active !== viewport && (viewport.contains(active) || active === document.body)) viewport.focus({ preventScroll: true });
  }

  /** @param {"undo" | "redo" | "reset"} what */
  turnBack(what) {
    this.showing.trail = null;
    return this.game.turnBack(what);
  }

  // ---- what happens ----------------------------------------------------------------

  /** @param {import("./api.js").Entry} entry */
  played(entry) {
    this.considering.played(entry);
    if (entry.roll?.panel) this.strips.throw(this.game, entry);
    else this.diceTray.throw(entry);
    announce(entry.label ?? "");
    this.motion.note(entry);
    this.spots.ring(entry.events.filter(({ news }) => news).flatMap(({ args }) => listed(args, "hex")), NEWS);
    this.showing.played(entry);
  }

  /** Others have finished: the camera returns, and a card says what happened. @param {Entry[]} entries @param {View} before */
  turnOver(entries, before) {
    if (entries.some(({ seat }) => seat !== "chance")) this.sight.comeBack();
    this.digest.show(this.game, entries, before);
  }

  /** @param {string} message @param {Said[]} refusals */
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
      this.cursor.go(place);
      this.cursor.unit = unit;
      this.showing.choice();
    });
  }

  textView() {
    openTextView(this.game, (text) => this.command(text));
  }

  openOverlays() {
    openDialog(t("overlays.title"), this.overlays.menu(), { name: "overlays-menu", modal: true });
  }

  /** Runs the analysis of the finished game, where the situation is told. */
  analyse() {
    this.tabs.open("situation");
    return this.analysis.begin(this.game);
  }

  dice() {
    return openDice(this.game).catch(failed);
  }

  help(what = {}) {
    openHelp({ game: this.game.snapshot.game, title: this.game.snapshot.title, ...what });
  }
}

customElements.define("salient-table", SalientTable);
