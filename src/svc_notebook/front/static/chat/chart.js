// Charts: drawn by a renderer that crosses once per page, only when they come into sight; a picture of each goes back
// to the kernel for the saved transcript, whether it was seen or not.
import { fitted } from "./chart_fit.js";
import { troubleOf } from "./chart_scene.js";
import { dark, h } from "./dom.js";
import { whenIdle } from "./pictures.js";
import { command, page } from "./store.js";

const BUNDLE_WITHIN_MS = 30000;
// of base64
const PICTURE_CHARS = 120000;

async function unpack(packed) {
  const bytes = packed.buffer ? new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength) : new Uint8Array(packed);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const url = URL.createObjectURL(new Blob([await new Response(stream).text()], { type: "text/javascript" }));
  try { return await import(/* @vite-ignore */ url); } finally { URL.revokeObjectURL(url); }
}

function bundle(chat) {
  if (chat.model.renderer) return (page.vega ??= chat.model.renderer());
  page.vega ??= new Promise((resolve, reject) => {
    const late = setTimeout(() => { page.vega = null; reject(new Error("the kernel did not send the renderer")); }, BUNDLE_WITHIN_MS);
    page.give = (packed) => { clearTimeout(late); unpack(packed).then(resolve, reject); };
    command(chat, { t: "vega" });
  });
  return page.vega;
}

/** @param {Chart} chart @param {Chat} chat @param {string} uuid of the result it shows */
export function chartView(chart, chat, uuid) {
  const place = /** @type {ChartPlace} */ (h("div", { class: "svc-chart", role: "img", "aria-label": chart.said }));
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    seen.disconnect();
    draw(place, chart, chat);
  });
  seen.observe(place);
  if (uuid && chat.model.pictures !== false && !chat.pictured.has(uuid)) {
    chat.pictured.add(uuid);
    whenIdle(() => !chat.live, () => picture(place, chart, chat, uuid));
  }
  // a change of theme or width comes in several steps: wait for the last
  place.redraw = () => {
    clearTimeout(place.later);
    if (place.view) place.later = window.setTimeout(() => draw(place, chart, chat), 150);
    // changed while it was drawn for the first time
    else place.stale = place.drawing;
  };
  return place;
}

function prepared(place, chart, wide) {
  const spec = structuredClone(chart.spec);
  if (chart.fit) {
    if (place.clientWidth > 40) place.wide = place.clientWidth;
    fitted(spec, (wide ?? place.wide ?? 520) - 4, getComputedStyle(place).fontFamily);
  }
  if (!wide && dark()) lighten(spec);
  return spec;
}

/** On a dark page the low end of the colours for numbers is lighter than the page: it is not taken for a missing cell. */
function lighten(unit) {
  const scale = unit.encoding?.color?.scale;
  if (scale?.scheme === "viridis") scale.scheme = { name: "viridis", extent: [0.2, 1] };
  for (const part of [...(unit.layer ?? []), ...(unit.hconcat ?? []), ...(unit.vconcat ?? []), unit.spec]) if (part) lighten(part);
}

async function embed(chat, node, spec, renderer, config) {
  const { vegaEmbed } = await bundle(chat);
  const nothing = () => Promise.reject(new Error("nothing is loaded"));
  const loader = { load: nothing, sanitize: nothing, http: nothing, file: nothing, options: {} };
  return vegaEmbed(node, spec, {
    mode: "vega-lite", ast: true, renderer, loader, config, defaultStyle: false, actions: false, tooltip: { theme: "custom", disableDefaultStyle: true },
  });
}

async function draw(place, chart, chat) {
  place.drawing = true;
  try {
    const drawn = h("div");
    const made = await embed(chat, drawn, prepared(place, chart), "svg", look(place));
    place.view?.finalize();
    place.view = made;
    const trouble = troubleOf(made.view);
    place.replaceChildren(drawn);
    place.dataset.drawn = trouble ? "empty" : "true";
    scrollable(place);
    if (trouble) saysNothing(place, trouble, Boolean(chart.spec.params?.length));
    if (place.stale) { place.stale = false; place.redraw(); }
  } catch (error) {
    place.replaceChildren(noChart(String(error?.message ?? error).slice(0, 160)));
    place.dataset.drawn = "failed";
  }
}

/** What is wider than its place is scrolled by the keyboard too. */
function scrollable(place) {
  if (place.scrollWidth > place.clientWidth + 1) place.tabIndex = 0; else place.removeAttribute("tabindex");
}

const noChart = (why) => h("p", { class: "svc-muted" }, `No chart: ${why}. The table has the rows.`);

/** A chart without a mark that can be seen; one with parameters may show something once they are set. */
function saysNothing(place, trouble, may) {
  const why = noChart(`it would show nothing: ${trouble}`);
  if (may) place.append(why);
  else { place.replaceChildren(why); place.removeAttribute("role"); place.removeAttribute("aria-label"); }
}

/** The chart on white, for pages that cannot draw it. */
async function picture(place, chart, chat, uuid) {
  if (!place.isConnected) { chat.pictured.delete(uuid); return; }
  try {
    const spec = prepared(place, chart, 604);
    const made = await embed(chat, h("div"), spec, "canvas", { ...look(place, "#1b1b1f", "#d5d5da"), background: "#ffffff" });
    const url = troubleOf(made.view) ? "" : await made.view.toImageURL("png", 1);
    made.finalize();
    const png = url.slice(url.indexOf(",") + 1);
    if (png && png.length < PICTURE_CHARS) chat.model.send({ t: "picture", uuid, png });
  } catch {
    // the transcript then has the chart's words and its table
  }
}

function look(place, ink = getComputedStyle(place).color, faint = getComputedStyle(place).getPropertyValue("--svc-line").trim() || "#8884") {
  const font = getComputedStyle(place).fontFamily;
  const words = { labelColor: ink, titleColor: ink, titleFontWeight: 500, labelFont: font, titleFont: font };
  return {
    background: "transparent", view: { stroke: "transparent" },
    axis: { ...words, labelSeparation: 8, gridColor: faint, domainColor: faint, tickColor: faint }, axisY: { labelSeparation: 0 },
    legend: words, header: words,
    title: { color: ink, font, fontWeight: 600, anchor: "start", subtitleColor: ink, subtitleFont: font }, text: { color: ink },
    mark: { color: "#4c78a8" }, rule: { color: ink },
  };
}
