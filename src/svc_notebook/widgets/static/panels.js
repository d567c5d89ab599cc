// The forms: sessions for embedding, and what an embed tenant holds. Plain DOM, everything from outside goes in as text.

/** @param {string} tag @param {object} [props] @param {...(Node|string|null|undefined|false)} children */
function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

let count = 0;
const button = (label, act, props = {}) => h("button", { type: "button", class: "svp-b", onclick: act, ...props }, label);

async function copy(text, from) {
  try { await navigator.clipboard.writeText(text); } catch { return; }
  const before = from.textContent;
  from.textContent = "Copied";
  setTimeout(() => (from.textContent = before), 1200);
}

/** A labelled control with room for its error. */
function field(label, control, hint) {
  const id = `svp-${++count}`;
  control.id = id;
  const error = h("span", { class: "svp-error", id: `${id}-e`, role: "alert" });
  control.setAttribute("aria-describedby", `${id}-e`);
  const box = h("div", { class: "svp-field" }, h("label", { for: id }, label), control, hint && h("span", { class: "svp-hint" }, hint), error);
  box.fail = (text) => { error.textContent = text ?? ""; control.setAttribute("aria-invalid", text ? "true" : "false"); };
  return box;
}

const select = (options, value) => h("select", { value }, ...options.map(([key, text]) => h("option", { value: key, selected: key === value || undefined }, text)));

/** Rows that can be added and removed, each of the same named controls. */
function rows(label, columns, changed) {
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
  box.fail = (text) => { error.textContent = text ?? ""; };
  box.read = () => [...list.children].map((line) => Object.fromEntries([...line.querySelectorAll("[data-name]")].map((c) => [c.dataset.name, c.value])));
  return box;
}

const TYPES = [["string", "string"], ["number", "number"], ["string_array", "string_array"], ["number_array", "number_array"]];

function sessionForm(model, el, send) {
  const f = {};
  const text = (value = "") => h("input", { type: "text", value, autocomplete: "off", spellcheck: "false" });
  f.deployment = field("Deployment", text("1"));
  f.kind = field("User", select([["external", "external user"], ["internal", "internal user"]], "external"));
  f.user = field("Id", text(), "external: your own id of the user; internal: the user name");
  f.email = field("E-mail", text());
  f.tenant = field("Embed tenant", text());
  f.creator = field("Creator mode", h("input", { type: "checkbox" }));
  f.groups_mode = field("Groups", select([["keep", "leave as they are"], ["replace", "exactly these"], ["clear", "none"]], "keep"));
  f.groups = field("Group names", text(), "separated by commas");
  f.attributes = rows("User attributes", [["name", "name"], ["type", "type", [...TYPES, ["null", "null (clears)"]]], ["value", "value; arrays by commas", "text", "2 1 150px"]], changed);
  f.group_definitions = rows("Group definitions", [["name", "name"], ["description", "description", "text", "2 1 150px"]], changed);
  f.attribute_definitions = rows("Attribute definitions", [["name", "name"], ["type", "type", TYPES], ["displayName", "display name"], ["defaultValue", "default"], ["description", "description"]], changed);
  f.context = field("Security context", h("textarea", { rows: "2", spellcheck: "false" }), "JSON, optional");
  f.place = field("Embed", text("chat"), "chat, app or dashboard/ID");
  const control = (name) => f[name].querySelector("input,select,textarea");
  const problem = h("p", { class: "svp-error", role: "alert" });
  const outcome = h("div", { class: "svp-outcome", role: "status", "aria-live": "polite" });
  const code = h("pre", { tabindex: "0", role: "group", "aria-label": "Python" });
  const curl = h("pre", { tabindex: "0", role: "group", "aria-label": "curl" });
  const recent = h("div", {});
  const create = h("button", { type: "submit", class: "svp-b svp-main" }, "Create session");
  const forExternal = h("div", { class: "svp-grid" }, f.email, f.groups_mode, f.groups);
  const definitions = h("div", {}, f.group_definitions, f.attribute_definitions);

  function values() {
    const plain = ["deployment", "kind", "user", "email", "tenant", "groups_mode", "context", "place"];
    return {
      ...Object.fromEntries(plain.map((name) => [name, control(name).value])),
      creator: control("creator").checked,
      groups: control("groups").value.split(",").map((name) => name.trim()).filter(Boolean),
      attributes: f.attributes.read(), group_definitions: f.group_definitions.read(), attribute_definitions: f.attribute_definitions.read(),
    };
  }
  let waiting = null;
  let refused = ""; // why the service made no session; it stands until something is changed
  function changed() {
    refused = "";
    const external = control("kind").value === "external";
    for (const part of [forExternal, f.attributes, f.context]) part.hidden = !external;
    f.groups.hidden = control("groups_mode").value !== "replace";
    definitions.hidden = !control("creator").checked;
    clearTimeout(waiting);
    waiting = setTimeout(() => send({ t: "check", values: values() }), 200);
  }
  function submitted(event) {
    event.preventDefault();
    clearTimeout(waiting); // what was to be checked is checked now
    problem.textContent = refused = "";
    create.disabled = true;
    send({ t: "create", values: values() });
  }
  const form = h("form", { oninput: changed, onsubmit: submitted },
    h("div", { class: "svp-grid" }, f.kind, f.user, f.deployment, f.tenant, f.creator, f.place),
    forExternal, f.attributes, definitions, f.context, problem,
    h("div", { class: "svp-row" }, create));
  el.replaceChildren(h("div", { class: "svp", "data-lm-suppress-shortcuts": "true" },
    h("h2", {}, "New session"), form, outcome,
    h("details", {}, h("summary", {}, "As Python"), code, button("Copy", (event) => copy(code.textContent, event.currentTarget))),
    h("details", {}, h("summary", {}, "As curl"), curl, button("Copy", (event) => copy(curl.textContent, event.currentTarget))),
    recent));
  changed();
  const left = (until) => Math.max(0, Math.round((until - performance.now()) / 1000));
  const clock = setInterval(() => {
    for (const node of recent.querySelectorAll("[data-until]")) {
      const seconds = left(Number(node.dataset.until));
      node.textContent = seconds ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left` : "expired";
    }
  }, 500);
  return {
    close: () => clearInterval(clock),
    hear(message) {
      if (message.t === "start") { control("deployment").value = message.deployment; changed(); }
      if (message.t === "checked") {
        for (const [name, part] of Object.entries(f)) part.fail?.(message.errors[name]);
        // an empty id is no reproach before one has tried
        if (message.errors.user && !control("user").value && !create.disabled) f.user.fail("");
        problem.textContent = message.errors.form ?? refused;
        if (message.python) { code.textContent = message.python; curl.textContent = message.curl; }
        create.disabled = false;
      }
      if (message.t === "refused") { problem.textContent = refused = message.message; create.disabled = false; }
      if (message.t === "created") {
        create.disabled = false;
        outcome.replaceChildren(
          h("p", {}, h("strong", {}, "Session "), h("code", {}, message.id), " ", button("Copy", (event) => copy(message.id, event.currentTarget), { "aria-label": "Copy session id" })),
          h("p", {}, h("strong", {}, "Embed URL "), h("code", {}, message.url), " ", button("Copy", (event) => copy(message.url, event.currentTarget), { "aria-label": "Copy embed URL" })));
      }
      if (message.t === "recent") {
        recent.replaceChildren(...(message.items.length ? [h("h3", {}, "Recent sessions"), h("ul", {}, ...message.items.map((item) =>
          h("li", { class: "svp-row" }, h("code", {}, `${item.id.slice(0, 8)}…`), h("span", {}, item.user),
            h("span", { class: "svp-hint", "data-until": String(performance.now() + item.left * 1000) }, ""),
            button("Revoke", () => send({ t: "revoke", session: item.id })))))] : []));
      }
    },
  };
}

const PAGE = 20;

function tenantAdmin(model, el, send) {
  const name = h("input", { type: "text", spellcheck: "false" });
  const tenant = field("Embed tenant", name);
  const problem = h("p", { class: "svp-error", role: "alert" });
  const done = h("p", { class: "svp-hint", role: "status", "aria-live": "polite" });
  const lists = h("div", {});
  const form = h("form", { class: "svp-row svp-end", onsubmit: (event) => { event.preventDefault(); problem.textContent = ""; send({ t: "load", tenant: name.value }); } },
    tenant, h("button", { type: "submit", class: "svp-b svp-main" }, "Show"));
  el.replaceChildren(h("div", { class: "svp", "data-lm-suppress-shortcuts": "true" }, h("h2", {}, "Embed tenant"), form, problem, done, lists));

  function table(title, heads, records, what) {
    let from = 0;
    const body = h("tbody");
    const place = h("span", { class: "svp-hint" });
    const fill = () => {
      body.replaceChildren(...records.slice(from, from + PAGE).map((record) => h("tr", {}, ...record.cells.map((cell) => h("td", {}, cell)),
        h("td", {}, button("Delete", (event) => {
          const pressed = event.currentTarget;
          if (pressed.dataset.sure) { problem.textContent = ""; send({ t: "delete", what, record: record.id, name: record.cells[0] }); }
          else { pressed.dataset.sure = "1"; pressed.textContent = what === "group" ? "Delete for good?" : "Delete with its values?"; }
        }, { "aria-label": `Delete ${record.cells[0]}` })))));
      place.textContent = records.length ? `${from + 1}–${Math.min(from + PAGE, records.length)} of ${records.length}` : "none";
    };
    fill();
    const turn = (by) => { from = Math.min(Math.max(0, from + by), Math.max(0, records.length - 1)); from -= from % PAGE; fill(); };
    return h("section", {}, h("h3", {}, title),
      records.length ? h("div", { class: "svp-scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)), h("th", { scope: "col" }, "Actions"))), body)) : null,
      h("div", { class: "svp-row" }, place, records.length > PAGE && button("Previous", () => turn(-PAGE)), records.length > PAGE && button("Next", () => turn(PAGE))));
  }
  return {
    close() {},
    hear(message) {
      if (message.t === "start") name.value = message.tenant;
      if (message.t === "refused") problem.textContent = message.message;
      if (message.t === "listed") {
        problem.textContent = "";
        done.textContent = message.done;
        lists.replaceChildren(
          table("Groups", ["Name", "Description", "Users"], message.groups, "group"),
          table("User attributes", ["Name", "Type", "Display name", "Default", "Description"], message.attributes, "attribute"));
      }
    },
  };
}

export default {
  render({ model, el }) {
    let id = 0;
    const silent = h("p", { class: "svp-hint", role: "status" });
    let timer = null;
    const send = (message) => {
      clearTimeout(timer);
      timer = setTimeout(() => { silent.textContent = "The kernel does not answer: it is busy (■ stops its cell) or not running."; }, 1500);
      model.send({ ...message, id: ++id });
    };
    const place = h("div");
    const made = (model.get("kind") === "tenant" ? tenantAdmin : sessionForm)(model, place, send);
    const hear = (message) => { clearTimeout(timer); silent.textContent = ""; made.hear(message); };
    model.on("msg:custom", hear);
    el.replaceChildren(place, silent);
    send({ t: "sync" });
    return () => { model.off("msg:custom", hear); clearTimeout(timer); made.close(); };
  },
};
