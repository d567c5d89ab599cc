// One view of a chat: bar, threads, transcript, status, suggestions, composer.
import { lastOf } from "./branches.js";
import { composerView } from "./composer.js";
import { button, dark, followTheme, h, seconds } from "./dom.js";
import { learnWords, readingWords } from "./reading_words.js";
import { command, open, tell } from "./store.js";
import { threadsView } from "./threads.js";
import { transcriptView } from "./transcript.js";

const STILL = "Still answering. Stop it first (Esc), or wait.";

/** @param {Model} model @param {HTMLElement} el @param {{shared?: {label: string, ask: (question: string) => void}|null}} [options] */
export function view(model, el, { shared = null } = {}) {
  const chat = open(model);
  const status = h("div", { class: "svc-status", role: "status", "aria-live": "polite" });
  const ideas = h("div", { class: "svc-ideas", role: "group", "aria-label": "Suggestions" });
  const whom = h("span", { class: "svc-whom" });
  const threads = threadsView(chat);
  const composer = composerView(chat, { ask, halt });
  const transcript = transcriptView(chat, {
    again: (question) => ask(question), edit: shared ? null : composer.edit, reading: shared ? null : edited, undo: undoOf,
    choose: shared ? null : (choice) => { ask(choice.question, choice.reading); composer.focus(); },
    walk: shared ? null : walk,
  });
  const fresh = button("New", () => { command(chat, { t: "new" }); composer.focus(); }, { "aria-label": "New conversation" });
  const root = h("div", { class: "svc-chat", "data-lm-suppress-shortcuts": "true" },
    h("div", { class: "svc-bar" }, ...(shared ? [h("strong", {}, shared.label)] : [threads.toggle, fresh, whom])),
    threads.el, transcript.el, status, ideas, !shared && composer.el);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chat.live) { event.preventDefault(); event.stopPropagation(); halt(); }
  });
  if (model.get("height")) transcript.el.style.maxHeight = model.get("height");

  /** A changed reading is asked as it is; what it was before is kept for Undo. */
  function edited({ reading, words }, before) {
    const n = (chat.turns.at(-1)?.n ?? 0) + 1;
    if (ask(words, reading)) chat.before.set(n, before);
    composer.focus();
  }
  function undoOf(n) {
    const before = chat.before.get(n);
    return before && !shared ? () => edited({ reading: before, words: "Undo the change" }, chat.turns.find((turn) => turn.n === n)?.reading) : null;
  }
  /** Show another path of the thread; what is asked next goes on from its end. */
  function walk(leaf) {
    if (chat.live) { say(STILL); return; }
    chat.leaf = leaf;
    tell(chat, "state");
  }
  /** @param {string} text @param {any} [reading] @param {number|null} [after] the turn it follows; without it, the last one shown */
  function ask(text, reading = null, after = lastOf(chat.turns, chat.leaf)) {
    const question = text.trim();
    if (!question) return false;
    if (chat.live) { say(STILL); return false; }
    chat.notice = "";
    chat.live = { n: 0, question, after, text: "", thinking: "", tools: [], blocks: [], tail: null, started: performance.now() };
    tell(chat, "begin");
    transcript.toEnd();
    command(chat, { t: "ask", q: question, ...(reading && { reading }), ...(after !== null && { after }) });
    return true;
  }
  function halt() {
    if (!chat.live || chat.live.stopping) return;
    chat.live.stopping = true;
    command(chat, { t: "stop" });
    tell(chat, "status");
  }
  function say(text) { if (status.textContent !== text) status.textContent = text; }
  let offered = null;
  function bar() {
    const busy = Boolean(chat.live);
    const last = chat.turns.at(-1);
    learnWords(last?.reading?.language, last?.readingWords);
    const words = readingWords(last?.reading?.language);
    composer.spoken(words);
    fresh.textContent = words.fresh;
    threads.toggle.textContent = words.threads;
    composer.busy(busy, chat.live?.stopping);
    say(chat.problem || chat.silent || (chat.live?.stopping ? "Stopping…" : "") || chat.notice || "");
    status.classList.toggle("svc-problem", Boolean(chat.problem));
    whom.textContent = whom.title = chat.whoami ? `as ${chat.whoami}` : "";
    const wanted = busy ? [] : chat.suggestions;
    if (JSON.stringify(wanted) === offered) return; // whoever stands on a suggestion goes on standing there
    offered = JSON.stringify(wanted);
    const had = ideas.contains(document.activeElement);
    ideas.replaceChildren(...wanted.map((idea) => button(idea, () => (shared ? shared.ask(idea) : ask(idea)), { class: "svc-b svc-idea" })));
    if (had) composer.focus();
  }
  function follow(what, detail) {
    if (what === "state") transcript.everything();
    else if (what === "begin") transcript.begin();
    else if (what === "grow") return transcript.grow(detail);
    else if (what === "tool") return transcript.tool(detail);
    else if (what === "turn") transcript.finish(detail);
    else if (what === "older") transcript.older(detail);
    else if (what === "judged") return transcript.judged(detail);
    else if (what === "threads") threads.list();
    bar();
  }

  const redraw = () => { for (const place of /** @type {NodeListOf<ChartPlace>} */ (root.querySelectorAll(".svc-chart"))) place.redraw(); };
  let width = 0;
  const sizes = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) < 24) return;
    width = root.clientWidth;
    redraw();
  });
  const ticking = setInterval(() => {
    for (const clock of /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-since]"))) clock.textContent = seconds(performance.now() - Number(clock.dataset.since));
  }, 500);

  el.replaceChildren(root);
  const themes = followTheme(() => { root.classList.toggle("svc-dark", dark()); redraw(); });
  sizes.observe(root);
  chat.views.add(follow);
  transcript.everything();
  bar();
  if (!chat.known) command(chat, { t: "sync" });
  chat.ask = ask;
  chat.halt = halt;
  return () => {
    chat.views.delete(follow);
    clearInterval(ticking);
    themes();
    sizes.disconnect();
    for (const place of /** @type {NodeListOf<ChartPlace>} */ (root.querySelectorAll(".svc-chart"))) place.view?.finalize();
  };
}
