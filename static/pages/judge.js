// The pages of questions with script: answers are saved as they are made, and a lost network loses nothing.

import { enlargeBy } from "./enlarge.js";
import { filterLabels } from "./filter.js";
import { Item } from "./item.js";
import { listenForNumbers } from "./keys.js";
import { Queue } from "./queue.js";
import { Stage } from "./stage.js";
import { forget, Store } from "./store.js";

const root = document.querySelector("[data-judging]");
const { base, pages } = root.dataset;
const status = root.querySelector("[data-status]");
const say = Object.fromEntries(
  Object.entries(root.dataset).filter(([name]) => name.startsWith("say")).map(([name, text]) => [name.slice(3).toLowerCase(), text]),
);
const store = new Store(root.dataset.queue, Date.now() + Number(root.dataset.keepSeconds) * 1000);
const items = new Map();
let isLeaving = false;
let waitsToGoOn = false;

const queue = new Queue({ address: `${base}save/`, store, tell, hear });
const stage = new Stage(root, begin);
let ahead = null;
export const judging = { root, say, store, items, queue, stage, here, goOn, onShow: () => {} }; // for expert.js

// Where nothing is to be read about the answer, whoever wanted to go on goes on.
function hear(position, text) {
  items.get(position)?.hear(text);
  if (!waitsToGoOn || here().some((item) => item.isNews)) return;
  waitsToGoOn = false;
  if (!here().some((item) => item.isTelling)) goOn();
}

// What was refused stays said until it is put right: "saved" would be untrue.
function tell(what, position) {
  const [refused] = what === "refused" || what === "saved" ? queue.refused : [];
  status.dataset.status = refused ? "refused" : what;
  if (what === "refused") items.get(position)?.refuse(queue.refusal(position));
  if (refused) status.replaceChildren(linkTo(refused));
  else if (isLeaving && (what === "waiting" || what === "paused")) status.textContent = say.last;
  else status.textContent = ahead?.isStuck ? say.edge : say[what];
}

function linkTo({ page, called, sentence }) {
  const link = document.createElement("a");
  link.href = `${base}${page}/`;
  link.dataset.turn = page;
  link.textContent = `${called}: ${sentence}`;
  return link;
}

function begin(form) {
  for (const element of form.querySelectorAll("[data-item]")) {
    const position = Number(element.dataset.item);
    if (items.has(position)) continue;
    const Class = element.querySelector("[data-question]") ? Item.ofSeveral : Item;
    const item = new Class(element, { say, queue, store });
    items.set(position, item);
    for (const question of item.questions) filterLabels(question.element, say);
  }
  root.dispatchEvent(new CustomEvent("begin", { detail: { form, items, stage } })); // media.js, where there are any
  ahead?.look();
  judging.onShow();
}

function here() {
  return [...stage.form.querySelectorAll("[data-item]")].map((element) => items.get(Number(element.dataset.item)));
}

async function goOn() {
  const lacking = here().filter((item) => item.lack);
  for (const item of lacking) item.complain();
  if (lacking.length) {
    lacking[0].firstOpen.focus();
    return;
  }
  // Practice shows its feedback before it lets go.
  const isNews = here().some((item) => item.isNews);
  for (const item of here()) item.give({ isLeft: true });
  waitsToGoOn = isNews;
  if (isNews) return;
  if (stage.number < Number(pages)) {
    stage.turn(stage.number + 1);
    return;
  }
  isLeaving = true;
  await queue.whenEmpty();
  isLeaving = false;
  const unsaved = [...items.values()].find((item) => item.isStuck)
    ?? items.get(queue.refused.find((entry) => !entry.isFinal)?.position);
  if (unsaved) {
    stage.turn(unsaved.where.page);
    unsaved.complain();
    unsaved.firstOpen.focus();
    return;
  }
  window.location.assign(`${base}finish/`);
}

root.addEventListener("submit", (event) => {
  event.preventDefault();
  goOn();
});
root.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-turn]");
  if (!turn || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  for (const item of here()) if (item.isDirty) item.give();
  const number = Number(turn.dataset.turn);
  if (number !== stage.number) stage.turn(number);
  const refused = here().find((item) => item.refusal);
  refused?.firstOpen.focus();
});
// One listener for both, in this order: what was answered last is on its way too.
window.addEventListener("pagehide", () => {
  for (const item of items.values()) if (item.isDirty) item.give({ hasTexts: false });
  queue.sendAllAtOnce();
});

document.documentElement.classList.add("has-script");
root.removeAttribute("data-plain");
listenForNumbers(root, {
  isHeld: () => stage.isHeld,
  isOpen: (element) => here().some((item) => item.questions.some((one) => one.element === element && !one.isComplete)),
});
enlargeBy(root, say.close);
begin(stage.form);
queue.flush();
if (stage.pages.size + 1 < Number(pages)) {
  import("./ahead.js").then(({ Ahead }) => { ahead = new Ahead(stage, Number(pages), tell); });
}
forget(root.dataset.queues.split(" ").filter(Boolean));
