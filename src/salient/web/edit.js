/** The map and counter editor: a click shows the facts there and whose they are; a change is checked and drawn at once. */

import { Camera } from "./camera.js";
import { fill, h, s } from "./dom.js";
import { Geometry } from "./geometry.js";
import { lang, loadLanguage, t } from "./i18n.js";
import { later } from "./later.js";
import { applyLook } from "./settings.js";

/** @import { Point } from "./geometry.js" */

/** @typedef {{ file: string, key: string[], row: Record<string, string>, own: boolean }} Fact */

/** Which list of choices a column draws on. */
/** @type {Record<string, string>} */
const CHOICES = { terrain: "terrain", kind: "hexside", class: "road", zone: "zone", size: "size", source: "source", bridge: "bridge" };
const NEW_ROWS = ["hexsides.csv", "roads.csv", "places.csv", "zones.csv", "setup.csv"];

/** @param {string} path @param {object} [body] @returns {Promise<{ ok: boolean, said: any }>} */
async function ask(path, body) {
  const answer = await fetch(`/api/edit${path}?lang=${lang()}`, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  const said = await answer.json();
  return { ok: answer.ok, said };
}

class Editor {
  /** @type {{ game: string, folder: string, geometry: import("./wire.d.ts").Geometry, files: Record<string, { columns: string[], key: string[], stays: boolean }>, choices: Record<string, string[]> }} */
  about = later();
  /** @type {Geometry} */
  geometry = later();
  /** The hex that was clicked, and the hexside nearest to the click as its two hexes. */
  place = "";
  /** @type {string[]} */
  pair = [];

  /** @param {HTMLElement} page */
  constructor(page) {
    this.image = /** @type {HTMLImageElement} */ (h("img", { alt: "", draggable: "false" }));
    this.patches = h("div", {});
    this.over = s("svg", { "aria-hidden": "true" });
    this.stage = h("div", { class: "stage" }, this.image, this.patches, this.over);
    this.viewport = h("div", { class: "viewport", tabindex: "0", role: "application", "aria-label": t("edit.map") }, this.stage);
    this.facts = h("section", { class: "facts", "aria-live": "polite" }, h("p", {}, t("edit.hint")));
    this.changes = h("section", { class: "changes" });
    this.title = h("h1", {});
    page.append(this.viewport, h("aside", {}, this.title, this.facts, this.changes));
    this.camera = new Camera(this.viewport, this.stage);
    this.viewport.addEventListener("click", (event) => this.clicked(event));
  }

  async open() {
    const { said } = await ask("");
    this.about = said;
    this.geometry = new Geometry(said.geometry);
    const { width, height } = this.geometry;
    for (const element of [this.stage, this.image, this.over]) {
      element.style.width = `${width}px`;
      element.style.height = `${height}px`;
    }
    this.over.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.camera.setSize(width, height);
    this.camera.fit();
    this.title.textContent = t("edit.title", { game: said.game });
    document.title = this.title.textContent;
    this.image.src = `./maps/${said.game}.webp`;
    const sharp = new Image();
    sharp.src = "/api/edit/map.png";
    sharp.decode().then(() => (this.image.src = sharp.src), () => {});
    await this.showChanges();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (this.camera.dragged) return;
    const point = this.camera.toMap(event.clientX, event.clientY);
    const place = this.geometry.placeAt(point);
    if (!place || this.geometry.areas.has(place)) return;
    this.pair = this.nearestPair(place, point);
    this.show(place);
  }

  /** The hexside nearest to a point of a hex, as its two hexes. @param {string} place @param {Point} point */
  nearestPair(place, point) {
    const around = [...this.geometry.centres.keys()].filter((other) => other !== place && !this.geometry.areas.has(other));
    const far = (/** @type {string} */ other) => {
      const p = this.geometry.point(other);
      return (p.x - point.x) ** 2 + (p.y - point.y) ** 2;
    };
    const nearest = around.reduce((best, other) => (far(other) < far(best) ? other : best));
    return [place, nearest].sort();
  }

  /** @param {string} place */
  async show(place) {
    this.place = place;
    this.over.replaceChildren(s("polygon", { class: "chosen", points: this.geometry.polygon(place) }));
    const { said } = await ask(`/hex/${place}`);
    const forms = said.facts.map((/** @type {Fact} */ fact) => this.form(fact));
    const blank = NEW_ROWS.filter((file) => this.about.files[file] && !this.covers(said.facts, file)).map((file) => this.form(this.blank(file), true));
    fill(this.facts, h("h2", {}, t("edit.hex", { hex: place })), ...forms, h("h2", {}, t("edit.new")), ...blank);
  }

  /** Whether the hexside that was clicked has a row already. @param {Fact[]} facts @param {string} file */
  covers(facts, file) {
    if (file === "setup.csv") return facts.some((fact) => fact.file === file);
    return file.startsWith("hexsides") || file.startsWith("roads") ? facts.some((fact) => fact.file === file && fact.key.join() === this.pair.join()) : false;
  }

  /** @param {string} file @returns {Fact} */
  blank(file) {
    const row = Object.fromEntries(this.about.files[file].columns.map((column) => [column, ""]));
    if ("a" in row) [row.a, row.b] = this.pair;
    if ("hex" in row) row.hex = this.place;
    row.source = "rulebook";
    return { file, key: [], row, own: false };
  }

  /** @param {Fact} fact @param {boolean} [isNew] */
  form(fact, isNew = false) {
    const said = h("p", { class: "said", role: "status" });
    const { columns, key, stays } = this.about.files[fact.file];
    const fields = columns.flatMap((column) => {
      const id = `${fact.file}-${fact.key.join("-")}-${column}`;
      return [h("label", { for: id }, column), this.field(column, fact, id, !isNew && key.includes(column))];
    });
    const owner = h("span", { class: fact.own ? "mine" : "ours" }, isNew ? "" : t(fact.own ? "edit.own" : "edit.ours"));
    const form = h("form", { dataset: { file: fact.file, key: fact.key.join(" ") } },
      h("div", { class: "row-head" }, h("span", {}, `${fact.file} ${fact.key.join(" ")}`), owner),
      ...fields,
      h("div", { class: "row-foot" },
        h("button", { type: "submit" }, t("edit.keep")),
        !isNew && !stays && h("button", { type: "button", onclick: () => this.send("/remove", { file: fact.file, key: fact.key }, said) }, t("edit.remove")),
        fact.own && h("button", { type: "button", onclick: () => this.send("/revert", { file: fact.file, key: fact.key }, said) }, t("edit.revert"))),
      said);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const row = Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (form)));
      this.send("/change", { file: fact.file, row }, said);
    });
    return form;
  }

  /** @param {string} column @param {Fact} fact @param {string} id @param {boolean} isKey */
  field(column, fact, id, isKey) {
    const list = this.about.choices[CHOICES[column] ?? ""];
    const value = fact.row[column] ?? "";
    if (!list || isKey) return h("input", { id, name: column, value, readonly: isKey });
    const options = [...new Set(["", value, ...list])].map((choice) => h("option", { value: choice, selected: choice === value }, choice));
    return h("select", { id, name: column }, ...options);
  }

  /** Sends a change; what is refused leaves the form as it was. @param {string} path @param {object} body @param {HTMLElement} said */
  async send(path, body, said) {
    const answer = await ask(path, body);
    if (!answer.ok) {
      said.className = "said bad";
      said.textContent = (answer.said.reasons ?? [t("edit.failed")]).join("\n");
      return;
    }
    await Promise.all([this.draw(), this.showChanges()]);
    await this.show(this.place);
    const told = [...answer.said.conflicts, ...answer.said.findings];
    this.facts.prepend(h("p", { class: `said ${told.length ? "conflict" : "kept"}`, role: "status" }, told.length ? told.join("\n") : t("edit.kept")));
  }

  /** Draws the surroundings of the chosen hex anew. */
  async draw() {
    const { ok, said } = await ask(`/near/${this.place}`);
    if (!ok) return;
    const at = this.geometry.point(this.place);
    const patch = h("img", { class: "patch", alt: "", src: said.picture });
    Object.assign(patch.style, { position: "absolute", left: `${at.x - said.x}px`, top: `${at.y - said.y}px`, width: `${said.width}px`, height: `${said.height}px` });
    this.patches.append(patch);
  }

  async showChanges() {
    const { said } = await ask("/diff");
    const lines = said.map((/** @type {Fact} */ one) => h("li", {}, `${one.file} ${one.key.join(" ")}`));
    fill(this.changes, h("h2", {}, t("edit.changes", { n: said.length })), h("ul", {}, ...lines),
      said.length > 0 && h("p", {}, h("a", { href: "/api/edit/patch", download: "" }, t("edit.patch"))),
      h("p", { class: "folder" }, this.about.folder));
  }
}

applyLook();
await loadLanguage();
const editor = new Editor(/** @type {HTMLElement} */ (document.getElementById("page")));
await editor.open();
document.documentElement.dataset.ready = "";
