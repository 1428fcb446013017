/* Buttons that copy the block of code beside them; without JavaScript one selects it. */
"use strict";

const live = document.getElementById("live");

for (const button of document.querySelectorAll("[data-copy]")) {
  const label = button.textContent;
  const code = button.parentElement.querySelector("code");
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent.trimEnd());
    } catch {
      // no clipboard without https: leave it selected, so that the keyboard copies it
      getSelection().selectAllChildren(code);
      return;
    }
    button.textContent = live.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = label;
      live.textContent = "";
    }, 2000);
  });
}
