// What was read, as chips over an answer: each clause can be looked at, changed and taken away. A function of a reading
// and callbacks; it knows neither notebook nor page.
import { button, h } from "./dom.js";
import { GRAINS, changedClause, charted, limitedTo, withoutClause } from "./reading_edits.js";
import { learnWords, readingWords } from "./reading_words.js";

const KINDS = [["measures", "measure"], ["groups", "by"], ["columns", "show"], ["where", "where"], ["having", "having"], ["sort", "sorted"]];
const ORIGINS = { said: "", kept: "↩ ", assumed: "≈ " };
const MOST_FIELDS = 8;

/**
 * @param {any} reading
 * @param {{ask: ((edit: {reading: any, words: string}) => void)|null, undo?: (() => void)|null, question?: string, words?: any}} acts  without `ask` it is only shown
 */
export function readingBar(reading, { ask, undo = null, question = "", words: told = null }) {
  learnWords(reading.language, told);
  const say = readingWords(reading.language);
  const bar = h("div", { class: "svc-reading", role: "group", "aria-label": say.bar });
  function chip(part, label, clause, place) {
    const origin = clause.origin in ORIGINS ? clause.origin : "assumed";
    const mark = ORIGINS[origin], told = say[origin];
    const span = clause.said && question.slice(...clause.said);
    const words = `${label} ${clause.words}`.trim();
    const text = [label && h("span", { class: "svc-chip-kind" }, `${label} `), mark && h("span", { "aria-hidden": "true" }, mark), clause.words,
      h("span", { class: "svc-offscreen" }, ` (${told})`)];
    const whole = span ? `${told}: “${span}”` : told;
    const fields = ask && editor(part, clause, place);
    const el = h("span", { class: `svc-chip svc-is-${clause.origin ?? "assumed"}`, title: whole });
    const close = () => { el.replaceChildren(.../** @type {Node[]} */ (closed)); main?.focus?.(); };
    const main = fields ? h("button", { type: "button", class: "svc-chip-words", "aria-label": `${say.change} ${words} (${told})`, onclick: () => {
      const form = fields(close);
      el.replaceChildren(form);
      /** @type {HTMLElement} */ (form.querySelector("input, select")).focus();
    } }, ...text) : h("span", { class: "svc-chip-words" }, ...text);
    const removable = ask && (part !== "measures" || reading.measures.length > 1) && (part !== "columns" || reading.columns.length > 1);
    const closed = [main, removable && h("button", { type: "button", class: "svc-chip-x", "aria-label": `${say.remove} ${words}`,
      onclick: () => ask(withoutClause(reading, part, place)) }, "×")].filter(Boolean);
    el.append(.../** @type {Node[]} */ (closed));
    return el;
  }

  /** What changes a clause: a function that makes its form, or nothing. */
  function editor(part, clause, place) {
    if (part === "limit") return asForm([number(say.rows, clause.count)], ([count]) => count >= 1 && limitedTo(reading, Math.floor(count)));
    if (part === "chart") return asForm([select(say.chart, Object.entries(say.marks), reading.chart)], ([mark]) => charted(reading, mark));
    if (part === "groups" && clause.grain) {
      const unit = (grain) => say.grains[grain] ?? grain;
      const names = GRAINS.includes(clause.grain) ? GRAINS : [clause.grain, ...GRAINS];
      return asForm([select(say.grain, names.map((g) => [g, unit(g)]), clause.grain)], ([grain]) => changedClause(reading, part, place, { grain }, `${unit(grain)} ${say.insteadOf} ${unit(clause.grain)}`));
    }
    if (part === "sort") {
      const ways = [["", say.ascending], ["1", say.descending]];
      return asForm([select(say.order, ways, clause.descending ? "1" : "")], ([way]) => changedClause(reading, part, place, { descending: way === "1" }, way ? say.falling : say.rising));
    }
    const values = clause.values;
    if (!clause.operator || !values?.length || values.length > MOST_FIELDS) return null;
    const made = values.map((value, i) => (typeof value === "number" ? number : written)(`${say.value} ${i + 1}`, value));
    return asForm(made, (found) => changedClause(reading, part, place, { values: found }, `${found.join(", ")} ${say.insteadOf} ${values.join(", ")}`));
  }

  function asForm(inputs, edit) {
    return (close) => {
      const fresh = inputs.map((make) => make());
      const form = h("form", { class: "svc-chip-form" }, ...fresh.map((f) => f.el), h("button", { type: "submit", class: "svc-b" }, say.apply), button(say.cancel, close));
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const made = edit(fresh.map((f) => f.value()));
        if (!made || !ask) return;
        close();
        ask(made);
      });
      form.addEventListener("keydown", (event) => {
        if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); close(); }
      });
      return form;
    };
  }
  const written = (label, value) => () => {
    const el = h("input", { type: "text", "aria-label": label, value: String(value), size: String(Math.min(24, Math.max(4, String(value).length))) });
    return { el, value: () => (typeof value === "boolean" ? el.value === "true" : el.value) };
  };
  const number = (label, value) => () => {
    const el = h("input", { type: "number", step: "any", required: true, "aria-label": label, value: String(value) });
    return { el, value: () => Number(el.value) };
  };
  const select = (label, options, now) => () => {
    const el = h("select", { "aria-label": label }, ...options.map(([value, words]) => h("option", { value, selected: value === now }, words)));
    return { el, value: () => el.value };
  };

  const chips = KINDS.flatMap(([part, label]) => (reading[part] ?? []).map((clause, place) => !clause.hidden && chip(part, say[label], clause, place)));
  if (reading.limit) chips.push(chip("limit", "", reading.limit, 0));
  if (reading.chart) chips.push(chip("chart", say.as, { words: say.marks[reading.chart] ?? reading.chart, origin: reading.chartOrigin ?? "assumed" }, 0));
  bar.append(.../** @type {Node[]} */ (chips.filter(Boolean)));
  if (undo) bar.append(button(say.undo, undo, { "aria-label": say.undoing }));
  return bar;
}
