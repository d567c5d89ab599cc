// The page behind an embed URL: a chat, a dashboard, or both beside each other. What it shows is drawn by the modules
// that a notebook's widget is made of; only the road is another one, see page_model.js.
import { dashboardView } from "./dashboard.js";
import { button, dark, followTheme, h } from "./dom.js";
import { frame } from "./framed.js";
import { connection } from "./page_connection.js";
import { pageModel } from "./page_model.js";
import { open, receive } from "./store.js";
import { view } from "./view.js";

/** @typedef {{problem?: string, expired?: boolean, session: string, chat: string, embed: string, vega: string,
 *             view: {title: string, chat: boolean, threads: boolean, dashboards: [string, string][]}}} Given */

function noAccess(main, given) {
  main.replaceChildren(h("div", { class: "svc-page svc-no-access", role: "alert" },
    h("h1", {}, given.expired ? "This session has ended" : "Nothing to show here"), h("p", {}, given.problem)));
  frame.onSession((id) => location.replace(`${location.pathname}?session=${encodeURIComponent(id)}`));
  if (given.expired) frame.tell({ svc: "expired", message: given.problem });
}

/** Dashboards and the chat, one at a time; what was shown keeps its state. */
function app(main, given, model) {
  const { dashboards } = given.view;
  const place = h("div", { class: "svc-place" });
  const shown = new Map();
  const choices = [];
  const show = (key, make, choice) => {
    if (!shown.has(key)) { const el = h("div", { class: "svc-pane" }); shown.set(key, el); place.append(el); make(el); }
    for (const [other, el] of shown) el.hidden = other !== key;
    for (const each of choices) each.toggleAttribute("aria-current", each === choice);
  };
  const chatPane = (el) => view(model, el);
  const boardPane = (id, title) => (el) => el.append(dashboardView(model, id, title));
  if (given.view.chat && dashboards.length) {
    const choice = (label, key, make) => {
      const made = button(label, () => show(key, make, made), { class: "svc-b svc-choice", title: label });
      choices.push(made);
    };
    choice("Chat", "", chatPane);
    for (const [id, title] of dashboards) choice(title, id, boardPane(id, title));
    main.append(h("nav", { class: "svc-nav", "aria-label": "Chat and dashboards" }, ...choices));
  }
  main.append(place);
  if (given.view.chat) show("", chatPane, choices[0]);
  else show(dashboards[0][0], boardPane(...dashboards[0]), null);
}

async function start() {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const given = /** @type {Given} */ (JSON.parse(document.getElementById("svc-page")?.textContent ?? ""));
  history.replaceState(null, "", location.pathname); // the session id is used up: it need not stay in the address bar
  main.className = "svc-page";
  followTheme(() => main.classList.toggle("svc-dark", dark()));
  frame.follow(main);
  if (given.problem) return noAccess(main, given);
  const road = connection(given);
  const model = pageModel(given, road);
  const chat = open(model);
  chat.known = !given.view.chat; // a dashboard asks for no thread
  road.onExpired((message) => receive(chat, { t: "problem", message }));
  frame.onSession(async (id) => {
    if (await road.enter(id)) model.send({ t: "sync" });
  });
  if (!(await road.enter(given.session))) return noAccess(main, { problem: road.problem, expired: true });
  app(main, given, model);
  frame.tell({ svc: "ready" });
}

start();
