/* Handing in a score sheet: put into the outbox first, then sent, so that it is safe whatever the network does.

   What the server does not take comes back as its page, with everything marked. Typing again takes a sheet that waits
   back. A worker keeps a copy of each page of a sheet, for when it is opened without network. */
"use strict";

(() => {
  const form = document.querySelector("form[data-outbox]");
  if (!form) return;

  const show = (what, is) => {
    const notice = form.querySelector(`[data-${what}]`);
    if (notice) notice.hidden = !is;
  };
  const offline = (is) => {
    show("draft-offline", is);
    form.classList.toggle("not-computed", is);
  };

  document.body.addEventListener("htmx:sendError", () => offline(true));
  document.body.addEventListener("htmx:afterRequest", (event) => {
    // what was asked before the network went may still be answered after it
    if (event.detail.xhr.status) offline(!navigator.onLine);
  });
  window.addEventListener("offline", () => offline(true));
  window.addEventListener("online", () => {
    offline(false);
    form.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: "network" })); // score it now
  });
  if (!navigator.onLine) offline(true);

  if (window.outbox) {
    const path = location.pathname;
    const waits = (is) => {
      show("outbox-here", is);
      const entry = is && window.outbox.take(path);
      if (entry && entry.state === "signed-out") show("signed-out", true);
    };

    const entryOf = (submitter) => ({
      path,
      who: form.dataset.who,
      title: form.dataset.title,
      key: form.elements.key.value,
      at: Date.now(),
      state: "waiting",
      said: "",
      fields: [
        ...[...new FormData(form)].filter(([name]) => !["csrfmiddlewaretoken", "do"].includes(name)),
        ["do", submitter.value],
      ],
    });

    form.addEventListener("submit", (event) => {
      const submitter = event.submitter;
      if (!submitter || submitter.value === "check") return;
      if (form.inert) {
        event.preventDefault(); // it is on its way
        return;
      }
      try {
        window.outbox.put(entryOf(submitter));
      } catch {
        return; // no room to keep it: the browser sends it
      }
      event.preventDefault();
      form.inert = true;
      window.outbox.send(path).finally(() => {
        form.inert = form.dataset.leaves === "yes";
        const isWaiting = Boolean(window.outbox.take(path));
        waits(isWaiting);
        if (form.inert) return;
        submitter.focus(); // being inert took it away
        const live = document.getElementById("live");
        if (live && isWaiting) live.textContent = form.querySelector("[data-outbox-here]").textContent;
      });
    });

    const takeBack = (event) => {
      if (event.detail === "draft" || event.detail === "network" || !window.outbox.take(path)) return;
      window.outbox.drop(path);
      waits(false);
    };
    form.addEventListener("input", takeBack);
    form.addEventListener("change", takeBack);
    for (const button of form.querySelectorAll("[data-draft-discard]")) {
      button.addEventListener("click", () => window.outbox.drop(path));
    }

    document.addEventListener("outbox:sent", (event) => {
      if (event.detail.entry.path !== path) return;
      event.preventDefault();
      form.dataset.leaves = "yes";
      location.assign(event.detail.goto);
    });
    document.addEventListener("outbox:refused", (event) => {
      if (event.detail.entry.path !== path) return;
      event.preventDefault();
      form.dataset.leaves = "yes";
      window.outbox.look(event.detail.entry).catch(() => {
        delete form.dataset.leaves; // the network is gone again: it is tried later
        window.outbox.put({ ...event.detail.entry, state: "waiting" });
      });
    });
    const kept = window.outbox.take(path);
    // what was refused while another page was open: its draft is back in, and it is handed in anew from here
    if (kept && kept.state === "refused") window.outbox.drop(path);
    else if (kept) waits(true);
  }

  if ("serviceWorker" in navigator && form.dataset.worker) {
    const cameThroughIt = navigator.serviceWorker.controller;
    navigator.serviceWorker
      .register(form.dataset.worker, { scope: form.dataset.workerScope })
      .then(() => navigator.serviceWorker.ready)
      .then((registration) => {
        const named = document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]");
        const files = [...named].map((one) => one.href || one.src);
        // a page that came while there was no worker yet is asked for once more
        const address = cameThroughIt ? "" : location.href;
        registration.active.postMessage({ address, files });
      })
      .catch(() => {}); // without it only opening a page offline is lost
  }
})();
