// What stands on the chips of a reading and about an answer besides its own words, in the language that is answered in.

const ENGLISH = {
  bar: "How the question was read", measure: "measure", by: "by", show: "show", where: "where", having: "groups where", sorted: "sorted by", as: "as",
  said: "said in the question", kept: "kept from before", assumed: "assumed", change: "Change", remove: "Remove", apply: "Apply", cancel: "Cancel",
  undo: "Undo", undoing: "Undo the change of the reading", rows: "Rows", chart: "Chart", grain: "By", order: "Order", value: "Value", ascending: "ascending",
  descending: "descending", without: "The same without", with: "The same with", first: "The same, the first", shownAs: "The same as", insteadOf: "instead of",
  copy: "Copy", copied: "Copied", copyHint: "Copy the rows for a sheet (TSV)", markdown: "Copy as Markdown", save: "Save all rows as", saved: "Saved",
  filter: "Filter rows", filterOf: "Filter the rows of", table: "Table", result: "result", before: "Rows before", after: "Rows after", of: "of", found: "found",
  width: "Width of", loading: "Loading all rows …", evidence: "Evidence", copyAnswer: "Copy answer", again: "Retry", askAgain: "Ask again", edit: "Edit",
  thinking: "Thinking", askAbout: "Ask about the data", ask: "Ask", stop: "Stop", fresh: "New", threads: "Threads", editQuestion: "Edit question", answer: "Answer", stopped: "Stopped. What came until then is kept.",
  rising: "the order ascending", falling: "the order descending", limit: "limit",
  marks: { bar: "bars", line: "a line", area: "an area", point: "points", arc: "a pie", rect: "a heat map", table: "a table" }, grains: {},
};
/** @type {Record<string, typeof ENGLISH>} those of other languages come with the first reading that is in one */
const READING_WORDS = {};

/** @param {string|null|undefined} language @param {any} words */
export function learnWords(language, words) {
  if (language && words) READING_WORDS[language] = { ...ENGLISH, ...words };
}

/** @param {string|null|undefined} language @returns {typeof ENGLISH} */
export const readingWords = (language) => READING_WORDS[language ?? ""] ?? ENGLISH;
