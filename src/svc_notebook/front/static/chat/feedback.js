// What one thinks of an answer: right or wrong, and why. It is kept with the thread.
import { button, h } from "./dom.js";
import { command } from "./store.js";

const WORDS = { right: "Right", wrong: "Wrong" };

/** @param {Turn} turn @param {Chat} chat */
export function feedbackView(turn, chat) {
  const el = h("span", { class: "svc-row svc-feedback", role: "group", "aria-label": "Is the answer right?" });
  const send = (verdict, why = "") => command(chat, { t: "feedback", turn: turn.turn, verdict, why });
  function choice(verdict) {
    const pressed = turn.feedback?.verdict === verdict;
    return button(WORDS[verdict], () => {
      send(pressed ? null : verdict);
      if (verdict === "wrong" && !pressed) askWhy();
    }, { "aria-pressed": String(pressed), "data-verdict": verdict });
  }
  function askWhy() {
    const field = h("input", { type: "text", maxlength: "2000", "aria-label": "What is wrong?", placeholder: "What is wrong?", value: turn.feedback?.why ?? "" });
    const close = () => { draw(); /** @type {HTMLElement|null} */ (el.querySelector('[data-verdict="wrong"]'))?.focus(); };
    const form = h("form", { class: "svc-row", onsubmit: (event) => {
      event.preventDefault();
      if (field.value.trim()) send("wrong", field.value.trim());
      close();
    } }, field, h("button", { type: "submit", class: "svc-b" }, "Send"), button("Cancel", close));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); close(); }
    });
    el.querySelector(".svc-why")?.remove();
    el.append(form);
    field.focus();
  }
  function draw() {
    const { verdict, why } = turn.feedback ?? {};
    el.replaceChildren(choice("right"), choice("wrong"), ...(verdict === "wrong"
      ? [why ? h("span", { class: "svc-muted" }, why) : "", button(why ? "Change" : "Why?", askWhy, { class: "svc-b svc-why", "aria-label": why ? "Change what is wrong" : "Say what is wrong" })] : []));
  }
  draw();
  return { el, /** The verdict has changed; whoever writes why goes on writing. */ judged() {
    const form = el.querySelector("form");
    const had = document.activeElement;
    const verdict = el.contains(had) && had instanceof HTMLElement ? had.dataset.verdict : undefined;
    draw();
    if (form) { el.querySelector(".svc-why")?.remove(); el.append(form); if (had instanceof HTMLElement) had.focus(); }
    else if (verdict) /** @type {HTMLElement|null} */ (el.querySelector(`[data-verdict="${verdict}"]`))?.focus();
  } };
}
