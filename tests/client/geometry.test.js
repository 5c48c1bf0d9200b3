import assert from "node:assert/strict";
import { test } from "node:test";

import { Geometry, isHexside } from "../../src/salient/web/geometry.js";

const size = 20;
const high = size * Math.sqrt(3);
/** Three columns of flat-topped hexes, and a box beside them. */
const centres = Object.fromEntries([0, 1, 2].flatMap((column) => [0, 1, 2].map((row) => [`0${column}0${row}`, [50 + column * size * 1.5, 50 + (row + (column % 2) / 2) * high]])));
const map = new Geometry({ width: 400, height: 300, size, orientation: "flat", centres, corners: {}, areas: { west: { x: 300, y: 10, width: 60, height: 40 } } });

test("every hex is found at its middle and near its edge", () => {
  for (const [id, [x, y]] of Object.entries(centres)) {
    assert.equal(map.placeAt({ x, y }), id);
    assert.equal(map.placeAt({ x: x + size * 0.4, y: y - size * 0.3 }), id);
  }
});

test("an area is found inside its box, and nothing outside the map", () => {
  assert.equal(map.placeAt({ x: 330, y: 20 }), "west");
  assert.equal(map.placeAt({ x: 250, y: 290 }), null);
});

test("a hexside lies between its hexes", () => {
  assert.ok(isHexside("0000/0001"));
  assert.equal(isHexside("0000"), false);
  assert.deepEqual(map.centre("0000/0001"), { x: 50, y: 50 + high / 2 });
  assert.equal(map.sideAt(["0000/0001", "0001/0002"], { x: 51, y: 50 + high / 2 }, 10), "0000/0001");
});

test("neighbours touch", () => {
  assert.deepEqual(map.neighbours("0101").sort(), ["0001", "0002", "0100", "0102", "0201", "0202"]);
});

test("the keyboard steps to the hex in a direction and stays at the edge", () => {
  assert.equal(map.step("0101", 0, 1), "0102");
  assert.equal(map.step("0000", -1, 0), "0000");
});

test("what is not on the map has no middle", () => {
  assert.equal(map.has("9999"), false);
  assert.equal(map.centre("9999"), undefined);
  assert.throws(() => map.point("9999"), /9999/);
});
