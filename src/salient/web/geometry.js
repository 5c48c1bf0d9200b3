/** Where hexes lie on the map image: pixels of the geometry's own scale, x to the right, y down. */

/** @typedef {{ x: number, y: number }} Point */

/** A mark on a hexside, measured in hexes. */
const ON_HEXSIDE = 0.36;

/** Whether a place is a hexside: two hexes with a stroke between. @param {string} place */
export function isHexside(place) {
  return hexesOf(place).length === 2;
}

/** @param {string | undefined} place of things that lie nowhere there is none */
function hexesOf(place) {
  return place?.includes("/") ? place.split("/") : [];
}

export class Geometry {
  /**
   * @param {{ width: number, height: number, size: number, orientation: string, centres: Record<string, number[]>,
   *   areas?: Record<string, { x: number, y: number, width: number, height: number }> }} json
   */
  constructor(json) {
    this.width = json.width;
    this.height = json.height;
    this.size = json.size;
    this.flat = json.orientation === "flat";
    /** @type {Map<string, Point>} every place on the map: hexes and areas */
    this.centres = new Map();
    /** @type {Map<string, { x: number, y: number, width: number, height: number }>} panels beside the map */
    this.areas = new Map(Object.entries(json.areas ?? {}));
    for (const [id, [x, y]] of Object.entries(json.centres)) this.centres.set(id, { x, y });
    for (const [id, box] of this.areas) this.centres.set(id, { x: box.x + box.width / 2, y: box.y + box.height / 2 });
    this.cell = this.size * 2;
    /** @type {Map<string, string[]>} */
    this.cells = new Map();
    for (const [id, p] of this.centres) this.cellAt(p.x, p.y, true)?.push(id);
    this.outline = corners(this.flat, this.size);
  }

  /** The middle of a hex, of an area, or of a hexside (`3320/3419`). @param {string | undefined} place @returns {Point | undefined} */
  centre(place) {
    const known = this.centres.get(place ?? "");
    if (known) return known;
    const [a, b] = hexesOf(place).map((hex) => this.centres.get(hex));
    return a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : undefined;
  }

  /** The middle of a place that is known to lie on the map. @param {string} place @returns {Point} */
  point(place) {
    const known = this.centre(place);
    if (!known) throw new Error(`not on the map: ${place}`);
    return known;
  }

  /** @param {string | undefined} place */
  has(place) {
    return this.centre(place) !== undefined;
  }

  /** The place under a point of the map, or null outside. @param {Point} point */
  placeAt({ x, y }) {
    for (const [id, box] of this.areas) {
      if (x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height) return id;
    }
    let best = null;
    let nearest = this.size ** 2;
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const id of this.cellAt(x + dx * this.cell, y + dy * this.cell) ?? []) {
          const p = /** @type {Point} */ (this.centres.get(id));
          const far = (p.x - x) ** 2 + (p.y - y) ** 2;
          if (far < nearest) [best, nearest] = [id, far];
        }
      }
    }
    return best;
  }

  /** The neighbouring place that lies most nearly in a direction, for the keyboard. @param {string} place @param {number} dx @param {number} dy */
  step(place, dx, dy) {
    const from = this.centre(place);
    if (!from) return place;
    let best = place;
    let score = Infinity;
    for (const [id, p] of this.centres) {
      const along = (p.x - from.x) * dx + (p.y - from.y) * dy;
      const across = Math.abs((p.x - from.x) * dy) + Math.abs((p.y - from.y) * dx);
      if (along < this.size * 0.4 || along + across > this.size * 4) continue;
      const cost = along + across * 1.2;
      if (cost < score) [best, score] = [id, cost];
    }
    return best;
  }

  /** The hexes beside a hex. @param {string} place @returns {string[]} */
  neighbours(place) {
    const p = this.centres.get(place);
    if (!p) return [];
    const near = [];
    for (let dx = -1; dx <= 1; dx++) {
      for (let dy = -1; dy <= 1; dy++) {
        for (const id of this.cellAt(p.x + dx * this.cell, p.y + dy * this.cell) ?? []) {
          const q = /** @type {Point} */ (this.centres.get(id));
          if (id !== place && !this.areas.has(id) && Math.hypot(q.x - p.x, q.y - p.y) < this.size * 1.9) near.push(id);
        }
      }
    }
    return near;
  }

  /** The two ends of the hexside between neighbours, a little apart from its corners by `inset`. @param {string} a @param {string} b @param {number} [inset] @returns {[string, string]} */
  sideBetween(a, b, inset = 0) {
    const [p, q] = [a, b].map((hex) => /** @type {Point} */ (this.centres.get(hex)));
    const [mx, my] = [(p.x + q.x) / 2, (p.y + q.y) / 2];
    const half = (0.5 - inset) * this.size;
    const long = Math.hypot(q.x - p.x, q.y - p.y);
    const [ux, uy] = [(-(q.y - p.y) / long) * half, ((q.x - p.x) / long) * half];
    return [`${(mx - ux).toFixed(1)},${(my - uy).toFixed(1)}`, `${(mx + ux).toFixed(1)},${(my + uy).toFixed(1)}`];
  }

  /** Of some hexsides the one at a point of the map, or null. @param {Iterable<string>} sides @param {Point} point @param {number} reach */
  sideAt(sides, { x, y }, reach) {
    let best = null;
    let nearest = reach;
    for (const side of sides) {
      const p = /** @type {Point} */ (this.centre(side));
      const far = Math.hypot(p.x - x, p.y - y);
      if (far < nearest) [best, nearest] = [side, far];
    }
    return best;
  }

  /** The corners of a hex as an SVG points text, a little smaller by `inset`; of a hexside those of a small hex on it. @param {string} place @param {number} [inset] */
  polygon(place, inset = 0) {
    const p = this.centre(place);
    if (!p) return "";
    const shrink = (1 - inset / this.size) * (isHexside(place) ? ON_HEXSIDE : 1);
    return this.outline.map(([x, y]) => `${(p.x + x * shrink).toFixed(1)},${(p.y + y * shrink).toFixed(1)}`).join(" ");
  }

  /** A line through places as an SVG points text. @param {string[]} places */
  line(places) {
    return places
      .map((place) => this.centre(place))
      .filter((p) => p !== undefined)
      .map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`)
      .join(" ");
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y, make = false) {
    const key = `${Math.floor(x / this.cell)},${Math.floor(y / this.cell)}`;
    if (make && !this.cells.has(key)) this.cells.set(key, []);
    return this.cells.get(key);
  }
}

/** @param {boolean} flat @param {number} size */
function corners(flat, size) {
  const first = flat ? 0 : 30;
  return Array.from({ length: 6 }, (_, i) => {
    const angle = ((first + 60 * i) * Math.PI) / 180;
    return [size * Math.cos(angle), size * Math.sin(angle)];
  });
}
