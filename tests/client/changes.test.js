import assert from "node:assert/strict";
import { test } from "node:test";

import { changedSnapshot, changedView, unpacked } from "../../src/salient/web/changes.js";

const view = { turn: 1, units: { r1: { where: "0101", badges: [] }, r2: { where: "0102", badges: [] } }, tracks: { victory: 3 } };

test("units change one by one, other keys as a whole", () => {
  const after = changedView(view, { turn: 2, units: { r1: { where: "0103", badges: [] } } });
  assert.equal(after.turn, 2);
  assert.equal(after.units.r1.where, "0103");
  assert.equal(after.units.r2, view.units.r2);
  assert.deepEqual(after.tracks, { victory: 3 });
});

test("a unit that is gone is null in the change and absent after it", () => {
  assert.deepEqual(Object.keys(changedView(view, { units: { r2: null } }).units), ["r1"]);
});

test("the view that is held stays as it was", () => {
  changedView(view, { turn: 9, units: { r1: null } });
  assert.equal(view.turn, 1);
  assert.ok(view.units.r1);
});

test("no change at all is no error", () => {
  assert.deepEqual(changedView(view, undefined), view);
});

test("the entries that come with a change tell what is new in the view, in their order", () => {
  const held = { mark: "1", seen: 1, view, legal: [] };
  const entries = [{ change: { units: { r1: { where: "0109", badges: [] } } } }, { change: { units: { r1: { where: "0110", badges: [] } } } }];
  const after = changedSnapshot(held, { from: "1", mark: "2", seen: 3, between: null }, entries);
  assert.equal(after.view.units.r1.where, "0110");
  assert.equal(after.mark, "2");
  assert.equal("from" in after, false);
});

test("a view in the change counts, not the entries", () => {
  const held = { mark: "1", view, legal: [] };
  const after = changedSnapshot(held, { from: "1", between: null, view: { units: { r2: null } } }, [{ change: { units: { r1: null } } }]);
  assert.deepEqual(Object.keys(after.view.units), ["r1"]);
});

test("legal actions stay where nothing is said of them", () => {
  const legal = [{ text: "pass", verb: "pass", args: [], label: "Pass", names: false }];
  assert.equal(changedSnapshot({ mark: "1", view, legal }, { from: "1", between: null }, []).legal, legal);
});

test("groups of legal actions are unpacked with their labels, roles and endings", () => {
  const groups = [
    { verb: "move", kinds: ["unit", "hex"], given: ["r1"], label: "Move r1 to {}", names: false, last: ["0101", ["0102", "Move r1 home"]] },
    { verb: "drop", kinds: ["unit"], given: [], label: "Without {}", names: false, role: "take-back", last: ["r2"] },
    { verb: "pass", kinds: [], given: [], label: "End", names: false, ends: "decision", left: "2 units", last: [] },
  ];
  const [to, home, drop, pass] = unpacked(groups);
  assert.deepEqual(to, { text: "move r1 0101", verb: "move", args: [{ kind: "unit", value: "r1" }, { kind: "hex", value: "0101" }], label: "Move r1 to 0101", names: false });
  assert.equal(home.label, "Move r1 home");
  assert.deepEqual([drop.text, drop.label, drop.role], ["drop r2", "Without r2", "take-back"]);
  assert.deepEqual([pass.text, pass.ends, pass.left], ["pass", "decision", "2 units"]);
});
