/* Counts the clock of a round down between two answers of the server.

   The server says how many seconds are left at the moment when it answers; from there only the time that has passed on
   this device counts, never what its clock shows. It is asked again every twenty seconds, when the page comes back into
   view, and when the time is up. */
"use strict";

(() => {
  const EVERY = 20000;
  const face = () => document.querySelector("[data-clock]");

  let left = 0;
  let since = 0;
  let asking = false;

  const shown = (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

  function learn() {
    if (!face()) return;
    left = Number(face().dataset.clockLeft);
    since = performance.now();
  }

  async function ask() {
    if (asking || document.hidden || !face()) return;
    asking = true;
    try {
      const answer = await fetch(face().dataset.clockFrom, { headers: { Accept: "text/html" } });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const fresh = page.querySelector("[data-clock]");
        if (fresh) {
          face().replaceWith(document.adoptNode(fresh));
          learn();
        }
      }
    } catch {
      // without network it goes on by itself
    } finally {
      asking = false;
    }
  }

  function tick() {
    const clock = face();
    if (!clock || clock.dataset.clockState !== "running") return;
    const seconds = Math.max(0, Math.round(left - (performance.now() - since) / 1000));
    const time = clock.querySelector("[data-clock-time]");
    if (time.textContent !== shown(seconds)) time.textContent = shown(seconds);
    clock.classList.toggle("soon", seconds <= 300);
    if (seconds === 0) ask();
  }

  learn();
  tick();
  // the projector turns, and brings another face
  document.addEventListener("htmx:afterSwap", learn);
  setInterval(tick, 500);
  setInterval(ask, EVERY);
  document.addEventListener("visibilitychange", ask);
})();
