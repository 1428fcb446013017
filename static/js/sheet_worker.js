/* Serves the page of a score sheet when there is no network: the last copy of each that was opened on this device.

   The network always goes first. Only pages whose answer bears X-Kept-Offline are kept, and the files that they name;
   every other page passes through untouched. A new VERSION forgets what the one before kept. */
"use strict";

const VERSION = "1";
const PAGES = `sheet-pages-${VERSION}`;
const FILES = `sheet-files-${VERSION}`;
const MOST = 80;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const old = (name) => name.startsWith("sheet-") && name !== PAGES && name !== FILES;
  const forget = caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))));
  event.waitUntil(Promise.all([forget, self.clients.claim()]));
});

async function keep(name, address, response) {
  const cache = await caches.open(name);
  await cache.delete(address); // the newest stands last
  await cache.put(address, response);
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, Math.max(0, kept.length - MOST)).map((one) => cache.delete(one)));
}

const isKept = (response) => response.ok && !response.redirected && response.headers.has("X-Kept-Offline");

async function page(event) {
  try {
    const response = await fetch(event.request);
    if (isKept(response)) event.waitUntil(keep(PAGES, event.request.url, response.clone()));
    return response;
  } catch (error) {
    const copy = await (await caches.open(PAGES)).match(event.request.url);
    if (copy) return copy;
    throw error;
  }
}

async function file(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const copy = await (await caches.open(FILES)).match(request.url);
    if (copy) return copy;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (["style", "script", "image", "font"].includes(request.destination)) event.respondWith(file(request));
});

/* A page says which files it needs, and its own address where no worker saw it come. */
self.addEventListener("message", (event) => {
  const { address, files } = event.data || {};
  const jobs = (files || []).map(async (one) => {
    const response = await fetch(one);
    if (response.ok) await keep(FILES, one, response);
  });
  if (address) {
    jobs.push(
      fetch(address, { credentials: "same-origin" }).then(async (response) => {
        if (isKept(response)) await keep(PAGES, address, response);
      })
    );
  }
  event.waitUntil(Promise.allSettled(jobs));
});
