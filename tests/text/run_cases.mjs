import { readFileSync } from "node:fs";
import { fill, parse, typeset } from "./template.mjs";

const cases = JSON.parse(readFileSync(process.argv[2], "utf-8"));
const joints = { and: "and", or: "or" };
const wrong = [];
let same = 0;
const check = (given, wanted, what) => (given === wanted ? (same += 1) : wrong.push(`${what}: ${given}, not ${wanted}`));

for (const [lang, template, args, text] of cases.fill) check(fill(template, { args, lang, joints }), text, template);
for (const [lang, typed, printed] of cases.typeset) check(typeset(typed, lang), printed, typed);
for (const template of cases.malformed) {
  try {
    parse(template);
    wrong.push(`${template}: read`);
  } catch {
    same += 1;
  }
}
console.log(wrong.length ? wrong.join("\n") : `same: ${same}`);
