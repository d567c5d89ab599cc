// A chart made to fit the place it stands in: its width, its title in lines, its legend and labels where there is room.

const NARROW = 440; // pixels below which a legend goes under the chart
const LETTER = 6.2; // pixels of a letter of an axis, on average
const LEGEND = 100; // pixels of a legend beside the chart
const SYMBOL = 34; // pixels of a legend's symbol and what stands around it

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
  const below = [titled.subtitle].flat(), font = `${titled.subtitleFontSize ?? 12}px ${family}`;
  const fits = below.every((line) => widthOf(line, font) <= wide - 10);
  if (!fits) spec.title.subtitle = wrapped(below.join(" "), wide - 10, font); // what is not whole is said here: none of it is cut off
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
  const x = spec.encoding?.x;
  if (!x || !["nominal", "ordinal"].includes(x.type) || typeof x.field !== "string" || x.axis === null) return;
  const field = x.field.replaceAll("\\", "");
  const names = new Set((spec.data?.values ?? []).map((row) => String(row[field] ?? "")));
  const longest = Math.max(0, ...[...names].map((name) => Math.min(name.length, 26)));
  const beside = wide < NARROW || typeof spec.encoding.color?.field !== "string" ? 60 : 60 + LEGEND;
  const fits = names.size * (longest + 2) * LETTER < wide - beside;
  if (fits && x.axis?.labelAngle === undefined) x.axis = { ...x.axis, labelAngle: 0 };
  if (!fits && x.axis?.labelAngle === 0) delete x.axis.labelAngle;
  if (!fits && names.size * 13 < wide - 60) x.axis = { ...x.axis, labelOverlap: false };
}

/** @param {object} spec changed in place @param {number} wide pixels there are @param {string} family of its letters */
export function fitted(spec, wide, family = "sans-serif") {
  spec.width = Math.max(160, Math.min(760, wide));
  spec.autosize = { type: "fit-x", contains: "padding" }; // a height that had to hold long labels too would leave the marks none
  fitTitle(spec, spec.width, family);
  fitLabels(spec, spec.width);
  if (spec.width < NARROW) {
    const legend = { ...spec.config?.legend, orient: "bottom", direction: "horizontal", columns: legendColumns(spec, spec.width - 40, family), titleOrient: "top" };
    spec.config = { ...spec.config, legend };
  }
  return spec;
}
