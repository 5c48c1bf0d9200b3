/** Legal actions as the server sends them, from their text: `r1` and the like are units, numbers are hexes. */

const ROLES = { select: "take-up", cancel: "take-back", drop: "take-back", via: "lead", attack: "fight" };

/** @param {string} text @param {object} [more] */
export function action(text, more = {}) {
  const [verb, ...values] = text.split(" ");
  const args = values.map((value) => ({ kind: /^[a-z]/.test(value) ? "unit" : "hex", value }));
  return { text, verb, args, label: text, names: false, ...(ROLES[verb] ? { role: ROLES[verb] } : {}), ...more };
}

/** @param {...string} texts */
export const actions = (...texts) => texts.map((text) => action(text));
