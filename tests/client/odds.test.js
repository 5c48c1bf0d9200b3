import assert from "node:assert/strict";
import { test } from "node:test";

import "./page.js";

const { spans } = await import("../../src/salient/web/odds.js");

test("rolls that follow each other are one span", () => {
  assert.equal(spans([1]), "1");
  assert.equal(spans([3, 4, 5, 6]), "3–6");
  assert.equal(spans([1, 3, 4, 6]), "1 3–4 6");
  assert.equal(spans([]), "");
});
