import assert from "node:assert/strict";
import { test } from "node:test";

import { box } from "./page.js";

const { Camera } = await import("../../src/salient/web/camera.js");

function camera(width = 1000, height = 800, map = [2000, 1600]) {
  const made = new Camera(box(width, height), box(0, 0));
  made.setSize(map[0], map[1]);
  made.set(1, -100, -50);
  clearTimeout(made.timer);
  return made;
}

const near = (a, b) => assert.ok(Math.abs(a.x - b.x) < 1e-6 && Math.abs(a.y - b.y) < 1e-6, `${JSON.stringify(a)} is not ${JSON.stringify(b)}`);

test("a point of the map goes to the screen and back", () => {
  const cam = camera();
  cam.set(0.7, -140, -33);
  const p = { x: 777, y: 555 };
  const { x, y } = cam.toScreen(p);
  near(cam.toMap(x, y), p);
});

test("zooming keeps the point under the pointer where it is", () => {
  const cam = camera();
  const before = cam.toMap(420, 310);
  cam.zoom(1.4, 420, 310);
  near(cam.toMap(420, 310), before);
});

test("the whole map fits, and no further away", () => {
  const cam = camera();
  cam.fit();
  const { left, top, right, bottom } = cam.visible();
  assert.ok(left <= 0 && top <= 0 && right >= 2000 && bottom >= 1600);
  cam.zoom(0.01);
  assert.equal(cam.scale, cam.minScale);
  cam.zoom(1000);
  assert.equal(cam.scale, 3);
});

test("the map cannot be pushed out of the window", () => {
  const cam = camera();
  cam.pan(1e6, 1e6);
  assert.ok(cam.x <= 60 && cam.y <= 60);
  cam.pan(-1e7, -1e7);
  assert.ok(cam.x >= 1000 - 2000 - 60 && cam.y >= 800 - 1600 - 60);
});

test("a map smaller than the window lies in its middle", () => {
  const cam = camera(1000, 800, [400, 300]);
  cam.set(1, 0, 0);
  assert.deepEqual([cam.x, cam.y], [300, 250]);
});

test("a point is brought to the middle, and only as near as needed into sight", () => {
  const cam = camera();
  cam.centreOn({ x: 1000, y: 800 });
  near(cam.toScreen({ x: 1000, y: 800 }), { x: 500, y: 400 });
  const at = { x: cam.x, y: cam.y };
  cam.reveal({ x: 1010, y: 790 });
  assert.deepEqual({ x: cam.x, y: cam.y }, at);
  cam.reveal({ x: 1900, y: 800 });
  assert.ok(cam.sees({ x: 1900, y: 800 }));
});

test("what is outside the window is not seen", () => {
  const cam = camera();
  cam.set(1, 0, 0);
  assert.ok(cam.sees({ x: 500, y: 400 }));
  assert.equal(cam.sees({ x: 1500, y: 400 }), false);
  assert.equal(cam.sees({ x: 5, y: 400 }), false);
});

test("a drag of a few pixels is a click, a longer one pans", () => {
  const cam = camera();
  const press = (type, x, y) => cam.viewport.dispatchEvent(Object.assign(new Event(type), { pointerId: 1, button: 0, clientX: x, clientY: y }));
  press("pointerdown", 100, 100);
  press("pointermove", 102, 101);
  assert.equal(cam.dragged, false);
  press("pointermove", 130, 100);
  assert.equal(cam.dragged, true);
  press("pointerup", 130, 100);
  press("pointerdown", 100, 100);
  assert.equal(cam.dragged, false);
});
