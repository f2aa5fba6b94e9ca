// An open link knows nobody: this browser remembers where its person got to, and offers that when the link is opened again,
// unless that person has finished or withdrawn, or it was somebody else.

import { forget, Store } from "./store.js";

const store = new Store("begun");
const { remember, address } = document.body.dataset;
const offer = document.querySelector("[data-remembered]");
const ENDED = /^\/withdraw\/|\/done\/$/;
const GONE = [404, 410];

// Only ever an address of this site: whatever else stands there was not put there by us.
const isOurs = (begun) => typeof begun === "string" && /^\/p\/[\w.-]+\/$/.test(begun);

// Where that person stands now, which may have changed on another device.
async function standing(begun) {
  try {
    const response = await fetch(begun, { credentials: "omit" });
    response.body?.cancel(); // where it led is enough
    if (GONE.includes(response.status) || ENDED.test(new URL(response.url).pathname)) return "ended";
    return response.ok ? "going on" : "unknown";
  } catch {
    return "unknown"; // no network
  }
}

async function makeOffer(study) {
  const begun = store.load().get(study);
  const queue = store.get(`queue.${study}`);
  if (!isOurs(begun)) return;
  const stands = await standing(begun);
  if (stands === "ended") letGo(study, queue);
  if (stands !== "going on") return;
  offer.querySelector("a").setAttribute("href", begun);
  offer.hidden = false;
  offer.querySelector("[data-not-me]").addEventListener("click", () => {
    letGo(study, queue && `${queue}.draft`);
    offer.hidden = true;
    document.querySelector("main form button").focus();
  });
}

function letGo(study, what) {
  store.delete(study);
  store.delete(`queue.${study}`);
  forget(what ? [what] : []);
}

if (remember) {
  store.set(remember, address);
  const queue = document.querySelector("[data-judging]")?.dataset.queue;
  if (queue) store.set(`queue.${remember}`, queue);
}
if (offer) makeOffer(offer.dataset.remembered);
forget([]);
