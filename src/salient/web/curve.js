/** The advantage over time as a picture: above the middle the first side is ahead, below it the other one. */

import { h, s } from "./dom.js";
import { t } from "./i18n.js";
import { sideColour } from "./palette.js";

/** @import { GameClient } from "./game.js" */
/** @import { Moment } from "./standing.js" */

const WIDTH = 300;
const HEIGHT = 84;

/** @typedef {import("./standing.js").Point} Point */

/**
 * @param {import("./game.js").GameClient} game
 * @param {Point[]} points
 * @param {{ seat: string, moments?: import("./standing.js").Moment[], look: (ply: number) => void }} about
 */
export function curveOf(game, points, { seat, moments = [], look }) {
  const other = game.snapshot.seats.find((row) => row.seat !== seat)?.seat ?? "";
  const last = Math.max(1, points.at(-1)?.ply ?? 1);
  const at = (/** @type {Point} */ point) => ({ x: (point.ply / last) * WIDTH, y: (1 - point.share) * HEIGHT });
  const drawn = points.map(at);
  const half = HEIGHT / 2;
  const line = drawn.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const area = (/** @type {(y: number) => number} */ edge) => `0,${half} ${drawn.map(({ x, y }) => `${x.toFixed(1)},${edge(y).toFixed(1)}`).join(" ")} ${WIDTH},${half}`;
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": summary(game, points, seat, other) },
    s("polygon", { points: area((y) => Math.min(y, half)), fill: sideColour(seat), "fill-opacity": 0.55 }),
    s("polygon", { points: area((y) => Math.max(y, half)), fill: sideColour(other), "fill-opacity": 0.55 }),
    ...turns(points).map((point) => s("line", { class: "curve-turn", x1: at(point).x, x2: at(point).x, y1: 0, y2: HEIGHT })),
    s("line", { class: "curve-middle", x1: 0, x2: WIDTH, y1: half, y2: half }),
    s("polyline", { class: "curve-line", points: line }),
    game.back === null ? null : s("line", { class: "curve-now", x1: (game.back / last) * WIDTH, x2: (game.back / last) * WIDTH, y1: 0, y2: HEIGHT }),
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    look(nearest(points, ((event.clientX - box.left) / box.width) * last).ply);
  });
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, h("span", { class: `side-${seat}` }, game.name(seat)), h("span", { class: `side-${other}` }, game.name(other))),
    h("div", { class: "curve-picture" }, picture, ...moments.map((moment, i) => mark(moment, i, at(moment.to), look))),
    h("div", { class: "curve-turns", "aria-hidden": "true" }, ...turns(points).map((point) => placed(h("span", {}, String(point.turn)), at(point).x / WIDTH))),
  );
}

/** A moment as a numbered button on the curve. @param {Moment} moment @param {number} i @param {{ x: number, y: number }} x @param {(ply: number) => void} look */
function mark(moment, i, { x, y }, look) {
  const button = h("button", { class: "curve-moment", type: "button", "aria-label": t("standing.moment", { n: i + 1, heading: moment.from.heading }), onclick: () => look(moment.ply) }, String(i + 1));
  button.style.top = `${(y / HEIGHT) * 100}%`;
  return placed(button, x / WIDTH);
}

/** @param {HTMLElement} element @param {number} share */
function placed(element, share) {
  element.style.left = `${(share * 100).toFixed(1)}%`;
  return element;
}

/** The first point of each turn. @param {Point[]} points */
function turns(points) {
  return points.filter((point, i) => i === 0 || points[i - 1].turn !== point.turn);
}

/** @param {Point[]} points @param {number} ply */
function nearest(points, ply) {
  return points.reduce((best, point) => (Math.abs(point.ply - ply) < Math.abs(best.ply - ply) ? point : best));
}

/** Who is ahead at the moment that is shown, in words. @param {GameClient} game @param {Point[]} points @param {string} seat @param {string} other */
export function summary(game, points, seat, other) {
  const share = points.findLast(({ ply }) => game.back === null || ply <= game.back)?.share ?? 0.5;
  if (Math.abs(share - 0.5) < 0.05) return t("standing.even");
  return t(Math.abs(share - 0.5) < 0.2 ? "standing.ahead" : "standing.far-ahead", { side: game.name(share > 0.5 ? seat : other) });
}
