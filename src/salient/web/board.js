/** The map with its counters: `<salient-board>`. It draws, and tells what was picked or pointed at; it knows no rules. */

import { Camera } from "./camera.js";
import { NAME } from "./counters.js";
import { Dragging } from "./dragging.js";
import { h, s } from "./dom.js";
import { Geometry } from "./geometry.js";
import { t } from "./i18n.js";
import { later } from "./later.js";
import { MarksLayer } from "./marks.js";
import { Pieces } from "./pieces.js";
import { settings } from "./settings.js";

const FAN_AFTER = 260;
const AFTER_PRESS = 700;
/** The least letters on the screen, in pixels; a counter whose name would have smaller ones shows none. */
const LEAST_LETTER = 9;
const FAR = (LEAST_LETTER * 100) / NAME;
const READABLE = 48;
/** The smallest of counters that lie side by side in a hex. */
const SMALL = 0.5;
const NEAR = 54;
const COMFORTABLE = 62;
const FINGERTIP = 20;
const BADGE = 0.28;

/** @import { MapAnswer } from "./wire.d.ts" */
/** @typedef {{ unit: string | null, place: string | null, touch?: boolean, more?: boolean, stack?: boolean, again?: boolean, x: number, y: number }} Pointed */

export class SalientBoard extends HTMLElement {
  image = h("img", { class: "map", alt: "", draggable: "false" });
  overlaySvg = s("svg", { class: "overlay", "aria-hidden": "true" });
  under = s("svg", { class: "marks under", "aria-hidden": "true" });
  over = s("svg", { class: "marks over", "aria-hidden": "true" });
  counterLayer = h("div", { class: "counters" });
  ground = s("svg", { class: "ground", "aria-hidden": "true" });
  stage = h("div", { class: "stage" }, this.ground, this.image, this.overlaySvg, this.under, this.counterLayer, this.over);
  viewport = h("div", { class: "viewport", tabindex: "0", role: "application", "data-label": "board.label", "aria-label": t("board.label") }, this.stage);
  /** @type {Camera} */
  camera = later();
  /** @type {Pieces} */
  pieces = later();
  marks = new MarksLayer(this.under, this.over);
  /** @type {Dragging} */
  dragging = later();
  /** @type {Geometry} */
  geometry = later();
  /** @type {{ ratio: number, url: string }[]} the pictures of the map, the smallest first */
  images = [];
  /** The picture that comes with the client, and the one that is shown. */
  small = "";
  imageUrl = "";
  /** @type {string[]} hexsides that can be picked now */
  hexsides = [];
  /** @type {Pointed | undefined} what the pointer was on */
  last;
  /** @type {number | undefined} */
  fanTimer;
  /** What lies on the map at its left edge. @type {HTMLElement[]} */
  covers = [];
  /** When the pointer was last pressed or let go. */
  pressedAt = -Infinity;
  /** Whether a click on this place should pick it at once rather than open its stack. */
  picksPlace = (/** @type {string} */ _place) => false;

  connectedCallback() {
    if (this.viewport.isConnected) return;
    this.image.addEventListener("load", () => this.ground.remove());
    this.append(this.viewport);
    this.camera = new Camera(this.viewport, this.stage);
    this.pieces = new Pieces(this.counterLayer, this.camera);
    this.dragging = new Dragging(this);
    this.camera.addEventListener("settled", () => {
      this.detail();
      this.sharpen();
    });
    this.listen();
  }

  /** @param {MapAnswer} map */
  setMap(map) {
    this.geometry = new Geometry(map.geometry);
    this.setImages(map);
    const { width, height } = this.geometry;
    for (const element of [this.stage, this.ground, this.image, this.overlaySvg, this.under, this.over]) {
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    this.overlaySvg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.drawGround();
    this.stage.style.setProperty("--hex", `${this.geometry.size}px`);
    this.marks.setGeometry(this.geometry);
    this.pieces.setGeometry(this.geometry);
    this.camera.setSize(width, height);
    this.camera.fit();
  }

  /** A bare grid until the first picture has come. */
  drawGround() {
    const { width, height, size } = this.geometry;
    const d = [...this.geometry.centres.keys()].map((place) => (this.geometry.areas.has(place) ? "" : `M${this.geometry.polygon(place).replaceAll(" ", "L")}Z`)).join("");
    this.ground.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.ground.replaceChildren(s("path", { d, "stroke-width": size * 0.03 }));
  }

  /** The pictures of the map in the reader's language. @param {MapAnswer} map */
  setImages(map) {
    this.images = Object.entries(map.images)
      .map(([scale, url]) => ({ ratio: Number(scale) / map.scale, url }))
      .sort((a, b) => a.ratio - b.ratio);
    // A small picture comes with the client, so that the map is never blank while a sharp one is drawn.
    this.small = map.preview ? new URL(`./maps/${map.preview}`, import.meta.url).href : (this.images[0]?.url ?? "");
    this.image.src = this.small;
    this.imageUrl = map.preview ? "" : this.small;
    this.sharpen();
  }

  /** Begins close enough to read counters, around the given places. @param {string[]} places */
  begin(places) {
    const centres = places.flatMap((place) => this.geometry.centre(place) ?? []);
    const mean = (/** @type {"x" | "y"} */ key) => centres.reduce((sum, p) => sum + p[key], 0) / centres.length;
    this.camera.cover(READABLE / this.pieces.side, COMFORTABLE / this.pieces.side);
    if (centres.length) this.camera.centreOn({ x: mean("x"), y: mean("y") });
    this.detail();
  }

  /** Small counters show less, in larger letters. */
  detail() {
    const side = this.pieces.side * this.camera.scale;
    for (const [name, on] of Object.entries({ far: side < FAR, "far-small": side * SMALL < FAR })) {
      if (on !== this.stage.classList.contains(name)) this.stage.classList.toggle(name, on);
    }
  }

  /** Takes the map image that suits the zoom. */
  sharpen() {
    if (!this.images.length) return;
    const wanted = this.camera.scale * Math.min(devicePixelRatio, 2) * 0.8;
    const { url } = this.images.find(({ ratio }) => ratio >= wanted) ?? this.images[this.images.length - 1];
    if (url === this.imageUrl) return;
    this.imageUrl = url;
    const next = new Image();
    next.src = url;
    next.decode().then(
      () => {
        if (this.imageUrl === url) this.image.src = url;
      },
      () => {
        this.imageUrl = "";
      },
    );
  }

  // ---- pointing and picking --------------------------------------------------

  listen() {
    this.viewport.addEventListener("click", (event) => this.clicked(event));
    this.viewport.addEventListener("pointermove", (event) => this.moved(event));
    this.viewport.addEventListener("pointerleave", (event) => this.left(event));
    for (const type of ["pointerdown", "pointerup"]) this.viewport.addEventListener(type, () => (this.pressedAt = performance.now()));
    this.viewport.addEventListener("focusin", (event) => this.focused(event));
  }

  /** @param {PointerEvent} event */
  clicked(event) {
    const byKeyboard = event.detail === 0;
    if (!byKeyboard && this.camera.dragged) return;
    const pointed = this.pointed(event);
    this.last = undefined;
    const touch = event.pointerType === "touch";
    if (touch && pointed.place && this.opensFirst(pointed.place)) {
      this.pieces.fan(pointed.place);
      this.tell("point", pointed);
      return;
    }
    if (!pointed.unit || pointed.place !== this.pieces.fanned) this.pieces.fan(null);
    this.tell("pick", pointed);
  }

  /** A stack that a finger must open before it can choose in it. @param {string} place */
  opensFirst(place) {
    return this.pieces.opens(place) && this.pieces.fanned !== place && !this.picksPlace(place);
  }

  /** @param {PointerEvent} event */
  moved(event) {
    if (event.pointerType === "touch" || event.buttons) return;
    const pointed = this.pointed(event);
    if (pointed.unit !== this.last?.unit || pointed.place !== this.last?.place || pointed.stack !== this.last?.stack) {
      this.last = pointed;
      this.tell("point", pointed);
      this.considerFan(pointed, event);
    }
  }

  /** @param {Pointed} pointed @param {PointerEvent} event */
  considerFan(pointed, event) {
    clearTimeout(this.fanTimer);
    const overFan = elementOf(event)?.closest(".fanned, .fan-plate");
    if (overFan || !settings.hoverFan) return;
    const place = pointed.unit && !pointed.stack && !this.picksPlace(pointed.place ?? "") ? pointed.place : null;
    this.fanTimer = setTimeout(() => this.pieces.fan(place), place ? FAN_AFTER : 120);
  }

  /** @param {PointerEvent} event */
  left(event) {
    if (event.pointerType === "touch") return;
    clearTimeout(this.fanTimer);
    this.last = undefined;
    this.fanTimer = setTimeout(() => this.pieces.fan(null), 200);
    this.tell("point", { unit: null, place: null, x: 0, y: 0 });
  }

  /** @param {FocusEvent} event */
  focused(event) {
    const unit = counterOf(event)?.dataset.unit;
    if (!unit) return;
    const place = this.pieces.pieces.get(unit)?.place ?? null;
    // Focus that a tap or click brings along opens nothing: the click itself decides.
    if (performance.now() - this.pressedAt < AFTER_PRESS) return;
    if (place) this.reveal(place);
    this.pieces.fan(place);
    this.tell("point", { unit, place, x: 0, y: 0 });
  }

  /** @param {PointerEvent} event @returns {Pointed} */
  pointed(event) {
    const side = event.detail === 0 && event.type === "click" ? null : this.hexsideAt(event);
    if (side) return { unit: null, place: side, x: event.clientX, y: event.clientY };
    const where = { x: event.clientX, y: event.clientY, more: event.shiftKey, again: event.detail > 1 };
    const counter = counterOf(event);
    const unit = counter?.dataset.unit ?? null;
    if (counter && unit) return { unit, place: this.pieces.pieces.get(unit)?.place ?? null, stack: onBadge(counter, event), ...where };
    if (!this.geometry) return { unit: null, place: null, x: 0, y: 0 };
    return { unit: null, place: this.geometry.placeAt(this.camera.toMap(event.clientX, event.clientY)), ...where };
  }

  /** The hexside under the pointer, if it can be picked: a fingertip wide. @param {PointerEvent} event */
  hexsideAt(event) {
    if (!this.hexsides.length) return null;
    const reach = Math.max(this.geometry.size * 0.36, FINGERTIP / this.camera.scale);
    return this.geometry.sideAt(this.hexsides, this.camera.toMap(event.clientX, event.clientY), reach);
  }

  /** @param {string} type @param {unknown} [detail] */
  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ---- showing ---------------------------------------------------------------

  /** Brings a place into the middle of the window. @param {string} place */
  goTo(place) {
    const p = this.geometry.centre(place);
    if (p) this.approach(p);
  }

  /** Brings a point of the map into the middle, near enough to read counters. @param {{ x: number, y: number }} p */
  approach(p) {
    this.camera.centreOn(p, Math.max(this.camera.scale, NEAR / this.pieces.side));
  }

  /** Whether a place is in the window. @param {string} place */
  sees(place) {
    const p = this.geometry.centre(place);
    return p !== undefined && this.camera.sees(p);
  }

  /** Moves the map only if none of the places is in sight: all of them if they fit legibly, else where most are together. @param {string[]} places */
  showSome(places) {
    const points = places.flatMap((place) => this.geometry.centre(place) ?? []);
    if (!points.length || points.some((p) => this.camera.sees(p))) return;
    const least = READABLE / this.pieces.side;
    const near = gathered(points, this.camera.window.clientWidth / least, this.camera.window.clientHeight / least);
    const margin = this.geometry.size * 2;
    const [xs, ys] = [near.map(({ x }) => x), near.map(({ y }) => y)];
    const box = { left: Math.min(...xs) - margin, right: Math.max(...xs) + margin, top: Math.min(...ys) - margin, bottom: Math.max(...ys) + margin };
    this.camera.frame(box, least);
  }

  /** Moves the map only if the place is out of sight, or under the tools at its left edge. @param {string} place */
  reveal(place) {
    const p = this.geometry.centre(place);
    if (!p) return;
    this.camera.reveal(p);
    this.uncover(p);
  }

  /** Moves the map from under what lies at its left edge. @param {{ x: number, y: number }} p */
  uncover(p) {
    const { camera, geometry } = this;
    const { x, y } = camera.toScreen(p);
    if (x > camera.window.clientWidth / 4) return;
    const r = geometry.size * camera.scale;
    const { left, top } = this.viewport.getBoundingClientRect();
    for (const cover of this.covers) {
      const box = cover.getBoundingClientRect();
      if (x < box.right - left + r && y > box.top - top - r && y < box.bottom - top + r) return camera.pan(box.right - left + r - x, 0);
    }
  }
}

/** The element that an event is about. @param {Event} event */
const elementOf = (event) => (event.target instanceof Element ? event.target : null);

/** The counter that an event is about. @param {Event} event @returns {HTMLElement | null | undefined} */
const counterOf = (event) => elementOf(event)?.closest(".counter");

/** Whether a pointer is on the number of a closed stack: the lower right corner of its top counter. @param {HTMLElement} counter @param {MouseEvent} event */
function onBadge(counter, { clientX, clientY, detail, type }) {
  if (!counter.dataset.count || (type === "click" && detail === 0)) return false;
  const { right, bottom, width, height } = counter.getBoundingClientRect();
  return clientX > right - width * BADGE && clientY > bottom - height * BADGE;
}

/** The points that one window can show together, as many as possible. @param {{ x: number, y: number }[]} points @param {number} width @param {number} height */
function gathered(points, width, height) {
  const around = (/** @type {{ x: number, y: number }} */ c) => points.filter(({ x, y }) => Math.abs(x - c.x) < width * 0.4 && Math.abs(y - c.y) < height * 0.4);
  return points.map(around).reduce((best, group) => (group.length > best.length ? group : best));
}

customElements.define("salient-board", SalientBoard);
