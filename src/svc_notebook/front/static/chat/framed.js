// The page around an embedded page: what the two tell each other by postMessage. Nothing secret goes out.
//
//   out  {svc: "ready"}                        the page is there
//        {svc: "height", height: 640}          what it would need to show everything without scrolling
//        {svc: "expired", message: "…"}        its session has ended: send another one
//   in   {svc: "session", sessionId: "…"}      a new session; the conversation goes on
//        {svc: "theme", theme: "dark"}         or "light"; "auto" follows the system again

const MEASURE_MS = 120;

export const frame = {
  tell(message) {
    if (window.parent !== window) window.parent.postMessage(message, "*");
  },
  /** @param {(sessionId: string) => void} act */
  onSession(act) { frame.session = act; },
  session: (_id) => {},
  /** Listen to the page around this one, and tell it the height of what `main` holds. */
  follow(main) {
    window.addEventListener("message", (event) => {
      if (event.source !== window.parent || window.parent === window || typeof event.data !== "object") return;
      const { svc, theme, sessionId } = event.data ?? {};
      if (svc === "session" && typeof sessionId === "string") frame.session(sessionId);
      if (svc === "theme" && ["dark", "light", "auto"].includes(theme)) document.body.dataset.svcTheme = theme;
    });
    if (window.parent === window) return;
    let told = 0;
    let later = 0;
    const measure = () => {
      later = 0;
      const height = Math.ceil(needed(main));
      if (Math.abs(height - told) < 2) return;
      told = height;
      frame.tell({ svc: "height", height });
    };
    const soon = () => { later ||= window.setTimeout(measure, MEASURE_MS); };
    new MutationObserver(soon).observe(main, { childList: true, subtree: true, characterData: true, attributes: true });
    new ResizeObserver(soon).observe(main);
    soon();
  },
};

/** What stands on the page, and in its log beyond what is seen of it. */
function needed(main) {
  let hidden = 0;
  for (const log of main.querySelectorAll(".svc-log")) if (log.clientHeight) hidden += log.scrollHeight - log.clientHeight;
  return main.scrollHeight + hidden;
}
