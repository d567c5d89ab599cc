// Where one writes: Enter sends, Shift+Enter breaks the line, the arrow up recalls, Stop is there from the moment of sending.
import { button, h } from "./dom.js";

/** @param {Chat} chat @param {{ask: (question: string, reading?: any, after?: number|null) => boolean, halt: () => void}} acts */
export function composerView(chat, acts) {
  const input = h("textarea", { rows: "1", dir: "auto", placeholder: "Ask about the data", "aria-label": "Question", onkeydown: key, oninput: fit });
  const send = h("button", { type: "submit", class: "svc-b svc-main" }, "Ask");
  // Pressed is stopped: text that goes on coming may move the button away before it is let go, and no click comes of that.
  const stop = button("Stop", acts.halt, { class: "svc-b svc-main svc-stop", hidden: true, "aria-keyshortcuts": "Escape", onpointerdown: pressed });
  const instead = h("div", { class: "svc-row svc-instead svc-muted", hidden: true });
  const form = h("form", { class: "svc-input", onsubmit: (event) => { event.preventDefault(); sent(); } }, instead, input, send, stop);
  /** @type {Turn|null} */
  let editing = null; // the turn whose question is asked anew
  let recalled = -1;
  let stopWord = "Stop";
  let draft = "";

  /** @param {PointerEvent} event */
  function pressed(event) {
    if (event.button === 0 && event.pointerType !== "touch") acts.halt(); // a finger may have come to scroll
  }
  function sent() {
    if (!input.value.trim() || !acts.ask(input.value, null, editing?.after ?? undefined)) return;
    edit(null);
    input.value = ""; recalled = -1; draft = "";
    fit();
  }
  function key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); sent(); return; }
    if (event.key === "Escape" && editing) { event.preventDefault(); event.stopPropagation(); leave(); return; }
    const asked = chat.turns.map((turn) => turn.question);
    const up = event.key === "ArrowUp" && (recalled >= 0 || (input.selectionStart === 0 && input.selectionEnd === 0));
    const down = event.key === "ArrowDown" && recalled >= 0 && input.selectionStart === input.value.length;
    if (!(up || down) || !asked.length) return;
    event.preventDefault();
    if (recalled < 0) draft = input.value;
    recalled = Math.min(asked.length - 1, recalled + (up ? 1 : -1));
    input.value = recalled < 0 ? draft : asked[asked.length - 1 - recalled];
    fit();
    const place = up ? 0 : input.value.length;
    input.setSelectionRange(place, place);
  }
  function fit() {
    input.style.height = "auto";
    input.style.height = `${Math.min(160, input.scrollHeight + 2)}px`;
  }
  function edit(turn) {
    editing = turn;
    instead.hidden = !turn || turn.after === null;
    instead.replaceChildren(...(turn ? [h("span", { class: "svc-instead-of" }, `Asked in the place of “${turn.question}”`), button("Cancel", leave, { "aria-label": "Cancel the edit" })] : []));
  }
  function leave() { edit(null); input.value = ""; fit(); input.focus(); }
  return {
    el: form,
    /** Put a question there to be changed; it is asked in the place of what it was. @param {Turn} turn */
    edit(turn) { edit(turn); input.value = turn.question; fit(); input.focus(); },
    /** @param {any} say words in the language of the last answer */
    spoken(say) { input.placeholder = say.askAbout; send.textContent = say.ask; if (!stop.textContent?.includes("…")) stop.textContent = say.stop; stopWord = say.stop; },
    focus() { input.focus({ preventScroll: true }); },
    /** Ask or Stop; whoever had the one has the other. */
    busy(yes, stopping) {
      const had = [send, stop].some((each) => each === document.activeElement);
      stop.hidden = !yes;
      send.hidden = yes;
      stop.textContent = stopping ? "Stopping…" : stopWord;
      if (had) input.focus({ preventScroll: true });
    },
  };
}
