// Changes of a reading: plain data in, a new reading and the edit in words out. Nothing here knows the page.
import { readingWords } from "./reading_words.js";

/** @typedef {{member?: string, aggregate?: string, grain?: string, part?: string, expression?: string, operator?: string, values?: any[],
 *             descending?: boolean, words?: string, origin?: string, said?: [number, number], from?: string, name?: string, hidden?: boolean}} Clause */
/** @typedef {{reading: any, words: string}} Edit */

const ABOUT = ["member", "aggregate", "grain", "part", "expression"];

/** Whether two clauses are about the same. @param {Clause} one @param {Clause} other */
function sameThing(one, other) {
  return ABOUT.every((key) => one[key] === other[key]);
}

/** What sorts and limits by a clause goes with it, or changes as it does. @param {any} reading @param {Clause} clause @param {Clause|null} now */
function following(reading, clause, now) {
  const follow = (list) => (list ?? []).flatMap((each) => (!sameThing(each, clause) ? [each] : now ? [{ ...each, ...about(now), words: "" }] : []));
  const limit = reading.limit?.per?.length ? { ...reading.limit, per: follow(reading.limit.per) } : reading.limit;
  return { sort: follow(reading.sort), limit };
}

const about = (clause) => Object.fromEntries(ABOUT.filter((key) => clause[key] !== undefined).map((key) => [key, clause[key]]));

/** @param {any} reading @param {string} part @param {number} place @returns {Edit} */
export function withoutClause(reading, part, place) {
  const say = readingWords(reading.language);
  if (part === "limit" || part === "chart") return { reading: { ...reading, [part]: null }, words: `${say.without} ${say[part]}` };
  const clause = reading[part][place];
  const shown = part === "groups" || part === "measures";
  const rest = { ...reading, [part]: reading[part].filter((_, i) => i !== place), ...(shown ? following(reading, clause, null) : {}) };
  return { reading: rest, words: `${say.without} ${clause.words}` };
}

/** @param {any} reading @param {string} part @param {number} place @param {Partial<Clause>} fields @param {string} words @returns {Edit} */
export function changedClause(reading, part, place, fields, words) {
  const old = reading[part][place];
  const { said, from, name, ...kept } = old;
  const now = { ...kept, ...fields, words: "", origin: "said" };
  const clauses = reading[part].map((each, i) => (i === place ? now : each));
  const shown = part === "groups" || part === "measures";
  return { reading: { ...reading, [part]: clauses, ...(shown ? following(reading, old, now) : {}) }, words: `${readingWords(reading.language).with} ${words}` };
}

/** @param {any} reading @param {number} count @returns {Edit} */
export function limitedTo(reading, count) {
  const { said, from, ...kept } = reading.limit ?? {};
  return { reading: { ...reading, limit: { ...kept, count, words: "", origin: "said" } }, words: `${readingWords(reading.language).first} ${count}` };
}

/** @param {any} reading @param {string} mark @returns {Edit} */
export function charted(reading, mark) {
  const say = readingWords(reading.language);
  return { reading: { ...reading, chart: mark, chartOrigin: "said" }, words: `${say.shownAs} ${say.marks[mark]}` };
}

export const GRAINS = ["year", "quarter", "month", "week", "day", "hour"];
