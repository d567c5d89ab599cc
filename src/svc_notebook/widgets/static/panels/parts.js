// What forms are made of. Plain DOM; everything from outside goes in as text.

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value") /** @type {any} */ (node).value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(.../** @type {(Node|string)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false)));
  return node;
}

let count = 0;
export const button = (label, act, props = {}) => h("button", { type: "button", class: "svp-b", onclick: act, ...props }, label);

export async function copy(text, from) {
  try { await navigator.clipboard.writeText(text); } catch { return; }
  const before = from.textContent;
  from.textContent = "Copied";
  setTimeout(() => (from.textContent = before), 1200);
}

/** A labelled control with room for its error. */
export function field(label, control, hint = "") {
  const id = `svp-${++count}`;
  control.id = id;
  const error = h("span", { class: "svp-error", id: `${id}-e`, role: "alert" });
  control.setAttribute("aria-describedby", `${id}-e`);
  const box = h("div", { class: "svp-field" }, h("label", { for: id }, label), control, hint && h("span", { class: "svp-hint" }, hint), error);
  return Object.assign(box, { fail: (text) => { error.textContent = text ?? ""; control.setAttribute("aria-invalid", text ? "true" : "false"); } });
}

export const select = (options, value) => h("select", { value }, ...options.map(([key, text]) => h("option", { value: key, selected: key === value || undefined }, text)));

/** Rows that can be added and removed, each of the same named controls. */
export function rows(label, columns, changed) {
  const list = h("div", { class: "svp-rows" });
  const error = h("span", { class: "svp-error", role: "alert" });
  const add = () => {
    const controls = columns.map(([name, title, kind, width]) => {
      const control = Array.isArray(kind) ? select(kind, kind[0][0]) : h("input", { type: "text", placeholder: title });
      control.setAttribute("aria-label", `${label}: ${title}`);
      control.dataset.name = name;
      control.style.flex = width ?? "1 1 110px";
      return control;
    });
    const line = h("div", { class: "svp-row" }, ...controls, button("Remove", () => { line.remove(); changed(); }, { "aria-label": `Remove from ${label}` }));
    list.append(line);
    return controls[0];
  };
  const box = h("fieldset", {}, h("legend", {}, label), list, error, button("Add", () => { add().focus(); changed(); }, { "aria-label": `Add to ${label}` }));
  return Object.assign(box, {
    fail: (text) => { error.textContent = text ?? ""; },
    read: () => [...list.children].map((line) => Object.fromEntries(
      [.../** @type {NodeListOf<HTMLInputElement>} */ (line.querySelectorAll("[data-name]"))].map((c) => [c.dataset.name, c.value]))),
  });
}
