// The widget's module: a chat, several side by side, or one result. Nothing is fetched; see ../../modules.py for how
// these files become one.
import { compare } from "./compare.js";
import { dark, followTheme, h } from "./dom.js";
import { resultView } from "./result.js";
import { command, open, page, receive, sideOf } from "./store.js";
import { view } from "./view.js";

function single(model, el) {
  const chat = open(model);
  const root = h("div", { class: "svc-chat", "data-lm-suppress-shortcuts": "true" });
  const status = h("div", { class: "svc-status", role: "status", "aria-live": "polite" });
  const show = (what) => {
    status.textContent = chat.notice || chat.silent || "";
    if (what === "status" && chat.result) return;
    root.replaceChildren(h("div", { class: "svc-log svc-whole" }, chat.result ? resultView(chat.result, chat) : h("p", { class: "svc-muted svc-empty" }, "…")), status);
  };
  chat.views.add(show);
  el.replaceChildren(root);
  show();
  const themes = followTheme(() => {
    root.classList.toggle("svc-dark", dark());
    for (const place of /** @type {NodeListOf<ChartPlace>} */ (root.querySelectorAll(".svc-chart"))) place.redraw();
  });
  return () => { chat.views.delete(show); themes(); };
}

export default {
  initialize({ model }) {
    const sides = model.get("kind") === "compare" ? model.get("sides") : [null];
    const stores = sides.map((_, side) => {
      const own = sides[side] === null ? model : sideOf(model, side);
      const chat = open(own);
      chat.model = own;
      return chat;
    });
    const hear = (message, buffers) => receive(stores[message.side ?? 0], message, buffers);
    model.on("msg:custom", hear);
    for (const chat of stores) command(chat, { t: "sync" });
    return () => {
      model.off("msg:custom", hear);
      for (const chat of stores) {
        for (const timer of chat.timers.values()) clearTimeout(timer);
        page.chats.delete(chat.uid);
      }
    };
  },
  render({ model, el }) {
    const draw = { compare, result: single }[model.get("kind")] ?? view;
    return draw(model, el);
  },
};
