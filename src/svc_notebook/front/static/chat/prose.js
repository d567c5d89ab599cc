// The text of a running answer. What Python has formatted stands as HTML; what came after it follows as plain text in
// the same paragraph or list item until its formatted form arrives. A finished block is never touched again.
import { h } from "./dom.js";
import { paragraph } from "./store.js";

const BLOCKS = new Set(["P", "UL", "OL", "LI", "BLOCKQUOTE", "PRE", "CODE", "H1", "H2", "H3", "H4", "H5", "H6", "TABLE", "TBODY", "THEAD", "TR", "TD", "TH"]);
const PLAIN_CHARS = 4000; // a plain paragraph longer than this goes on in a new node, so that little is laid out anew

/** The deepest last block of a formatted stretch: where its text goes on. */
function endOf(node) {
  let last = node;
  while (last.lastElementChild && BLOCKS.has(last.lastElementChild.tagName) && last.lastElementChild === lastReal(last)) last = last.lastElementChild;
  return last;
}

function lastReal(node) {
  let last = node.lastChild;
  while (last && last.nodeType === Node.TEXT_NODE && !last.data.trim()) last = last.previousSibling;
  return last;
}

export function growingText(live) {
  const el = h("div", { class: "svc-prose svc-plain tex2jax_ignore mathjax_ignore" });
  const done = h("div"), tail = h("div", { class: "svc-tail" });
  el.append(done, tail);
  let shown = 0; // characters on the page
  let blocks = 0; // finished blocks on the page
  let at = 0; // where the tail begins
  let formatted = null; // the formatted stretch the tail shows, and the node its text goes on in
  let end = null;

  function plain(text) {
    for (const [i, piece] of text.split(/\n{2,}/).entries()) {
      if (i || !end || (end.parentNode === tail && end.firstChild?.length > PLAIN_CHARS && formatted === null)) {
        end = h("div");
        tail.append(end);
      }
      if (!piece) continue;
      const last = end.lastChild;
      if (last?.nodeType === Node.TEXT_NODE) last.appendData(piece); else end.append(piece);
    }
  }
  function renew() {
    tail.replaceChildren();
    end = null;
    if (formatted) {
      tail.innerHTML = formatted.html; // sanitised in Python
      end = endOf(tail);
    }
    plain(live.text.slice(formatted ? formatted.end : at, shown));
  }
  const selecting = () => {
    const selection = getSelection();
    return selection && !selection.isCollapsed && tail.contains(selection.anchorNode);
  };
  return {
    el,
    get waiting() { return live.text.length - shown; },
    get shown() { return shown; },
    /** Show the next `size` characters, formatted as far as the formatted form of what is shown has come. */
    show(size) {
      const from = shown;
      shown = Math.min(live.text.length, shown + size);
      let changed = false;
      while (!selecting() && blocks < live.blocks.length && live.blocks[blocks].end <= shown) {
        const block = live.blocks[blocks++];
        const made = h("div");
        if (block.html === undefined) made.append(paragraph(live.text, block));
        else made.innerHTML = block.html; // sanitised in Python
        done.append(made);
        at = block.end;
        formatted = null;
        changed = true;
      }
      const next = live.tail;
      if (next && next !== formatted && next.off === at && next.end <= shown && !selecting()) { formatted = next; changed = true; }
      if (changed) renew(); else plain(live.text.slice(from, shown));
    },
  };
}
