/* The score sheet with the keyboard alone.

   A letter or sign that stands in aria-keyshortcuts turns its radio group to the next choice, or chooses its radio
   (pressed again: the first of its group). In the cells of a team its own come first, then those of the whole sheet.
   Arrows up and down lead from a number to the first of the team before or after, and at last to the end of the manche.
   Keys are heard only in cells that they cannot be typed into: numbers and choices. On a touch screen Enter goes to the next number, not to the server. */
"use strict";

(() => {
  const form = document.querySelector("form.sheet");
  if (!form) return;
  const live = document.getElementById("live");
  const touch = window.matchMedia("(pointer: coarse)");

  for (const legend of form.querySelectorAll("[data-keys]")) legend.hidden = false;

  const isNumber = (field) => field.matches('.cell input[inputmode="numeric"]');
  const numbers = () =>
    [...form.querySelectorAll('.cell input[inputmode="numeric"]')].filter((one) => !one.closest("details:not([open])"));

  function choose(radio) {
    radio.checked = true;
    radio.dispatchEvent(new Event("change", { bubbles: true }));
    if (!live) return;
    const group = radio.closest('[role="radiogroup"]');
    const team = radio.closest(".sheet-team");
    const said = (element) => {
      const copy = element.cloneNode(true);
      for (const key of copy.querySelectorAll("kbd")) key.remove();
      return copy.textContent.trim();
    };
    const words = [group.querySelector(".cell-label"), radio.closest("label")].map(said);
    live.textContent = [team ? team.querySelector("legend .badge").textContent : "", ...words].filter(Boolean).join(" · ");
  }

  function press(target) {
    const radios = [...target.closest('[role="radiogroup"]').querySelectorAll('input[type="radio"]')];
    if (target.matches("input")) choose(target.checked ? radios[0] : target);
    else choose(radios[(radios.findIndex((one) => one.checked) + 1) % radios.length]);
  }

  function shortcut(key, field) {
    const bears = (one) => one.getAttribute("aria-keyshortcuts") === key;
    const find = (where) => where && [...where.querySelectorAll("[aria-keyshortcuts]")].find(bears);
    const team = field.closest(".sheet-team");
    // a safety belongs to a team: from the cells of none its letter does nothing
    const found = find(team) || find(form);
    return found && (!found.closest(".sheet-team") || found.closest(".sheet-team") === team) ? found : null;
  }

  function go(team, step) {
    const teams = [...form.querySelectorAll(".sheet-team")];
    const place = teams.indexOf(team) + step;
    const next = place === teams.length ? form.querySelector('[name="end"]:checked') : teams[place]?.querySelector("input");
    if (!next) return false;
    next.focus();
    if (isNumber(next)) next.select();
    return true;
  }

  form.addEventListener("keydown", (event) => {
    const field = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (!field.matches('input[type="radio"]') && !isNumber(field)) return;
    if (event.key === "Enter" && event.repeat) {
      event.preventDefault(); // one press, one hand-in: the warnings of a sheet are not passed over
    } else if (event.key === "Enter" && touch.matches && isNumber(field)) {
      event.preventDefault();
      const all = numbers();
      const next = all[all.indexOf(field) + 1];
      if (next) next.focus();
      else field.blur();
    } else if (isNumber(field) && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      if (go(field.closest(".sheet-team"), event.key === "ArrowDown" ? 1 : -1)) event.preventDefault();
    } else if (event.key.length === 1 && !/[0-9\s+-]/.test(event.key)) {
      const target = shortcut(event.key.toUpperCase(), field);
      if (!target) return;
      event.preventDefault();
      press(target);
    }
  });
})();
