// Pictures of charts for the saved transcript: made one after another while the page has nothing else to do, also of
// charts that nobody has scrolled to.

const WITHIN_MS = 4000;
const PAUSE_MS = 250; // while an answer is being written

/** Waiting pictures; the newest are made first, since they are the ones a small transcript keeps. */
const waiting = /** @type {{due: () => boolean, make: () => Promise<void>}[]} */ ([]);
let busy = false;

const idle = (act) => ("requestIdleCallback" in window ? requestIdleCallback(act, { timeout: WITHIN_MS }) : setTimeout(act, 200));

/** @param {() => boolean} due false while something else comes first @param {() => Promise<void>} make */
export function whenIdle(due, make) {
  waiting.push({ due, make });
  next();
}

function next() {
  if (busy || !waiting.length) return;
  busy = true;
  idle(async () => {
    const at = waiting.findLastIndex((each) => each.due());
    if (at >= 0) await waiting.splice(at, 1)[0].make();
    busy = false;
    if (at >= 0) next(); else setTimeout(next, PAUSE_MS);
  });
}
