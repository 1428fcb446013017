/* A draft that is changed by hand: what is pressed is sent in the background and the page's draft exchanged; the keys
   s (swap) and Escape (unmark) work while nothing is being typed. Without this script every button loads the page. */
"use strict";

(() => {
  const part = () => document.querySelector("[data-arrange]");
  if (!part()) return;

  const marks = () => [...part().querySelectorAll('input[name="chosen"]')];
  const marked = () => marks().filter((mark) => mark.checked);

  function tend() {
    const swap = part().querySelector('button[value="swap"]');
    const many = marked().length;
    part().dataset.marked = String(many);
    if (swap) swap.classList.toggle("plain", many !== 2);
  }

  let busy = false;

  async function send(form, button) {
    const said = new FormData(form);
    if (button && button.name) said.set(button.name, button.value);
    busy = true;
    part().setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(location.href, { method: "POST", body: said, headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.querySelector("[data-arrange]");
      if (!fresh) {
        location.assign(answer.url); // published, discarded, signed out
        return;
      }
      const scrolled = window.scrollY;
      part().replaceWith(document.adoptNode(fresh));
      const told = page.querySelector("#messages");
      if (told) document.querySelector("#messages").replaceWith(document.adoptNode(told));
      const refused = page.querySelector(".page > .notice.bad, .page [role=alert]");
      const live = document.querySelector("#live");
      if (live) live.textContent = (refused || document.querySelector("#messages")).textContent.trim();
      window.scrollTo(0, scrolled);
      tend();
    } catch {
      form.submit(); // the network is gone or the answer is no page: the browser says so better
    } finally {
      busy = false;
      if (part()) part().removeAttribute("aria-busy");
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    const does = event.submitter && event.submitter.name === "do" ? event.submitter.value : form.elements.do?.value;
    if (!form.closest("[data-arrange]") || ["publish", "discard"].includes(does)) return;
    event.preventDefault();
    if (!busy) send(form, event.submitter);
  });

  document.addEventListener("change", (event) => {
    if (event.target.name === "chosen") tend();
  });

  document.addEventListener("keydown", (event) => {
    const field = event.target;
    const types = field.matches("select, textarea, input:not([type=checkbox])");
    if (types || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      for (const mark of marked()) mark.checked = false;
      tend();
    } else if (event.key === "s" && marked().length === 2) {
      event.preventDefault();
      part().querySelector('button[value="swap"]').click();
    }
  });

  tend();
})();
