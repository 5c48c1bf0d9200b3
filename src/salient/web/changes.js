/** What is new in a snapshot that is held, applied to it (docs/API.md). */

/** @import { Snapshot, SnapshotChange, View, ViewChange } from "./wire.d.ts" */
/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {import("./api.js").ActionGroup} ActionGroup */
/** @typedef {import("./api.js").LegalAction} LegalAction */

/** Where the last value of an action stands in the label of its group. */
const PLACE = "{}";

/** A view with a change applied. @param {View} view @param {ViewChange | undefined} change @returns {View} */
export function changedView(view, change) {
  const { units = {}, ...rest } = change ?? {};
  const after = { ...view.units };
  for (const [id, unit] of Object.entries(units)) {
    if (unit === null) delete after[id];
    else after[id] = unit;
  }
  return { ...view, ...rest, units: after };
}

/** A snapshot with a change applied; the entries that come with it tell what is new in the view, unless the change does. @param {Snapshot} held @param {SnapshotChange} change @param {Entry[]} entries @returns {Snapshot} */
export function changedSnapshot(held, change, entries) {
  const { from: _, view, legal, ...rest } = change;
  const told = view ? [view] : entries.map((entry) => entry.change);
  return { ...held, ...rest, view: told.reduce(changedView, held.view), legal: legal ? unpacked(legal) : held.legal };
}

/** The legal actions of groups, one by one. @param {ActionGroup[]} groups @returns {LegalAction[]} */
export function unpacked(groups) {
  return groups.flatMap((group) => (group.last.length ? group.last.map((last) => one(group, last)) : [one(group)]));
}

/** @param {ActionGroup} group @param {string | [string, string]} [last] @returns {LegalAction} */
function one({ verb, kinds, given, label, last: _, ...rest }, last) {
  const [value, own] = Array.isArray(last) ? last : [last];
  const values = value === undefined ? given : [...given, value];
  const said = own ?? label.replaceAll(PLACE, () => value ?? "");
  return { text: [verb, ...values].join(" "), verb, args: values.map((each, i) => ({ kind: kinds[i], value: each })), label: said, ...rest };
}
