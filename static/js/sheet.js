/* Marks the cells of a sheet that the server has just said something about, and says so when one is signed out.
   What is wrong is the server's to say; here only the marks follow the notes. */
"use strict";

(() => {
  const form = document.querySelector("form.sheet");
  if (!form) return;

  function mark(note) {
    const cell = note.closest(".cell");
    if (!cell) return;
    const marked = cell.getAttribute("role") === "radiogroup" ? cell : cell.querySelector("input");
    if (!marked) return;
    if (note.textContent.trim()) marked.setAttribute("aria-invalid", "true");
    else marked.removeAttribute("aria-invalid");
  }

  document.body.addEventListener("htmx:oobAfterSwap", (event) => {
    const note = event.target.closest ? document.getElementById(event.target.id) : null;
    if (note && note.classList.contains("note")) mark(note);
  });

  document.body.addEventListener("htmx:responseError", (event) => {
    if ([401, 403].includes(event.detail.xhr.status)) form.querySelector("[data-signed-out]").hidden = false;
  });

  // a link to a cell leads into it
  form.addEventListener("click", (event) => {
    const link = event.target.closest('.sheet-todo a[href^="#"]');
    const cell = link && document.getElementById(link.hash.slice(1));
    if (!cell) return;
    const field = cell.matches("input") ? cell : cell.querySelector("input:checked") || cell.querySelector("input");
    const folded = cell.closest("details");
    if (folded) folded.open = true;
    if (field) {
      event.preventDefault();
      field.focus();
    }
  });
})();
