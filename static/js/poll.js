/* Brings parts marked data-poll up to date every fifteen seconds while the page is looked at, and when it is looked at
   again. A part in which somebody is typing is left alone. Works with htmx: the part asks when it hears "poll". */
"use strict";

(() => {
  const EVERY = 15 * 1000;

  const isTyped = (field) => field.value.trim() !== "" || field === document.activeElement;

  function poll() {
    if (document.visibilityState !== "visible" || !window.htmx) return;
    for (const part of document.querySelectorAll("[data-poll]")) {
      if (![...part.querySelectorAll("textarea")].some(isTyped)) window.htmx.trigger(part, "poll");
    }
  }

  window.setInterval(poll, EVERY);
  document.addEventListener("visibilitychange", poll);
})();
