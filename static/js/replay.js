// The replay of a manche: arrow keys, and steps without loading the page again (htmx). Without this file every step is
// a link to its own address.
"use strict";

(() => {
  const step = document.getElementById("step");
  const list = document.querySelector(".move-list");

  const go = (link) => {
    if (!window.htmx) {
      window.location.assign(link.href);
      return;
    }
    window.htmx
      .ajax("GET", link.href, { target: "#step", swap: "innerHTML" })
      .then(() => window.history.replaceState(null, "", link.href));
  };

  const mark = () => {
    step.querySelector(".keys-hint").hidden = false; // keys do nothing without this file
    const number = step.querySelector(".stepper").dataset.step;
    list.querySelectorAll("[aria-current]").forEach((link) => link.removeAttribute("aria-current"));
    const current = list.querySelector(`[data-step="${number}"]`);
    current.setAttribute("aria-current", "step");
    // only the list scrolls, never the page
    const { top, bottom } = current.getBoundingClientRect();
    const box = list.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) {
      list.scrollTop += top - box.top - list.clientHeight / 2;
    }
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".stepper a[href], .move-list a");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0) {
      event.preventDefault();
      go(link);
    }
  });

  document.addEventListener("keydown", (event) => {
    const elsewhere = event.target.closest("input, textarea, select, [contenteditable], .table-box");
    if (elsewhere || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return;
    }
    const link = step.querySelector(`a[data-key="${event.key}"]`);
    if (link) {
      event.preventDefault();
      if (link.href) {
        go(link);
      }
    }
  });

  step.addEventListener("htmx:afterSwap", mark);
  mark();
})();
