// Small words for the page: elements, buttons, times, copying.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node|string|number|null|undefined|false|"")} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) node.append(/** @type {any} */ (child));
  return node;
}

/** @param {string} label @param {(event: any) => void} act @param {Record<string, any>} [props] */
export const button = (label, act, props = {}) => h("button", { type: "button", class: "svc-b", onclick: act, ...props }, label);

export function seconds(ms) {
  if (ms === null || ms === undefined) return "";
  return ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 9950 ? 1 : 0)} s`;
}

/** Say something on a button for a moment. */
export function flash(from, said) {
  from.dataset.label ??= from.textContent;
  from.textContent = said;
  clearTimeout(from.later);
  from.later = setTimeout(() => (from.textContent = from.dataset.label), 1500);
}

export async function copy(text, from, said = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { class: "svc-offscreen" });
    area.value = text;
    from.after(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    from.focus();
  }
  flash(from, said);
}

export const copier = (label, text, props, said) => button(label, (event) => copy(text, event.currentTarget, said), props);

/** Whether the page around `el` is dark: JupyterLab and Notebook, VS Code, then what the system wants. */
export function dark() {
  const body = document.body;
  if (["dark", "light"].includes(body.dataset.svcTheme ?? "")) return body.dataset.svcTheme === "dark"; // what frames our page
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false";
  if (body.dataset.vscodeThemeKind) return /dark|high-contrast$/.test(body.dataset.vscodeThemeKind);
  if (document.documentElement.hasAttribute("theme")) return document.documentElement.getAttribute("theme") === "dark"; // Colab
  if (document.documentElement.classList.contains("dark") || body.classList.contains("dark")) return true; // marimo
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

/** Call `act` now and whenever the theme changes; returns how to stop that. */
export function followTheme(act) {
  const themes = new MutationObserver(act);
  const names = ["data-svc-theme", "data-jp-theme-light", "data-jp-theme-name", "data-vscode-theme-kind", "theme", "class"];
  for (const node of [document.body, document.documentElement]) themes.observe(node, { attributes: true, attributeFilter: names });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", act);
  act();
  return () => { themes.disconnect(); system.removeEventListener("change", act); };
}
