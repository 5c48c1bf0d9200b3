#!/usr/bin/env node
// A computer player in a few lines of JavaScript: any legal action, the last ones a little rarer.
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
let legal = [];
let block = [];
let awaited = 0;

lines.on("line", (line) => {
  if (awaited > 0) {
    block.push(line.trim());
    awaited -= 1;
    return;
  }
  const [word, rest] = line.trim().split(" ", 2);
  if (word === "salient") console.log("name First steps (JavaScript)\nready");
  if (word === "position" || word === "legal") [block, awaited] = [[], Number(rest)];
  if (word === "legal") legal = block;
  if (word === "go") console.log(`best ${legal[Math.floor(legal.length * Math.random() ** 1.2)]}`);
  if (word === "quit") process.exit(0);
});
