/** Others' turn in at most twenty seconds, whatever happens in it and however slowly the browser draws. */

import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";

import "./page.js";

const { Showtime } = await import("../../src/salient/web/showtime.js");
const { settings } = await import("../../src/salient/web/settings.js");

const LONGEST = 20_000;
const MINE = [{ seat: "allied", mine: true }, { seat: "german", mine: false }];

let now;
let drawing;
let steps;
let show;

/** A game that only knows what is shown; drawing a step takes `drawing` milliseconds. */
class Game {
  components = { units: { a: { formation: "one" }, b: { formation: "one" }, c: { formation: "two" } } };
  snapshot = { yours: true };
  playing = false;
  shown = 0;

  showEntry(entry) {
    this.shown += 1;
    this.last = entry;
  }

  tell(what) {
    if (what !== "shown") return;
    now += drawing;
    if (this.playing) steps.push({ entry: this.last, at: now });
  }

  settle() {
    show.clear();
    this.playing = false;
  }
}

beforeEach(() => {
  now = 0;
  drawing = 5;
  steps = [];
  settings.pace = 0.9;
  settings.combatsOnly = false;
  mock.timers.enable({ apis: ["setTimeout"] });
  mock.method(performance, "now", () => now);
  show = new Showtime(/** @type {any} */ (new Game()));
});

afterEach(() => {
  mock.timers.reset();
  mock.restoreAll();
});

const before = (more = {}) => /** @type {any} */ ({ seats: MINE, yours: true, view: { turn: 1 }, ...more });
const move = (unit = "a", more = {}) => /** @type {any} */ ({ seat: "german", events: [{}], change: { units: { [unit]: {} } }, ...more });
const roll = () => /** @type {any} */ ({ seat: "chance", events: [{}], change: { units: {} }, roll: {} });

/** Lets the showing go on to its end, or for some time; how long it took. @param {number} [most] */
function run(most = Infinity) {
  const began = now;
  while (show.game.playing && now - began < most) {
    now += 1;
    mock.timers.tick(1);
  }
  return now - began;
}

/** A turn of moves that all can be seen, every `rolls`th a roll. @param {number} many @param {number} rolls */
const turn = (many, rolls) => Array.from({ length: many }, (_, i) => ((i + 1) % rolls ? move(i % 2 ? "a" : "c") : roll()));

for (const [many, rolls] of [[40, 8], [400, 10], [2400, 30]]) {
  for (const slow of [5, 60, 400]) {
    test(`${many} actions, each drawn in ${slow} ms, take at most twenty seconds`, () => {
      drawing = slow;
      show.add(turn(many, rolls), before());
      assert.ok(run() <= LONGEST);
      assert.equal(show.game.shown, many);
    });
  }
}

test("however long the moves are, combats are still shown one by one", () => {
  show.add([...Array.from({ length: 1000 }, (_, i) => move(i % 2 ? "a" : "c")), ...Array.from({ length: 8 }, roll)], before());
  run();
  const rolls = steps.filter(({ entry }) => entry.roll);
  assert.equal(rolls.length, 8);
  rolls.slice(1).forEach(({ at }, i) => assert.ok(at - rolls[i].at > 300));
});

test("where others do little each of their moves can be followed", () => {
  show.add([move("a"), move("c"), move("a"), move("c")], before());
  run();
  assert.equal(steps.length, 4);
  assert.ok(steps[1].at - steps[0].at >= 700);
  assert.ok(steps[3].at - steps[2].at >= 400);
});

test("moves of a formation are one step, also if they come one by one", () => {
  show.add([move("a")], before());
  show.add([move("a"), move("b"), move("c"), move("c")], before({ yours: false }));
  run();
  assert.deepEqual(steps.map(({ entry }) => Object.keys(entry.change.units)[0]), ["a", "b", "c"]);
});

test("a turn that asks for answers takes no longer, and the next turn has its own time (T-46)", () => {
  let spent = 0;
  const combat = [move("a", { seat: "allied" }), move("a"), move("c"), roll(), move("a")];
  show.add(turn(100, 8), before());
  spent += run();
  for (let n = 0; n < 30; n++) {
    show.add(combat, before());
    spent += run();
  }
  assert.ok(spent <= LONGEST, String(spent));
  show.add(turn(100, 8), before({ view: { turn: 2 } }));
  assert.ok(run() > LONGEST / 4);
});

test("what comes while it is shown is counted, too, and so is a second turn without an own decision", () => {
  show.add(turn(100, 8), before());
  let spent = run(3000);
  show.add(turn(300, 8), before({ yours: false, view: { turn: 2 } }));
  spent += run();
  assert.ok(spent <= LONGEST);
});

test("held, it waits for each step and takes nothing off the time", () => {
  show.add(turn(100, 50), before());
  run(500);
  show.hold(true);
  const { left } = structuredClone({ left: show.left });
  const shown = steps.length;
  run(60_000);
  assert.equal(steps.length, shown);
  show.next();
  assert.equal(steps.length, shown + 1);
  assert.deepEqual(show.left, left);
  show.hold(false);
  run();
  assert.equal(show.game.shown, 100);
});

test("only combats: moves are shown with the roll that follows", () => {
  settings.combatsOnly = true;
  show.add(turn(100, 10), before());
  run();
  assert.ok(steps.length === 10 && steps.every(({ entry }) => entry.roll));
});

test("at no pace everything is there at once, but the own roll lies on the table for a moment", () => {
  settings.pace = 0;
  show.add(turn(400, 10), before());
  assert.equal(show.game.playing, false);
  show.add([move("a", { seat: "allied" }), roll(), move("a")], before());
  assert.ok(show.game.playing && run() < 1000);
});
