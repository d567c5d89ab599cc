// A table of a result: sorted by a head, filtered by words, page by page, copied for a sheet or a note.
import { button, copy, h } from "./dom.js";

const PAGE = 25;
// rows from which on looking for some is worth a field
const FILTERED = 8;

/** @param {Table} table @param {string} title */
export function tableView(table, title) {
  const order = table.rows.map((_, i) => i);
  let page = 0;
  let wanted = "";
  const body = h("tbody");
  const heads = table.columns.map((column, i) => {
    const arrow = h("span", { class: "svc-arrow", "aria-hidden": "true" });
    return h("th", { scope: "col", class: column.number ? "svc-n" : undefined, "aria-sort": "none" },
      h("button", { type: "button", class: "svc-sort", onclick: () => sort(i) }, column.title, arrow));
  });
  const where = h("span", { class: "svc-pages", role: "status" });
  const back = button("‹", () => turn(-1), { "aria-label": "Rows before" });
  const on = button("›", () => turn(1), { "aria-label": "Rows after" });

  /** Rows that hold the words, in the order of now. */
  const found = () => (wanted ? order.filter((at) => table.rows[at].some((cell) => (cell ?? table.null ?? "null").toLowerCase().includes(wanted))) : order);

  function fill() {
    const rows = found();
    const pages = Math.max(1, Math.ceil(rows.length / PAGE));
    page = Math.min(Math.max(page, 0), pages - 1);
    const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
    body.replaceChildren(...shown.map((at) => h("tr", {}, ...table.rows[at].map((cell, i) => {
      const number = table.columns[i].number;
      return h("td", { class: number ? "svc-n" : undefined, dir: number ? undefined : "auto", title: (cell?.length ?? 0) > 40 ? cell : undefined },
        cell === null ? h("em", {}, table.null ?? "null") : cell);
    }))));
    back.disabled = page === 0;
    on.disabled = page === pages - 1;
    back.hidden = on.hidden = pages === 1;
    const first = rows.length ? page * PAGE + 1 : 0;
    where.textContent = pages > 1 || wanted ? `${first}–${first + shown.length - (rows.length ? 1 : 0)} of ${rows.length}${wanted ? " found" : ""}` : "";
  }

  /** @param {number} by */
  function turn(by) {
    page += by;
    fill();
  }

  /** @param {number} i */
  function sort(i) {
    const now = heads[i].getAttribute("aria-sort");
    const up = now !== "ascending";
    heads.forEach((head, k) => head.setAttribute("aria-sort", k === i ? (up ? "ascending" : "descending") : "none"));
    const keys = table.keys[i];
    /** @type {(row: number) => any} */
    const key = (row) => (keys ? keys[row] : table.rows[row][i]);
    order.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
      const by = keys ? x - y : x < y ? -1 : x > y ? 1 : 0;
      return (up ? by : -by) || a - b;
    });
    page = 0;
    fill();
  }

  const search = h("input", {
    type: "search", class: "svc-find", placeholder: "Filter rows", "aria-label": `Filter the rows of ${title || "the table"}`,
    oninput: (/** @type {any} */ event) => {
      wanted = event.target.value.trim().toLowerCase();
      page = 0;
      fill();
    },
  });
  const kept = () => found().map((at) => table.rows[at]);
  const titles = table.columns.map((column) => column.title);
  const tools = h("div", { class: "svc-table-tools" },
    table.rows.length >= FILTERED && search,
    back, where, on,
    button("Copy", (event) => copy(asSheet(titles, kept()), event.currentTarget), { title: "Copy the rows for a sheet (TSV)" }),
    button("Copy as Markdown", (event) => copy(asMarkdown(titles, kept()), event.currentTarget)));
  fill();
  return h("div", { class: "svc-table-whole" },
    h("div", { class: "svc-table-box", tabindex: "0", role: "group", "aria-label": `Table: ${title || "result"}` },
      h("table", { class: "svc-table" },
        h("caption", { class: table.partial ? "svc-partial" : undefined }, [title, table.said].filter(Boolean).join(" · ")),
        h("thead", {}, h("tr", {}, ...heads)), body)),
    tools);
}

/** Rows for a sheet: a cell that begins like a formula is written as text. @param {string[]} titles @param {(string|null)[][]} rows */
export const asSheet = (titles, rows) => [titles, ...rows].map((row) => row.map(sheetCell).join("\t")).join("\n");

/** @param {string|null} cell */
function sheetCell(cell) {
  const text = (cell ?? "").replace(/[\t\r\n]+/g, " ");
  if (/^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text)) return text.replaceAll(",", "");
  return /^[=+@]|^-(?![\d.,]+%?$)/.test(text) ? `'${text}` : text;
}

/** Rows as a table of Markdown. @param {string[]} titles @param {(string|null)[][]} rows */
export function asMarkdown(titles, rows) {
  /** @param {(string|null)[]} row */
  const line = (row) => `| ${row.map((cell) => (cell ?? "").replace(/[\r\n]+/g, " ").replace(/[\\|]/g, "\\$&")).join(" | ")} |`;
  return [line(titles), `| ${titles.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}
