/** Templates and typography, as `text/template.py` and `text/typography.py` have them; tests/text/cases.json runs through both. */

const HEAD = /\{([a-z][a-z0-9_]*)(?::([a-z][a-z0-9_]*))?([|}])/y;
const LABEL = /(m|f|n|one|many|\d+):/y;

/**
 * @typedef {Record<string, string>} Forms a name: `name` or `one`, `many`, articles, cases, its gender `g`, its `number`
 * @typedef {number | string | Forms | (string | Forms)[]} Value
 * @typedef {{ argument: string, form: string, branches: { label: string, parts: Parts }[] }} Place
 * @typedef {(string | Place)[]} Parts
 * @typedef {{ args: Record<string, Value>, lang: string, joints: Record<string, string> }} Filling
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} at
 */

// ---- reading

function match(pattern, text, at) {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** The parts of a template; an Error tells what is wrong with it. @param {string} template @returns {Parts} */
export function parse(template) {
  return readParts(template, 0, "")[0];
}

/** @param {string} text @param {number} at @param {string} stops @returns {[Parts, number]} */
function readParts(text, at, stops) {
  /** @type {Parts} */
  const parts = [];
  let start = at;
  const flush = () => at > start && parts.push(text.slice(start, at));
  while (at < text.length && !stops.includes(text[at])) {
    if (text[at] === "{") {
      flush();
      const [place, end] = readPlace(text, at);
      parts.push(place);
      start = at = end;
    } else if (text[at] === "}") {
      throw new Error(`a brace is closed that was not opened: ${text}`);
    } else {
      at += 1;
    }
  }
  flush();
  return [parts, at];
}

/** @param {string} text @param {number} at @returns {[Place, number]} */
function readPlace(text, at) {
  const head = match(HEAD, text, at);
  if (!head) throw new Error(`no place begins at ${at}: ${text}`);
  at += head[0].length;
  /** @type {Place["branches"]} */
  const branches = [];
  let closed = head[3] === "}";
  while (!closed) {
    const label = match(LABEL, text, at);
    const [parts, end] = readParts(text, label ? at + label[0].length : at, "|}");
    if (end === text.length) throw new Error(`a brace is not closed: ${text}`);
    branches.push({ label: label ? label[1] : "", parts });
    closed = text[end] === "}";
    at = end + 1;
  }
  if (branches.length === 1) throw new Error(`one branch only: ${text}`);
  return [{ argument: head[1], form: head[2] ?? "", branches }, at];
}

// ---- filling

/** A template with its places filled. @param {string} template @param {Filling} filling */
export function fill(template, filling) {
  return fillParts(parse(template), filling);
}

/** @param {Parts} parts @param {Filling} filling @returns {string} */
function fillParts(parts, filling) {
  return parts.map((part) => (typeof part === "string" ? part : filled(part, filling))).join("");
}

/** @param {Place} place @param {Filling} filling @returns {string} */
function filled(place, filling) {
  if (!(place.argument in filling.args)) return `{${place.argument}}`;
  const value = filling.args[place.argument];
  if (place.branches.length) return fillParts(chosen(place, value, filling.lang), filling);
  return printed(value, place.form, filling);
}

/** @param {Place} place @param {Value} value @param {string} lang */
function chosen(place, value, lang) {
  const { branches } = place;
  const last = branches[branches.length - 1];
  if (!branches.slice(0, -1).some((branch) => branch.label)) {
    return (numberOf(value, lang) === "one" ? branches[0] : last).parts;
  }
  const labels = [genderOf(value), numberOf(value, lang), String(Array.isArray(value) ? value.length : value)];
  return (branches.find((branch) => labels.includes(branch.label)) ?? last).parts;
}

const usual = (/** @type {string | Forms} */ value) => (typeof value === "object" ? (value.name ?? value.one) : String(value));

/** @param {Value} value @param {string} form @param {Filling} filling @returns {string} */
function printed(value, form, filling) {
  if (typeof value === "number") return form === "sign" ? signed(value) : String(value);
  if (Array.isArray(value)) return joined(value, form, filling);
  if (typeof value === "string") return value;
  const number = filling.args[form];
  return value[number === undefined ? form : numberOf(number, filling.lang)] ?? usual(value);
}

/** @param {(string | Forms)[]} items @param {string} form @param {Filling} filling @returns {string} */
function joined(items, form, filling) {
  if (!items.length) return filling.joints.none ?? "";
  if (form === "sum") return String(items.reduce((sum, item) => sum + Number(item), 0));
  if (form === "path") return items.map(usual).join(" → ");
  const texts = items.map((item) => printed(item, form === "or" ? "" : form, filling));
  const last = texts.pop() ?? "";
  return texts.length ? `${texts.join(", ")} ${filling.joints[form === "or" ? "or" : "and"]} ${last}` : last;
}

/** A number with its sign: +1, a true minus, and 0. @param {number} value */
export function signed(value) {
  return value > 0 ? `+${value}` : String(value).replace("-", "\u2212");
}

// ---- number and gender

/** `one` or `many` by the rule of the language. @param {number} count @param {string} lang */
export function plural(count, lang) {
  return new Intl.PluralRules(lang).select(count) === "one" ? "one" : "many";
}

/** @param {Value} value @param {string} lang */
function numberOf(value, lang) {
  if (Array.isArray(value)) return plural(value.length, lang);
  if (typeof value === "number") return plural(value, lang);
  return typeof value === "object" ? (value.number ?? "one") : "one";
}

/** @param {Value} value @returns {string} */
function genderOf(value) {
  if (!Array.isArray(value)) return typeof value === "object" ? (value.g ?? "") : "";
  const genders = new Set(value.map(genderOf));
  return genders.size === 1 ? [...genders][0] : "m";
}

// ---- typography

/** A text with the apostrophes and, in French, the spaces that a printer sets. @param {string} text @param {string} lang */
export function typeset(text, lang) {
  const apostrophes = text.replace(/(?<=[\p{L}\p{N}_])'|(?<![\p{L}\p{N}_])'(?=\d\d\b)/gu, "’");
  if (lang !== "fr") return apostrophes;
  return apostrophes
    .replace(/ ([;?!])/g, "\u202f$1")
    .replace(/ ([:»])/g, "\u00a0$1")
    .replace(/« /g, "«\u00a0");
}
