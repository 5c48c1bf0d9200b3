/** From afar: one larger counter for each formation and the line between the sides, in place of single counters. */

import { counterMarkup } from "./counters.js";
import { fill, h, s } from "./dom.js";
import { t } from "./i18n.js";
import { later } from "./later.js";

/** @import { GameClient } from "./game.js" */

/** A counter of fewer pixels is too small to be read or hit. */
const AFAR = 22;
/** A formation's counter on the screen, in pixels. */
const CARD = 48;
const GAP = 6;
/** Units of one formation farther apart, in hex sizes, have a counter each group. */
const APART = 9;
/** How many hexes from its units a side holds the ground, as far as a line is drawn. */
const HELD = 5;

/** How often counters are pushed off each other. */
const ROUNDS = 12;

/** @typedef {{ id: string, at: { x: number, y: number } }} Placed */
/** @typedef {{ side: string, formations: string[], units: string[], x: number, y: number }} Card */

export class Strategic {
  /** @param {import("./board.js").SalientBoard} board */
  constructor(board) {
    this.board = board;
    const { width, height } = board.geometry;
    this.front = s("svg", { class: "front", "aria-hidden": "true", width, height, viewBox: `0 0 ${width} ${height}` });
    this.layer = h("div", { class: "formations" });
    this.layer.addEventListener("click", (event) => event.stopPropagation());
    board.overlaySvg.after(this.front);
    board.counterLayer.after(this.layer);
    /** @type {GameClient} */
    this.game = later();
    /** @type {Set<string>} */
    this.able = new Set();
    board.camera.addEventListener("settled", () => this.draw());
  }

  /** @param {GameClient} game @param {Set<string>} able units that may be chosen */
  show(game, able) {
    this.game = game;
    this.able = able;
    this.draw();
  }

  get isAfar() {
    return this.board.pieces.side * this.board.camera.scale < AFAR;
  }

  draw() {
    const afar = this.isAfar;
    if (!afar && !this.board.stage.classList.contains("afar")) return;
    this.board.stage.classList.toggle("afar", afar);
    fill(this.layer, ...(afar ? this.cards().map((card) => this.element(card)) : []));
    fill(this.front, ...(afar ? this.line() : []));
  }

  // ---- formations --------------------------------------------------------------

  /** The formations as they fit on the screen: those of a side that would lie on each other share a counter. @returns {Card[]} */
  cards() {
    const side = (CARD + GAP) / this.board.camera.scale;
    /** @type {Card[]} */
    const placed = [];
    for (const card of this.groups().sort((a, b) => b.units.length - a.units.length)) {
      const friend = placed.find((other) => other.side === card.side && Math.abs(other.x - card.x) < side && Math.abs(other.y - card.y) < side);
      if (friend) {
        friend.units.push(...card.units);
        friend.formations.push(...card.formations);
      } else placed.push(card);
    }
    apart(placed, side);
    return placed;
  }

  /** The units on the map by formation, each group that stands together. @returns {Card[]} */
  groups() {
    const { components } = this.game;
    const groups = new Map();
    for (const [place, ids] of this.board.pieces.stacks) {
      for (const id of ids) {
        const { side, formation } = components.units[id];
        const key = `${side} ${formation || place}`;
        groups.set(key, [...(groups.get(key) ?? []), { id, at: this.board.geometry.point(place) }]);
      }
    }
    return [...groups.values()].flatMap((units) => together(units, APART * this.board.geometry.size)).map((units) => this.card(units));
  }

  /** @param {Placed[]} units */
  card(units) {
    const { side, formation } = this.game.components.units[units[0].id];
    const mean = (/** @type {"x" | "y"} */ key) => units.reduce((sum, { at }) => sum + at[key], 0) / units.length;
    return { side, formations: [formation || this.game.components.units[units[0].id].name], units: units.map(({ id }) => id), x: mean("x"), y: mean("y") };
  }

  /** @param {Card} card */
  element({ side, formations, units, x, y }) {
    const { game, board } = this;
    const names = [...new Set(formations)];
    const label = `${names.map((name) => game.name(name)).join(", ")}: ${t("afar.units", { n: units.length })}`;
    const look = { ...game.components.units[mostCommon(units, (id) => game.components.units[id].symbol)], side, name: names.length > 1 ? `${names[0]} +${names.length - 1}` : names[0], size: "", values: `×${units.length}` };
    const able = units.some((id) => this.able.has(id));
    const button = h("button", { class: `formation ${able ? "able" : ""}`, type: "button", title: label, "aria-label": label, onclick: () => this.approach(x, y) });
    button.innerHTML = `<svg viewBox="0 0 100 100" aria-hidden="true">${counterMarkup(names[0], look, { badges: [] })}</svg>`;
    Object.assign(button.style, { left: `${x}px`, top: `${y}px`, width: `${CARD}px`, height: `${CARD}px`, transform: `scale(${1 / board.camera.scale}) translate(-50%, -50%)` });
    return button;
  }

  /** @param {number} x @param {number} y */
  approach(x, y) {
    if (!this.board.camera.dragged) this.board.approach({ x, y });
  }

  // ---- the line between the sides ------------------------------------------------

  /** A line along the hexsides between ground that is nearer to one side's units and ground nearer to the other's. */
  line() {
    const { geometry, camera } = this.board;
    const owner = this.owners();
    let d = "";
    for (const [place, side] of owner) {
      for (const next of geometry.neighbours(place)) {
        if (place < next && owner.has(next) && owner.get(next) !== side) d += `M${geometry.sideBetween(place, next).join("L")}`;
      }
    }
    return [6, 3].map((width, i) => s("path", { class: i ? "core" : "casing", d, "stroke-width": width / camera.scale }));
  }

  /** Whose units are nearest, for every hex near any. @returns {Map<string, string>} */
  owners() {
    const { components } = this.game;
    /** @type {Map<string, string>} */
    const owner = new Map();
    for (const [place, ids] of this.board.pieces.stacks) if (!this.board.geometry.areas.has(place)) owner.set(place, components.units[ids[0]].side);
    let edge = [...owner.keys()];
    for (let i = 0; i < HELD; i++) {
      const next = [];
      for (const place of edge) {
        for (const near of this.board.geometry.neighbours(place)) {
          if (owner.has(near)) continue;
          owner.set(near, /** @type {string} */ (owner.get(place)));
          next.push(near);
        }
      }
      edge = next;
    }
    return owner;
  }
}

/** Units in groups, each of which hangs together. @param {Placed[]} units @param {number} reach */
function together(units, reach) {
  /** @type {Placed[][]} */
  let groups = [];
  for (const unit of units) {
    const near = groups.filter((group) => group.some(({ at }) => Math.hypot(at.x - unit.at.x, at.y - unit.at.y) < reach));
    groups = [...groups.filter((group) => !near.includes(group)), [...near.flat(), unit]];
  }
  return groups;
}

/** One of those whose kind is the most common. @param {string[]} ids @param {(id: string) => string} kindOf */
function mostCommon(ids, kindOf) {
  const count = new Map();
  for (const id of ids) count.set(kindOf(id), (count.get(kindOf(id)) ?? 0) + 1);
  return ids.reduce((best, id) => (count.get(kindOf(id)) > count.get(kindOf(best)) ? id : best));
}

/** Pushes counters off each other, each to its own side of the other. @param {Card[]} cards @param {number} side */
function apart(cards, side) {
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, a] of cards.entries()) {
      for (const b of cards.slice(i + 1)) {
        const [dx, dy] = [b.x - a.x, b.y - a.y];
        const [overX, overY] = [side - Math.abs(dx), side - Math.abs(dy)];
        if (overX <= 0 || overY <= 0) continue;
        const axis = overX < overY ? "x" : "y";
        const push = (Math.min(overX, overY) / 2) * (b[axis] < a[axis] ? -1 : 1);
        a[axis] -= push;
        b[axis] += push;
      }
    }
  }
}
