// A page's way to the service it came from: a session id for a token, requests under it, lines of JSON as they come.
import { frame } from "./framed.js";

const VIEW_TYPE = "application/vnd.svc-notebook.view+x-ndjson";

/** What a response says went wrong. */
async function problemOf(response) {
  const body = await response.json().catch(() => ({}));
  return body.message || `The service answered ${response.status}`;
}

/** Messages of a response, one a line. */
export async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split("\n");
      rest = parts.pop() ?? "";
      for (const part of parts) if (part) yield JSON.parse(part);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

export class Refused extends Error {
  /** @param {string} message @param {number} status 0 where the service was not reached */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** @param {{chat: string}} given */
export function connection(given) {
  let token = "";
  /** @type {(message: string) => void} */
  let expired = () => {};
  const road = {
    problem: "",
    /** @param {(message: string) => void} act */
    onExpired(act) { expired = act; },
    /** Exchange a session id for a token; whether it was still good. */
    async enter(session) {
      try {
        token = "";
        const response = await road.call("POST", "/api/v1/embed/session/token", { sessionId: session });
        token = (await response.json()).token;
        return true;
      } catch (error) {
        road.problem = error.message;
        return false;
      }
    },
    /** A request; throws Refused. An ended token is told to the page around this one, which can bring a new session. */
    async call(/** @type {string} */ method, /** @type {string} */ url, /** @type {object|undefined} */ body = undefined, view = false) {
      let response;
      try {
        response = await fetch(url, {
          method, credentials: "omit", body: body ? JSON.stringify(body) : undefined,
          headers: { ...(body && { "Content-Type": "application/json" }), ...(token && { Authorization: `Bearer ${token}` }), ...(view && { Accept: VIEW_TYPE }) },
        });
      } catch {
        throw new Refused("The service cannot be reached. Check the connection and try again.", 0);
      }
      if (response.ok) return response;
      const message = await problemOf(response);
      if (response.status !== 401) throw new Refused(message, response.status);
      const said = "Your session has ended. Load this page again from the application it belongs to.";
      frame.tell({ svc: "expired", message });
      expired(said);
      throw new Refused(said, 401);
    },
    /** @param {string} url @param {object} [body] */
    stream: (url, body) => road.call(body ? "POST" : "GET", url, body, true),
    post: (path, body) => road.call("POST", given.chat + path, body),
  };
  return road;
}
