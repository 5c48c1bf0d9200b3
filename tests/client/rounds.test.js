/** The other side's last turn, found in the log. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { lastRound, turnStarts } from "../../src/salient/web/rounds.js";

const MINE = new Set(["allied"]);

/** A log of seats; a capital begins a phase, `!` is a decision that ends something. @param {string} text */
function logOf(text) {
  const seats = { g: "german", a: "allied", c: "chance" };
  return text.split(" ").map((word, i) => {
    const seat = seats[/** @type {"g" | "a" | "c"} */ (word[0].toLowerCase())];
    return /** @type {any} */ ({ ply: i + 1, seat, heading: /[A-Z]/.test(word) ? word : undefined, ends: word.endsWith("!") });
  });
}

test("the whole turn with the answers that were given in it, not only what followed the last answer (T-48)", () => {
  assert.deepEqual(lastRound(logOf("A a! G g g! G g a c g! A"), MINE, true), [2, 10]);
});

test("an answer of the other side in one's own turn is no turn of theirs", () => {
  assert.deepEqual(lastRound(logOf("G g! A a g c a"), MINE, true), [0, 2]);
});

test("where phases belong to nobody, a turn is all since one's own last ended decision", () => {
  assert.deepEqual(lastRound(logOf("A a! g c a g! a"), MINE, false), [2, 6]);
});

test("nothing, if the other side has not acted yet", () => {
  assert.deepEqual(lastRound(logOf("A a c a"), MINE, true), [0, 0]);
  assert.deepEqual(lastRound(logOf("A a c a"), MINE, false), [0, 0]);
});

test("a turn begins before the first action of its first phase, and only there (T-49)", () => {
  const headings = ["Turn 1 · Setup", undefined, "Turn 1 · Movement", undefined, "Turn 2 · Setup", "Turn 2 · Movement"];
  const log = /** @type {any} */ (headings.map((heading, i) => ({ ply: i + 1, heading })));
  assert.deepEqual(turnStarts(log), [{ ply: 0, name: "Turn 1" }, { ply: 4, name: "Turn 2" }]);
  assert.deepEqual(turnStarts([]), []);
});
