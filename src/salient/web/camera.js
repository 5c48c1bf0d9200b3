/** The camera over the map: pan, zoom to the pointer, pinch, fit. It moves one element by a CSS transform. */

const MAX_SCALE = 3;
const SETTLE = 140;
const DRAG = 5;

export class Camera extends EventTarget {
  /** @param {HTMLElement} viewport @param {HTMLElement} stage */
  constructor(viewport, stage) {
    super();
    this.viewport = viewport;
    this.stage = stage;
    /** The window's size: asking for it in every frame would cost a layout each time. */
    this.window = { clientWidth: viewport.clientWidth, clientHeight: viewport.clientHeight };
    /** Where the press began. */
    this.start = { x: 0, y: 0 };
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.width = 1;
    this.height = 1;
    /** @type {Map<number, PointerEvent>} */
    this.pointers = new Map();
    /** Whether the last press became a drag, so that its click means nothing. */
    this.dragged = false;
    /** Whether a press begins a drag of something else than the map. */
    this.taken = (/** @type {PointerEvent} */ _event) => false;
    this.listen();
  }

  /** Remembers the window's size. */
  measure() {
    const { clientWidth, clientHeight } = this.viewport;
    this.window = { clientWidth, clientHeight };
  }

  /** The map's size in stage units. @param {number} width @param {number} height */
  setSize(width, height) {
    this.width = width;
    this.height = height;
  }

  get minScale() {
    return Math.min(this.window.clientWidth / this.width, this.window.clientHeight / this.height, 1) * 0.9;
  }

  /** Shows the whole map. */
  fit() {
    const { clientWidth, clientHeight } = this.window;
    const scale = Math.min(clientWidth / this.width, clientHeight / this.height) * 0.98;
    this.set(scale, (clientWidth - this.width * scale) / 2, (clientHeight - this.height * scale) / 2);
  }

  /** Fills the window with the map, at a scale between two that suit its counters. @param {number} least @param {number} most */
  cover(least, most) {
    const { clientWidth, clientHeight } = this.window;
    const [whole, filling] = [clientWidth / this.width, clientHeight / this.height].sort((a, b) => a - b);
    const scale = Math.max(whole * 0.98, Math.min(Math.max(filling, least), most));
    this.set(scale, (clientWidth - this.width * scale) / 2, (clientHeight - this.height * scale) / 2);
  }

  /** @param {number} scale @param {number} x @param {number} y */
  set(scale, x, y) {
    this.scale = Math.min(MAX_SCALE, Math.max(this.minScale, scale));
    const { clientWidth, clientHeight } = this.window;
    this.x = clampPan(x, this.width * this.scale, clientWidth);
    this.y = clampPan(y, this.height * this.scale, clientHeight);
    this.apply();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.set(this.scale, this.x + dx, this.y + dy);
  }

  /** Zooms and keeps the point under (px, py) of the viewport where it is. @param {number} factor @param {number} [px] @param {number} [py] */
  zoom(factor, px = this.window.clientWidth / 2, py = this.window.clientHeight / 2) {
    const scale = Math.min(MAX_SCALE, Math.max(this.minScale, this.scale * factor));
    const ratio = scale / this.scale;
    this.set(scale, px - (px - this.x) * ratio, py - (py - this.y) * ratio);
  }

  /** Brings a point of the map to the middle. @param {{ x: number, y: number }} p @param {number} [scale] */
  centreOn(p, scale = this.scale) {
    this.set(scale, this.window.clientWidth / 2 - p.x * scale, this.window.clientHeight / 2 - p.y * scale);
  }

  /** Moves only as far as needed to show a point with a margin. @param {{ x: number, y: number }} p @param {number} [margin] */
  reveal(p, margin = 90) {
    const at = this.toScreen(p);
    const { clientWidth: w, clientHeight: h } = this.window;
    const dx = at.x < margin ? margin - at.x : at.x > w - margin ? w - margin - at.x : 0;
    const dy = at.y < margin ? margin - at.y : at.y > h - margin ? h - margin - at.y : 0;
    if (dx || dy) this.pan(dx, dy);
  }

  /** Whether a point of the map is in the window, not merely at its edge. @param {{ x: number, y: number }} p @param {number} [margin] */
  sees(p, margin = 12) {
    const { x, y } = this.toScreen(p);
    const { clientWidth, clientHeight } = this.window;
    return x > margin && y > margin && x < clientWidth - margin && y < clientHeight - margin;
  }

  /** Shows a box of the map, no closer than now and no farther than a scale. @param {{ left: number, top: number, right: number, bottom: number }} box @param {number} least */
  frame(box, least) {
    const { clientWidth, clientHeight } = this.window;
    const room = Math.min(clientWidth / (box.right - box.left), clientHeight / (box.bottom - box.top));
    this.centreOn({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 }, Math.max(least, Math.min(this.scale, room)));
  }

  /** @param {{ x: number, y: number }} p */
  toScreen(p) {
    return { x: p.x * this.scale + this.x, y: p.y * this.scale + this.y };
  }

  /** The map point under a point of the page. @param {number} clientX @param {number} clientY */
  toMap(clientX, clientY) {
    const box = this.viewport.getBoundingClientRect();
    return { x: (clientX - box.left - this.x) / this.scale, y: (clientY - box.top - this.y) / this.scale };
  }

  /** What is visible, in stage units. */
  visible() {
    return {
      left: -this.x / this.scale,
      top: -this.y / this.scale,
      right: (this.window.clientWidth - this.x) / this.scale,
      bottom: (this.window.clientHeight - this.y) / this.scale,
    };
  }

  apply() {
    this.stage.style.transform = `translate3d(${this.x}px, ${this.y}px, 0) scale(${this.scale})`;
    this.stage.classList.add("moving");
    clearTimeout(this.timer);
    // Once still, the browser draws everything again sharply at the new scale.
    this.timer = setTimeout(() => {
      this.stage.classList.remove("moving");
      this.dispatchEvent(new Event("settled"));
    }, SETTLE);
    this.dispatchEvent(new Event("moved"));
  }

  // ---- pointer, wheel, pinch -------------------------------------------------

  listen() {
    const v = this.viewport;
    v.addEventListener("pointerdown", (event) => this.down(event));
    v.addEventListener("pointermove", (event) => this.move(event));
    v.addEventListener("pointerup", (event) => this.up(event));
    v.addEventListener("pointercancel", (event) => this.up(event));
    v.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => {
      this.measure();
      this.set(this.scale, this.x, this.y);
    }).observe(v);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (!this.pointers.size) this.dragged = false;
    if (this.taken(event) || event.button > 1) return;
    this.pointers.set(event.pointerId, event);
    if (this.pointers.size === 1) this.start = { x: event.clientX, y: event.clientY };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    if (!this.dragged && Math.hypot(event.clientX - this.start.x, event.clientY - this.start.y) < DRAG) return;
    if (!this.dragged) {
      this.dragged = true;
      this.viewport.setPointerCapture(event.pointerId);
      this.viewport.classList.add("dragging");
    }
    if (this.pointers.size === 1) this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    else this.pinch(before, event);
    this.pointers.set(event.pointerId, event);
  }

  /** @param {PointerEvent} before @param {PointerEvent} event */
  pinch(before, event) {
    const other = [...this.pointers.values()].find((p) => p.pointerId !== event.pointerId);
    if (!other) return;
    const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
    const is = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    const box = this.viewport.getBoundingClientRect();
    const middle = { x: (event.clientX + other.clientX) / 2 - box.left, y: (event.clientY + other.clientY) / 2 - box.top };
    this.pan((event.clientX - before.clientX) / 2, (event.clientY - before.clientY) / 2);
    if (was > 0) this.zoom(is / was, middle.x, middle.y);
  }

  /** @param {PointerEvent} event */
  up(event) {
    this.pointers.delete(event.pointerId);
    if (!this.pointers.size) this.viewport.classList.remove("dragging");
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const box = this.viewport.getBoundingClientRect();
    const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY;
    this.zoom(Math.exp(-Math.max(-120, Math.min(120, pixels)) * 0.002), event.clientX - box.left, event.clientY - box.top);
  }
}

/** Keeps the map on the screen: centred if smaller than the window, never further away than a margin if larger. @param {number} offset @param {number} size @param {number} window */
function clampPan(offset, size, window) {
  const margin = 60;
  if (size <= window) return (window - size) / 2;
  return Math.min(margin, Math.max(window - size - margin, offset));
}
