// The form that makes a session for embedding, and the sessions it has made.
import { button, copy, field, h, rows, select } from "./parts.js";

const TYPES = [["string", "string"], ["number", "number"], ["string_array", "string_array"], ["number_array", "number_array"]];

export function sessionForm(model, el, send) {
  /** @type {Record<string, any>} */
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
    for (const node of /** @type {NodeListOf<HTMLElement>} */ (recent.querySelectorAll("[data-until]"))) {
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
