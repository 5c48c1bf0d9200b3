import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "./page.js";

const { ApiError, get, post } = await import("../../src/salient/web/api.js");

/** @type {{ method: string, body?: string }[]} */
let asked;
/** @type {Response[]} */
let answers;

beforeEach((t) => {
  asked = [];
  globalThis.fetch = /** @type {any} */ (
    async (url, init) => {
      asked.push(init);
      return answers.shift() ?? Response.json({ ok: true });
    }
  );
  t.mock.method(globalThis, "setTimeout", (run) => queueMicrotask(run));
});

const tooMany = (seconds) => Response.json({ error: "too-many", message: "Wait." }, { status: 429, headers: seconds ? { "Retry-After": String(seconds) } : {} });

test("what the server wants to be asked a moment later is asked again, what was sent with it", async () => {
  answers = [tooMany(1), tooMany(2)];
  assert.deepEqual(await post("room/5/join", { seat: "red" }), { ok: true });
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map(({ method, body }) => `${method} ${body}`)).size, 1);
});

test("a question to a database that is just away is asked again, but no move is sent twice", async () => {
  const away = () => Response.json({ error: "storage", message: "Away." }, { status: 503, headers: { "Retry-After": "2" } });
  answers = [away(), away()];
  assert.deepEqual(await get("games/x"), { ok: true });
  assert.equal(asked.length, 3);
  answers = [away()];
  await assert.rejects(post("games/x/actions", { seen: 1 }), (error) => error instanceof ApiError && error.passing);
  assert.equal(asked.length, 4);
});

test("who has to wait long, or in vain, is told so", async () => {
  for (const [given, times] of [[[tooMany(60)], 1], [[tooMany(0)], 1], [Array.from({ length: 9 }, () => tooMany(1)), 6]]) {
    asked = [];
    answers = given;
    await assert.rejects(get("games"), (error) => error instanceof ApiError && error.passing && error.message === "Wait.");
    assert.equal(asked.length, times);
  }
});

test("what is refused for good is not asked again", async () => {
  answers = [Response.json({ error: "not-found", message: "No." }, { status: 404 })];
  await assert.rejects(get("games/x"), (error) => !error.passing);
  assert.equal(asked.length, 1);
});
