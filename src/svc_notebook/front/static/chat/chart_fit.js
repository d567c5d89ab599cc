// A chart made to fit the place it stands in: its width, its title in lines, its legend and labels where there is room.

const NARROW = 440; // pixels below which a legend goes under the chart
const LETTER = 6.2; // pixels of a letter of an axis, on average
const LEGEND = 100; // pixels of a legend beside the chart
const SYMBOL = 34; // pixels of a legend's symbol and what stands around it
const AXIS = 84; // pixels of the numbers of an axis with its title
const BETWEEN = 30; // pixels between two charts beside each other

/** @type {CanvasRenderingContext2D|null} */
let pen = null;

/** Pixels of a text. @param {string} text @param {string} font as CSS */
function widthOf(text, font) {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * LETTER;
  pen.font = font;
  return pen.measureText(text).width;
}

/** The longest lines of words that are at most `wide` pixels each. */
function wrapped(text, wide, font) {
  const found = [""];
  for (const word of text.split(/\s+/)) {
    const last = found.at(-1);
    if (last && widthOf(`${last} ${word}`, font) > wide) found.push(word);
    else found[found.length - 1] = last ? `${last} ${word}` : word;
  }
  return found;
}

function fitTitle(spec, wide, family) {
  const given = spec.title;
  const text = typeof given === "object" && given !== null && !Array.isArray(given) ? given.text : given;
  if (!text) return;
  const words = Array.isArray(text) ? text.join(" ") : String(text);
  const titled = typeof given === "object" && !Array.isArray(given) ? given : {};
  spec.title = { ...titled, text: wrapped(words, wide - 10, `600 ${titled.fontSize ?? 13}px ${family}`) };
  if (!titled.subtitle) return;
  const font = `${titled.subtitleFontSize ?? 12}px ${family}`;
  spec.title.subtitle = wrapped([titled.subtitle].flat().join(" "), wide - 10, font); // what is not whole is said here: none of it is cut off
}

/** How many columns a legend below the chart has room for: names are not cut off. */
function legendColumns(spec, wide, family) {
  const field = spec.encoding?.color?.field;
  const key = typeof field === "string" ? field.replaceAll("\\", "") : null;
  const names = key === null ? [] : [...new Set((spec.data?.values ?? []).map((row) => String(row[key] ?? "")))];
  const longest = Math.max(60, ...names.slice(0, 200).map((name) => widthOf(name, `10px ${family}`)));
  return Math.max(1, Math.floor(wide / (Math.min(longest, 160) + SYMBOL)));
}

/** Names below a bar stand upright where they fit beside each other, else on end; none is left out to make room. */
function fitLabels(spec, wide) {
  for (const unit of [spec, ...(spec.layer ?? [])]) fitNames(unit.encoding, spec, wide);
}

function fitNames(encoding, spec, wide) {
  const x = encoding?.x;
  if (!x || !["nominal", "ordinal"].includes(x.type) || typeof x.field !== "string" || x.axis === null) return;
  const names = namesIn(x.field, spec);
  const longest = Math.max(0, ...[...names].map((name) => Math.min(name.length, 26)));
  const beside = wide < NARROW || typeof encoding.color?.field !== "string" ? 60 : 60 + LEGEND;
  const fits = names.size * (longest + 2) * LETTER < wide - beside;
  if (x.timeUnit) return; // moments, that are written shorter than they are told
  if (fits && x.axis?.labelAngle === undefined) x.axis = { ...x.axis, labelAngle: 0 };
  if (!fits && x.axis?.labelAngle === 0) delete x.axis.labelAngle;
  if (!fits && names.size * 13 < wide - 60) x.axis = { ...x.axis, labelOverlap: false };
}

/** @returns {Set<string>} what a field names */
function namesIn(field, spec) {
  const key = field.replaceAll("\\", "");
  return new Set((spec.data?.values ?? []).map((row) => String(row[key] ?? "")));
}

/** Pixels of the longest entry of the legend that charts above each other share; none without one. */
function legendWidth(spec, family) {
  const fields = (spec.vconcat ?? []).map((part) => part.encoding?.color?.field).filter((field) => typeof field === "string");
  const names = fields.flatMap((field) => [...namesIn(field, spec)]).slice(0, 200);
  return names.length ? Math.min(160, Math.max(60, ...names.map((name) => widthOf(name, `10px ${family}`)))) + SYMBOL : 0;
}

/** Charts above or beside each other, and panels: none of them can be told to fit by itself. */
function fitParts(spec, wide, family) {
  const legend = legendWidth(spec, family);
  if (legend && wide < NARROW) spec.config = { ...spec.config, legend: { ...spec.config?.legend, orient: "bottom", columns: Math.max(1, Math.floor((wide - AXIS) / legend)) } };
  for (const part of spec.vconcat ?? []) if (typeof part.width === "number") part.width = Math.max(120, wide - AXIS - (wide < NARROW ? 0 : legend));
  const beside = spec.hconcat ?? [], field = beside[0]?.encoding?.y?.field;
  const names = typeof field === "string" ? [...namesIn(field, spec)].slice(0, 200) : [];
  const labels = AXIS / 2 + Math.min(160, Math.max(0, ...names.map((name) => widthOf(name, `10px ${family}`))));
  const each = (wide - labels) / Math.max(1, beside.length) - BETWEEN;
  for (const part of beside) if (typeof part.width === "number") part.width = Math.max(80, Math.min(part.width, each));
  const panels = spec.encoding?.facet;
  if (panels && typeof spec.width === "number") {
    const room = wide - AXIS / 2;
    spec.width = Math.max(70, Math.min(spec.width, room / 2 - BETWEEN)); // two beside each other at least: else the page has no end
    panels.columns = Math.max(1, Math.min(panels.columns ?? 4, Math.floor(room / (spec.width + BETWEEN))));
  }
}

/** @param {object} spec changed in place @param {number} wide pixels there are @param {string} family of its letters */
export function fitted(spec, wide, family = "sans-serif") {
  const room = Math.max(160, Math.min(760, wide));
  if (["hconcat", "vconcat", "concat", "spec"].some((key) => key in spec) || ["row", "column", "facet"].some((key) => key in (spec.encoding ?? {}))) {
    fitTitle(spec, room, family);
    fitParts(spec, room, family);
    return spec;
  }
  spec.width = room;
  spec.autosize = { type: "fit-x", contains: "padding" }; // a height that had to hold long labels too would leave the marks none
  fitTitle(spec, spec.width, family);
  fitLabels(spec, spec.width);
  if (spec.width < NARROW) {
    const legend = { ...spec.config?.legend, orient: "bottom", direction: "horizontal", columns: legendColumns(spec, spec.width - 40, family), titleOrient: "top" };
    spec.config = { ...spec.config, legend };
  }
  return spec;
}
