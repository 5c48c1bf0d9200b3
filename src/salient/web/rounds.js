/** The other side's last turn in the log: its phases with the answers that were given in them. */

/** @import { GameClient } from "./game.js" */
/** @import { Entry } from "./api.js" */

/**
 * From which entry to which; equal if the other side has not acted yet. Where phases belong to nobody, a turn is all since one's own last decision.
 * @param {Entry[]} entries @param {Set<string>} mine one's own seats @param {boolean} sided whether phases belong to sides
 * @returns {[number, number]}
 */
export function lastRound(entries, mine, sided) {
  return sided ? lastPhases(entries, mine) : sinceOwnDecision(entries, mine);
}

/** @param {Entry[]} entries @param {Set<string>} mine @returns {[number, number]} */
function lastPhases(entries, mine) {
  const starts = entries.flatMap(({ heading }, i) => (heading || !i ? [i] : []));
  const leaders = starts.map((start, i) => entries.slice(start, starts[i + 1]).find(({ seat }) => seat !== "chance")?.seat);
  let end = leaders.length;
  while (end > 0 && (!leaders[end - 1] || mine.has(leaders[end - 1] ?? ""))) end--;
  let begin = end;
  while (begin > 0 && !mine.has(leaders[begin - 1] ?? "")) begin--;
  return end ? [starts[begin], starts[end] ?? entries.length] : [0, 0];
}

/** @param {Entry[]} entries @param {Set<string>} mine @returns {[number, number]} */
function sinceOwnDecision(entries, mine) {
  let last = entries.length;
  while (last > 0 && (mine.has(entries[last - 1].seat) || entries[last - 1].seat === "chance")) last--;
  let first = last;
  while (first > 0 && !(mine.has(entries[first - 1].seat) && entries[first - 1].ends)) first--;
  return last ? [first, last] : [0, 0];
}

/** @param {GameClient} game */
export function enemyRound({ entries, snapshot, components }) {
  const mine = new Set(snapshot.seats.filter((row) => row.mine).map(({ seat }) => seat));
  return lastRound(entries, mine, (components.sequence ?? []).some(({ side }) => side));
}

/** The positions in which turns begin, and what they are called. @param {import("./api.js").Entry[]} entries */
export function turnStarts(entries) {
  const starts = entries.flatMap(({ ply, heading }) => (heading ? [{ ply: ply - 1, name: heading.split(" · ")[0] }] : []));
  return starts.filter(({ name }, i) => name !== starts[i - 1]?.name);
}
