/** The map with its counters as a PNG. */

import { counterMarkup } from "./counters.js";

/** @import { SalientBoard } from "./board.js" */
/** @import { GameClient } from "./game.js" */

const SIDE = 1.12;
const MOST_PIXELS = 24e6;

/** @param {import("./game.js").GameClient} game @param {import("./board.js").SalientBoard} board @returns {Promise<Blob>} */
export async function mapPicture(game, board) {
  const { geometry, images } = board;
  const best = images[images.length - 1];
  const ratio = Math.min(best.ratio, Math.sqrt(MOST_PIXELS / (geometry.width * geometry.height)));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(geometry.width * ratio);
  canvas.height = Math.round(geometry.height * ratio);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.drawImage(await loaded(best.url), 0, 0, canvas.width, canvas.height);
  const markup = await countersSvg(game, board);
  const url = URL.createObjectURL(new Blob([markup], { type: "image/svg+xml" }));
  pen.drawImage(await loaded(url), 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  return new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("toBlob"))), "image/png"));
}

/** All counters as one SVG document that needs nothing from the page. @param {GameClient} game @param {SalientBoard} board */
async function countersSvg(game, board) {
  const { geometry } = board;
  const side = geometry.size * SIDE;
  const seen = new Map();
  const counters = Object.entries(game.shown.units).flatMap(([id, live]) => {
    const unit = game.components.units[id];
    const p = live?.where && geometry.centre(live.where);
    if (!unit || !p) return [];
    const level = seen.get(live.where) ?? 0;
    seen.set(live.where, level + 1);
    const lean = Math.min(level, 3) * side * 0.085;
    return [`<svg x="${p.x - side / 2 + lean}" y="${p.y - side / 2 - lean}" width="${side}" height="${side}" viewBox="0 0 100 100" overflow="visible">${counterMarkup(id, unit, live)}</svg>`];
  });
  const style = `@font-face{font-family:"Barlow Condensed";src:url(${await fontData()})}text{font-family:"Barlow Condensed",sans-serif;font-weight:600}.values{font-size:34px}.values.long{font-size:26px}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${geometry.width} ${geometry.height}" width="${geometry.width}" height="${geometry.height}"><style>${style}</style>${counters.join("")}</svg>`;
}

async function fontData() {
  const blob = await (await fetch(new URL("./fonts/barlow-condensed.woff2", import.meta.url))).blob();
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result);
    reader.readAsDataURL(blob);
  });
}

/** @param {string} url */
async function loaded(url) {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
