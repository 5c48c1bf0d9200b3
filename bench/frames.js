/** Measures the time between frames while the client's own board pans and zooms over a synthetic position. */

import "./board.js";
import { loadSymbols } from "./counters.js";

const FRAMES = 180;

const board = document.querySelector("salient-board");
document.body.style.overflow = "hidden";
board.style.height = "100vh";
await loadSymbols();
const { map, units, live } = await (await fetch("position.json")).json();
board.setMap(map);
board.pieces.show(units, live, (id) => id);
const none = new Set();
const selectable = new Set(Object.keys(units).slice(0, 200));
board.pieces.mark({ selectable, selected: none, movers: selectable, focus: none, hindering: none });
const legal = Object.keys(map.geometry.centres).slice(600, 720);
board.marks.show({ legal: new Map(legal.map((hex) => [hex, { kind: "go", cost: "3" }])), veil: true });
await document.fonts.ready;
await new Promise((done) => setTimeout(done, 1500));

/** Moves the camera once a frame and gives the intervals in milliseconds. */
function measure(move) {
  return new Promise((done) => {
    const intervals = [];
    let last = performance.now();
    const frame = (now) => {
      intervals.push(now - last);
      last = now;
      if (intervals.length > FRAMES) return done(intervals.slice(1));
      move(intervals.length);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

const { camera } = board;
camera.set(0.8, -300, -300);
const pan = await measure((i) => camera.pan(Math.cos(i / 25) * 16, Math.sin(i / 18) * 12));
camera.fit();
const zoom = await measure((i) => camera.zoom(i % 90 < 45 ? 1.025 : 1 / 1.025));
window.measured = { pan, zoom };
