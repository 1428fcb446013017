/* Sheets that were handed in on this device and are not with the server yet: each is sent once, when it can be.

   Kept in localStorage under "outbox:" and the address of its page; sent from any page of the site that is open or
   opened. The form's key makes sending it twice harmless (the server answers as the first time). A sheet goes only in
   the name of whoever typed it: the server says who asks before anything is sent.

   window.outbox: put(entry), take(path), drop(path), send(path), look(entry).
   An entry: path, who, title, key, at, fields ([name, value]), state (see STATES), said (the server's words).
   Fires "outbox:sent" and "outbox:refused" on document, detail: entry, goto, said; the page of that sheet may take it
   over (preventDefault), else it is said at the top of the page. */
"use strict";

(() => {
  const PREFIX = "outbox:";
  const SOON = 1000;
  const AGAIN = 20000;
  const TOO_LONG = 20000;
  const JSON_ONLY = { Accept: "application/json" };
  const STATES = ["waiting", "signed-out", "other", "refused"];

  let store;
  try {
    store = window.localStorage;
    store.getItem(PREFIX);
  } catch {
    return; // no storage: forms are sent as the browser does
  }
  const box = document.getElementById("outbox");
  const arrived = []; // what this page has sent: said until it is left

  const read = (name) => {
    try {
      return JSON.parse(store.getItem(name));
    } catch {
      return null;
    }
  };
  const take = (path) => read(PREFIX + path);
  const all = () =>
    Object.keys(store)
      .filter((name) => name.startsWith(PREFIX))
      .map(read)
      .filter((entry) => entry && entry.path && Array.isArray(entry.fields));

  function put(entry) {
    store.setItem(PREFIX + entry.path, JSON.stringify(entry)); // throws when full: then the form is sent plainly
    show();
  }

  function drop(path) {
    store.removeItem(PREFIX + path);
    show();
  }

  function mark(entry, state, said = "") {
    const kept = take(entry.path);
    if (!kept || kept.key !== entry.key || (kept.state === state && kept.said === said)) return;
    put({ ...kept, state, said });
  }

  // --- sending --------------------------------------------------------------

  const patience = () => (AbortSignal.timeout ? { signal: AbortSignal.timeout(TOO_LONG) } : {});

  const ask = (path, more) =>
    fetch(path, { credentials: "same-origin", cache: "no-store", redirect: "error", headers: JSON_ONLY, ...patience(), ...more });

  const isJson = (answer) => (answer.headers.get("Content-Type") || "").startsWith("application/json");

  /* Not by what it answers to sheets: nobody is signed in, it is forbidden or gone; or the server is not well. */
  function turnedAway(entry, { status }) {
    if (status === 401) mark(entry, "signed-out");
    else if ([403, 404, 405, 410, 413].includes(status)) mark(entry, "refused", box ? box.dataset.closed : "");
    else mark(entry, "waiting");
  }

  async function deliver(entry) {
    const door = await ask(entry.path);
    if (!isJson(door)) return turnedAway(entry, door);
    const { csrf, who } = await door.json();
    if (who !== entry.who) return mark(entry, "other");
    const kept = take(entry.path);
    if (!kept || kept.key !== entry.key) return undefined; // taken back meanwhile
    const body = new URLSearchParams(kept.fields);
    body.append("csrfmiddlewaretoken", csrf);
    if (location.pathname !== entry.path) body.append("away", "yes");
    const answer = await ask(entry.path, { method: "POST", body });
    if (!isJson(answer)) return turnedAway(entry, answer);
    const { outcome, said, goto } = await answer.json();
    if (outcome === "recorded") {
      forgetDraft(entry);
      store.removeItem(PREFIX + entry.path);
      if (tell("outbox:sent", { entry, goto, said })) arrived.push({ title: entry.title, said, goto });
    } else if (outcome === "refused") {
      mark(entry, "refused", said);
      tell("outbox:refused", { entry: kept, said });
    }
    return undefined;
  }

  const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { cancelable: true, detail }));

  function forgetDraft(entry) {
    const draft = read(`draft:${entry.path}`);
    if (draft && draft.key === entry.key) store.removeItem(`draft:${entry.path}`);
  }

  async function sendAll(path) {
    for (const entry of all()) {
      // what was refused waits for somebody to look at it
      if (path ? entry.path !== path : entry.state === "refused") continue;
      try {
        await deliver(entry);
      } catch {
        mark(entry, "waiting"); // no network
      }
    }
    show();
    if (all().some((entry) => entry.state !== "refused")) later();
  }

  let clock = 0;
  let pause = SOON;
  /* Soon, and then less and less often. */
  function later() {
    clearTimeout(clock);
    clock = setTimeout(() => (navigator.onLine ? send() : later()), pause);
    pause = Math.min(2 * pause, AGAIN);
  }

  let busy = null;
  /* One at a time, in all windows of this browser. */
  function send(path = "") {
    const now = () => (navigator.locks ? navigator.locks.request("outbox", () => sendAll(path)) : sendAll(path));
    if (path) pause = SOON; // somebody is looking at it
    busy = (busy || Promise.resolve()).then(now, now);
    return busy;
  }

  /* Show what the server says of a refused sheet: its own page, as if the form had been sent there. */
  async function look(entry) {
    const { csrf } = await (await ask(entry.path)).json();
    const form = document.createElement("form");
    form.method = "post";
    form.action = entry.path;
    for (const [name, value] of [...entry.fields, ["csrfmiddlewaretoken", csrf]]) {
      const field = document.createElement("input");
      field.type = "hidden";
      field.name = name;
      field.value = value;
      form.append(field);
    }
    document.body.append(form);
    store.removeItem(PREFIX + entry.path);
    HTMLFormElement.prototype.submit.call(form); // a field may be called submit
  }

  // --- what is said of it at the top of each page ---------------------------

  function make(tag, className, text = "") {
    const element = document.createElement(tag);
    element.className = className;
    element.textContent = text;
    return element;
  }

  function button(text, act) {
    const element = make("button", "button plain small", text);
    element.type = "button";
    element.addEventListener("click", act);
    return element;
  }

  function link(text, address) {
    const element = make("a", "button plain small", text);
    element.href = address;
    return element;
  }

  function line(kind, title, said, ...acts) {
    const notice = make("div", `notice ${kind}`);
    const words = make("p", "");
    words.append(make("strong", "", title), ` ${said}`);
    notice.append(words);
    if (acts.length) {
      const row = make("p", "row");
      row.append(...acts);
      notice.append(row);
    }
    return notice;
  }

  function show() {
    if (!box) return;
    const words = box.dataset;
    const lines = arrived.map((one) => line("good", one.title, one.said, link(words.goOn, one.goto)));
    for (const entry of all()) {
      if (location.pathname === entry.path && document.querySelector("form[data-outbox]")) continue; // it says so itself
      const state = STATES.includes(entry.state) ? entry.state : "waiting";
      const throwAway = button(words.throwAway, () => drop(entry.path));
      if (state === "refused") {
        const acts = [button(words.look, () => look(entry).catch(() => location.assign(entry.path))), throwAway];
        lines.push(line("bad", entry.title, entry.said, ...acts));
      } else if (state === "other") {
        lines.push(line("warn", entry.title, words.other, throwAway));
      } else {
        const said = state === "signed-out" ? words.signedOut : words.waiting;
        lines.push(line("warn", entry.title, said, link(words.open, entry.path)));
      }
    }
    if (lines.length || box.childElementCount) box.replaceChildren(...lines);
  }

  window.outbox = { put, take, drop, send, look };
  window.addEventListener("online", () => {
    pause = SOON;
    send();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && all().length) send();
  });
  window.addEventListener("storage", (event) => {
    if (event.key && event.key.startsWith(PREFIX)) show();
  });
  document.addEventListener("DOMContentLoaded", () => {
    show();
    if (all().length) send();
  });

  // who signs out leaves no page behind on a device that others use; what was typed and not sent stays
  document.addEventListener("submit", (event) => {
    if (!window.caches || !event.target.matches("[data-signs-out]")) return;
    caches.keys().then((names) => names.filter((name) => name.startsWith("sheet-pages-")).forEach((name) => caches.delete(name)));
  });
})();
