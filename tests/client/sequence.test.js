/** Whose decision the bar names. */

import assert from "node:assert/strict";
import test from "node:test";

import "./page.js";

const { deciding } = await import("../../src/salient/web/sequence.js");

const present = { playing: false, back: null, snapshot: { actor: "german" }, shown: { actor: "allied" }, showtime: { seat: "allied" } };

test("the bar names who decides now, once what others did has been shown", () => {
  assert.equal(deciding(/** @type {any} */ ({ ...present, playing: true })), "allied");
  assert.equal(deciding(/** @type {any} */ (present)), "german");
});

test("looking back it names who decided then", () => {
  assert.equal(deciding(/** @type {any} */ ({ ...present, back: 3 })), "allied");
});
