// A dashboard: its tiles as they come, each a result as a chat shows one.
import { h } from "./dom.js";
import { resultView } from "./result.js";
import { open } from "./store.js";

/** @param {any} model the page's @param {string} id @param {string} title */
export function dashboardView(model, id, title) {
  const chat = open(model);
  const grid = h("div", { class: "svc-tiles", "aria-busy": "true" }, h("p", { class: "svc-muted" }, "…"));
  const root = h("section", { class: "svc-board", "aria-label": title }, h("h1", {}, title), grid);
  const tile = (told) => h("section", { class: "svc-tile", "aria-label": told.title },
    h("h2", {}, told.title),
    told.problem ? h("p", { class: "svc-problem" }, told.problem) : resultView({ ...told.result, title: "" }, chat));
  (async () => {
    let first = true;
    for await (const told of model.tiles(id)) {
      if (first) grid.replaceChildren();
      first = false;
      grid.append(tile(told));
    }
    if (first) grid.replaceChildren(h("p", { class: "svc-muted" }, "This dashboard has no tiles."));
  })().catch((error) => grid.append(h("p", { class: "svc-problem", role: "alert" }, error.message)))
    .finally(() => grid.removeAttribute("aria-busy"));
  return root;
}
