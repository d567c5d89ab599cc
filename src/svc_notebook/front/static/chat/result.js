// One result: chart, table, evidence.
import { chartView } from "./chart.js";
import { h, seconds } from "./dom.js";
import { learnWords, readingWords } from "./reading_words.js";
import { sqlBlock } from "./sql_cell.js";
import { command } from "./store.js";
import { tableView } from "./table.js";

/** @param {Evidence} found @param {number|null} ms @param {Chat} chat @param {string} called */
function evidenceView(found, ms, chat, called) {
  const facts = [["rows", found.rows], ["as", found.whom], ["row filters", found.filters.join("; ") || "none"],
    ...found.notes.map((note) => ["note", note]), ["time", seconds(ms)], ["result", found.uuid]];
  return h("details", { class: "svc-evidence" },
    h("summary", {}, [called, found.rows, found.whom && `as ${found.whom}`].filter(Boolean).join(" · ")),
    h("dl", {}, ...facts.filter(([, value]) => value).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    found.sql && sqlBlock(found.sql, chat));
}

/** @param {Result} result @param {Chat} chat */
export function resultView(result, chat) {
  const chart = result.chart;
  learnWords(result.language, result.words);
  /** @type {Ask} */
  const ask = (act, look, then) => {
    const id = command(chat, { t: act, result: result.evidence.uuid, ...look });
    if (then) chat.cells.set(id, then);
    return id;
  };
  return h("figure", { class: "svc-result" },
    chart?.spec && chartView(chart, chat, result.evidence.uuid),
    chart?.note && h("p", { class: "svc-muted" }, chart.note),
    tableView(result.table, result.title, result.table.far ? ask : null, result.language),
    evidenceView(result.evidence, result.ms, chat, readingWords(result.language).evidence));
}
