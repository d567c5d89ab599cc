// What a widget's model is in a notebook, a page's model is here: commands go out as requests, and what comes back is
// given to the store as the kernel's messages would be.
import { lines } from "./page_connection.js";
import { open, receive } from "./store.js";

const AGAIN_AFTER_MS = [500, 2000, 5000]; // a stream that breaks off is picked up again by reading its thread

/** @param {{chat: string, embed: string, vega: string}} given @param {ReturnType<typeof import("./page_connection.js").connection>} road */
export function pageModel(given, road) {
  const url = `${given.chat}/stream-chat-state`;
  let stopping = false; // asked to stop before the thread had a name
  let current = 0; // streams of a thread that one has left are not listened to any more

  /** @type {Model} */
  const model = {
    /** A page has no notebook to put cells into, and no saved file that wants pictures. */
    cells: false,
    pictures: false,
    get: (name) => (name === "uid" ? "page" : ""),
    send(message) {
      receive(chat, { t: "ack", id: message.id ?? 0 });
      const act = acts[message.t];
      if (act) act(message).catch((error) => receive(chat, { t: "problem", message: error.message }));
    },
    renderer: () => import(given.vega),
    /** @returns {AsyncGenerator<object>} the tiles of a dashboard */
    async *tiles(id) { yield* lines(await road.stream(`${given.embed}/dashboard/${encodeURIComponent(id)}/tiles`)); },
  };
  const chat = open(model);
  const empty = () => receive(chat, { t: "state", turns: [], left: 0, live: null, whoami: chat.whoami, chat_id: "", suggestions: [] });

  async function read(response, mine) {
    for await (const message of lines(response)) {
      if (mine !== current) return false;
      if (message.chat_id) chat.chatId = message.chat_id;
      receive(chat, message);
      if (stopping && chat.chatId) await stop();
    }
    return true;
  }
  async function readOn(mine) {
    for (const pause of AGAIN_AFTER_MS) {
      await new Promise((resolve) => setTimeout(resolve, pause));
      if (mine !== current) return;
      try {
        if (chat.chatId) await read(await road.stream(url, { chatId: chat.chatId }), mine);
        return;
      } catch (error) {
        if (error.status === 401) throw error;
      }
    }
    throw new Error("The connection was lost. What came until then is kept; ask again, or open the thread again.");
  }
  async function stop() {
    stopping = !chat.chatId;
    if (chat.chatId) await road.post("/stream-chat-state/abort", { chatId: chat.chatId });
  }
  async function ask({ q, reading, after }) {
    stopping = false;
    const mine = ++current;
    const response = await road.stream(url, { input: q, ...(reading && { reading }), ...(chat.chatId && { chatId: chat.chatId, after }) });
    try {
      await read(response, mine);
    } catch (error) {
      if (error.status) throw error;
    }
    if (chat.live && mine === current) await readOn(mine);
  }
  async function sync() {
    const mine = ++current;
    if (chat.chatId) { await read(await road.stream(url, { chatId: chat.chatId }), mine); return; }
    empty();
    const found = await (await road.call("GET", `${given.chat}/suggestions`)).json();
    if (mine === current && !chat.turns.length) receive(chat, { t: "suggestions", items: found.suggestions });
  }
  async function turnTo(chatId) {
    if (chat.live) throw new Error("Stop the running answer before leaving this conversation.");
    chat.chatId = chatId;
    await sync();
  }
  async function threads() {
    const found = await (await road.call("GET", `${given.chat}/threads`)).json();
    receive(chat, { t: "threads", items: found.items });
  }
  const thread = (id) => `${given.chat}/threads/${encodeURIComponent(id)}`;
  /** @type {Record<string, (message: any) => Promise<any>>} */
  const acts = {
    ask, stop, sync, threads,
    new: () => turnTo(""),
    open: (message) => turnTo(message.chat_id),
    async feedback({ turn, verdict, why }) {
      await road.call("PUT", `${thread(chat.chatId)}/turns/${turn}/feedback`, { verdict, why });
      receive(chat, { t: "judged", turn, feedback: verdict && { verdict, why } });
    },
    more: async ({ before }) => { await read(await road.stream(`${url}?before=${before}`, { chatId: chat.chatId }), current); },
    rename: async ({ chat_id, title }) => { await road.call("PATCH", thread(chat_id), { title: title.trim().slice(0, 200) }); await threads(); },
    delete: async ({ chat_id }) => {
      await road.call("DELETE", thread(chat_id));
      if (chat_id === chat.chatId) await turnTo("");
      await threads();
    },
  };
  return model;
}
