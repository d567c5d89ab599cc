// The readings that an answer offers, as buttons: one click asks the one that is meant. A function of choices and a
// callback; it knows neither notebook nor page.
import { h } from "./dom.js";

/**
 * @param {Choice[]} choices
 * @param {((choice: Choice) => void)|null} choose  without it they are only shown
 */
export function choiceBar(choices, choose) {
  return h("div", { class: "svc-choices", role: "group", "aria-label": "Which one do you mean?" },
    ...choices.map((choice, place) => h("button", { type: "button", class: "svc-b svc-choice", disabled: !choose, onclick: () => choose?.(choice) },
      h("span", { class: "svc-choice-n", "aria-hidden": "true" }, `${place + 1}`), choice.question)));
}
