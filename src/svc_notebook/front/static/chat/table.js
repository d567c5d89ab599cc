// A sortable table of a result.
import { h } from "./dom.js";

/** @param {Table} table @param {string} title */
export function tableView(table, title) {
  const order = table.rows.map((_, i) => i);
  const body = h("tbody");
  const heads = table.columns.map((column, i) => {
    const arrow = h("span", { class: "svc-arrow", "aria-hidden": "true" });
    return h("th", { scope: "col", class: column.number ? "svc-n" : undefined, "aria-sort": "none" },
      h("button", { type: "button", class: "svc-sort", onclick: () => sort(i) }, column.title, arrow));
  });
  function fill() {
    body.replaceChildren(...order.map((at) => h("tr", {}, ...table.rows[at].map((cell, i) => {
      const number = table.columns[i].number;
      return h("td", { class: number ? "svc-n" : undefined, dir: number ? undefined : "auto", title: (cell?.length ?? 0) > 40 ? cell : undefined },
        cell === null ? h("em", {}, "null") : cell);
    }))));
  }
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
    fill();
  }
  fill();
  return h("div", { class: "svc-table-box", tabindex: "0", role: "group", "aria-label": `Table: ${title || "result"}` },
    h("table", { class: "svc-table" },
      h("caption", { class: table.partial ? "svc-partial" : undefined }, [title, table.said].filter(Boolean).join(" · ")),
      h("thead", {}, h("tr", {}, ...heads)), body));
}
