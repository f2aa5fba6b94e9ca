// Handing in waits until the server has whatever this browser still keeps of the assignment, from this tab or another.

import { Queue } from "./queue.js";
import { Store } from "./store.js";

const form = document.querySelector("[data-finish]");
const { base, queue: name, sayWaiting } = form.dataset;
const status = form.querySelector("[data-status]");
const tell = (what) => {
  status.dataset.status = what;
  status.textContent = what === "waiting" ? sayWaiting : "";
};
const queue = new Queue({ address: `${base}save/`, store: new Store(name), tell });
let isSent = false;

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  await queue.whenEmpty();
  if (isSent) return;
  isSent = true;
  form.submit();
});
queue.flush();
