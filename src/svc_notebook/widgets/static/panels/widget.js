// The widgets that are forms: one module, one kind each.
import { modelEditor } from "./model_editor.js";
import { h } from "./parts.js";
import { reviewPanel } from "./review_panel.js";
import { sessionForm } from "./session_form.js";
import { tenantAdmin } from "./tenant_admin.js";

const KINDS = { session: sessionForm, tenant: tenantAdmin, model: modelEditor, review: reviewPanel };

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
    const made = KINDS[model.get("kind")](model, place, send);
    const hear = (message) => { clearTimeout(timer); silent.textContent = ""; made.hear(message); };
    model.on("msg:custom", hear);
    el.replaceChildren(place, silent);
    send({ t: "sync" });
    return () => { model.off("msg:custom", hear); clearTimeout(timer); made.close(); };
  },
};
