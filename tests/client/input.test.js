import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { action } from "./actions.js";
import "./page.js";

const { Choice } = await import("../../src/salient/web/choice.js");
const { Input } = await import("../../src/salient/web/input.js");

const nothing = () => {};

/** A table of which only the choice is real; what is played is noted. */
function table(...legal) {
  const made = {
    played: [],
    game: { busy: false, playing: false, choosing: true, back: null, snapshot: { actor: "red" }, shown: { units: {} }, components: { units: { r1: { side: "red" }, b1: { side: "blue" } } }, skip: nothing },
    choice: new Choice(legal.map((each) => (typeof each === "string" ? action(each) : each)), (place) => /^\d/.test(place)),
    group: { units: new Set(), size: 0, clear: nothing, replace: nothing },
    plans: { known: new Map(), units: () => new Set(), against: nothing },
    panel: { onward: () => null, forItsPlace: () => [], instead: null },
    why: { hide: nothing, asked: 0, ask() { this.asked++; } },
    board: { geometry: { has: () => true }, pieces: { fan: nothing, stacks: new Map([["0101", ["r1"]], ["0202", ["b1"]]]) } },
    overlays: { point: nothing },
    cursor: { follow: nothing, restart: nothing },
    sight: { promptSpeaksOf: () => [], orient: nothing },
    showing: { choice: nothing },
    tabs: { open: nothing },
    considering: { clearCosts: nothing, lookAtButtons: nothing, loadCosts: nothing },
    play(chosen) {
      made.played.push(chosen.text);
    },
  };
  return made;
}

let at;
const click = (unit, place = null, more = {}) => new Input(at).pick({ unit, place, x: 1, y: 1, ...more });

beforeEach(() => {
  at = undefined;
});

test("a click on a counter never commits, even where one action is left", () => {
  at = table("entrench r1", "pass");
  click("r1", "0101");
  assert.deepEqual(at.played, []);
  assert.deepEqual(at.choice.pinnedUnits(), ["r1"]);
});

test("a click on a counter that is the whole of a choice of pieces names it", () => {
  at = table(action("join r1", { names: true }), action("join r2", { names: true }));
  click("r1", "0101");
  assert.deepEqual(at.played, ["join r1"]);
});

test("a click on a counter takes it up", () => {
  at = table("select r1", "select r2", "pass");
  click("r1", "0101");
  assert.deepEqual(at.played, ["select r1"]);
});

test("what else the unit could do stays on offer when it is taken up", () => {
  at = table("select r1", "entrench r1", "pass");
  click("r1", "0101");
  assert.deepEqual(at.played, ["select r1"]);
  assert.deepEqual(at.panel.instead.actions.map(({ text }) => text), ["entrench r1"]);
});

test("a lit place plays what goes there", () => {
  at = table("move r1 0101", "move r1 0102", "cancel");
  click(null, "0102");
  assert.deepEqual(at.played, ["move r1 0102"]);
});

test("a second click on the unit in hand puts it down", () => {
  at = table("move r1 0101", "move r1 0102", "cancel");
  click("r1", "0100");
  assert.deepEqual(at.played, ["cancel"]);
});

test("Shift and a click lead the unit in hand by way of a place", () => {
  at = table("move r1 0101", "via r1 0101", "move r1 0102", "cancel");
  click(null, "0101", { more: true });
  assert.deepEqual(at.played, ["via r1 0101"]);
});

test("a click in vain asks why, and plays nothing", () => {
  at = table("move r1 0101", "move r2 0102");
  click("b1", "0909");
  assert.deepEqual(at.played, []);
  assert.equal(at.why.asked, 1);
});

test("nothing is played while others decide", () => {
  at = table("move r1 0101", "move r1 0102");
  at.game.choosing = false;
  click(null, "0101");
  assert.deepEqual(at.played, []);
});

test("a click on the target goes on, one on the hex that the attack comes from does not", () => {
  for (const [unit, place, confirmed] of [["b1", "0202", 1], ["r1", "0101", 0]]) {
    at = table("resolve", "cancel");
    let asked = 0;
    at.sight.promptSpeaksOf = () => ["0101", "0202"];
    at.panel.onward = () => at.choice.legal[0];
    at.panel.confirm = () => asked++;
    click(unit, place);
    assert.equal(asked, confirmed, place);
    assert.deepEqual(at.played, []);
  }
});
