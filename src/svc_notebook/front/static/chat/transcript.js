// The conversation as one sees it: finished turns, the running one, and a place to scroll in that keeps still.
import { pathTo } from "./branches.js";
import { choiceBar } from "./choice_bar.js";
import { button, copier, h } from "./dom.js";
import { feedbackView } from "./feedback.js";
import { growingText } from "./prose.js";
import { readingBar } from "./reading_bar.js";
import { learnWords, readingWords } from "./reading_words.js";
import { resultView } from "./result.js";
import { command } from "./store.js";
import { thinkingCard, toolCard } from "./tool_card.js";
import { walkerView } from "./walker.js";

const HELLO = "Ask a question in plain words. Enter sends, Shift+Enter breaks the line, Esc stops.";

/**
 * @param {Chat} chat
 * @param {{again: (question: string) => void, edit: ((turn: Turn) => void)|null, walk?: ((leaf: number) => void)|null,
 *         reading?: ((edit: {reading: any, words: string}, before: any) => void)|null, undo?: ((n: number) => (() => void)|null), choose?: ((choice: Choice) => void)|null}} acts
 */
export function transcriptView(chat, acts) {
  const log = h("div", { class: "svc-log", role: "log", "aria-live": "polite", "aria-label": "Conversation", tabindex: "0" });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const verdicts = new Map(); // how to show the verdict on a turn, by its number in the thread
  /** @type {any} */
  let live = null; // the element of the running turn, with its growing parts

  const bottom = () => log.scrollHeight - log.scrollTop - log.clientHeight < 48;
  function keepingPlace(change) {
    const stuck = bottom();
    change();
    if (stuck) log.scrollTop = log.scrollHeight;
  }
  /** What the turn took, and what all turns to here took together. */
  function spentWords(turn, chat) {
    const all = chat.turns.filter((one) => one.n <= turn.n && one.spent);
    if (all.length < 2) return turn.spent.said;
    const sum = (name) => all.reduce((total, one) => total + (one.spent[name] ?? 0), 0);
    const cost = all.some((one) => one.spent.cost !== null) ? ` · $${sum("cost").toFixed(4)}` : "";
    return `${turn.spent.said} — ${chat.left ? "shown turns" : "thread"} so far: ${sum("calls").toLocaleString("en")} calls · ${sum("tokens").toLocaleString("en")} tokens${cost}`;
  }
  const asked = (question) => h("div", { class: "svc-question", dir: "auto" }, h("span", { class: "svc-offscreen" }, "You asked: "), question);

  /** @param {Turn} turn */
  function turnView(turn) {
    const language = turn.reading?.language;
    learnWords(language, turn.readingWords);
    const say = readingWords(language);
    const prose = h("div", { class: "svc-prose tex2jax_ignore mathjax_ignore", dir: "auto" });
    prose.innerHTML = turn.html; // sanitised in Python
    return h("article", { class: "svc-turn", "data-turn": String(turn.n), "data-status": turn.status, "aria-label": `${say.answer} ${turn.n}`, lang: language ?? undefined },
      asked(turn.question),
      acts.walk && walkerView(turn, chat, acts.walk),
      turn.thinking && thinkingCard(turn.thinking, false, say.thinking),
      ...turn.tools.map((tool) => toolCard(tool, chat)),
      prose,
      turn.reading && readingBar(turn.reading, { question: turn.question, words: turn.readingWords, ask: acts.reading ? (edit) => acts.reading?.(edit, turn.reading) : null, undo: acts.undo?.(turn.n) }),
      turn.choices?.length ? choiceBar(turn.choices, acts.choose ?? null) : null,
      turn.status === "aborted" && h("p", { class: "svc-note" }, say.stopped),
      turn.status === "failed" && h("p", { class: "svc-note svc-problem" }, turn.error || "This answer could not be finished."),
      turn.ended && h("p", { class: "svc-note", "data-outcome": turn.ended.outcome }, turn.ended.said),
      ...turn.results.map((result) => resultView(result, chat)),
      turn.spent && h("p", { class: "svc-muted svc-spent" }, spentWords(turn, chat)),
      h("div", { class: "svc-row svc-acts" },
        copier(say.copy, turn.text || turn.error || "", { "aria-label": say.copyAnswer }, say.copied),
        button(say.again, () => acts.again(turn.question), { "aria-label": say.askAgain }),
        acts.edit && button(say.edit, () => acts.edit?.(turn), { "aria-label": say.editQuestion }),
        turn.turn !== null && judging(turn)));
  }
  function judging(turn) {
    const made = feedbackView(turn, chat);
    verdicts.set(turn.turn, made.judged);
    return made.el;
  }
  const shown = () => pathTo(chat.turns, chat.live ? chat.live.after : chat.leaf);
  function liveView() {
    const state = /** @type {Live} */ (chat.live);
    const kept = live?.n === state.n ? live.text.shown : state.text.length;
    const thinking = thinkingCard(state.thinking, true);
    thinking.hidden = !state.thinking;
    const tools = h("div", {}, ...state.tools.map((tool) => toolCard(tool, chat)));
    const text = growingText(state);
    const clock = h("span", { class: "svc-time", "data-since": String(state.started) });
    live = {
      n: state.n, state, thinking, tools, text, frame: 0, then: null,
      el: h("article", { class: "svc-turn svc-live", "aria-busy": "true", "aria-label": "Answer in progress", "data-status": "running" }, asked(state.question),
        thinking, tools, text.el, h("div", { class: "svc-muted svc-doing" }, h("span", { class: "svc-pulse", "aria-hidden": "true" }), clock)),
    };
    text.show(kept);
    reveal();
    return live.el;
  }
  /** Pieces come in bursts; each is let in evenly until the next is awaited, and what is left at the end at once. */
  function reveal() {
    const now = live;
    if (!now || now.frame) return;
    const step = () => {
      now.frame = 0;
      if (now !== live) return now.then?.();
      const waiting = now.text.waiting;
      const frames = now.then ? 7 : Math.max(7, ((now.state.came ?? 0) + (now.state.every ?? 0) - performance.now()) / 17);
      keepingPlace(() => now.text.show(document.hidden || still.matches ? waiting : Math.ceil(waiting / frames)));
      if (now.text.waiting > 0) reveal(); else now.then?.();
    };
    now.frame = document.hidden ? setTimeout(step, 30) : requestAnimationFrame(step);
  }
  function selecting() {
    const selection = getSelection();
    return live && selection && !selection.isCollapsed && live.el.contains(selection.anchorNode);
  }
  function finish(turn) {
    if (!shown().some((one) => one.n === turn.n)) return; // meanwhile another branch is shown
    const own = live?.n === turn.n || live?.n === 0 ? live : null;
    if (own && turn.status === "complete" && !live.then && turn.text.startsWith(live.state.text) && live.text.shown < turn.text.length) {
      live.state.text = turn.text;
      live.then = () => finish(turn);
      reveal();
      return;
    }
    if (selecting()) { // do not pull the text from under a selection
      document.addEventListener("selectionchange", () => finish(turn), { once: true });
      return;
    }
    const stuck = bottom();
    const made = turnView(turn);
    const old = log.querySelector(`[data-turn="${turn.n}"]`) ?? own?.el;
    for (const [i, card] of [...(old?.querySelectorAll(".svc-tool") ?? [])].entries()) {
      const now = /** @type {HTMLDetailsElement[]} */ ([...made.querySelectorAll(".svc-tool")])[i];
      if (now && /** @type {HTMLDetailsElement} */ (card).open) now.open = true; // what one has opened stays open
    }
    const focused = old?.contains(document.activeElement) && old.querySelector(":focus");
    if (old && old.isConnected) old.replaceWith(made); else log.append(made);
    if (focused) /** @type {HTMLElement} */ (made.querySelector(".svc-tool summary") ?? log).focus({ preventScroll: true });
    if (old === live?.el) live = null;
    if (stuck) log.scrollTop = made.offsetTop - 6; // the answer begins at the top, and what fits follows
  }
  function olderButton() {
    const left = chat.left;
    return left > 0 && button(`${left.toLocaleString("en")} earlier`, () => command(chat, { t: "more", before: chat.turns[0]?.n ?? 0 }),
      { class: "svc-b svc-more", "aria-label": `Show earlier questions, ${left} are left` });
  }
  function everything() {
    live = null;
    keepingPlace(() => {
      log.replaceChildren(.../** @type {Node[]} */ ([olderButton(), ...shown().map(turnView)].filter(Boolean)));
      if (chat.live) log.append(liveView());
      else if (!chat.turns.length) log.append(h("p", { class: "svc-muted svc-empty" }, HELLO));
    });
  }

  return {
    el: log,
    toEnd() { log.scrollTop = log.scrollHeight; },
    everything,
    older(turns) {
      const from = log.scrollHeight - log.scrollTop;
      const had = document.activeElement?.classList.contains("svc-more") && log.contains(document.activeElement);
      log.querySelector(".svc-more")?.remove();
      log.prepend(.../** @type {Node[]} */ ([olderButton(), ...shown().filter((turn) => turns.includes(turn)).map(turnView)].filter(Boolean)));
      log.scrollTop = log.scrollHeight - from;
      if (had) /** @type {HTMLElement} */ (log.querySelector(".svc-more") ?? log).focus({ preventScroll: true });
    },
    begin() {
      if (live?.then && live.n !== chat.live?.n) { // the last one is still being let in: it is whole now, and once
        const last = live;
        last.then();
        last.then = null;
      }
      keepingPlace(() => {
        log.querySelector(".svc-empty")?.remove();
        const path = new Set(shown().map((turn) => String(turn.n)));
        for (const el of /** @type {NodeListOf<HTMLElement>} */ (log.querySelectorAll("[data-turn]"))) if (!path.has(el.dataset.turn ?? "")) el.remove();
        const old = live?.el;
        const made = liveView();
        if (old?.isConnected) old.replaceWith(made); else log.append(made);
      });
    },
    grow({ key, fresh }) {
      if (!live) return;
      if (key === "text") reveal();
      else keepingPlace(() => { live.thinking.hidden = false; live.thinking.lastChild.append(fresh); });
    },
    tool(tool) {
      if (!live) return;
      keepingPlace(() => {
        const made = toolCard(tool, chat);
        const old = [...live.tools.children].find((card) => card.dataset.tool === tool.id);
        if (!old) return live.tools.append(made);
        made.open = old.open;
        const focused = old.contains(document.activeElement) && document.activeElement?.tagName === "SUMMARY";
        old.replaceWith(made);
        if (focused) /** @type {HTMLElement} */ (made.firstChild).focus({ preventScroll: true });
      });
    },
    finish,
    judged(turn) { verdicts.get(turn)?.(); },
  };
}
