// The SQL of a result as a cell of the notebook: inserted where the page lets us, copied where it does not.
//
// JupyterLab and Notebook 7 give a widget's manager the notebook's document; VS Code, Colab, Voilà and marimo give a
// widget nothing of the kind. The kernel says what belongs into the cell, and in which cell the widget is.
import { button, copier, copy, flash, h } from "./dom.js";
import { command, tell } from "./store.js";

const WIDGET_VIEW = "application/vnd.jupyter.widget-view+json";
const CELL_WITHIN_MS = 1500;

/** The notebook's document, or null where there is none to write into. */
function notebookOf(chat) {
  const model = chat.model.widget_manager?.context?.model;
  return model?.cells && typeof model.sharedModel?.insertCell === "function" ? model : null;
}

function cellOf(notebook, modelId) {
  for (let i = 0; i < notebook.cells.length; i++) {
    const outputs = notebook.cells.get(i).outputs;
    for (let k = 0; k < (outputs?.length ?? 0); k++) {
      if (outputs.get(k).data?.[WIDGET_VIEW]?.model_id === modelId) return i;
    }
  }
  return -1;
}

/** Ask the kernel for the cell's text. One that does not answer still leaves the SQL itself. */
function cellText(chat, sql) {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ source: `%%svcsql\n${sql}`, setup: "%load_ext svc_notebook", model_id: "" }), CELL_WITHIN_MS);
    const id = command(chat, { t: "cell", sql });
    chat.cells.set(id, (message) => { clearTimeout(late); resolve(message); });
  });
}

async function intoNotebook(chat, sql, from) {
  const made = await cellText(chat, sql);
  const notebook = notebookOf(chat);
  const at = notebook && made.model_id ? cellOf(notebook, made.model_id) : -1;
  if (at < 0) {
    await copy(made.source, from, "Copied: paste into a new cell");
    return;
  }
  const shared = notebook.sharedModel;
  const has = (words) => shared.cells.some((cell) => cell.getSource().includes(words));
  const cell = (source) => ({ cell_type: "code", source, metadata: {} });
  const cells = [...(has(made.setup) ? [] : [cell(made.setup)]), cell(made.source)];
  cells.forEach((each, i) => shared.insertCell(at + 1 + i, each));
  flash(from, "Inserted below");
  chat.notice = "The SQL is in a new cell below this one.";
  tell(chat, "status");
}

/** SQL as text, with what one can do with it. */
export function sqlBlock(sql, chat) {
  const label = notebookOf(chat) ? "Insert as cell" : "Copy as cell";
  return h("div", { class: "svc-sql" },
    h("pre", { tabindex: "0", role: "group", "aria-label": "SQL" }, h("code", {}, sql)),
    h("div", { class: "svc-row" }, copier("Copy SQL", sql),
      chat.model.cells !== false && button(label, (event) => intoNotebook(chat, sql, event.currentTarget))));
}
