// A table as a file: written where its rows are, and fetched part by part. Its button says how far it is, and stops it.
import { flash, h } from "./dom.js";
import { readingWords } from "./reading_words.js";

const TYPES = {
  csv: "text/csv", parquet: "application/vnd.apache.parquet",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
};

/** @param {any[]} parts @param {string} kind @param {string} title */
export function save(parts, kind, title) {
  const url = URL.createObjectURL(new Blob(parts, { type: TYPES[kind] }));
  h("a", { href: url, download: `${(title || "result").replace(/[^\p{L}\p{N} _-]/gu, "").slice(0, 80)}.${kind}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/**
 * What saves the rows that are looked at when its button is pressed, and stops when it is pressed again.
 * @param {Ask|null} ask @param {string} title @param {string|null} language @param {(told: {gone: string}) => void} missing
 */
export function saver(ask, title, language, missing) {
  const say = readingWords(language);
  /** @type {Map<HTMLElement, () => void>} what stops those that are on their way */
  const open = new Map();

  return (/** @type {any} */ from, /** @type {string} */ kind, /** @type {any} */ look) => {
    const stop = open.get(from);
    if (stop) return stop();
    /** @type {any[]} */
    const parts = [];
    let file = "", over = false;
    const label = from.dataset.label ??= from.textContent;
    const far = (/** @type {number} */ share) => {
      clearTimeout(from.later);
      from.textContent = `${Math.floor(100 * share)} % · ${say.stop}`;
      from.setAttribute("aria-label", `${label}: ${say.stop}`);
    };
    const end = (/** @type {string} */ said) => { over = true; open.delete(from); from.removeAttribute("aria-label"); flash(from, said); };
    const drop = () => { if (file) ask?.("drop", { file }); };
    open.set(from, () => { end("–"); drop(); });
    far(0);
    ask?.("file", { ...look, kind }, function came(told, buffers) {
      if (told.t === "loading") return;
      if (told.gone) { if (!over) { missing(told); end("–"); } return; }
      file = told.file;
      if (over) return drop();
      if (told.last) { save(parts, kind, title); return end(say.saved); }
      parts.push(buffers?.[0]);
      far(told.written / Math.max(1, told.of));
      ask?.("part", { file }, came);
    });
  };
}
