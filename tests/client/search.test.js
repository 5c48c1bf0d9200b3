import assert from "node:assert/strict";
import { test } from "node:test";

import { ranked } from "../../src/salient/web/search.js";

const items = [
  { element: "stacking", title: "7.1 Stacking", text: "7.1 Stacking No more than three units in a hex." },
  { element: "victory", title: "9.1 Victory", text: "9.1 Victory The German player wins with five hexes." },
  { element: "bridges", title: "12.3 Bridges", text: "12.3 Bridges A bridge may be blown when the enemy comes near; it may win a day." },
];

test("an empty question finds everything, in its order", () => {
  assert.deepEqual(ranked(items, "  "), ["stacking", "victory", "bridges"]);
});

test("a title counts more than the text", () => {
  assert.deepEqual(ranked(items, "stacking"), ["stacking"]);
  assert.equal(ranked(items, "who wins?")[0], "victory");
});

test("a word finds its relatives", () => {
  assert.ok(ranked(items, "demolition").includes("bridges"));
  assert.ok(ranked(items, "score").includes("victory"));
});

test("every word must be answered", () => {
  assert.deepEqual(ranked(items, "stacking zeppelin"), []);
});
