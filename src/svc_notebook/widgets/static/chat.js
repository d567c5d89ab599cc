// The chat in the browser: one small module, no build step, nothing fetched.
//
// State lives in Python. What crosses: commands up ({t: "ask" | "stop" | …}), and down only what is new: "d" carries
// a piece of text with its offset, "turn" a finished turn, "state" everything (asked for with "sync" whenever a view
// opens or a piece is missing). HTML comes from Python already sanitised; everything else goes in as text.

/**
 * @typedef {{title: string, name: string, number: boolean}} Column
 * @typedef {{columns: Column[], rows: (string|null)[][], keys: (number|null)[][], said: string, partial: boolean}} Table
 * @typedef {{sql: string, whom: string, filters: string[], notes: string[], rows: string, partial: boolean, uuid: string}} Evidence
 * @typedef {{spec: object|null, said: string, note: string, fit: boolean}} Chart
 * @typedef {{title: string, table: Table, chart: Chart|null, evidence: Evidence, ms: number|null}} Result
 * @typedef {{id: string, name: string, label: string, sql: string, detail: string, state: string, rows: string, ms: number|null, error: string}} Tool
 * @typedef {{n: number, question: string, status: string, html: string, text: string, thinking: string, error: string,
 *            tools: Tool[], results: Result[], suggestions: string[]}} Turn
 * @typedef {{n: number, question: string, text: string, thinking: string, tools: Tool[], started: number, stopping?: boolean}} Live
 */

const ANSWER_WITHIN_MS = 900; // a command not acknowledged by then meets a kernel that is busy or gone
const BUNDLE_WITHIN_MS = 30000;
const page = (globalThis.__svc_notebook ??= { chats: new Map(), vega: null, give: null });

// ---- one store per widget, shared by all its views ---------------------------------------------------------------

function open(model) {
  const uid = model.get("uid");
  let chat = page.chats.get(uid);
  if (chat) return chat;
  chat = {
    uid, turns: /** @type {Turn[]} */ ([]), live: /** @type {Live|null} */ (null), whoami: "", chatId: "", suggestions: [],
    title: "", threads: null, known: false, silent: "", problem: "", sent: 0, views: new Set(), timers: new Map(), model,
  };
  page.chats.set(uid, chat);
  return chat;
}

function tell(chat, what, detail) {
  for (const view of chat.views) view(what, detail);
}

function command(chat, message) {
  const id = ++chat.sent;
  chat.timers.set(id, setTimeout(() => {
    chat.timers.delete(id);
    chat.silent = message.t === "sync"
      ? "The kernel does not answer: it is busy, or not running. What is shown is read-only until then; run the cell to go on."
      : "The kernel is busy and hears this only when its cell has ended. The ■ button in the toolbar stops the cell.";
    tell(chat, "status");
  }, message.t === "sync" ? 2500 : ANSWER_WITHIN_MS));
  chat.model.send({ ...message, id });
}

function heard(chat, id) {
  for (const [key, timer] of chat.timers) {
    if (id === undefined || key <= id) { clearTimeout(timer); chat.timers.delete(key); }
  }
  if (chat.silent) { chat.silent = ""; tell(chat, "status"); }
}

function receive(chat, message, buffers) {
  heard(chat, message.id ?? 0);
  switch (message.t) {
    case "state":
      Object.assign(chat, {
        turns: message.turns, whoami: message.whoami, chatId: message.chat_id, suggestions: message.suggestions,
        known: true, problem: "",
        // a question that is on its way up is not yet known below
        live: message.live ? { ...message.live, started: performance.now() - (message.live.ms ?? 0) } : chat.live?.n === 0 ? chat.live : null,
      });
      return tell(chat, "state");
    case "begin":
      chat.problem = "";
      chat.live = { n: message.n, question: message.question, text: "", thinking: "", tools: [], started: performance.now() };
      return tell(chat, "begin");
    case "d": {
      const live = chat.live;
      if (!live || live.n !== message.n) return command(chat, { t: "sync" });
      const have = live[message.k];
      if (message.reset) live[message.k] = message.d;
      else if (message.off > have.length) return command(chat, { t: "sync" });
      else {
        const fresh = message.d.slice(have.length - message.off);
        if (!fresh) return;
        live[message.k] = have + fresh;
        return tell(chat, "grow", { key: message.k, fresh });
      }
      return tell(chat, "begin");
    }
    case "tool": {
      const live = chat.live;
      if (!live || live.n !== message.n) return;
      const at = live.tools.findIndex((tool) => tool.id === message.tool.id);
      message.tool.started = at < 0 ? performance.now() : live.tools[at].started;
      if (at < 0) live.tools.push(message.tool); else live.tools[at] = message.tool;
      return tell(chat, "tool", message.tool);
    }
    case "turn": {
      const at = chat.turns.findIndex((turn) => turn.n === message.turn.n);
      if (at < 0) chat.turns.push(message.turn); else chat.turns[at] = message.turn;
      if (chat.live && chat.live.n <= message.turn.n) chat.live = null;
      if (message.turn.suggestions.length) chat.suggestions = message.turn.suggestions;
      chat.chatId = message.chat_id;
      return tell(chat, "turn", message.turn);
    }
    case "suggestions":
      chat.suggestions = message.items;
      return tell(chat, "suggestions");
    case "threads":
      chat.threads = message.items;
      return tell(chat, "threads");
    case "problem":
      chat.problem = message.message;
      if (chat.live && chat.live.n === 0) chat.live = null;
      return tell(chat, "state");
    case "result":
      chat.result = message.result;
      chat.known = true;
      return tell(chat, "result");
    case "vega":
      return page.give?.(buffers[0]);
  }
}

// ---- small DOM words ---------------------------------------------------------------------------------------------

/** @param {string} tag @param {object} [props] @param {...(Node|string|null|undefined|false)} children */
function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const button = (label, act, props = {}) => h("button", { type: "button", class: "svc-b", onclick: act, ...props }, label);

function seconds(ms) {
  if (ms === null || ms === undefined) return "";
  return ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

async function copy(text, from) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "svc-offscreen" });
    area.value = text;
    from.after(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    from.focus();
  }
  const before = from.textContent;
  from.textContent = "Copied";
  setTimeout(() => (from.textContent = before), 1200);
}

const copier = (label, text, props) => button(label, (event) => copy(text, event.currentTarget), props);

// ---- parts of a turn ---------------------------------------------------------------------------------------------

const STATES = { running: "running", complete: "done", failed: "failed", aborted: "stopped" };

/** @param {Tool & {started?: number}} tool */
function toolCard(tool) {
  const time = h("span", { class: "svc-time" }, tool.state === "running" ? "" : seconds(tool.ms));
  if (tool.state === "running") time.dataset.since = String(tool.started ?? performance.now());
  const card = h("details", { class: `svc-tool svc-is-${STATES[tool.state] ?? "done"}`, "data-tool": tool.id },
    h("summary", {},
      h("span", { class: "svc-dot", "aria-hidden": "true" }),
      h("span", { class: "svc-tool-name" }, tool.label || tool.name),
      tool.rows && h("span", { class: "svc-count" }, tool.rows),
      time,
      h("span", { class: "svc-tool-state" }, STATES[tool.state] ?? tool.state)),
    h("div", { class: "svc-tool-body" },
      h("div", { class: "svc-muted" }, `${tool.name}${tool.detail ? ": " + tool.detail : ""}`),
      tool.error && h("p", { class: "svc-problem" }, tool.error),
      tool.sql && sqlBlock(tool.sql)));
  return card;
}

function sqlBlock(sql) {
  return h("div", { class: "svc-sql" },
    h("pre", { tabindex: "0", role: "group", "aria-label": "SQL" }, h("code", {}, sql)),
    h("div", { class: "svc-row" }, copier("Copy SQL", sql), copier("Copy as cell", `%%svcsql\n${sql}`)));
}

function thinkingCard(text, open) {
  return h("details", { class: "svc-thinking", open: open || undefined },
    h("summary", {}, "Thinking"), h("div", { class: "svc-thinking-text" }, text));
}

/** @param {Table} table @param {string} title */
function tableView(table, title) {
  const order = table.rows.map((_, i) => i);
  const body = h("tbody");
  const heads = table.columns.map((column, i) => {
    const arrow = h("span", { class: "svc-arrow", "aria-hidden": "true" });
    return h("th", { scope: "col", class: column.number ? "svc-n" : undefined, "aria-sort": "none" },
      h("button", { type: "button", class: "svc-sort", onclick: () => sort(i) }, column.title, arrow));
  });
  function fill() {
    body.replaceChildren(...order.map((at) => h("tr", {}, ...table.rows[at].map((cell, i) =>
      h("td", { class: table.columns[i].number ? "svc-n" : undefined }, cell === null ? h("em", {}, "null") : cell)))));
  }
  function sort(i) {
    const now = heads[i].getAttribute("aria-sort");
    const up = now !== "ascending";
    heads.forEach((head, k) => head.setAttribute("aria-sort", k === i ? (up ? "ascending" : "descending") : "none"));
    const keys = table.keys[i];
    const key = (row) => (keys ? keys[row] : table.rows[row][i]);
    order.sort((a, b) => {
      const x = key(a), y = key(b);
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
      const by = keys ? x - y : x < y ? -1 : x > y ? 1 : 0;
      return (up ? by : -by) || a - b;
    });
    fill();
  }
  fill();
  return h("div", { class: "svc-table-box", tabindex: "0", role: "group", "aria-label": `Table: ${title || "result"}` },
    h("table", { class: "svc-table" },
      h("caption", { class: table.partial ? "svc-partial" : undefined }, [title, table.said].filter(Boolean).join(" · ")),
      h("thead", {}, h("tr", {}, ...heads)), body));
}

/** @param {Evidence} found @param {number|null} ms */
function evidenceView(found, ms) {
  const facts = [["rows", found.rows], ["as", found.whom], ["row filters", found.filters.join("; ") || "none"],
    ...found.notes.map((note) => ["note", note]), ["time", seconds(ms)], ["result", found.uuid]];
  return h("details", { class: "svc-evidence" },
    h("summary", {}, ["Evidence", found.rows, found.whom && `as ${found.whom}`].filter(Boolean).join(" · ")),
    h("dl", {}, ...facts.filter(([, value]) => value).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    found.sql && sqlBlock(found.sql));
}

/** @param {Result} result */
function resultView(result, chat) {
  const chart = result.chart;
  return h("figure", { class: "svc-result" },
    chart?.spec && chartView(chart, chat),
    chart?.note && h("p", { class: "svc-muted" }, chart.note),
    tableView(result.table, result.title),
    evidenceView(result.evidence, result.ms));
}

// ---- charts ------------------------------------------------------------------------------------------------------

async function unpack(packed) {
  const bytes = packed.buffer ? new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength) : new Uint8Array(packed);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const url = URL.createObjectURL(new Blob([await new Response(stream).text()], { type: "text/javascript" }));
  try { return await import(/* @vite-ignore */ url); } finally { URL.revokeObjectURL(url); }
}

function bundle(chat) {
  page.vega ??= new Promise((resolve, reject) => {
    const late = setTimeout(() => { page.vega = null; reject(new Error("the kernel did not send the renderer")); }, BUNDLE_WITHIN_MS);
    page.give = (packed) => { clearTimeout(late); unpack(packed).then(resolve, reject); };
    command(chat, { t: "vega" });
  });
  return page.vega;
}

/** @param {Chart} chart */
function chartView(chart, chat) {
  const place = h("div", { class: "svc-chart", role: "img", "aria-label": chart.said });
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    draw(place, chart, chat);
  });
  seen.observe(place);
  place.redraw = () => { // a change of theme or width comes in several steps: wait for the last
    clearTimeout(place.later);
    if (place.view) place.later = setTimeout(() => draw(place, chart, chat), 150);
  };
  return place;
}

async function draw(place, chart, chat) {
  try {
    const { vegaEmbed } = await bundle(chat);
    const spec = structuredClone(chart.spec);
    if (chart.fit) {
      if (place.clientWidth > 40) place.wide = place.clientWidth;
      spec.width = Math.max(160, Math.min(760, (place.wide ?? 520) - 4));
      spec.autosize = { type: "fit", contains: "padding" };
    }
    const nothing = () => Promise.reject(new Error("nothing is loaded"));
    const loader = { load: nothing, sanitize: nothing, http: nothing, file: nothing, options: {} };
    const drawn = h("div");
    const made = await vegaEmbed(drawn, spec, {
      mode: "vega-lite", ast: true, renderer: "svg", loader, config: look(place), defaultStyle: false,
      actions: false, tooltip: { theme: "custom" },
    });
    place.view?.finalize();
    place.view = made;
    place.replaceChildren(drawn);
    place.dataset.drawn = "true";
  } catch (error) {
    place.replaceChildren(h("p", { class: "svc-muted" }, `No chart: ${String(error?.message ?? error).slice(0, 160)}`));
    place.dataset.drawn = "failed";
  }
}

function look(place) {
  const style = getComputedStyle(place);
  const ink = style.color, faint = style.getPropertyValue("--svc-line").trim() || "#8884";
  const words = { labelColor: ink, titleColor: ink, titleFontWeight: 500, labelFont: style.fontFamily, titleFont: style.fontFamily };
  return {
    background: "transparent", view: { stroke: "transparent" },
    axis: { ...words, gridColor: faint, domainColor: faint, tickColor: faint }, legend: words, header: words,
    title: { color: ink, font: style.fontFamily, fontWeight: 600, anchor: "start" }, text: { color: ink },
    mark: { color: "#4c78a8" }, rule: { color: ink },
  };
}

// ---- a view ------------------------------------------------------------------------------------------------------

function dark(el) {
  const body = document.body;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind) return body.dataset.vscodeThemeKind.includes("dark");
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

function view(model, el, { shared = null } = {}) {
  const chat = open(model);
  const log = h("div", { class: "svc-log", role: "log", "aria-live": "polite", "aria-label": "Conversation", tabindex: "0" });
  const status = h("div", { class: "svc-status", role: "status", "aria-live": "polite" });
  const ideas = h("div", { class: "svc-ideas", role: "group", "aria-label": "Suggestions" });
  const input = h("textarea", { rows: "1", placeholder: "Ask about the data", "aria-label": "Question", onkeydown: key, oninput: grow });
  const send = h("button", { type: "submit", class: "svc-b svc-main" }, "Ask");
  const stop = button("Stop", halt, { class: "svc-b svc-main svc-stop", hidden: true, "aria-keyshortcuts": "Escape" });
  const whom = h("span", { class: "svc-whom" });
  const drawer = h("div", { class: "svc-drawer", hidden: true, role: "group", "aria-label": "Earlier conversations" });
  const toggle = button("Threads", showThreads, { "aria-expanded": "false" });
  const root = h("div", { class: "svc-chat", "data-lm-suppress-shortcuts": "true" },
    h("div", { class: "svc-bar" }, ...(shared ? [h("strong", {}, shared.label)] : [toggle, button("New", () => command(chat, { t: "new" })), whom])),
    drawer, log, status, ideas,
    !shared && h("form", { class: "svc-input", onsubmit: (event) => { event.preventDefault(); ask(input.value); } }, input, send, stop));
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chat.live) { event.preventDefault(); event.stopPropagation(); halt(); }
  });
  if (model.get("height")) log.style.maxHeight = model.get("height");

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let live = null; // the element of the running turn, with its growing parts
  let recalled = -1;
  let draft = "";
  const ticking = setInterval(tick, 500);

  // -- commands
  function ask(text) {
    const question = text.trim();
    if (!question) return;
    if (chat.live) { say("Still answering. Stop it first (Esc), or wait."); return; }
    chat.live = { n: 0, question, text: "", thinking: "", tools: [], started: performance.now() };
    input.value = ""; recalled = -1; draft = ""; grow();
    tell(chat, "begin");
    log.scrollTop = log.scrollHeight;
    command(chat, { t: "ask", q: question });
  }
  function halt() {
    if (!chat.live) return;
    chat.live.stopping = true;
    command(chat, { t: "stop" });
    tell(chat, "status");
  }
  function key(event) {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) { event.preventDefault(); ask(input.value); return; }
    const asked = chat.turns.map((turn) => turn.question);
    const up = event.key === "ArrowUp" && input.selectionStart === 0 && input.selectionEnd === 0;
    const down = event.key === "ArrowDown" && recalled >= 0 && input.selectionStart === input.value.length;
    if (!(up || down || (event.key === "ArrowUp" && recalled >= 0)) || !asked.length) return;
    event.preventDefault();
    if (recalled < 0) draft = input.value;
    recalled = Math.min(asked.length - 1, recalled + (event.key === "ArrowUp" ? 1 : -1));
    input.value = recalled < 0 ? draft : asked[asked.length - 1 - recalled];
    grow();
    input.setSelectionRange(event.key === "ArrowUp" ? 0 : input.value.length, event.key === "ArrowUp" ? 0 : input.value.length);
  }
  function grow() {
    input.style.height = "auto";
    input.style.height = `${Math.min(160, input.scrollHeight + 2)}px`;
  }

  // -- turns
  const bottom = () => log.scrollHeight - log.scrollTop - log.clientHeight < 48;
  function keepingPlace(change) {
    const stuck = bottom();
    change();
    if (stuck) log.scrollTop = log.scrollHeight;
  }
  const asked = (question) => h("div", { class: "svc-question" }, h("span", { class: "svc-offscreen" }, "You asked: "), question);

  /** @param {Turn} turn */
  function turnView(turn) {
    const prose = h("div", { class: "svc-prose tex2jax_ignore mathjax_ignore" });
    prose.innerHTML = turn.html; // sanitised in Python
    return h("article", { class: "svc-turn", "data-turn": String(turn.n), "data-status": turn.status },
      asked(turn.question),
      turn.thinking && thinkingCard(turn.thinking, false),
      ...turn.tools.map(toolCard),
      prose,
      turn.status === "aborted" && h("p", { class: "svc-note" }, "Stopped. What came until then is kept."),
      turn.status === "failed" && h("p", { class: "svc-note svc-problem" }, turn.error || "This answer could not be finished."),
      ...turn.results.map((result) => resultView(result, chat)),
      h("div", { class: "svc-row svc-acts" },
        copier("Copy", turn.text || turn.error || "", { "aria-label": "Copy answer" }),
        button("Retry", () => ask(turn.question), { "aria-label": "Ask again" }),
        !shared && button("Edit", () => { input.value = turn.question; grow(); input.focus(); }, { "aria-label": "Edit question" })));
  }
  function liveView() {
    const state = chat.live;
    const kept = live?.n === state.n ? Math.min(live.shown, state.text.length) : state.text.length;
    const thinking = thinkingCard(state.thinking, true);
    thinking.hidden = !state.thinking;
    const tools = h("div", {}, ...state.tools.map(toolCard));
    const text = h("div", { class: "svc-prose svc-plain" });
    const clock = h("span", { class: "svc-time", "data-since": String(state.started) });
    live = {
      n: state.n,
      el: h("article", { class: "svc-turn svc-live", "aria-busy": "true", "data-status": "running" }, asked(state.question),
        thinking, tools, text, h("div", { class: "svc-muted svc-doing" }, h("span", { class: "svc-pulse", "aria-hidden": "true" }), clock)),
      thinking, tools, text, clock, shown: 0, frame: 0, then: null,
    };
    append(state.text.slice(0, kept));
    live.shown = kept;
    reveal();
    return live.el;
  }
  /** Pieces come in bursts; they are let in over a few frames, the sooner the more of them wait. */
  function reveal() {
    const now = live;
    if (!now || now.frame) return;
    const step = () => {
      now.frame = 0;
      const waiting = (chat.live?.text ?? now.whole ?? "").length - now.shown;
      if (waiting > 0 && now === live) {
        const size = document.hidden || still.matches ? waiting : Math.ceil(waiting / 7);
        keepingPlace(() => append((chat.live?.text ?? now.whole).slice(now.shown, now.shown + size)));
        now.shown += size;
        now.frame = requestAnimationFrame(step);
      } else now.then?.();
    };
    now.frame = document.hidden ? setTimeout(step, 30) : requestAnimationFrame(step);
  }
  /** Text goes into blocks, so that a long answer is not laid out anew for every piece. */
  function append(fresh) {
    for (const [i, piece] of fresh.split("\n\n").entries()) {
      if (i || !live.text.lastChild) live.text.append(h("div", {}, document.createTextNode("")));
      if (piece) live.text.lastChild.firstChild.appendData(piece);
    }
  }
  function selecting() {
    const selection = getSelection();
    return live && selection && !selection.isCollapsed && live.el.contains(selection.anchorNode);
  }
  function finish(turn) {
    if (live && live.shown < turn.text.length && turn.status === "complete" && !live.then) {
      live.whole = turn.text;
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
    const old = log.querySelector(`[data-turn="${turn.n}"]`) ?? (live && live.el);
    if (old && old.isConnected) old.replaceWith(made); else log.append(made);
    if (old === live?.el) live = null;
    if (stuck) log.scrollTop = made.offsetTop - 6; // the answer begins at the top, and what fits follows
  }
  function everything() {
    live = null;
    keepingPlace(() => {
      log.replaceChildren(...chat.turns.map(turnView));
      if (chat.live) log.append(liveView());
      else if (!chat.turns.length) log.append(h("p", { class: "svc-muted svc-empty" }, "Ask a question in plain words. Enter sends, Shift+Enter breaks the line, Esc stops."));
    });
  }
  function say(text) { status.textContent = text; }
  function bar() {
    const busy = Boolean(chat.live);
    stop.hidden = !busy;
    send.hidden = busy;
    stop.textContent = chat.live?.stopping ? "Stopping…" : "Stop";
    say(chat.problem || chat.silent || (chat.live?.stopping ? "Stopping…" : ""));
    status.classList.toggle("svc-problem", Boolean(chat.problem));
    whom.textContent = chat.whoami ? `as ${chat.whoami}` : "";
    ideas.replaceChildren(...(busy ? [] : chat.suggestions.map((idea) => button(idea, () => (shared ? shared.ask(idea) : ask(idea)), { class: "svc-b svc-idea" }))));
  }
  function tick() {
    for (const clock of root.querySelectorAll("[data-since]")) {
      clock.textContent = seconds(performance.now() - Number(clock.dataset.since));
    }
  }

  // -- threads
  function showThreads() {
    drawer.hidden = !drawer.hidden;
    toggle.setAttribute("aria-expanded", String(!drawer.hidden));
    if (!drawer.hidden) { drawer.replaceChildren(h("p", { class: "svc-muted" }, "…")); command(chat, { t: "threads" }); }
  }
  function listThreads() {
    const items = (chat.threads ?? []).map((thread) => {
      const line = h("li", { class: "svc-row" });
      const name = button(thread.title || "Untitled", () => { command(chat, { t: "open", chat_id: thread.chatId }); showThreads(); },
        { class: "svc-b svc-thread", "aria-current": thread.chatId === chat.chatId ? "true" : undefined });
      const rename = button("Rename", () => {
        const field = h("input", { "aria-label": "New title", value: thread.title ?? "" });
        const form = h("form", { class: "svc-row", onsubmit: (event) => {
          event.preventDefault();
          command(chat, { t: "rename", chat_id: thread.chatId, title: field.value });
        } }, field, h("button", { type: "submit", class: "svc-b" }, "Save"));
        line.replaceChildren(form);
        field.focus();
      });
      const remove = button("Delete", (event) => {
        if (event.currentTarget.dataset.sure) command(chat, { t: "delete", chat_id: thread.chatId });
        else { event.currentTarget.dataset.sure = "1"; event.currentTarget.textContent = "Delete for good?"; }
      });
      line.append(name, rename, remove);
      return line;
    });
    drawer.replaceChildren(items.length ? h("ul", {}, ...items) : h("p", { class: "svc-muted" }, "No earlier conversations."));
  }

  // -- following the store
  function follow(what, detail) {
    if (what === "state") everything();
    else if (what === "begin") {
      keepingPlace(() => {
        log.querySelector(".svc-empty")?.remove();
        const old = live?.el;
        const made = liveView();
        if (old?.isConnected) old.replaceWith(made); else log.append(made);
      });
    } else if (what === "grow" && live) {
      if (detail.key === "text") reveal();
      else keepingPlace(() => { live.thinking.hidden = false; live.thinking.lastChild.append(detail.fresh); });
    } else if (what === "tool" && live) {
      keepingPlace(() => {
        const made = toolCard(detail);
        const old = [...live.tools.children].find((card) => card.dataset.tool === detail.id);
        if (old) { made.open = old.open; old.replaceWith(made); } else live.tools.append(made);
      });
    } else if (what === "turn") finish(detail);
    else if (what === "threads") listThreads();
    bar();
  }

  const theme = () => {
    root.classList.toggle("svc-dark", dark(el));
    for (const place of root.querySelectorAll(".svc-chart")) place.redraw();
  };
  const themes = new MutationObserver(theme);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name", "data-vscode-theme-kind", "class"] });
  let width = 0;
  const sizes = new ResizeObserver(() => {
    if (Math.abs(root.clientWidth - width) < 24) return;
    width = root.clientWidth;
    for (const place of root.querySelectorAll(".svc-chart")) place.redraw();
  });

  el.replaceChildren(root);
  theme();
  sizes.observe(root);
  chat.views.add(follow);
  everything();
  bar();
  if (!chat.known) command(chat, { t: "sync" });
  chat.ask = ask;
  chat.halt = halt;
  return () => {
    chat.views.delete(follow);
    clearInterval(ticking);
    themes.disconnect();
    sizes.disconnect();
    for (const place of root.querySelectorAll(".svc-chart")) place.view?.finalize();
  };
}

// ---- several users side by side, one result ---------------------------------------------------------------------

/** One side of a comparison, as a model of its own. */
function sideOf(model, side) {
  return {
    get: (name) => (name === "uid" ? `${model.get("uid")}:${side}` : name === "height" ? "" : model.get(name)),
    send: (message) => model.send({ ...message, side }),
  };
}

function compare(model, el) {
  const labels = model.get("sides");
  const input = h("textarea", { rows: "1", placeholder: "Ask all of them", "aria-label": "Question", onkeydown: (event) => {
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
  const theme = () => root.classList.toggle("svc-dark", dark(el));
  const themes = new MutationObserver(theme);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  theme();
  el.replaceChildren(root);
  return () => { panes.forEach(({ close }) => close()); themes.disconnect(); };
}

function single(model, el) {
  const chat = open(model);
  const root = h("div", { class: "svc-chat", "data-lm-suppress-shortcuts": "true" });
  const show = () => {
    root.classList.toggle("svc-dark", dark(el));
    root.replaceChildren(chat.result ? h("div", { class: "svc-log svc-whole" }, resultView(chat.result, chat)) : h("p", { class: "svc-muted svc-empty" }, chat.silent || "…"));
  };
  const themes = new MutationObserver(show);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-jp-theme-name"] });
  chat.views.add(show);
  el.replaceChildren(root);
  show();
  return () => { chat.views.delete(show); themes.disconnect(); };
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
