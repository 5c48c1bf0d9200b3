/** What is in sight: where the camera begins and goes, and what must not lie on what matters. */

import { listed } from "./choice.js";

export class Sight {
  /** @param {import("./table.js").SalientTable} table */
  constructor(table) {
    this.table = table;
    /** @type {string | null} the place that the strips are about */
    this.uncovered = null;
    /** @type {{ scale: number, x: number, y: number } | null} where the camera was when others began */
    this.left = null;
  }

  /** Where an argument lies: a unit's place, or the place itself. @param {string} value @returns {string} */
  placeOf(value) {
    return this.table.game.shown.units[value]?.where ?? value;
  }

  /** What the prompt speaks of, by kind of argument. @param {string[]} kinds */
  promptSpeaksOf(...kinds) {
    const args = this.table.game.snapshot.prompt?.args ?? {};
    return kinds.flatMap((kind) => listed(args, kind));
  }

  /** The units that keep the decision from ending, else those that the prompt speaks of. */
  unitsInFocus() {
    const hindering = this.hindering();
    return hindering.length ? hindering : this.promptSpeaksOf("unit");
  }

  /** The units that keep the decision from ending. */
  hindering() {
    return listed(this.table.game.snapshot.hindrance?.args ?? {}, "unit");
  }

  /** Goes to what keeps the decision from ending. */
  showHindrance() {
    const places = [...this.hindering().map((id) => this.placeOf(id)), ...listed(this.table.game.snapshot.hindrance?.args ?? {}, "hex")];
    if (places.length) this.table.board.goTo(places[0]);
  }

  /** Where to look first: at what may be chosen, else at the units of who decides. */
  start() {
    const { snapshot, components } = this.table.game;
    const { choice, board } = this.table;
    const focus = [...this.promptSpeaksOf("hex"), ...choice.pinnedUnits().map((id) => this.placeOf(id))].filter((place) => board.geometry.has(place));
    if (focus.length) return focus;
    const chosen = choice.units().size ? [...choice.units()].map((id) => this.placeOf(id)) : [...choice.places()];
    if (chosen.some((place) => board.geometry.has(place))) return chosen;
    return Object.entries(snapshot.view.units).flatMap(([id, live]) => (components.units[id]?.side === snapshot.actor && live.where ? [live.where] : []));
  }

  /** Where something can be chosen on the map. */
  choosable() {
    const { choice, board } = this.table;
    const places = [...choice.places(), ...[...choice.units()].map((id) => this.placeOf(id))];
    return [...new Set(places)].filter((place) => board.geometry.has(place));
  }

  /** The camera goes to the decision if nothing of it is in sight. */
  orient() {
    if (this.table.game.choosing) this.table.board.showSome(this.choosable());
  }

  /** Others begin to act, and the camera will follow them. */
  leave() {
    const { scale, x, y } = this.table.board.camera;
    this.left = { scale, x, y };
  }

  /** Returns from others' actions to where the player was, then to the decision. */
  comeBack() {
    const { left } = this;
    this.left = null;
    if (left) this.table.board.camera.set(left.scale, left.x, left.y);
    this.revealFocus();
    this.orient();
  }

  /** Brings into sight what the prompt speaks of, if it is one place. */
  revealFocus() {
    if (!this.table.game.choosing) return;
    const places = new Set([...this.promptSpeaksOf("hex", "bridge"), ...this.promptSpeaksOf("unit").map((id) => this.placeOf(id))]);
    if (places.size === 1) this.table.board.reveal([...places][0]);
  }

  /** What can be chosen beside the map has its tab lit; if there is nothing else, it is brought into sight. */
  turnToForces() {
    const { game, choice, board, tabs } = this.table;
    const beside = game.choosing ? tabs.pages.get("forces")?.querySelector(".tray-unit.selectable, .table-chip.selectable, .chart-cell > .action, .tray-box .action") : null;
    tabs.light(beside ? "forces" : null);
    if (!beside) return;
    const asked = this.promptSpeaksOf("unit").filter((id) => choice.units().has(id));
    if (this.choosable().length && !asked.some((id) => !board.geometry.has(this.placeOf(id)))) return;
    tabs.open("forces");
    beside.scrollIntoView({ block: "nearest" });
  }

  /** The strips lie above or below, wherever the hex is not that they are about. */
  uncover() {
    const { board, strips } = this.table;
    const place = strips.hidden ? null : strips.place;
    if (place === this.uncovered) return;
    this.uncovered = place;
    if (!place) return;
    board.reveal(place);
    strips.classList.remove("above");
    strips.classList.toggle("above", this.covered(place));
    if (this.covered(place)) board.camera.pan(0, strips.getBoundingClientRect().bottom + this.hexOnScreen() - this.inWindow(place).y);
  }

  /** The dice lie above or below, wherever they cover nothing that the decision is about. */
  uncoverFromDice() {
    const { diceTray, board } = this.table;
    if (!diceTray.childElementCount) return;
    const spoken = [...this.promptSpeaksOf("hex", "bridge"), ...this.promptSpeaksOf("unit").map((id) => this.placeOf(id))];
    const places = spoken.filter((place) => board.geometry.has(place));
    diceTray.classList.remove("below");
    diceTray.classList.toggle("below", places.some((place) => this.covered(place, diceTray)));
  }

  /** Whether something lies on a hex, or touches it. @param {string} place @param {HTMLElement} [cover] */
  covered(place, cover = this.table.strips) {
    const box = cover.getBoundingClientRect();
    const { x, y } = this.inWindow(place);
    const r = this.hexOnScreen();
    return x > box.left - r && x < box.right + r && y > box.top - r && y < box.bottom + r;
  }

  /** From the middle of a hex to a corner, in pixels of the window. */
  hexOnScreen() {
    const { geometry, camera } = this.table.board;
    return geometry.size * camera.scale;
  }

  /** Where a place of the map lies in the window. @param {string} place */
  inWindow(place) {
    const { board } = this.table;
    const p = board.camera.toScreen(board.geometry.point(place));
    const box = board.viewport.getBoundingClientRect();
    return { x: p.x + box.left, y: p.y + box.top };
  }
}
