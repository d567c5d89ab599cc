// What askers were not served well with, group by group, and what each teaches.
import { button, field, h, select } from "./parts.js";

const ENDINGS = { wrong: "Marked wrong", corrected: "Corrected by the next words", refused: "Refused", "asked back": "Asked back" };

export function reviewPanel(model, el, send) {
  const list = h("div", { class: "svp-findings" });
  const known = h("datalist", { id: `svp-members-${model.get("uid")}` });
  const kinds = select([["", "All"], ...Object.entries(ENDINGS)], "");
  const count = h("p", { class: "svp-hint", role: "status", "aria-live": "polite" });
  const problem = h("p", { class: "svp-error", role: "alert" });
  const done = h("p", { class: "svp-hint svp-done", role: "status", "aria-live": "polite" });
  let found = [];
  let more = 0;
  const settled = new Map(); // what was done about a question, while the panel is open

  function act(message) {
    problem.textContent = done.textContent = "";
    send(message);
  }

  /** What a word teaches: a name of a member, or which of several members it means by itself. */
  function wordForm(finding) {
    const word = h("input", { type: "text", value: finding.unknown[0] ?? "" });
    const member = h("input", { type: "text", list: known.id, placeholder: "orders.revenue", spellcheck: "false" });
    const teach = (t) => () => act({ t, word: word.value, member: member.value, of: finding.question });
    return h("details", {}, h("summary", {}, "Teach a word"),
      h("div", { class: "svp-grid" }, field("Word or phrase", word), field("Member", member)),
      h("div", { class: "svp-row" }, button("Accept as synonym", teach("synonym")), button("Accept as default", teach("default"))),
      h("p", { class: "svp-hint" }, "A synonym names the member always; a default decides where several could be meant."));
  }

  /** The query that answers it: certified for askers, or kept as a case. */
  function queryForm(finding) {
    const sql = h("textarea", { rows: "3", spellcheck: "false", placeholder: "SELECT MEASURE(orders.revenue) AS revenue FROM orders" });
    const give = (t) => () => act({ t, question: finding.question, sql: sql.value, of: finding.question });
    const readings = finding.readings.map((reading) => h("li", {}, button(`Take: ${reading.question}`, () => { sql.value = reading.sql; sql.focus(); })));
    return h("details", {}, h("summary", {}, "Give the answer"),
      readings.length ? h("ul", { class: "svp-readings", "aria-label": "Readings that were offered" }, ...readings) : null,
      field("SQL over the data model", sql),
      h("div", { class: "svp-row" }, button("Certify", give("certify")), button("Keep as eval case", give("case"))));
  }

  function card(finding) {
    const times = finding.count > 1 ? ` · ${finding.count} times` : "";
    const lines = [
      finding.others.length && `Also asked: ${finding.others.join("; ")}`,
      finding.unknown.length && `Unknown words: ${finding.unknown.join(", ")}`,
      finding.why.length && `Askers said: ${finding.why.join("; ")}`,
    ].filter(Boolean);
    return h("section", { class: "svp-finding", "data-kind": finding.kind, "aria-label": finding.question },
      h("h3", {}, finding.question),
      h("p", { class: "svp-hint" }, h("span", { class: "svp-kind" }, ENDINGS[finding.kind] ?? finding.kind), times),
      ...lines.map((text) => h("p", { class: "svp-hint" }, text)),
      settled.has(finding.question) && h("p", { class: "svp-settled" }, `✓ ${settled.get(finding.question)}`),
      wordForm(finding), queryForm(finding));
  }

  function fill() {
    const shown = found.filter((finding) => !kinds.value || finding.kind === kinds.value);
    list.replaceChildren(...shown.map(card));
    const rest = more ? ` and ${more} more` : "";
    count.textContent = found.length ? `${shown.length} of ${found.length}${rest} groups of questions that are alike.` : "Nothing to review: no question was refused, asked back, corrected or marked wrong.";
  }

  kinds.addEventListener("change", fill);
  el.replaceChildren(h("div", { class: "svp", "data-lm-suppress-shortcuts": "true" }, h("h2", {}, "Questions to review"), known,
    h("div", { class: "svp-row svp-end" }, field("Show", kinds), button("Look again", () => act({ t: "refresh" }))), count, list, problem, done));
  return {
    close() {},
    hear(message) {
      if (message.t === "findings") {
        ({ findings: found, more } = message);
        known.replaceChildren(...message.members.map((name) => h("option", { value: name })));
        if (message.of && message.done) settled.set(message.of, message.done);
        done.textContent = message.done;
        fill();
      }
      if (message.t === "refused") problem.textContent = message.message;
    },
  };
}
