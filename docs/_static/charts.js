// Draws the charts of a page from the specifications that stand in it. Each has its picture before it, which stays
// where there is no JavaScript, on paper, and where drawing fails.
"use strict";

const VEGA = new URL("vega.js", document.currentScript.src).href;
let loading;

/** The renderer, loaded once, when the first chart comes near. */
function vega() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = VEGA;
    script.onload = () => resolve(window.svcVega);
    script.onerror = () => reject(new Error(`${VEGA} could not be loaded`));
    document.head.append(script);
  });
  return loading;
}

/** The picture that was stored with this specification. */
function pictureOf(specification) {
  const outputs = specification.closest(".cell_output") ?? document;
  const before = [...outputs.querySelectorAll("img")].filter(
    (image) => image.compareDocumentPosition(specification) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  return before.at(-1);
}

async function draw(specification, picture) {
  const { vegaEmbed } = await vega();
  const place = document.createElement("div");
  place.className = "chart";
  place.setAttribute("role", "figure");
  place.setAttribute("aria-label", specification.dataset.alt);
  specification.before(place);
  const spec = JSON.parse(specification.textContent);
  await vegaEmbed(place, spec, { renderer: "svg", actions: false, ast: false });
  picture?.classList.add("drawn");
}

const near = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      const specification = waiting.get(target);
      draw(specification, target).catch((error) => {
        specification.parentElement.querySelector(".chart")?.remove();
        console.error(error);
      });
    }
  },
  { rootMargin: "400px" },
);

const waiting = new Map();
for (const specification of document.querySelectorAll("script.drawn-chart")) {
  const picture = pictureOf(specification);
  if (!picture) continue;
  picture.alt = specification.dataset.alt;
  waiting.set(picture, specification);
  near.observe(picture);
}
