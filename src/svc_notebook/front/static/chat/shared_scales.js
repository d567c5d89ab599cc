// Charts that stand side by side and show the same thing are drawn on the same scales, or one could not compare them.

const EXTENT_KEYS = ["x", "y"];
const STACKED = new Set(["bar", "area"]);

const nameOf = (field) => field.replaceAll("\\", "");
const unitOf = (spec) => (spec?.layer?.[0]?.encoding ? spec.layer[0] : spec);
const markOf = (spec) => (typeof spec.mark === "object" ? spec.mark?.type : spec.mark);

/** The values a channel draws: those of its field, added up where the marks are stacked. */
function drawn(spec, rows, channel, other) {
  const field = nameOf(spec.encoding[channel].field);
  const stacked = STACKED.has(markOf(spec)) && spec.encoding.color?.field && !spec.encoding.xOffset && !spec.encoding.yOffset && spec.encoding[channel].stack !== null;
  if (!stacked || !spec.encoding[other]?.field) return rows.map((row) => row[field]).filter((value) => typeof value === "number");
  const sums = new Map();
  const by = nameOf(spec.encoding[other].field);
  for (const row of rows) if (typeof row[field] === "number") sums.set(row[by], (sums.get(row[by]) ?? 0) + row[field]);
  return [...sums.values()];
}

/** Whether a channel is a plain number that the charts all draw in the same way. */
function alike(specs, channel) {
  const found = specs.map((spec) => spec.encoding?.[channel]);
  return found.every((each) => each?.type === "quantitative" && typeof each.field === "string" && !each.aggregate && !each.bin
    && !each.scale?.domain && (each.scale?.type ?? "linear") === "linear" && each.field === found[0].field);
}

/**
 * Give charts of one kind one domain for each number, and one colour for each name.
 * @param {{spec: object|null}[]} charts changed in place
 * @returns {boolean} whether anything was changed
 */
export function shareScales(charts) {
  const tables = charts.map((chart) => chart?.spec?.data?.values ?? []);
  // names beside lines are a layer of their own
  const specs = charts.map((chart) => unitOf(chart?.spec));
  if (specs.length < 2 || specs.some((spec) => !spec?.encoding || markOf(spec) !== markOf(specs[0]))) return false;
  let changed = false;
  for (const channel of EXTENT_KEYS) {
    if (!alike(specs, channel)) continue;
    const values = specs.flatMap((spec, i) => drawn(spec, tables[i], channel, channel === "x" ? "y" : "x"));
    if (!values.length) continue;
    const zero = specs.some((spec) => spec.encoding[channel].scale?.zero ?? STACKED.has(markOf(spec)));
    const domain = [Math.min(...values, ...(zero ? [0] : [])), Math.max(...values, ...(zero ? [0] : []))];
    for (const spec of specs) spec.encoding[channel].scale = { ...spec.encoding[channel].scale, domain, nice: true };
    changed = true;
  }
  const colors = specs.map((spec) => spec.encoding.color);
  if (colors.every((each) => typeof each?.field === "string" && ["nominal", "ordinal"].includes(each.type) && !each.scale?.domain && each.field === colors[0].field)) {
    const names = [...new Set(specs.flatMap((spec, i) => tables[i].map((row) => row[nameOf(spec.encoding.color.field)])))].filter((name) => name !== null && name !== undefined);
    for (const spec of specs) spec.encoding.color.scale = { ...spec.encoding.color.scale, domain: names };
    changed = true;
  }
  return changed;
}
