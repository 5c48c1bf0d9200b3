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
  const after = changedSnapshot(held, { from: "1", told: true, mark: "2", seen: 3, between: null }, entries);
  assert.equal(after.view.units.r1.where, "0110");
  assert.equal(after.mark, "2");
  assert.equal("from" in after, false);
});

test("a view in the change comes on top of what the entries tell, if they do", () => {
  const held = { mark: "1", view, legal: [] };
  const entries = [{ change: { units: { r1: null } } }];
  const change = { from: "1", between: null, view: { turn: 2, units: {} } };
  assert.deepEqual(Object.keys(changedSnapshot(held, { ...change, told: false }, entries).view.units), ["r1", "r2"]);
  const after = changedSnapshot(held, { ...change, told: true }, entries).view;
  assert.deepEqual([Object.keys(after.units), after.turn], [["r2"], 2]);
});

test("legal actions stay where nothing is said of them", () => {
  const legal = [{ text: "pass", verb: "pass", args: [], label: "Pass", names: false }];
  assert.equal(changedSnapshot({ mark: "1", view, legal }, { from: "1", told: true, between: null }, []).legal, legal);
});

test("a packed list is unpacked with labels, roles and endings", () => {
  const heads = [
    { verb: "move", kinds: ["unit", "hex"], names: false, by: [], labels: { "": "{0} to {1}" } },
    { verb: "drop", kinds: ["unit"], names: false, role: "take-back", by: [], labels: { "": "Without {0}" } },
    { verb: "load", kinds: ["unit", "n"], names: true, by: [1], labels: { 1: "Load one {0}", 2: "Load 2 of {0}" } },
    { verb: "pass", kinds: [], names: false, ends: "decision", left: "2 units", by: [], labels: { "": "End" } },
  ];
  const runs = [[0, "r1 0101;0102;r2 0101"], [1, "r2"], [2, "r1 1;2"], [3, ""]];
  const actions = unpacked({ heads, called: { hex: { "0102": "0102 Home" } }, runs });
  assert.deepEqual(actions[0], { text: "move r1 0101", verb: "move", args: [{ kind: "unit", value: "r1" }, { kind: "hex", value: "0101" }], label: "r1 to 0101", names: false });
  assert.deepEqual(actions.slice(1, 3).map(({ text, label }) => [text, label]), [["move r1 0102", "r1 to 0102 Home"], ["move r2 0101", "r2 to 0101"]]);
  assert.deepEqual([actions[3].text, actions[3].label, actions[3].role], ["drop r2", "Without r2", "take-back"]);
  assert.deepEqual(actions.slice(4, 6).map(({ label }) => label), ["Load one r1", "Load 2 of r1"]);
  assert.deepEqual([actions[6].text, actions[6].ends, actions[6].left], ["pass", "decision", "2 units"]);
});

test("a panel that is as it was comes by its key", () => {
  const cup = { kind: "chips", key: "cup", chips: [] };
  const held = { ...view, panels: [cup, { kind: "chips", key: "hand", chips: [] }] };
  const fresh = { kind: "chips", key: "hand", chips: [{ key: "x" }] };
  assert.deepEqual(changedView(held, { units: {}, panels: [fresh, "cup"] }).panels, [fresh, cup]);
  assert.equal(changedView(held, { units: {} }).panels, held.panels);
  assert.deepEqual(changedView(held, { units: {}, panels: ["cup", "unheard-of"] }).panels, [cup]);
});

test("a row of a chart that is as it was comes by its key", () => {
  const [first, second] = ["turn-1", "turn-2"].map((key) => ({ key, cells: [] }));
  const held = { ...view, panels: [{ kind: "chart", key: "track", rows: [first, second] }] };
  const fresh = { key: "turn-3", cells: [] };
  const after = changedView(held, { units: {}, panels: [{ kind: "chart", key: "track", rows: ["turn-2", fresh] }] });
  assert.deepEqual(after.panels, [{ kind: "chart", key: "track", rows: [second, fresh] }]);
});
