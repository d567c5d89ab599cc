// A thread as a tree: a question asked in the place of an earlier one follows what that one followed. What is shown is one
// path through it; the others can be walked to. Plain data in and out; turns without a number in their thread (a service
// that numbers none, a question that never reached it) stand where they came.

/** The numbered turns on the way to turn number `leaf`, which they include. @param {Turn[]} turns @param {number} leaf */
function wayTo(turns, leaf) {
  const known = new Map(turns.map((turn) => [turn.turn, turn]));
  const way = new Set();
  for (let at = known.get(leaf); at && at.turn !== null && !way.has(at.turn); at = known.get(at.after)) way.add(at.turn);
  return way;
}

/** Number of the newest turn; 0 where none has one. @param {Turn[]} turns */
const newest = (turns) => Math.max(0, ...turns.map((turn) => turn.turn ?? 0));

/** The turns of the path to `leaf` (null: to the newest turn), in their order. @param {Turn[]} turns @param {number|null} leaf */
export function pathTo(turns, leaf) {
  const way = wayTo(turns, leaf ?? newest(turns));
  let shown = true; // what has no number stands with the numbered turn before it
  return turns.filter((turn) => {
    if (turn.turn !== null) shown = way.has(turn.turn);
    return shown;
  });
}

/** Number of the turn a question follows that is asked now; null where turns have no numbers. @param {Turn[]} turns @param {number|null} leaf */
export function lastOf(turns, leaf) {
  return pathTo(turns, leaf).findLast((turn) => turn.turn !== null)?.turn ?? null;
}

/** Those asked in the place of `turn`, itself among them. @param {Turn[]} turns @param {Turn} turn */
export function versions(turns, turn) {
  if (turn.turn === null) return [turn];
  return turns.filter((other) => other.turn !== null && other.after === turn.after);
}

/** Number of the newest turn that goes on from `turn`. @param {Turn[]} turns @param {Turn} turn */
export function endFrom(turns, turn) {
  const on = turns.filter((other) => other.turn !== null && wayTo(turns, other.turn).has(turn.turn));
  return newest(on);
}
