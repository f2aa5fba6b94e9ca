// An open link knows nobody: this browser remembers where its person got to, and offers that when the link is opened again.

import { Store } from "./store.js";

const store = new Store("begun");
const { remember, address } = document.body.dataset;
const offer = document.querySelector("[data-remembered]");

if (remember) store.set(remember, address);
if (offer) {
  const begun = store.load().get(offer.dataset.remembered);
  // Only ever an address of this site: whatever else stands there was not put there by us.
  if (typeof begun === "string" && /^\/p\/[\w.-]+\/$/.test(begun)) {
    offer.querySelector("a").setAttribute("href", begun);
    offer.hidden = false;
  }
}
