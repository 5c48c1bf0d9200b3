/** Who hears whom at the table: what the game, the board and the panels tell, and what is done about it. */

import { request } from "./api.js";
import { exportReport } from "./menu.js";

/** @import { SalientTable } from "./table.js" */

/** @param {EventTarget} target @param {string} type @param {(detail: any) => void} run */
function on(target, type, run) {
  target.addEventListener(type, (event) => run(/** @type {CustomEvent} */ (event).detail));
}

/** @param {SalientTable} table */
export function wire(table) {
  const { game, panel, input, considering, board } = table;
  for (const type of ["shown", "snapshot"]) on(game, type, () => table.render());
  on(game, "played", (entry) => table.played(entry));
  on(game, "refused", ({ message, refusals }) => table.refused(message, refusals));
  on(game, "more-dice", (needed) => panel.moreDice(needed));
  on(game, "others-begin", () => table.sight.leave());
  on(game, "turn-over", ({ entries, before }) => table.turnOver(entries, before));
  on(game, "connection", () => table.connection());
  on(game, "gone", () => table.gone());
  on(table.digest, "go", (place) => board.goTo(place));
  on(table.digest, "arrows", (moves) => table.showing.othersWent(moves));
  on(board, "point", (pointed) => input.point(pointed));
  on(board, "lift", (pointed) => input.lift(pointed));
  on(board, "drop", (dropped) => input.drop(dropped));
  on(board, "box", ({ box, more }) => input.box(box, more));
  board.dragging.liftable = (unit) => input.liftable(unit);
  for (const part of [board, table.stack, table.tray, table.charts]) on(part, "pick", (pointed) => input.pick(pointed));
  panel.able = () => input.able();
  panel.targets = () => table.plans.targetsOf(input.selected()).length;
  on(panel, "play", (action) => table.play(action));
  on(table.odds, "close", () => considering.putAway());
  on(panel, "consider", (action) => considering.look(action));
  on(panel, "clear", () => input.clear());
  on(panel, "group", (what) => input.gather(what));
  on(panel, "formation", (units) => input.select(units));
  on(panel, "instead", (action) => table.group.carryOut({ actions: [table.choice.cancel()?.text, action.text] }));
  on(panel, "combats-only", (only) => game.showtime.combatsOnly(only));
  on(panel, "hindered", () => table.sight.showHindrance());
  on(panel, "faces", (faces) => game.roll((panel.typed = faces)));
  for (const what of /** @type {const} */ (["undo", "redo", "reset"])) on(panel, what, () => table.turnBack(what));
  on(panel, "present", () => table.replay.present());
  on(panel, "verify", () => table.dice());
  on(panel, "report", () => exportReport(game));
  on(panel, "analysis", () => table.analyse());
  on(panel, "advice", () => table.advice.ask());
  on(panel, "pause", (paused) => request("PATCH", `games/${game.id}`, { ...game.eyes(), body: { paused } }).then((snapshot) => game.settle(snapshot)));
  for (const part of [table.situation, table.calendar]) on(part, "spot", (places) => table.spots.show(places));
  for (const part of [table.situation, table.log, table.analysis]) on(part, "look", (ply) => game.look(ply));
  on(table.situation, "decided", (places) => table.spots.show(places, 0));
  on(table.sequence, "situation", () => table.tabs.bring("situation"));
  on(table.tabs, "opened", () => table.showPages());
  table.group.addEventListener("changed", () => table.showing.choice());
}
