// What an embed tenant holds: its groups and user attributes, to look through and to delete.
import { button, field, h } from "./parts.js";

const PAGE = 20;

export function tenantAdmin(model, el, send) {
  const name = h("input", { type: "text", spellcheck: "false" });
  const tenant = field("Embed tenant", name);
  const problem = h("p", { class: "svp-error", role: "alert" });
  const done = h("p", { class: "svp-hint", role: "status", "aria-live": "polite" });
  const lists = h("div", {});
  const form = h("form", { class: "svp-row svp-end", onsubmit: (event) => { event.preventDefault(); problem.textContent = ""; send({ t: "load", tenant: name.value }); } },
    tenant, h("button", { type: "submit", class: "svp-b svp-main" }, "Show"));
  el.replaceChildren(h("div", { class: "svp", "data-lm-suppress-shortcuts": "true" }, h("h2", {}, "Embed tenant"), form, problem, done, lists));

  function table(title, heads, records, what) {
    let from = 0;
    const body = h("tbody");
    const place = h("span", { class: "svp-hint" });
    const fill = () => {
      body.replaceChildren(...records.slice(from, from + PAGE).map((record) => h("tr", {}, ...record.cells.map((cell) => h("td", {}, cell)),
        h("td", {}, button("Delete", (event) => {
          const pressed = event.currentTarget;
          if (pressed.dataset.sure) { problem.textContent = ""; send({ t: "delete", what, record: record.id, name: record.cells[0] }); }
          else { pressed.dataset.sure = "1"; pressed.textContent = what === "group" ? "Delete for good?" : "Delete with its values?"; }
        }, { "aria-label": `Delete ${record.cells[0]}` })))));
      place.textContent = records.length ? `${from + 1}–${Math.min(from + PAGE, records.length)} of ${records.length}` : "none";
    };
    fill();
    const turn = (by) => { from = Math.min(Math.max(0, from + by), Math.max(0, records.length - 1)); from -= from % PAGE; fill(); };
    return h("section", {}, h("h3", {}, title),
      records.length ? h("div", { class: "svp-scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)), h("th", { scope: "col" }, "Actions"))), body)) : null,
      h("div", { class: "svp-row" }, place, records.length > PAGE && button("Previous", () => turn(-PAGE)), records.length > PAGE && button("Next", () => turn(PAGE))));
  }
  return {
    close() {},
    hear(message) {
      if (message.t === "start") name.value = message.tenant;
      if (message.t === "refused") problem.textContent = message.message;
      if (message.t === "listed") {
        problem.textContent = "";
        done.textContent = message.done;
        lists.replaceChildren(
          table("Groups", ["Name", "Description", "Users"], message.groups, "group"),
          table("User attributes", ["Name", "Type", "Display name", "Default", "Description"], message.attributes, "attribute"));
      }
    },
  };
}
