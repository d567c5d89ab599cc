// A data model as a table one can write in: titles, synonyms, units, what is hidden; and certified questions.
import { button, field, h, select } from "./parts.js";

const AGGREGATES = [["", "as it comes"], ["sum", "added up"], ["avg", "averaged"], ["none", "neither"]];
const HEADS = { title: "Title", synonyms: "Also called", unit: "Unit", aggregate: "Numbers are", hidden: "Hidden", description: "Description" };

export function modelEditor(model, el, send) {
  const shown = h("select", { onchange: () => fill() });
  const search = h("input", { type: "search", placeholder: "name or title", spellcheck: "false", oninput: () => fill() });
  const table = h("div", { class: "svp-scroll", role: "region", "aria-label": "Members", tabindex: "0" });
  const certified = h("div");
  const changes = h("ul", { class: "svp-changes" });
  const problem = h("p", { class: "svp-error", role: "alert" });
  const done = h("p", { class: "svp-hint", role: "status", "aria-live": "polite" });
  const save = button("Save", () => act({ t: "save" }), { class: "svp-b svp-main" });
  const discard = button("Discard", () => act({ t: "discard" }));
  const question = h("input", { type: "text", placeholder: "What is our revenue?" });
  const sql = h("textarea", { rows: "3", spellcheck: "false", placeholder: "SELECT MEASURE(orders.revenue) AS revenue FROM orders" });
  let entries = [];

  function act(message) {
    problem.textContent = done.textContent = "";
    send(message);
  }

  /** The control of one field of one entry; what is typed is sent when it is left. */
  function control(entry, name) {
    const label = { "aria-label": `${HEADS[name]} of ${entry.name}` };
    const change = (value) => act({ t: "change", name: entry.name, field: name, value });
    if (name === "hidden") return h("input", { type: "checkbox", checked: entry.hidden, onchange: (event) => change(event.target.checked), ...label });
    if (name === "aggregate") {
      const box = select(AGGREGATES, entry.aggregate);
      box.setAttribute("aria-label", label["aria-label"]);
      box.addEventListener("change", () => change(box.value));
      return box;
    }
    return h("input", { type: "text", value: entry[name], placeholder: name === "title" ? entry.shown : "", size: name === "unit" ? "6" : "18", onchange: (event) => change(event.target.value), ...label });
  }

  function fill() {
    const words = search.value.trim().toLowerCase();
    const wanted = entries.filter((entry) => (words ? `${entry.name} ${entry.title} ${entry.synonyms}`.toLowerCase().includes(words) : entry.relation === shown.value));
    const columns = Object.keys(HEADS);
    table.replaceChildren(h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Name"), ...columns.map((name) => h("th", { scope: "col" }, HEADS[name])))),
      h("tbody", {}, ...wanted.map((entry) => h("tr", { class: entry.hidden ? "svp-hidden" : "" },
        h("th", { scope: "row" }, h("code", {}, entry.name.split(".").pop()), h("span", { class: "svp-hint" }, entry.type || entry.kind)),
        ...columns.map((name) => h("td", {}, entry.fields.includes(name) ? control(entry, name) : null)))))));
    if (!wanted.length) table.replaceChildren(h("p", { class: "svp-hint" }, words ? `Nothing here is called “${search.value.trim()}”.` : "There is nothing to edit here."));
  }

  /** Fill the table again, and leave whoever writes in it where they are. */
  function refill() {
    const before = /** @type {HTMLInputElement} */ (table.querySelector(":focus"));
    const [label, value, caret] = [before?.getAttribute("aria-label"), before?.value, before?.selectionStart];
    fill();
    const after = /** @type {HTMLInputElement | undefined} */ (label && [...table.querySelectorAll("[aria-label]")].find((node) => node.getAttribute("aria-label") === label));
    if (!after) return;
    after.focus();
    if (after.type !== "text") return;
    after.value = value ?? "";
    after.setSelectionRange(caret ?? null, caret ?? null);
  }

  function tell(message) {
    const before = shown.value;
    entries = message.entries;
    const relations = entries.filter((entry) => entry.kind === "cube" || entry.kind === "view");
    shown.replaceChildren(...relations.map((entry) => h("option", { value: entry.name }, `${entry.title || entry.name}${entry.kind === "view" ? " (view)" : ""}`)));
    shown.value = relations.some((entry) => entry.name === before) ? before : (relations[0]?.name ?? "");
    changes.replaceChildren(...message.changes.map((text) => h("li", {}, text)));
    save.textContent = message.changes.length ? `Save ${message.changes.length} change${message.changes.length === 1 ? "" : "s"}` : "Save";
    save.disabled = discard.disabled = !message.changes.length;
    certified.replaceChildren(...message.certified.map(([asked, query]) => h("details", {}, h("summary", {}, asked), h("pre", {}, query),
      button("Withdraw", () => act({ t: "withdraw", question: asked }), { "aria-label": `Withdraw: ${asked}` }))));
    place.textContent = `Written to ${message.folder}: only the lines that change. Answers use them from then on.`;
    done.textContent = message.done;
  }

  const place = h("p", { class: "svp-hint" });
  el.replaceChildren(h("div", { class: "svp", "data-lm-suppress-shortcuts": "true" }, h("h2", {}, "Data model"), place,
    h("div", { class: "svp-grid" }, field("Cube or view", shown), field("Search", search)), table,
    h("h3", {}, "Certified questions"), certified,
    h("details", {}, h("summary", {}, "Certify a question"), field("Question", question), field("SQL over the data model", sql),
      button("Try it and certify", () => act({ t: "certify", question: question.value, sql: sql.value }))),
    changes, problem, done, h("div", { class: "svp-row" }, save, discard)));
  return {
    close() {},
    hear(message) {
      if (message.t === "model") {
        tell(message);
        refill();
        if (message.certifiedNow) question.value = sql.value = "";
      }
      if (message.t === "refused") { problem.textContent = message.message; fill(); }
    },
  };
}
