/** What is new in a snapshot that is held, applied to it (docs/API.md). */

/** @import { ActionHead, PackedLegal, Snapshot, SnapshotChange, View, ViewChange } from "./wire.d.ts" */
/** @typedef {import("./api.js").Entry} Entry */
/** @typedef {import("./api.js").LegalAction} LegalAction */
/** @typedef {NonNullable<View["panels"]>[number]} Panel */

/** Where a value of an action stands in its label. */
const PLACE = /\{(\d+)\}/g;

/** A view with a change applied; what it names and the view does not have is left out. @param {View} view @param {ViewChange | undefined} change @returns {View} */
export function changedView(view, change) {
  const { units = {}, panels, ...rest } = change ?? {};
  const after = { ...view.units };
  for (const [id, unit] of Object.entries(units)) {
    if (unit === null) delete after[id];
    else after[id] = unit;
  }
  return { ...view, ...rest, ...(panels && { panels: changedPanels(view.panels ?? [], panels) }), units: after };
}

/** Panels, and rows of charts, that are as they were come by their keys. @param {Panel[]} known @param {NonNullable<ViewChange["panels"]>} panels @returns {Panel[]} */
function changedPanels(known, panels) {
  return named(known, panels).map((panel) => {
    if (panel.kind !== "chart") return panel;
    const before = known.find(({ key }) => key === panel.key);
    return { ...panel, rows: named(before?.kind === "chart" ? before.rows : [], panel.rows) };
  });
}

/** @template {{ key: string }} Known @template {{ key: string }} Item @param {Known[]} known @param {(Item | string)[]} items @returns {(Known | Item)[]} */
function named(known, items) {
  return items.flatMap((item) => /** @type {(Known | Item)[]} */ (typeof item === "string" ? known.filter(({ key }) => key === item) : [item]));
}

/** A snapshot with a change applied; first what the entries that come with it tell of the view, if they do. @param {Snapshot} held @param {SnapshotChange} change @param {Entry[]} entries @returns {Snapshot} */
export function changedSnapshot(held, change, entries) {
  const { from: _, told, view, legal, ...rest } = change;
  const changes = [...(told ? entries.map((entry) => entry.change) : []), view];
  return { ...held, ...rest, view: changes.reduce(changedView, held.view), legal: legal ? unpacked(legal) : held.legal };
}

/** The legal actions of a packed list, one by one: a row lacks the values at its beginning that the row before has. @param {PackedLegal} packed @returns {LegalAction[]} */
export function unpacked({ heads, called, runs }) {
  return runs.flatMap(([number, rows]) => {
    const head = heads[number];
    /** @type {string[]} */
    let values = [];
    return rows.split(";").map((row) => {
      const own = row ? row.split(" ") : [];
      values = [...values.slice(0, head.kinds.length - own.length), ...own];
      return one(head, values, called);
    });
  });
}

/** @param {ActionHead} head @param {string[]} values @param {PackedLegal["called"]} called @returns {LegalAction} */
function one({ verb, kinds, by, labels, ...rest }, values, called) {
  const pattern = labels[by.map((i) => values[i]).join(" ")];
  const label = pattern.replaceAll(PLACE, (_, i) => called[kinds[i]]?.[values[i]] ?? values[i]);
  return { text: [verb, ...values].join(" "), verb, args: values.map((value, i) => ({ kind: kinds[i], value })), label, ...rest };
}
