// What the analyst did on the way: its thinking, and a card per tool call.
import { h, seconds } from "./dom.js";
import { sqlBlock } from "./sql_cell.js";

const STATES = { running: "running", complete: "done", failed: "failed", aborted: "stopped" };

/** @param {Tool} tool @param {Chat} chat */
export function toolCard(tool, chat) {
  const running = tool.state === "running";
  const time = h("span", { class: "svc-time" }, running ? "" : seconds(tool.ms));
  if (running) time.dataset.since = String(tool.started ?? performance.now());
  const state = STATES[tool.state] ?? "done";
  return h("details", { class: `svc-tool svc-is-${state}`, "data-tool": tool.id },
    h("summary", {},
      h("span", { class: "svc-dot", "aria-hidden": "true" }),
      h("span", { class: "svc-tool-name" }, tool.label || tool.name),
      tool.rows && h("span", { class: "svc-count" }, tool.rows),
      running && tool.progress !== null && progress(tool.progress),
      time,
      h("span", { class: "svc-tool-state" }, STATES[tool.state] ?? tool.state)),
    h("div", { class: "svc-tool-body" },
      h("div", { class: "svc-muted" }, `${tool.name}${tool.detail ? ": " + tool.detail : ""}`),
      tool.error && h("p", { class: "svc-problem" }, tool.error),
      tool.sql && sqlBlock(tool.sql, chat)));
}

/** How much of its data the query has read, 0 to 1. */
function progress(done) {
  const said = `${Math.round(done * 100)} % read`;
  return h("span", { class: "svc-progress" },
    h("progress", { max: "1", value: String(done), "aria-label": "Query progress" }), said);
}

/** @param {string} text @param {boolean} opened @param {string} [called] */
export function thinkingCard(text, opened, called = "Thinking") {
  return h("details", { class: "svc-thinking", open: opened || undefined },
    h("summary", {}, called), h("div", { class: "svc-thinking-text", tabindex: "0", role: "group", "aria-label": "What was thought" }, text));
}
