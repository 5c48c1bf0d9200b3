import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { holdRequests, settled } from "./page.js";

const { Group } = await import("../../src/salient/web/group.js");

let requests;
let group;
let submitted;

beforeEach(() => {
  requests = holdRequests();
  submitted = [];
  group = new Group({
    id: "g1",
    snapshot: { seen: 7 },
    eyes: () => ({ game: "g1", query: {} }),
    submit: (what, body) => submitted.push([what, body]),
    refused: (error) => submitted.push(["refused", error.code]),
    shown: { units: { r1: { where: "0101" }, r2: { where: "0101" }, r3: { where: "0102" } } },
    components: { units: { r1: { formation: "1st" }, r2: { formation: "2nd" }, r3: { formation: "1st" } } },
  });
});

test("a stack and a formation are those that may act", () => {
  const able = new Set(["r1", "r2", "r3"]);
  assert.deepEqual(group.stackOf("r1", able), ["r1", "r2"]);
  assert.deepEqual(group.formationOf("r1", able), ["r1", "r3"]);
  assert.deepEqual(group.stackOf("r1", new Set(["r1"])), ["r1"]);
});

test("the first click on a place only tries the order, the second carries it out", async () => {
  group.replace(["r1", "r3"]);
  const tried = group.go("0105");
  assert.equal(requests.length, 1);
  assert.deepEqual(requests[0].body, { seen: 7, units: ["r1", "r3"], to: "0105", commit: false });
  requests[0].answer({ seen: 7, actions: ["move r1 0105"], ends: { r1: "0105" }, stragglers: [], held: [], preview: {} });
  await tried;
  assert.deepEqual(submitted, []);
  assert.equal(group.goal, "0105");
  await group.go("0105");
  assert.deepEqual(submitted, [["orders", { units: ["r1", "r3"], to: "0105", commit: true }]]);
});

test("other units forget the order that was tried", async () => {
  group.replace(["r1"]);
  const tried = group.go("0105");
  requests[0].answer({ seen: 7, actions: ["move r1 0105"], ends: {}, stragglers: [], held: [], preview: {} });
  await tried;
  group.toggle("r2");
  assert.equal(group.plan, null);
  assert.equal(group.goal, null);
});

test("a refused order is told, and nothing is planned", async () => {
  group.replace(["r1"]);
  const tried = group.go("0105");
  requests[0].refuse(409, { error: "illegal", message: "No." });
  await tried;
  await settled();
  assert.deepEqual(submitted, [["refused", "illegal"]]);
  assert.equal(group.plan, null);
});
