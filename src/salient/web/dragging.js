/** Dragging on the map: a counter that can go somewhere is carried, Ctrl or the right button draws a box, the ground pans. */

import { h } from "./dom.js";

const DRAG = 6;

/** @typedef {{ id: number, unit: string | null, place: string | null, more: boolean, x: number, y: number, moved: boolean, shape: HTMLElement | null, over?: string | null }} Held */

export class Dragging {
  /** @param {import("./board.js").SalientBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {Held | null} */
    this.held = null;
    /** Whether a counter can be carried somewhere now. */
    this.liftable = (/** @type {string} */ _unit) => false;
    board.camera.taken = (event) => this.take(event);
    const { viewport } = board;
    viewport.addEventListener("pointermove", (event) => this.move(event));
    viewport.addEventListener("pointerup", (event) => this.release(event));
    viewport.addEventListener("pointercancel", () => this.letGo());
    viewport.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** Whether a press begins a drag that is not the map's. @param {PointerEvent} event */
  take(event) {
    if (event.pointerType === "touch") return false;
    const boxes = event.button === 2 || (event.button === 0 && event.ctrlKey);
    const counter = /** @type {HTMLElement} */ (event.target).closest?.(".counter");
    const unit = counter instanceof HTMLElement && event.button === 0 && !event.shiftKey ? (counter.dataset.unit ?? null) : null;
    if (!boxes && !(unit && this.liftable(unit))) return false;
    const place = unit ? (this.board.pieces.pieces.get(unit)?.place ?? null) : null;
    this.held = { id: event.pointerId, unit: boxes ? null : unit, place, more: event.shiftKey, x: event.clientX, y: event.clientY, moved: false, shape: null };
    return true;
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { held, board } = this;
    if (!held || event.pointerId !== held.id) return;
    if (!held.moved && Math.hypot(event.clientX - held.x, event.clientY - held.y) < DRAG) return;
    if (!held.moved) this.begin(held, event);
    if (!held.unit) return this.stretch(held, event);
    this.carry(held, event);
    const place = this.placeAt(event);
    if (place !== held.over) board.tell("point", { unit: null, place, x: event.clientX, y: event.clientY });
    held.over = place;
  }

  /** @param {Held} held @param {PointerEvent} event */
  begin(held, event) {
    const { board } = this;
    held.moved = true;
    board.camera.dragged = true;
    board.viewport.setPointerCapture(event.pointerId);
    board.viewport.classList.add("dragging");
    held.shape = held.unit ? this.ghost(held.unit) : h("div", { class: "select-box" });
    board.viewport.append(held.shape);
    if (held.unit) board.tell("lift", { unit: held.unit, place: held.place, x: held.x, y: held.y });
  }

  /** A counter in the hand. @param {string} unit */
  ghost(unit) {
    const { element } = /** @type {import("./pieces.js").Piece} */ (this.board.pieces.pieces.get(unit));
    const ghost = h("div", { class: "carried" });
    ghost.append(/** @type {Element} */ (element.firstElementChild).cloneNode(true));
    const side = element.getBoundingClientRect().width;
    Object.assign(ghost.style, { width: `${side}px`, height: `${side}px` });
    return ghost;
  }

  /** @param {Held} held @param {PointerEvent} event */
  carry({ shape }, event) {
    if (!shape) return;
    const box = this.board.viewport.getBoundingClientRect();
    Object.assign(shape.style, { left: `${event.clientX - box.left}px`, top: `${event.clientY - box.top}px` });
  }

  /** @param {Held} held @param {PointerEvent} event */
  stretch({ shape, x, y }, event) {
    if (!shape) return;
    const box = this.board.viewport.getBoundingClientRect();
    const edge = (/** @type {number} */ a, /** @type {number} */ b) => [Math.min(a, b), Math.abs(a - b)];
    const [left, width] = edge(x, event.clientX);
    const [top, height] = edge(y, event.clientY);
    Object.assign(shape.style, { left: `${left - box.left}px`, top: `${top - box.top}px`, width: `${width}px`, height: `${height}px` });
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { held, board } = this;
    if (!held || event.pointerId !== held.id) return;
    this.letGo();
    if (!held.moved) return;
    if (held.unit) return board.tell("drop", { unit: held.unit, from: held.place, place: this.placeAt(event), x: event.clientX, y: event.clientY });
    const [a, b] = [board.camera.toMap(held.x, held.y), board.camera.toMap(event.clientX, event.clientY)];
    const box = { left: Math.min(a.x, b.x), right: Math.max(a.x, b.x), top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) };
    board.tell("box", { box, more: held.more });
  }

  letGo() {
    this.held?.shape?.remove();
    this.held = null;
    this.board.viewport.classList.remove("dragging");
  }

  /** @param {PointerEvent} event */
  placeAt(event) {
    return this.board.geometry.placeAt(this.board.camera.toMap(event.clientX, event.clientY));
  }
}
