// One store per widget, shared by all its views.
//
// State lives in Python. What crosses: commands up ({t: "ask" | "stop" | …}), and down only what is new: "d" carries
// a piece of text with its offset and the formatted form of what has come, "turn" a finished turn, "state" everything a
// view needs (asked for with "sync" whenever a view opens or a piece is missing). HTML comes from Python already
// sanitised; everything else goes in as text.

const ANSWER_WITHIN_MS = 900; // a command not acknowledged by then meets a kernel that is busy or gone
/** @type {{chats: Map<string, Chat>, vega: Promise<any>|null, give: ((packed: any) => void)|null}} */
export const page = (/** @type {any} */ (globalThis).__svc_notebook ??= { chats: new Map(), vega: null, give: null });

/** The store of a model: one for all its views. @param {Model} model @returns {Chat} */
export function open(model) {
  const uid = model.get("uid");
  let chat = page.chats.get(uid);
  if (chat) return chat;
  chat = {
    uid, turns: [], leaf: null, left: 0, live: null, notice: "", ask: () => false, halt: () => {}, whoami: "", chatId: "", suggestions: [],
    title: "", threads: null, known: false, silent: "", unheard: 0, problem: "", sent: 0, views: new Set(), timers: new Map(),
    cells: new Map(), before: new Map(), pictured: new Set(), model,
  };
  page.chats.set(uid, chat);
  return chat;
}

/** @param {Chat} chat @param {string} what @param {any} [detail] */
export function tell(chat, what, detail) {
  for (const view of chat.views) view(what, detail);
}

/** Send a command; returns its number. @param {Chat} chat @param {{t: string, [key: string]: any}} message */
export function command(chat, message) {
  const id = ++chat.sent;
  chat.timers.set(id, setTimeout(() => {
    chat.timers.delete(id);
    chat.unheard = id;
    chat.silent = message.t === "sync"
      ? "The kernel does not answer: it is busy, or not running. What is shown is read-only until then; run the cell to go on."
      : "The kernel is busy and hears this only when its cell has ended. The ■ button in the toolbar stops the cell.";
    tell(chat, "status");
  }, message.t === "sync" ? 2500 : ANSWER_WITHIN_MS));
  chat.model.send({ ...message, id });
  return id;
}

function heard(chat, id) {
  for (const [key, timer] of chat.timers) {
    if (key <= id) { clearTimeout(timer); chat.timers.delete(key); }
  }
  if (chat.silent && id >= chat.unheard) { chat.silent = ""; tell(chat, "status"); } // text that goes on coming heard nothing
}

const fresh = (state) => ({ text: "", thinking: "", tools: [], blocks: [], tail: null, ...state, started: performance.now() - (state.ms ?? 0) });

/** @param {Chat} chat @param {any} message @param {any[]} [buffers] */
export function receive(chat, message, buffers) {
  heard(chat, message.id ?? 0);
  switch (message.t) {
    case "state":
      if (message.chat_id !== chat.chatId || !message.turns.some((turn) => turn.turn === chat.leaf)) chat.leaf = null;
      Object.assign(chat, {
        turns: message.turns, left: message.left ?? 0, whoami: message.whoami, chatId: message.chat_id, suggestions: message.suggestions,
        known: true, problem: "", pictured: new Set(message.pictured ?? []),
        // a question that is on its way up is not yet known below
        live: message.live ? fresh(message.live) : chat.live?.n === 0 ? chat.live : null,
      });
      return tell(chat, "state");
    case "older":
      chat.turns.unshift(...message.turns);
      chat.left = message.left;
      return tell(chat, "older", message.turns);
    case "begin":
      chat.problem = "";
      if (message.whoami) chat.whoami = message.whoami;
      chat.live = fresh({ n: message.n, question: message.question, after: message.after ?? null });
      return tell(chat, "begin");
    case "d":
      return grown(chat, message);
    case "tool": {
      const live = chat.live;
      if (!live || live.n !== message.n) return;
      const at = live.tools.findIndex((tool) => tool.id === message.tool.id);
      message.tool.started = at < 0 ? performance.now() : live.tools[at].started;
      if (at < 0) live.tools.push(message.tool); else live.tools[at] = message.tool;
      return tell(chat, "tool", message.tool);
    }
    case "turn": {
      if (message.turn.html === null && !whole(chat.live, message.turn)) return command(chat, { t: "sync" });
      const at = chat.turns.findIndex((turn) => turn.n === message.turn.n);
      if (at < 0) chat.turns.push(message.turn); else chat.turns[at] = message.turn;
      if (chat.live && chat.live.n <= message.turn.n) chat.live = null;
      if (at < 0) chat.leaf = null; // what was asked last is what is shown
      if (message.turn.suggestions.length) chat.suggestions = message.turn.suggestions;
      chat.chatId = message.chat_id;
      return tell(chat, "turn", message.turn);
    }
    case "judged":
      for (const turn of chat.turns) if (turn.turn === message.turn) turn.feedback = message.feedback;
      return tell(chat, "judged", message.turn);
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
    case "loading":
      return chat.cells.get(message.for)?.(message);
    case "rows":
    case "cell":
      chat.cells.get(message.for)?.(message, buffers);
      return chat.cells.delete(message.for);
    case "result":
      chat.result = message.result;
      chat.known = true;
      return tell(chat, "result");
    case "vega":
      return page.give?.(buffers?.[0]);
  }
}

/** A finished turn without what is here already: put it in; whether all of it is here. @param {Live|null} live @param {Turn} turn */
function whole(live, turn) {
  if (!live || live.n !== turn.n || live.text.length !== turn.chars) return false;
  turn.text = live.text;
  turn.html = live.blocks.map((block) => block.html ?? paragraph(live.text, block).outerHTML).join("\n");
  return true;
}

/** A block of plain words, made of the text that is here. @param {string} text @param {Stretch} block */
export function paragraph(text, block) {
  const made = document.createElement("p");
  made.textContent = text.slice(block.off, block.end).trim();
  return made;
}

/** A piece of text at its offset; what is there already is skipped, and a hole is asked to be filled. @param {Chat} chat @param {any} message */
function grown(chat, message) {
  const live = chat.live;
  if (!live || live.n !== message.n) return command(chat, { t: "sync" });
  const have = live[message.k];
  if (message.reset) {
    live[message.k] = message.d;
    if (message.k === "text") Object.assign(live, { blocks: [], tail: null });
    return tell(chat, "begin");
  }
  if (message.off > have.length) return command(chat, { t: "sync" });
  const piece = message.d.slice(have.length - message.off);
  const held = live.blocks.at(-1)?.end ?? 0; // a form that a view has had with its "state" comes again
  const blocks = (message.blocks ?? []).filter((block) => block.off >= held);
  if (!piece && !blocks.length && !message.tail) return;
  live[message.k] = have + piece;
  if (piece) { const now = performance.now(); live.every = Math.min(40_000, now - (live.came ?? now - 150)); live.came = now; }
  live.blocks.push(...blocks);
  if (blocks.length || message.tail) live.tail = message.tail ?? null;
  return tell(chat, "grow", { key: message.k, fresh: piece });
}

/** One side of a comparison, as a model of its own. @param {Model} model @param {number} side @returns {Model} */
export function sideOf(model, side) {
  return {
    widget_manager: model.widget_manager,
    get: (name) => (name === "uid" ? `${model.get("uid")}:${side}` : name === "height" ? "" : model.get(name)),
    send: (message) => model.send({ ...message, side }),
  };
}
