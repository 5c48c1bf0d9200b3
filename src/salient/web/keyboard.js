/** Keys: everything can be played without a pointer. The help dialog lists them from the same table. */

/** What leaves a first press on an ending as it is: the second press, and Escape, which takes it back itself. */
const KEEPS_ARMED = new Set(["button", "pick", "escape"]);

/** @typedef {{ keys: string[], name: string, run: (event: KeyboardEvent) => void, always?: boolean }} Shortcut */

/** @param {import("./table.js").SalientTable} table @returns {Shortcut[]} */
export function shortcuts(table) {
  const move = (/** @type {number} */ dx, /** @type {number} */ dy) => (/** @type {KeyboardEvent} */ event) => (event.shiftKey ? table.board.camera.pan(-dx * 120, -dy * 120) : table.cursor.move(dx, dy));
  return [
    { keys: ["n"], name: "next", run: () => table.cursor.cycle(1) },
    { keys: ["p", "N"], name: "previous", run: () => table.cursor.cycle(-1) },
    { keys: ["Enter"], name: "pick", run: () => table.cursor.pick() },
    { keys: ["Escape"], name: "escape", run: () => table.input.escape() },
    { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], name: "button", run: (event) => table.panel.pressNth(Number(event.key) - 1) },
    { keys: ["s"], name: "stack", run: () => table.input.gather("stack") },
    { keys: ["g"], name: "formation", run: () => table.input.gather("formation") },
    { keys: ["u"], name: "undo", run: () => table.turnBack("undo") },
    { keys: ["y"], name: "redo", run: () => table.turnBack("redo") },
    { keys: ["U"], name: "reset", run: () => table.turnBack("reset") },
    { keys: ["ArrowUp"], name: "cursor", run: move(0, -1) },
    { keys: ["ArrowDown"], name: "cursor", run: move(0, 1) },
    { keys: ["ArrowLeft"], name: "cursor", run: move(-1, 0) },
    { keys: ["ArrowRight"], name: "cursor", run: move(1, 0) },
    { keys: ["+", "="], name: "zoom-in", run: () => table.board.camera.zoom(1.25) },
    { keys: ["-"], name: "zoom-out", run: () => table.board.camera.zoom(0.8) },
    { keys: ["0", "f"], name: "fit", run: () => table.board.camera.fit() },
    { keys: ["/"], name: "find", run: () => table.find() },
    { keys: ["t"], name: "text", run: () => table.textView() },
    { keys: ["o"], name: "overlays", run: () => table.openOverlays() },
    { keys: [",", "["], name: "step-back", run: () => table.replay.by(-1) },
    { keys: [".", "]"], name: "step-forward", run: () => table.replay.by(1) },
    { keys: [" "], name: "play", run: () => table.replay.toggle() },
    { keys: ["r"], name: "enemy-turn", run: () => table.replay.enemyTurn() },
    { keys: ["e"], name: "digest", run: () => table.digest.again(table.game) },
    { keys: ["w"], name: "advice", run: () => table.advice.ask() },
    { keys: ["d"], name: "dice", run: () => table.dice() },
    { keys: ["?", "h"], name: "help", run: () => table.help() },
  ];
}

/** Listens until the returned function is called. @param {import("./table.js").SalientTable} table */
export function listenToKeys(table) {
  const known = shortcuts(table);
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.matches("input:not([type=range]), textarea, select")) return;
    if (ownsKey(target, event.key)) return;
    const found = known.find(({ keys }) => keys.includes(event.key));
    if (!found) return;
    event.preventDefault();
    if (!KEEPS_ARMED.has(found.name)) table.panel.disarm();
    found.run(event);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** Buttons keep Enter and space, lists keep their arrows. @param {HTMLElement} target @param {string} key */
function ownsKey(target, key) {
  if (key === "Enter" || key === " ") return target.matches("button, summary, a, [role=slider]");
  return key.startsWith("Arrow") && Boolean(target.closest(".entries, .menu, [type=range]"));
}
