// A chart made to fit the place it stands in: its width, its title in lines, its legend and labels where there is room.

const NARROW = 440; // pixels below which a legend goes under the chart
const LETTER = 6.2; // pixels of a letter of an axis, on average
const TITLE_LETTER = 7.6;

/** The longest lines of words that have at most `letters` letters each. */
function wrapped(text, letters) {
  const found = [""];
  for (const word of text.split(/\s+/)) {
    const last = found.at(-1);
    if (last && last.length + word.length + 1 > letters) found.push(word);
    else found[found.length - 1] = last ? `${last} ${word}` : word;
  }
  return found;
}

function fitTitle(spec, wide) {
  const given = spec.title;
  const text = typeof given === "object" && given !== null && !Array.isArray(given) ? given.text : given;
  if (!text) return;
  const words = Array.isArray(text) ? text.join(" ") : String(text);
  const titled = typeof given === "object" && !Array.isArray(given) ? given : {};
  spec.title = { ...titled, text: wrapped(words, Math.max(16, Math.floor(wide / TITLE_LETTER))) };
}

/** Names below a bar stand upright where they fit beside each other, else on end; none is left out to make room. */
function fitLabels(spec, wide) {
  const x = spec.encoding?.x;
  if (!x || !["nominal", "ordinal"].includes(x.type) || typeof x.field !== "string" || x.axis === null) return;
  const field = x.field.replaceAll("\\", "");
  const names = new Set((spec.data?.values ?? []).map((row) => String(row[field] ?? "")));
  const longest = Math.max(0, ...[...names].map((name) => Math.min(name.length, 26)));
  const fits = names.size * (longest + 2) * LETTER < wide - 60;
  if (!fits && x.axis?.labelAngle === 0) delete x.axis.labelAngle;
  if (!fits && names.size * 13 < wide - 60) x.axis = { ...x.axis, labelOverlap: false };
}

/** @param {object} spec changed in place @param {number} wide pixels there are */
export function fitted(spec, wide) {
  spec.width = Math.max(160, Math.min(760, wide));
  spec.autosize = { type: "fit", contains: "padding" };
  fitTitle(spec, spec.width);
  fitLabels(spec, spec.width);
  if (spec.width < NARROW) {
    const legend = { ...spec.config?.legend, orient: "bottom", direction: "horizontal", columns: Math.max(1, Math.floor(spec.width / 110)), titleOrient: "top" };
    spec.config = { ...spec.config, legend };
  }
  return spec;
}
