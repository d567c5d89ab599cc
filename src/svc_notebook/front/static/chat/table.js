// A table of a result: sorted by a head, filtered by words, page by page, copied for a sheet or a note. The rows of a
// large result stay where they are computed; a page of them is asked for.
import { button, copy, flash, h } from "./dom.js";
import { readingWords } from "./reading_words.js";
import { save, saver } from "./table_file.js";

const PAGE = 25;
// rows from which on looking for some is worth a field
const FILTERED = 8;
// milliseconds without a key after which a large result is looked through
const TYPED = 60;
// milliseconds after which it is said that rows are waited for
const LATE = 120;
const WIDER = 24;

/**
 * @param {Table} table @param {string} title
 * @param {Ask|null} [ask]  where more rows are than are here
 * @param {string|null} [language]
 */
export function tableView(table, title, ask = null, language = null) {
  const say = readingWords(language);
  const digits = (/** @type {number} */ n) => n.toLocaleString(language ?? "en");
  const order = table.rows.map((_, i) => i);
  const look = { sort: /** @type {number|null} */ (null), up: true, wanted: "", page: 0 };
  const widths = table.columns.map(() => "");
  let asked = 0, typing = 0, pending = 0, late = 0, said = "", seen = { ...look };
  let tops = table.columns.map((column, i) => column.bar ? Math.max(0, ...(table.keys[i] ?? []).map((key) => key ?? 0)) : 0);
  const body = h("tbody");
  const heads = table.columns.map((column, i) => {
    const arrow = h("span", { class: "svc-arrow", "aria-hidden": "true" });
    const head = h("th", { scope: "col", class: column.number ? "svc-n" : undefined, "aria-sort": "none" },
      h("button", { type: "button", class: "svc-sort", onclick: () => sort(i) }, column.title, arrow));
    head.append(h("span", { class: "svc-width", role: "separator", tabindex: "0", "aria-orientation": "vertical", "aria-valuemin": "0", "aria-valuenow": "0", "aria-label": `${say.width} ${column.title}`,
      onpointerdown: (event) => dragged(event, i), ondblclick: () => wide(i, 0),
      onkeydown: (event) => { const by = { ArrowLeft: -WIDER, ArrowRight: WIDER }[event.key]; if (by) { event.preventDefault(); wide(i, head.offsetWidth + by); } } }));
    return head;
  });
  const where = h("span", { class: "svc-pages", role: "status" });
  const back = button("‹", () => turn(-1), { "aria-label": say.before });
  const on = button("›", () => turn(1), { "aria-label": say.after });
  const halt = button(say.stop, () => halted(), { class: "svc-b svc-halt", hidden: true });
  const whole = h("table", { class: "svc-table" },
    h("caption", { class: table.partial ? "svc-partial" : undefined }, [title, table.said].filter(Boolean).join(" · ")),
    h("thead", {}, h("tr", {}, ...heads)), body);

  /** Rows that hold the words, in the order of now. */
  const found = () => (look.wanted ? order.filter((at) => table.rows[at].some((cell) => (cell ?? table.null ?? "null").toLowerCase().includes(look.wanted))) : order);

  function fill() {
    const here = look.sort === null && !look.wanted && (look.page + 1) * PAGE <= table.rows.length;
    const mine = ++asked;
    if (!ask || !table.far || here) {
      const rows = found();
      const page = Math.min(Math.max(look.page, 0), Math.max(1, Math.ceil(rows.length / PAGE)) - 1);
      const shown = rows.slice(page * PAGE, (page + 1) * PAGE);
      return show(shown.map((at) => table.rows[at]), page, ask && table.far ? table.far : rows.length,
        table.keys.map((keys) => keys && shown.map((at) => keys[at])));
    }
    clearTimeout(late);
    late = window.setTimeout(() => waiting(0), LATE);
    pending = ask("rows", look, (told) => {
      if (mine !== asked) return;
      if (told.t === "loading") return waiting(told.bytes);
      arrived();
      if (told.gone) return missing(told);
      tops = table.columns.map((column, i) => (column.bar ? told.tops[i] : 0));
      show(told.rows, told.page, told.found, told.keys);
    });
  }

  /** Rows are waited for: how far they have come, and a way to stop. @param {number} bytes */
  function waiting(bytes) {
    where.textContent = bytes ? `${say.loading} ${digits(Math.ceil(bytes / 1e6))} MB` : say.loading;
    halt.hidden = false;
  }

  function arrived() {
    clearTimeout(late);
    halt.hidden = true;
  }

  /** What was waited for is not wanted any more: the table stays as it was. */
  function halted() {
    asked++;
    ask?.("halt", { of: pending });
    arrived();
    Object.assign(look, seen);
    sorted();
    search.value = look.wanted;
    where.textContent = said;
  }

  /** @param {(string|null)[][]} rows @param {number} page @param {number} count @param {((number|null)[]|null)[]} keys */
  function show(rows, page, count, keys) {
    const pages = Math.max(1, Math.ceil(count / PAGE));
    arrived();
    look.page = page;
    seen = { ...look };
    body.replaceChildren(...rows.map((row, k) => h("tr", {}, ...row.map((cell, i) => {
      const number = table.columns[i].number;
      const part = tops[i] ? 100 * Math.max(0, keys[i]?.[k] ?? 0) / tops[i] : 0;
      return h("td", { class: number ? "svc-n" : undefined, dir: number ? undefined : "auto", title: (cell?.length ?? 0) > 40 ? cell : undefined, style: [part && `--svc-part:${part.toFixed(1)}%`, widths[i] && `max-width:${widths[i]}`].filter(Boolean).join(";") || undefined },
        cell === null ? h("em", {}, table.null ?? "null") : cell);
    }))));
    back.disabled = page === 0;
    on.disabled = page === pages - 1;
    back.hidden = on.hidden = pages === 1;
    const first = count ? page * PAGE + 1 : 0;
    where.textContent = said = pages > 1 || look.wanted ? `${digits(first)}–${digits(Math.max(0, first + rows.length - 1))} ${say.of} ${digits(count)}${look.wanted ? ` ${say.found}` : ""}` : "";
  }

  /** @param {number} by */
  function turn(by) {
    look.page += by;
    fill();
  }

  /** @param {number} i */
  function sort(i) {
    const up = heads[i].getAttribute("aria-sort") !== "ascending";
    Object.assign(look, { sort: i, up, page: 0 });
    sorted();
    if (!(ask && table.far)) arrange(i, up);
    fill();
  }

  /** Which head says that the rows are sorted by it. */
  function sorted() {
    heads.forEach((head, k) => head.setAttribute("aria-sort", k === look.sort ? (look.up ? "ascending" : "descending") : "none"));
  }

  /** @param {number} i @param {boolean} up */
  function arrange(i, up) {
    const keys = table.keys[i];
    /** @type {(row: number) => any} */
    const key = (row) => (keys ? keys[row] : table.rows[row][i]);
    order.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
      const by = keys ? x - y : x < y ? -1 : x > y ? 1 : 0;
      return (up ? by : -by) || a - b;
    });
  }

  /** A column as wide as one says; of its own width again for 0. @param {number} i @param {number} pixels */
  function wide(i, pixels) {
    const width = widths[i] = pixels ? `${Math.max(48, pixels)}px` : "";
    Object.assign(heads[i].style, { minWidth: width, maxWidth: width });
    heads[i].querySelector(".svc-width")?.setAttribute("aria-valuenow", String(Math.max(0, Math.round(pixels))));
    for (const row of body.rows) row.cells[i].style.maxWidth = width;
  }

  /** @param {PointerEvent} event @param {number} i */
  function dragged(event, i) {
    event.preventDefault();
    const from = event.clientX - heads[i].offsetWidth;
    const follow = (/** @type {PointerEvent} */ at) => wide(i, at.clientX - from);
    addEventListener("pointermove", follow);
    addEventListener("pointerup", () => removeEventListener("pointermove", follow), { once: true });
  }

  const search = h("input", {
    type: "search", class: "svc-find", placeholder: say.filter, "aria-label": `${say.filterOf} ${title || say.table}`,
    oninput: (/** @type {any} */ event) => {
      Object.assign(look, { wanted: event.target.value.trim().toLowerCase(), page: 0 });
      clearTimeout(typing);
      if (ask && table.far) typing = window.setTimeout(fill, TYPED); else fill();
    },
  });
  const titles = table.columns.map((column) => column.title);
  /** Rows that cannot be had are told of where it says which ones are shown. @param {{gone: string}} told */
  const missing = (told) => { where.textContent = told.gone; };
  /** @param {any} event @param {(titles: string[], rows: (string|null)[][]) => string} written */
  function copied(event, written) {
    const from = event.currentTarget;
    if (!(ask && table.far)) return copy(written(titles, found().map((at) => table.rows[at])), from, say.copied);
    ask("copied", look, (told) => told.gone ? missing(told) : copy(written(titles, told.rows), from,
      told.found > told.rows.length ? `${say.copied}: ${digits(told.rows.length)} ${say.of} ${digits(told.found)}` : say.copied));
  }
  /** @param {any} event @param {string} kind */
  function kept(event, kind) {
    if (ask && table.far) return saving(event.currentTarget, kind, look);
    save([asCsv(titles, found().map((at) => table.rows[at]))], kind, title);
    flash(event.currentTarget, say.saved);
  }
  const saving = saver(ask, title, language, missing);
  const tools = h("div", { class: "svc-table-tools" },
    (table.rows.length >= FILTERED || table.far) && search,
    back, where, halt, on,
    button(say.copy, (event) => copied(event, asSheet), { title: say.copyHint }),
    button(say.markdown, (event) => copied(event, asMarkdown)),
    button("CSV", (event) => kept(event, "csv"), { title: `${say.save} CSV` }),
    ask && table.far && button("Parquet", (event) => kept(event, "parquet"), { title: `${say.save} Parquet` }),
    ask && table.far && button("Excel", (event) => kept(event, "xlsx"), { title: `${say.save} Excel` }));
  fill();
  return h("div", { class: "svc-table-whole" },
    h("div", { class: "svc-table-box", tabindex: "0", role: "group", "aria-label": `${say.table}: ${title || say.result}` }, whole),
    tools);
}

/** Rows for a file. @param {string[]} titles @param {(string|null)[][]} rows */
const asCsv = (titles, rows) => [titles, ...rows].map((row) => row.map((cell) => {
  const text = sheetCell(cell);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}).join(",")).join("\r\n");

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
