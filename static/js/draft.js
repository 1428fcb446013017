/* Keeps what is typed into forms marked data-draft on this device until the server has it.

   data-draft="fresh": the form as the server shows it first, into which a draft goes back; "sent": it holds what was
   just sent. data-draft-base: the version of the result on which the form was opened; a draft on another one goes in
   only when asked for. The element data-drafts-done lists the keys of forms that have arrived. */
"use strict";

(() => {
  const PREFIX = "draft:";
  const OLD = 14 * 24 * 3600 * 1000;
  const NOT_KEPT = new Set(["csrfmiddlewaretoken", "key", "replaces", "version", "do"]);

  let store;
  try {
    store = window.localStorage;
    store.getItem(PREFIX);
  } catch {
    return; // private windows and strict settings have no storage: forms work without
  }

  const read = (name) => {
    try {
      return JSON.parse(store.getItem(name));
    } catch {
      return null;
    }
  };

  function forgetWhatArrived() {
    const list = document.querySelector("[data-drafts-done]");
    const done = new Set((list ? list.dataset.draftsDone : "").split(" "));
    for (const name of Object.keys(store).filter((one) => one.startsWith(PREFIX))) {
      const draft = read(name);
      if (!draft || done.has(draft.key) || Date.now() - draft.at > OLD) store.removeItem(name);
    }
  }

  const fields = (form) =>
    [...form.elements].filter(
      (field) => field.name && !NOT_KEPT.has(field.name) && !["hidden", "file", "submit", "button"].includes(field.type)
    );

  const isChoice = (field) => field.type === "radio" || field.type === "checkbox";

  function typed(form) {
    return fields(form).map((field) => [field.name, field.value, isChoice(field) ? field.checked : null]);
  }

  function putIn(form, values) {
    const left = values.slice();
    for (const field of fields(form)) {
      const place = left.findIndex(
        ([name, value, chosen]) => name === field.name && (chosen === null || value === field.value)
      );
      if (place < 0) continue;
      const [[, value, chosen]] = left.splice(place, 1);
      if (chosen === null) field.value = value;
      else field.checked = chosen;
      const folded = field.closest("details");
      if (folded && chosen === null && value) folded.open = true;
    }
    form.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "draft" }));
  }

  function tend(form) {
    const name = PREFIX + location.pathname;
    const show = (what, is) => {
      const notice = form.querySelector(`[data-draft-${what}]`);
      if (notice) notice.hidden = !is;
    };
    let waiting;
    const keep = () => {
      clearTimeout(waiting);
      const draft = { at: Date.now(), base: form.dataset.draftBase, key: form.elements.key.value, values: typed(form) };
      try {
        store.setItem(name, JSON.stringify(draft));
      } catch {
        // full: what is typed still stands in the page
      }
    };

    const draft = read(name);
    if (form.dataset.draft === "sent") {
      keep();
    } else if (draft && JSON.stringify(draft.values) !== JSON.stringify(typed(form))) {
      if (draft.base === form.dataset.draftBase) {
        putIn(form, draft.values);
        show("kept", true);
      } else {
        show("other", true);
      }
    }

    form.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(keep, 150);
    });
    form.addEventListener("change", keep);
    form.addEventListener("submit", (event) => {
      keep();
      // a form with an outbox is sent later by itself, but for what it asks the server at once
      if (navigator.onLine || ("outbox" in form.dataset && event.submitter?.value !== "check")) return;
      show("offline", true);
      event.preventDefault();
    });
    window.addEventListener("pagehide", () => {
      if (waiting) keep();
    });
    window.addEventListener("offline", () => show("offline", true));
    window.addEventListener("online", () => show("offline", false));
    for (const button of form.querySelectorAll("[data-draft-discard]")) {
      button.addEventListener("click", () => {
        clearTimeout(waiting);
        waiting = 0;
        store.removeItem(name);
        location.replace(location.pathname + location.search);
      });
    }
    const restore = form.querySelector("[data-draft-restore]");
    if (restore) {
      restore.addEventListener("click", () => {
        putIn(form, draft.values);
        show("other", false);
      });
    }
  }

  forgetWhatArrived();
  // by then htmx listens to the form too: a draft that goes in is scored at once
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll("form[data-draft]").forEach(tend));
})();
