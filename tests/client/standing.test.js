import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { placeTold, Standing } = await import("../../src/salient/web/standing.js");

const units = { red: { side: "allied" }, grey: { side: "german" } };
const happened = (ply, text, args) => ({ ply, events: [{ news: true, text, args }] });
const point = (ply, share) => ({ ply, share, turn: 2 });

test("a moment is explained by what befell the side that lost by it", () => {
  const entries = [happened(1, "red is lost", { unit: "red", hex: "0101" }), happened(2, "grey is lost", { unit: "grey", hex: "0202" })];
  const standing = Object.assign(new Standing({ entries, components: { units }, shown: { units: {} } }), { seat: "allied" });
  const [moment] = standing.moments([point(0, 0.8), point(2, 0.3)], 3);
  assert.deepEqual([moment.text, moment.place, moment.ply], ["red is lost", "0101", 1]);
  const [other] = standing.moments([point(0, 0.3), point(2, 0.8)], 3);
  assert.equal(other.text, "grey is lost");
});

test("a sentence leads to the place it names, else to where its unit stands", () => {
  const game = { shown: { units: { red: { where: "0404" }, grey: { where: "reserve" } } }, hexes: { "0404": {} } };
  assert.equal(placeTold(game, { unit: "red", hex: "0505" }), "0505");
  assert.equal(placeTold(game, { unit: "red" }), "0404");
  assert.equal(placeTold(game, { unit: "grey" }), null);
});

test("a place that changed hands explains either way, and nothing is made up", () => {
  const standing = (...entries) => Object.assign(new Standing({ entries, components: { units }, shown: { units: {} } }), { seat: "allied" });
  assert.equal(standing(happened(1, "the bridge is held", { hex: "0303" })).moments([point(0, 0.8), point(1, 0.3)], 3)[0].text, "the bridge is held");
  assert.equal(standing(happened(1, "grey is lost", { unit: "grey" })).moments([point(0, 0.8), point(1, 0.3)], 3)[0].text, "");
});
