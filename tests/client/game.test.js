import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { holdRequests, settled } from "./page.js";

const { GameClient } = await import("../../src/salient/web/game.js");

const view = (where) => ({ turn: 1, turns: 9, at: 0, actor: "red", units: { r1: { where, badges: [] } }, markers: [], tracks: {}, result: null });
const snapshot = (seen, more = {}) => ({ mark: `m${seen}`, seen, ply: seen, seat: "red", actor: "red", yours: true, seats: [{ seat: "red", mine: true }, { seat: "blue", mine: false }], legal: [], view: view(`010${seen}`), ...more });
const entry = (ply, more = {}) => ({ ply, seat: "red", action: `move r1 010${ply}`, label: "", events: [], reasons: false, change: { units: { r1: { where: `010${ply}`, badges: [] } } }, ...more });
/** An update by a change: from the snapshot after `ply - 1` actions to that after `ply`. */
const update = (ply, more = {}) => ({ type: "update", seen: ply, ply, cut: ply - 1, gap: false, entries: [entry(ply)], change: { from: `m${ply - 1}`, told: true, mark: `m${ply}`, seen: ply, ply, between: null }, ...more });

let requests;
let game;
let told;

beforeEach(() => {
  requests = holdRequests();
  game = new GameClient("g1");
  game.components = { units: { r1: {} } };
  game.snapshot = snapshot(0);
  game.shown = game.snapshot.view;
  told = [];
  for (const type of ["shown", "played", "entries", "refused", "turn-over"]) game.addEventListener(type, (event) => told.push([type, event.detail]));
});

const plies = () => game.entries.map(({ ply }) => ply);

test("an action is sent with what is held, and its answer moves the unit", async () => {
  const done = game.play("move r1 0101");
  assert.equal(requests.length, 1);
  assert.deepEqual([requests[0].method, requests[0].path, requests[0].query.held], ["POST", "games/g1/actions", "m0"]);
  assert.deepEqual(requests[0].body, { seen: 0, action: "move r1 0101" });
  requests[0].answer(update(1));
  await done;
  assert.equal(game.snapshot.mark, "m1");
  assert.equal(game.shown.units.r1.where, "0101");
  assert.deepEqual(plies(), [1]);
});

test("a second action before the answer to the first is not sent", async () => {
  const done = game.play("move r1 0101");
  await game.play("move r1 0102");
  assert.equal(requests.length, 1);
  assert.equal(game.choosing, false);
  requests[0].answer(update(1));
  await done;
  assert.equal(game.choosing, true);
});

test("undo waits for the answer under way and is sent after it", async () => {
  const first = game.play("move r1 0101");
  const back = game.turnBack("undo");
  assert.equal(requests.length, 1);
  requests[0].answer(update(1));
  await first;
  await settled();
  assert.equal(requests[1].path, "games/g1/undo");
  assert.equal(requests[1].body.seen, 1);
  requests[1].answer({ ...update(2), ply: 0, cut: 0, entries: [], change: { from: "m1", told: false, mark: "m2", seen: 2, ply: 0, between: null, view: { units: { r1: { where: "0100", badges: [] } } } } });
  await back;
  assert.deepEqual(plies(), []);
  assert.equal(game.shown.units.r1.where, "0100");
});

test("a socket faster than the answer changes nothing twice", async () => {
  const done = game.play("move r1 0101");
  game.heard(update(1));
  assert.equal(game.snapshot.mark, "m0");
  requests[0].answer(update(1));
  await done;
  assert.deepEqual(plies(), [1]);
  assert.equal(told.filter(([type]) => type === "played").length, 1);
  assert.equal(requests.length, 1);
});

test("what others did while an answer was under way comes after it, in order", async () => {
  const done = game.play("move r1 0101");
  game.heard(update(2, { entries: [entry(2, { seat: "chance" })] }));
  game.heard(update(3, { entries: [entry(3)] }));
  requests[0].answer(update(1));
  await done;
  assert.deepEqual(plies(), [1, 2, 3]);
  assert.equal(game.snapshot.mark, "m3");
  game.skip();
  assert.equal(game.shown.units.r1.where, "0103");
});

test("an update of something that is not held loads the present and the log", async () => {
  game.heard(update(5));
  assert.equal(requests[0].path, "games/g1");
  requests[0].answer(snapshot(5));
  await settled();
  assert.equal(requests[1].path, "games/g1/log");
  requests[1].answer({ seen: 5, ply: 5, entries: [1, 2, 3, 4, 5].map((ply) => entry(ply)) });
  await settled();
  assert.deepEqual(plies(), [1, 2, 3, 4, 5]);
  assert.equal(game.shown.units.r1.where, "0105");
});

test("an old update is left alone", async () => {
  const done = game.play("move r1 0101");
  requests[0].answer(update(1));
  await done;
  const before = told.length;
  game.heard({ ...update(1), seen: 0 });
  game.heard(update(1));
  assert.equal(told.length, before);
  assert.equal(requests.length, 1);
});

test("a refusal tells its reasons and leaves the position", async () => {
  const done = game.play("move r1 0909");
  requests[0].refuse(409, { error: "illegal", message: "No.", refusals: [{ rule: "1", key: "too-far", args: {}, text: "Too far." }] });
  await done;
  assert.equal(game.snapshot.mark, "m0");
  assert.equal(told.find(([type]) => type === "refused")[1].refusals[0].text, "Too far.");
  assert.equal(game.busy, false);
});

test("all previews of one moment are one request, and none is asked for twice", async () => {
  const asked = ["a", "b", "c"].map((action) => game.preview(action));
  const again = game.preview("b");
  await settled();
  assert.equal(requests.length, 1);
  assert.equal(requests[0].path, "games/g1/previews");
  assert.deepEqual(requests[0].body.actions, ["a", "b", "c"]);
  requests[0].answer({ seen: 0, previews: { a: { cost: 1 }, b: { cost: 2 } } });
  assert.deepEqual(await Promise.all(asked), [{ cost: 1 }, { cost: 2 }, {}]);
  assert.equal(again, asked[1]);
  game.preview("a");
  await settled();
  assert.equal(requests.length, 1);
});

test("previews are asked for anew in another position", async () => {
  game.preview("a");
  await settled();
  game.snapshot = snapshot(1);
  game.preview("a");
  await settled();
  assert.equal(requests.length, 2);
});

test("looking back loads a page once and shows each position of it", async () => {
  game.snapshot = snapshot(3);
  const looked = game.look(2);
  await settled();
  assert.deepEqual([requests[0].path, requests[0].query.since], ["games/g1/replay", "0"]);
  requests[0].answer({ start: view("0100"), entries: [1, 2, 3].map((ply) => entry(ply)) });
  await looked;
  assert.equal(game.shown.units.r1.where, "0102");
  assert.deepEqual(game.past.moveAt(2), ["0101", "0102"]);
  assert.equal(game.choosing, false);
  await game.look(0);
  assert.equal(game.shown.units.r1.where, "0100");
  assert.equal(game.past.moveAt(0), null);
  assert.equal(requests.length, 1);
  await game.look(null);
  assert.equal(game.shown.units.r1.where, "0103");
});

test("who looks back is not brought to the present by an update", async () => {
  game.back = 0;
  game.heard(update(1));
  assert.equal(game.shown.units.r1.where, "0100");
  assert.equal(game.snapshot.mark, "m1");
});
