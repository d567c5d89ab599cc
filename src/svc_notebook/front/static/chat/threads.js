// Earlier conversations: list, open, rename, delete.
import { button, h } from "./dom.js";
import { command } from "./store.js";

/** @param {Chat} chat */
export function threadsView(chat) {
  const drawer = h("div", { class: "svc-drawer", hidden: true, role: "group", "aria-label": "Earlier conversations" });
  const toggle = button("Threads", show, { "aria-expanded": "false" });
  drawer.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    if (drawer.querySelector("form")) list(); else show();
    toggle.focus();
  });

  function show() {
    drawer.hidden = !drawer.hidden;
    toggle.setAttribute("aria-expanded", String(!drawer.hidden));
    if (!drawer.hidden) { drawer.replaceChildren(h("p", { class: "svc-muted" }, "…")); command(chat, { t: "threads" }); }
  }
  function lineOf(thread) {
    const title = thread.title || "Untitled";
    const line = h("li", { class: "svc-row" });
    const name = button(title, () => { command(chat, { t: "open", chat_id: thread.chatId }); show(); toggle.focus(); },
      { class: "svc-b svc-thread", dir: "auto", title, "aria-current": thread.chatId === chat.chatId ? "true" : undefined });
    const rename = button("Rename", () => {
      const field = h("input", { "aria-label": "New title", value: thread.title ?? "" });
      line.replaceChildren(h("form", { class: "svc-row", onsubmit: (event) => {
        event.preventDefault();
        command(chat, { t: "rename", chat_id: thread.chatId, title: field.value });
      } }, field, h("button", { type: "submit", class: "svc-b" }, "Save"), button("Cancel", list)));
      field.focus();
      field.select();
    }, { "aria-label": `Rename ${title}` });
    const remove = button("Delete", (event) => {
      const from = event.currentTarget;
      if (from.dataset.sure) { command(chat, { t: "delete", chat_id: thread.chatId }); return; }
      from.dataset.sure = "1";
      from.textContent = "Delete for good?";
      from.removeAttribute("aria-label");
    }, { "aria-label": `Delete ${title}` });
    line.append(name, rename, remove);
    return line;
  }
  function list() {
    const had = drawer.contains(document.activeElement);
    const items = (chat.threads ?? []).map(lineOf);
    drawer.replaceChildren(items.length ? h("ul", {}, ...items) : h("p", { class: "svc-muted" }, "No earlier conversations."));
    if (had) (drawer.querySelector("button") ?? toggle).focus();
  }
  return { el: drawer, toggle, list };
}
