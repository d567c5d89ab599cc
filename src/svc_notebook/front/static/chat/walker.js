// Where a question was asked in several versions: which one is shown, and the way to the others.
import { endFrom, versions } from "./branches.js";
import { button, h } from "./dom.js";

/** @param {Turn} turn @param {Chat} chat @param {(leaf: number) => void} walk @returns {HTMLElement|null} */
export function walkerView(turn, chat, walk) {
  const known = versions(chat.turns, turn);
  if (known.length < 2) return null;
  const at = known.indexOf(turn);
  const step = (label, sign, other) => button(sign, () => other && walk(endFrom(chat.turns, other)), { "aria-label": label, "aria-disabled": other ? undefined : "true" });
  return h("div", { class: "svc-row svc-walker", role: "group", "aria-label": "Versions of this question" },
    step("The version before", "‹", known[at - 1]),
    h("span", { class: "svc-muted", "aria-live": "polite" }, `${at + 1} of ${known.length}`),
    step("The version after", "›", known[at + 1]));
}
