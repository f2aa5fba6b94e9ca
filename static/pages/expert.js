// Expert pace: the next page comes by itself, keys do everything, and what was answered last can be undone.

import { read, write } from "./form.js";
import { hand } from "./hand.js";
import { judging } from "./judge.js";
import { isPlain, isWriting, questionsOn } from "./keys.js";
import { noteOf } from "./note.js";
import { openOverview } from "./overview.js";
import { Store } from "./store.js";
import { fill } from "./writing.js";

const { root, items, queue, stage, here, goOn } = judging;
const bar = root.querySelector("[data-expert]");
const sheet = root.querySelector("[data-keys]");
const uses = sheet.querySelector("[data-use-keys]");
const kept = new Store("keys"); // the same for every study on this device
const SECOND_CLICK_MS = 250; // of a double click: it would answer the next item
const DIGITS_MS = 1000; // a second digit within so long makes the first one finer
const steps = []; // what can be undone: which item, and how it stood before
const before = new Map(); // by an item's position, how it stood when its page was shown
let visit = 0;
let isUndoing = false;
let wasWhole = false;
let hasChanged = false;
let lastKey = "";
let turnedAt = 0;
let typed = { line: null, digit: 0, at: 0 };

const isWhole = () => here().every((item) => !item.lack);
const goAway = () => { for (const item of here()) if (item.isDirty) item.give(); };
const say = (name, item) => { bar.querySelector("[data-said]").textContent = fill(bar.dataset[name], { item: item?.element.dataset.called ?? "" }); };
const isAnswered = (item) => "answered" in item.element.dataset;

function current() {
  const { activeElement } = document;
  return here().find((item) => item.element.contains(activeElement) || noteOf(item).element?.contains(activeElement))
    ?? here().find((item) => item.lack) ?? here()[0];
}

// How an item stands: what is in its fields, and whether that is an answer.

function stateOf(item) {
  return {
    fields: read(item.element, item.position).toString(),
    lines: item.questions.map((question) => question.lines.map((line) => line.state)),
    isAnswered: isAnswered(item),
    skipped: item.element.dataset.skipped ?? "",
  };
}

function show() {
  visit += 1;
  turnedAt = performance.now();
  for (const item of here()) {
    before.set(item.position, stateOf(item));
    noteOf(item, { skip: (reason) => skip(item, reason) });
  }
  wasWhole = isWhole();
  const [first] = here();
  if (first?.questions[0].typed) queueMicrotask(() => first.firstOpen.focus()); // the cursor in the text
}

queue.added = (position) => {
  if (isUndoing || !before.has(position)) return;
  const last = steps.at(-1);
  if (last?.position === position && last.visit === visit) return; // one step for all that was changed at one look
  steps.push({ position, visit, state: before.get(position), page: items.get(position).where.page });
};

function undo() {
  goAway();
  const step = steps.pop();
  if (!step) {
    say("sayNothing");
    return;
  }
  stage.turn(step.page);
  const item = items.get(step.position);
  isUndoing = true;
  restore(item, step.state);
  isUndoing = false;
  before.set(item.position, stateOf(item));
  visit += 1;
  wasWhole = isWhole();
  say("sayUndone", item);
  item.element.querySelector(".question").focus();
}

// As it was before: a revision of its own, or word that there is no answer any more.
function restore(item, state) {
  put(item, new URLSearchParams(state.fields), state.lines);
  if (state.skipped) {
    passOver(item, state.skipped);
    return;
  }
  const isSeveral = item.element.querySelector("[data-question]") !== null;
  const answered = item.questions.filter((question) => !question.element.hidden && question.isComplete);
  for (const question of answered) Object.assign(question, { isDirty: true, kind: hand() });
  if (state.isAnswered) {
    item.give({ isLeft: true });
    return;
  }
  const ready = isSeveral ? item.ready({ isLeft: false }) : [];
  const fields = isSeveral ? item.bodyOf(ready) : new URLSearchParams();
  fields.set("take_back", "1");
  fields.set("input_kind", hand());
  for (const question of ready) question.handOn();
  queue.add(item.position, fields, item.where);
}

function put(item, fields, lines) {
  write(item.element, item.position, fields);
  item.questions.forEach((question, at) => {
    question.lines.forEach((line, index) => { line.state = lines[at][index]; });
    question.part?.fill?.();
    Object.assign(question, { isDirty: false, isAnswered: false, isBeingWritten: false, refusal: "" });
    question.complain("");
  });
  delete item.element.dataset.answered;
  delete item.element.dataset.skipped;
  item.showAsked?.({ isSaid: false });
}

// Skipped: no answer, for a reason. Another answer may follow at any time.

function passOver(item, reason) {
  const fields = new URLSearchParams({ skip: reason, input_kind: hand() });
  fields.set("response_ms", item.questions[0].since(performance.now()));
  Object.assign(item.element.dataset, { skipped: reason, answered: "" });
  noteOf(item).mark();
  queue.add(item.position, fields, item.where);
}

function skip(item, reason) {
  clearTimeout(item.timer);
  const empty = item.questions.map((question) => question.lines.map(({ state, range }) => (
    { ...state, number: "", value: (Number(range.min) + Number(range.max)) / 2, isUntouched: range.dataset.start === "hidden" }
  )));
  put(item, new URLSearchParams(), empty);
  passOver(item, reason);
  if (isWhole()) goOn();
  else here().find((one) => one.lack).firstOpen.focus();
}

// Once the last question has its one label. Arrows go through labels to read them: they leave the page as it is.
root.addEventListener("change", ({ target }) => {
  hasChanged = true;
  const element = target.closest("[data-item]");
  const item = items.get(Number(element?.dataset.item));
  if (!item) return;
  noteOf(item).mark();
  const [wasSo, isSo] = [wasWhole, isWhole()];
  wasWhole = isSo;
  if (target.type !== "radio" || !isSo || lastKey.startsWith("Arrow") || item.feedback || stage.isHeld) return;
  const isLast = questionsOn(root).at(-1) === (target.closest("[data-question]") ?? element);
  if (isLast || !wasSo) goOn();
});

// A digit sets a line: tenths of it, 0 its end, and a second digit hundredths.
function setLine(digit) {
  const { activeElement } = document;
  const elements = questionsOn(root);
  const all = here().flatMap((item) => item.questions).filter((question) => elements.includes(question.element));
  const question = all.find((one) => one.element.contains(activeElement)) ?? all.find((one) => !one.isComplete) ?? all.at(-1);
  if (!question?.lines.length || activeElement.closest("[data-sure]")) return false;
  const line = question.lines.find((one) => one.range === activeElement) ?? question.lines.find((one) => !one.isAnswered)
    ?? question.lines.at(-1);
  if (line.range.closest("[inert], :disabled")) return true; // its media are not there yet
  const isSecond = typed.line === line && typed.digit > 0 && performance.now() - typed.at < DIGITS_MS;
  const percent = isSecond ? typed.digit * 10 + digit : (digit || 10) * 10;
  typed = { line, digit: isSecond ? 0 : digit, at: performance.now() };
  const [low, high] = [Number(line.range.min), Number(line.range.max)];
  line.range.focus();
  line.range.value = low + ((high - low) * percent) / 100;
  line.place();
  line.settle();
  return true;
}

// The next line of the item that has no answer yet, from one that has.
function nextLine(target) {
  const question = here().flatMap((item) => item.questions).find((one) => one.lines.some((line) => line.range === target));
  const isDone = question?.lines.find((line) => line.range === target).isAnswered;
  const open = isDone && question.lines.find((line) => !line.isAnswered);
  open?.range.focus();
  return Boolean(open);
}

function leaf(by) {
  goAway();
  const number = stage.number + by;
  if (number > Number(root.dataset.pages)) goOn();
  else if (number > 0) stage.turn(number);
}

const onWithArrow = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight";
const ARROWS_OF_ITS_OWN = "input[type=radio], input[type=range], select";
const acts = {
  u: undo,
  o: () => openOverview(judging, (item) => noteOf(item).letters),
  f: () => noteOf(current()).flag(),
  c: () => noteOf(current()).comment(),
  s: () => noteOf(current()).choose(),
  n: () => leaf(1),
  b: () => leaf(-1),
  "?": () => sheet.showModal(),
};
acts["؟"] = acts["?"];

function act(event) {
  const { key, code, target } = event;
  if (/^[0-9]$/.test(key)) {
    const reason = target.closest?.("[data-reasons]")?.querySelectorAll("button")[Number(key) - 1];
    if (reason) reason.click();
    return Boolean(reason) || setLine(Number(key));
  }
  if (key === "ArrowLeft" || key === "ArrowRight") {
    if (event.shiftKey || target.matches?.(ARROWS_OF_ITS_OWN)) return false;
    leaf(key === onWithArrow ? 1 : -1);
    return true;
  }
  // On keyboards without Latin letters a key counts by its place.
  const letter = /^[a-z?؟]$/i.test(key) ? key.toLowerCase() : /^\p{L}$/u.test(key) ? code.replace("Key", "").toLowerCase() : "";
  acts[letter]?.();
  return letter in acts;
}

// Before the page's own listeners: a digit on a line is for no other question.
document.addEventListener("keydown", (event) => {
  lastKey = event.key;
  hasChanged = false;
  if (document.querySelector("dialog[open]")) return;
  if (event.key === "Enter") {
    enter(event);
    return;
  }
  if (event.key === "Escape" && isWriting(event)) {
    current().element.querySelector(".question").focus(); // out of a text, so that keys are keys again
    return;
  }
  if (!isPlain(event) || isWriting(event) || event.repeat || stage.isHeld || "keysOff" in root.dataset) return;
  if (!act(event)) return;
  event.preventDefault();
  event.stopPropagation();
}, true);

function enter(event) {
  const { target } = event;
  const isText = target.matches?.("textarea");
  if (isText ? !(event.ctrlKey || event.metaKey) : !isPlain(event) || target.closest?.("a, button, summary, select")) return;
  event.preventDefault();
  if (isText && target.closest("[data-note]")) noteOf(current()).send();
  else if (!nextLine(target)) goOn();
}

// The same digit again, on an answer that stands: it is confirmed.
document.addEventListener("keydown", (event) => {
  const { activeElement } = document;
  if (hasChanged || !event.defaultPrevented || !/^[0-9]$/.test(event.key) || stage.isHeld) return;
  if (activeElement.matches("[data-offered] input[type=radio]:checked") && isWhole()) goOn();
});
document.addEventListener("pointerdown", () => { lastKey = ""; }, true);
root.addEventListener("click", (event) => {
  const isSecond = event.detail > 1 && performance.now() - turnedAt < SECOND_CLICK_MS;
  if (isSecond && event.target.closest("[data-stage]")) event.preventDefault();
}, true);

bar.hidden = false;
bar.addEventListener("click", (event) => acts[event.target.closest("[data-act]")?.dataset.act]?.());
kept.load();
uses.checked = !kept.get("off");
root.toggleAttribute("data-keys-off", !uses.checked);
uses.addEventListener("change", () => {
  kept.set("off", !uses.checked);
  root.toggleAttribute("data-keys-off", !uses.checked);
});
judging.onShow = show;
show();
