/** The map with its counters: `<salient-board>`. It draws, and tells what was picked or pointed at; it knows no rules. */

import { Camera } from "./camera.js";
import { h, s } from "./dom.js";
import { Geometry } from "./geometry.js";
import { t } from "./i18n.js";
import { MarksLayer } from "./marks.js";
import { Pieces } from "./pieces.js";
import { settings } from "./settings.js";

const FAN_AFTER = 260;
const AFTER_PRESS = 700;
const FAR = 34;
const READABLE = 44;
const COMFORTABLE = 62;
const FINGERTIP = 20;

/** @typedef {{ unit: string | null, place: string | null, touch?: boolean, more?: boolean, x: number, y: number }} Pointed */

export class SalientBoard extends HTMLElement {
  connectedCallback() {
    if (this.viewport) return;
    this.image = /** @type {HTMLImageElement} */ (h("img", { class: "map", alt: "", draggable: "false" }));
    this.overlaySvg = s("svg", { class: "overlay", "aria-hidden": "true" });
    this.under = s("svg", { class: "marks under", "aria-hidden": "true" });
    this.over = s("svg", { class: "marks over", "aria-hidden": "true" });
    this.counterLayer = h("div", { class: "counters" });
    this.ground = s("svg", { class: "ground", "aria-hidden": "true" });
    this.image.addEventListener("load", () => this.ground.remove());
    this.stage = h("div", { class: "stage" }, this.ground, this.image, this.overlaySvg, this.under, this.counterLayer, this.over);
    this.viewport = h("div", { class: "viewport", tabindex: "0", role: "application", "data-label": "board.label", "aria-label": t("board.label") }, this.stage);
    this.append(this.viewport);
    this.camera = new Camera(this.viewport, this.stage);
    this.pieces = new Pieces(this.counterLayer, this.camera);
    this.marks = new MarksLayer(this.under, this.over);
    /** Whether a click on this place should pick it at once rather than open its stack. */
    this.picksPlace = (/** @type {string} */ _place) => false;
    /** @type {string[]} hexsides that can be picked now */
    this.hexsides = [];
    this.camera.addEventListener("settled", () => {
      this.detail();
      this.sharpen();
    });
    this.listen();
  }

  /**
   * @param {{ geometry: any, images: Record<string, string>, scale: number, preview?: string | null }} map
   */
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

  /** The pictures of the map in the reader's language. @param {{ images: Record<string, string>, scale: number, preview?: string | null }} map */
  setImages(map) {
    this.images = Object.entries(map.images)
      .map(([scale, url]) => ({ ratio: Number(scale) / map.scale, url }))
      .sort((a, b) => a.ratio - b.ratio);
    // A small picture comes with the client, so that the map is never blank while a sharp one is drawn.
    this.image.src = map.preview ? new URL(`./maps/${map.preview}`, import.meta.url).href : (this.images[0]?.url ?? "");
    this.imageUrl = map.preview ? "" : this.images[0]?.url;
    this.sharpen();
  }

  /** Begins close enough to read counters, around the given places. @param {string[]} places */
  begin(places) {
    const centres = places.flatMap((place) => this.geometry.centre(place) ?? []);
    const mean = (key) => centres.reduce((sum, p) => sum + p[key], 0) / centres.length;
    this.camera.cover(READABLE / this.pieces.side, COMFORTABLE / this.pieces.side);
    if (centres.length) this.camera.centreOn({ x: mean("x"), y: mean("y") });
  }

  /** Small counters show less, in larger letters. */
  detail() {
    const far = this.pieces.side * this.camera.scale < FAR;
    if (far !== this.far) this.stage.classList.toggle("far", far);
    this.far = far;
  }

  /** Takes the map image that suits the zoom. */
  sharpen() {
    if (!this.images?.length) return;
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

  /** A stack that a finger must open before it can choose in it. */
  opensFirst(place) {
    return this.pieces.opens(place) && this.pieces.fanned !== place && !this.picksPlace(place);
  }

  moved(event) {
    if (event.pointerType === "touch" || event.buttons) return;
    const pointed = this.pointed(event);
    if (pointed.unit !== this.last?.unit || pointed.place !== this.last?.place) {
      this.last = pointed;
      this.tell("point", pointed);
      this.considerFan(pointed, event);
    }
  }

  considerFan(pointed, event) {
    clearTimeout(this.fanTimer);
    const overFan = event.target.closest(".fanned, .fan-plate");
    if (overFan || !settings.hoverFan) return;
    const place = pointed.unit && !this.picksPlace(pointed.place) ? pointed.place : null;
    this.fanTimer = setTimeout(() => this.pieces.fan(place), place ? FAN_AFTER : 120);
  }

  left(event) {
    if (event.pointerType === "touch") return;
    clearTimeout(this.fanTimer);
    this.last = undefined;
    this.fanTimer = setTimeout(() => this.pieces.fan(null), 200);
    this.tell("point", { unit: null, place: null, x: 0, y: 0 });
  }

  focused(event) {
    const unit = event.target.closest?.(".counter")?.dataset.unit;
    if (!unit) return;
    const place = this.pieces.pieces.get(unit)?.place ?? null;
    // Focus that a tap or click brings along opens nothing: the click itself decides.
    if (performance.now() - (this.pressedAt ?? -Infinity) < AFTER_PRESS) return;
    if (place) this.reveal(place);
    this.pieces.fan(place);
    this.tell("point", { unit, place, x: 0, y: 0 });
  }

  /** @returns {Pointed} */
  pointed(event) {
    const side = event.detail === 0 && event.type === "click" ? null : this.hexsideAt(event);
    if (side) return { unit: null, place: side, x: event.clientX, y: event.clientY };
    const unit = event.target.closest?.(".counter")?.dataset.unit ?? null;
    if (unit) return { unit, place: this.pieces.pieces.get(unit)?.place ?? null, x: event.clientX, y: event.clientY, more: event.shiftKey };
    if (!this.geometry) return { unit: null, place: null, x: 0, y: 0 };
    const place = this.geometry.placeAt(this.camera.toMap(event.clientX, event.clientY));
    return { unit: null, place, x: event.clientX, y: event.clientY };
  }

  /** The hexside under the pointer, if it can be picked: a fingertip wide. */
  hexsideAt(event) {
    if (!this.hexsides.length) return null;
    const reach = Math.max(this.geometry.size * 0.36, FINGERTIP / this.camera.scale);
    return this.geometry.sideAt(this.hexsides, this.camera.toMap(event.clientX, event.clientY), reach);
  }

  tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // ---- showing ---------------------------------------------------------------

  /** Brings a place into the middle of the window. @param {string} place */
  goTo(place) {
    const p = this.geometry.centre(place);
    if (p) this.camera.centreOn(p, Math.max(this.camera.scale, 54 / this.pieces.side));
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

  /** Moves the map only if the place is out of sight. @param {string} place */
  reveal(place) {
    const p = this.geometry.centre(place);
    if (p) this.camera.reveal(p);
  }
}

/** The points that one window can show together, as many as possible. @param {{ x: number, y: number }[]} points @param {number} width @param {number} height */
function gathered(points, width, height) {
  const around = (c) => points.filter(({ x, y }) => Math.abs(x - c.x) < width * 0.4 && Math.abs(y - c.y) < height * 0.4);
  return points.map(around).reduce((best, group) => (group.length > best.length ? group : best));
}

customElements.define("salient-board", SalientBoard);
