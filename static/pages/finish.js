// The last page: handing in waits until the server has whatever this browser still keeps of the assignment, from this tab
// or another; and what the server did not take is named before.

import { Queue } from "./queue.js";
import { Store } from "./store.js";

const root = document.querySelector("[data-finish]");
const form = root.querySelector("form");
const { base, queue: name, keepSeconds, sayWaiting } = root.dataset;
const status = root.querySelector("[data-status]");
const refused = root.querySelector("[data-refused]");
const queue = new Queue({ address: `${base}save/`, store: new Store(name, Date.now() + keepSeconds * 1000), tell });
const hadSome = queue.entries.length > 0;
let isWarned = false;
let isSent = false;

function tell(what) {
  status.dataset.status = what;
  status.textContent = what === "waiting" || what === "paused" ? sayWaiting : "";
  show();
  // The page was made before the last answers came: which questions are open, it says anew.
  if (what === "saved" && hadSome && "lacks" in root.dataset) window.location.reload();
}

function show() {
  const saved = root.querySelector("[data-all-saved]");
  if (saved) saved.hidden = queue.entries.length > 0 || queue.refused.length > 0;
  refused.hidden = !queue.refused.length;
  refused.querySelector("ul").replaceChildren(...queue.refused.map(line));
}

function line({ page, called, sentence }) {
  const [item, link] = [document.createElement("li"), document.createElement("a")];
  link.href = `${base}${page}/`;
  link.textContent = `${called}: ${sentence}`;
  item.append(link);
  return item;
}

form?.addEventListener("submit", async (event) => {
  event.preventDefault();
  await queue.whenEmpty();
  if (queue.refused.length && !isWarned) {
    isWarned = true; // pressed again, what was saved before is handed in
    refused.querySelector("a").focus();
    return;
  }
  if (isSent) return;
  isSent = true;
  form.submit();
});
show();
queue.flush();
