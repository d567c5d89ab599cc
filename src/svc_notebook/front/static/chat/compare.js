// Several users side by side: one question, each with an answer of their own.
import { button, dark, followTheme, h } from "./dom.js";
import { shareScales } from "./shared_scales.js";
import { open, sideOf } from "./store.js";
import { view } from "./view.js";

export function compare(model, el) {
  const labels = model.get("sides");
  const input = h("textarea", { rows: "1", dir: "auto", placeholder: "Ask all of them", "aria-label": "Question", onkeydown: (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) { event.preventDefault(); askAll(input.value); }
  } });
  const stores = () => labels.map((_, side) => open(sideOf(model, side)));
  const askAll = (question) => {
    if (!question.trim() || stores().some((chat) => chat.live)) return;
    input.value = "";
    for (const chat of stores()) chat.ask(question);
  };
  const stopAll = () => stores().forEach((chat) => chat.halt());
  const panes = labels.map((label, side) => {
    const pane = h("div", { class: "svc-side" });
    return { pane, close: view(sideOf(model, side), pane, { shared: { label, ask: askAll } }) };
  });
  const root = h("div", { class: "svc-compare", "data-lm-suppress-shortcuts": "true", onkeydown: (event) => {
    if (event.key === "Escape") { event.preventDefault(); stopAll(); }
  } },
    h("form", { class: "svc-input", onsubmit: (event) => { event.preventDefault(); askAll(input.value); } },
      input, h("button", { type: "submit", class: "svc-b svc-main" }, "Ask all"), button("Stop all", stopAll)),
    h("div", { class: "svc-sides" }, ...panes.map(({ pane }) => pane)));
  el.replaceChildren(root);
  /** Turns of one number and question are compared: their charts get the scales of each other. */
  const compared = (what, turn) => {
    if (what !== "turn" && what !== "state") return;
    const asked = stores().map((chat) => (what === "turn" ? chat.turns.find((each) => each.n === turn.n) : chat.turns.at(-1)));
    if (asked.some((each) => each?.question !== asked[0]?.question || !each)) return;
    const count = Math.min(...asked.map((each) => each.results.length));
    let changed = false;
    for (let i = 0; i < count; i++) changed = shareScales(asked.map((each) => each.results[i].chart)) || changed;
    if (changed) for (const place of /** @type {NodeListOf<ChartPlace>} */ (root.querySelectorAll(".svc-chart"))) place.redraw();
  };
  for (const chat of stores()) chat.views.add(compared);
  compared("state");
  const themes = followTheme(() => root.classList.toggle("svc-dark", dark()));
  return () => { stores().forEach((chat) => chat.views.delete(compared)); panes.forEach(({ close }) => close()); themes(); };
}
