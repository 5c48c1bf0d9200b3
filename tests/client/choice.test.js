import assert from "node:assert/strict";
import { test } from "node:test";

import { Choice, listed } from "../../src/salient/web/choice.js";
import { action, actions } from "./actions.js";

const choose = (...legal) => new Choice(legal.map((each) => (typeof each === "string" ? action(each) : each)), (place) => /^\d/.test(place));
const unit = (id) => ({ unit: id, place: null });
const hex = (id) => ({ unit: null, place: id });
const texts = (list) => list.map(({ text }) => text);

test("a click on a unit leaves what that unit can do", () => {
  const choice = choose("move r1 0101", "move r1 0102", "move r2 0103", "pass");
  assert.deepEqual([...choice.units()], ["r1", "r2"]);
  assert.ok(choice.pick(unit("r1")));
  assert.deepEqual(texts(choice.fitting().map((each) => each.action)), ["move r1 0101", "move r1 0102"]);
  assert.deepEqual([...choice.places()], ["0101", "0102"]);
  assert.equal(choice.decided(), null);
});

test("a unit and a place decide", () => {
  const choice = choose("move r1 0101", "move r1 0102", "move r2 0101");
  choice.pick(unit("r1"));
  choice.pick(hex("0102"));
  assert.equal(choice.decided()?.text, "move r1 0102");
});

test("a place alone decides nothing while several units could go there", () => {
  const choice = choose("move r1 0101", "move r2 0101", "move r2 0102");
  choice.pick(hex("0101"));
  assert.equal(choice.decided(), null);
});

test("a click on what no action names changes nothing", () => {
  const choice = choose("move r1 0101", "move r2 0101");
  choice.pick(unit("r1"));
  assert.equal(choice.pick(unit("b9")), false);
  assert.deepEqual(choice.pinnedUnits(), ["r1"]);
  assert.equal(choice.pick(hex("0999")), false);
  assert.deepEqual(choice.pinnedUnits(), ["r1"]);
});

test("another unit takes the place of the one that was picked", () => {
  const choice = choose("move r1 0101", "move r2 0101");
  choice.pick(unit("r1"));
  assert.ok(choice.pick(unit("r2")));
  assert.deepEqual(choice.pinnedUnits(), ["r2"]);
});

test("the last pick can be taken back, and all of them", () => {
  const choice = choose("fire r1 r2 0101", "fire r1 r3 0101");
  choice.pick(unit("r2"));
  choice.pick(hex("0101"));
  choice.back();
  assert.deepEqual(choice.pinnedUnits().slice(-1), ["r2"]);
  choice.clear();
  assert.deepEqual(choice.pins, choice.given);
});

test("the unit that every action begins with is in hand from the start", () => {
  const choice = choose("move r1 0101", "move r1 0102", "cancel", "select r2");
  assert.deepEqual(choice.pinnedUnits(), ["r1"]);
  choice.pick(hex("0101"));
  assert.equal(choice.decided()?.text, "move r1 0101");
});

test("with a unit in hand a click on another one takes that up instead", () => {
  const choice = choose("move r1 0101", "move r1 0102", "cancel", "select r2");
  assert.ok(choice.pick(unit("r2")));
  assert.equal(choice.decided()?.text, "select r2");
});

test("a waypoint has a gesture of its own and does not stand in the way", () => {
  const choice = choose("move r1 0101", "via r1 0101", "move r1 0102");
  choice.pick(hex("0101"));
  assert.equal(choice.decided()?.text, "move r1 0101");
  choice.clear();
  assert.equal(choice.waypoint("0101")?.text, "via r1 0101");
  assert.equal(choice.waypoint("0102"), undefined);
});

test("what takes back all is no way on", () => {
  const choice = choose("join r1", "drop r2", "cancel", "resolve", action("pass", { ends: "decision" }));
  assert.equal(choice.cancel()?.text, "cancel");
  assert.equal(choice.onward(({ ends }) => ends === "decision")?.text, "resolve");
});

test("two ways on are none", () => {
  const choice = choose("resolve", "refuse");
  assert.equal(choice.onward(() => false), null);
});

test("an attack, a move and a plain choice are told apart on the map", () => {
  const choice = choose("attack 0101", "move r1 0102", "move r2 0102", "land 0103");
  assert.deepEqual(Object.fromEntries(choice.placeKinds()), { "0101": "attack", "0103": "choose" });
  choice.pick(unit("r1"));
  assert.deepEqual(Object.fromEntries(choice.placeKinds()), { "0102": "go" });
});

test("a word of any game can fight: only its role says so", () => {
  const choice = choose(action("storm 0101", { role: "fight" }), "fight-back 0102");
  assert.equal(choice.placeKinds().get("0101"), "attack");
  assert.equal(choice.placeKinds().get("0102"), "choose");
});

test("looking at a place does not pick it", () => {
  const choice = choose("move r1 0101", "move r1 0102");
  assert.equal(choice.wouldPlay("0101")?.text, "move r1 0101");
  assert.deepEqual(choice.pins, choice.given);
});

test("a second click on a unit selects it, or lets it be", () => {
  const both = choose("select r1", "entrench r1", "entrench r2");
  both.pick(unit("r1"));
  assert.equal(both.selecting()?.text, "select r1");
  both.pick(unit("r1"));
  assert.equal(both.decided()?.text, "select r1");
  const one = choose("entrench r1", "entrench r2");
  one.pick(unit("r1"));
  one.pick(unit("r1"));
  assert.deepEqual(one.pins, []);
});

test("things beside the map are picked by name", () => {
  const choice = choose(action("play x", { args: [{ kind: "chit", value: "supply" }] }), "pass");
  assert.deepEqual([...choice.things()], ["supply"]);
  assert.ok(choice.pick({ unit: null, place: null, thing: "supply" }));
  assert.equal(choice.decided()?.verb, "play");
});

test("what was probably meant by pointing in vain has the shape of a legal action", () => {
  const choice = choose("move r1 0101", "move r2 0101", "pass");
  choice.pick(unit("r1"));
  assert.deepEqual(choice.attempts(hex("0999")), ["move r1 0999"]);
});

test("openings begin something that names pieces", () => {
  const choice = choose(action("attack 0101", { names: true }), "move r1 0101");
  assert.deepEqual(texts(choice.openings()), ["attack 0101"]);
});

test("the arguments of a message are found by kind", () => {
  assert.deepEqual(listed({ unit: "r1", units: ["r2", "r3"], unit_lead: "r4", hex: "0101" }, "unit"), ["r1", "r2", "r3", "r4"]);
  assert.deepEqual(listed({ hexes: ["0101"], n: 3 }, "hex"), ["0101"]);
});

test("an empty list offers nothing", () => {
  const choice = new Choice(actions(), () => false);
  assert.equal(choice.units().size + choice.places().size + choice.things().size, 0);
  assert.equal(choice.decided(), null);
});

test("what was named before can be taken back while another unit is in hand", () => {
  const choice = choose("hold r1 0101", "drop r2", "drop r1", "cancel");
  assert.deepEqual(choice.pinnedUnits(), ["r1"]);
  assert.deepEqual(texts(choice.otherAsides()), ["drop r2"]);
  choice.pick(hex("0101"));
  assert.deepEqual(choice.otherAsides(), []);
});

test("a place that leaves one action decides, if nothing on the table is to be picked for it", () => {
  const zone = (place) => ({ ...action(`zone ${place}`), text: `zone 82 ${place}`, args: [{ kind: "division", value: "eighty-two" }, { kind: "hex", value: place }] });
  const choice = choose(zone("0101"), zone("0102"), "pass");
  choice.pick(hex("0102"));
  assert.equal(choice.decided()?.text, "zone 82 0102");
  const attack = choose("attack 0101 0201", "attack 0102 0202");
  attack.pick(hex("0101"));
  assert.equal(attack.decided(), null);
});

test("odds are those of going on, not of taking back what was named", () => {
  const support = choose("cancel", "resolve", "support g2", "drop g1");
  assert.deepEqual(texts(support.considered(6)), ["resolve", "support g2"]);
  const many = choose("pass", "attack 0101", "attack 0102", "attack 0103");
  assert.deepEqual(texts(many.considered(3)), ["pass"]);
});
