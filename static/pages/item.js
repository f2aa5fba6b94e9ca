// One item on the page with its question, or its several: what was answered is handed on as soon as it is made.

import { numbersShown } from "./conditions.js";
import { read } from "./form.js";
import { hand } from "./hand.js";
import { Question } from "./question.js";
import { fill } from "./writing.js";

const PAUSE_MS = 500; // keys and ticks come in bursts: one answer each burst
const OF_A_QUESTION = /^q(\d+)-/;

export class Item {
  constructor(element, { say, queue, store }) {
    Object.assign(this, { element, queue, store, timer: 0 });
    this.position = Number(element.dataset.item);
    this.isFinal = "final" in element.dataset;
    this.unseen = element.querySelector("input[name$='-could_not_see']");
    const several = [...element.querySelectorAll("[data-question]")];
    this.hasSeveral = several.length > 0;
    this.questions = (this.hasSeveral ? several : [element]).map((one) => new Question(one, {
      position: this.hasSeveral ? `${this.position}-q${one.dataset.question}` : this.position,
      unseen: this.unseen,
      say,
      store,
      onChange: () => { this.showAsked(); this.soon(); },
    }));
    const refused = queue.refusal(this.position);
    this.fill(new URLSearchParams(queue.pending(this.position) ?? refused?.body ?? ""));
    for (const question of this.questions) question.begin();
    if (this.hasSeveral) this.unseen?.addEventListener("change", () => this.see());
    this.showAsked({ isSaid: false });
    if (refused) this.refuse(refused);
  }

  // How messages and links find it again, on this page and on the last one; of several questions, in their words.
  get where() {
    const where = { called: this.element.dataset.called, page: Number(this.element.closest("form").dataset.number) };
    return this.hasSeveral ? { ...where, names: Object.fromEntries(this.questions.map((one) => [one.number, wording(one)])) } : where;
  }

  get shown() {
    return this.questions.filter((question) => !question.element.hidden);
  }

  get isDirty() {
    return this.questions.some((question) => question.isDirty);
  }

  // Whether something was answered that can't be sent as it is.
  get isStuck() {
    return this.shown.some((question) => question.isDirty && question.isComplete && question.lack);
  }

  get lack() {
    return this.shown.map((question) => question.lack).find((sentence) => sentence) ?? "";
  }

  get refusal() {
    return this.shown.map((question) => question.refusal).find((sentence) => sentence) ?? "";
  }

  get firstOpen() {
    return (this.shown.find((question) => question.lack) ?? this.shown[0]).firstOpen;
  }

  complain() {
    for (const question of this.shown) if (question.lack) question.complain(question.lack);
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.give(), PAUSE_MS);
  }

  // Hands on what is new: of several questions those that have an answer, and all of them when the page is left. An
  // answer that is final waits for that.
  give({ isLeft = false, hasTexts = true } = {}) {
    clearTimeout(this.timer);
    if (this.isFinal && !isLeft) return;
    if (!this.hasSeveral) {
      if (hasTexts || !this.questions[0].typed) this.giveOne();
      return;
    }
    const ready = this.ready({ isLeft });
    const isNew = ready.some((question) => question.isDirty || !(question.isAnswered || question.isBlank));
    if (!isNew && !(isLeft && !("answered" in this.element.dataset))) return;
    const given = this.bodyOf(ready);
    for (const question of ready) question.handOn();
    this.element.toggleAttribute("data-answered", !this.lack);
    this.queue.add(this.position, given, this.where);
    if (!this.lack) this.showFeedback();
  }

  // An unmoved slider that starts in the middle is an answer when the page is left.
  giveOne() {
    const [question] = this.questions;
    if (!question.isComplete || !(question.isDirty || !question.isAnswered)) return;
    if (question.lack) {
      question.complain(question.lack);
      return;
    }
    const given = question.fields(performance.now());
    question.handOn();
    this.queue.add(this.position, given, this.where);
    this.showFeedback();
  }

  // Up to the last that was answered: one that was passed over untouched is one as it stands, a later one isn't yet.
  // A text that is still being written waits. What was refused goes along, so that it stays refused, and kept.
  ready({ isLeft }) {
    if (this.unseen?.checked) return [];
    const { shown } = this;
    const last = isLeft ? shown.length : shown.findLastIndex((question) => question.isDirty || question.isAnswered || question.refusal);
    return shown.filter((question, at) => at <= last
      && (isLeft || !question.isBeingWritten)
      && (question.isComplete ? !question.writing?.problem : question.isOptional && question.isBlank));
  }

  bodyOf(ready) {
    const given = new URLSearchParams([...read(this.element, this.position)].filter(([name]) => !OF_A_QUESTION.test(name)));
    const kept = new URLSearchParams(this.queue.pending(this.position) ?? "");
    for (const question of this.shown) {
      const prefix = `q${question.number}-`;
      if (ready.includes(question)) {
        for (const [name, value] of question.fields(question.lastAt ?? performance.now())) given.append(prefix + name, value);
      } else {
        for (const [name, value] of kept) if (name.startsWith(prefix) && !this.unseen?.checked) given.append(name, value);
      }
    }
    given.set("response_ms", this.questions[0].since(performance.now()));
    given.set("input_kind", hand());
    return given;
  }

  get feedback() {
    return this.element.querySelector("[data-feedback]");
  }

  // Whether nobody goes on yet: feedback is still to be read, and is there or on its way.
  get isNews() {
    const { feedback } = this;
    if (!feedback?.hidden || "heard" in feedback.dataset) return false;
    return !("byAnswer" in feedback.dataset) || !this.queue.failures;
  }

  get isTelling() {
    return this.feedback?.hidden === false;
  }

  showFeedback() {
    const { feedback } = this;
    if (feedback && !("byAnswer" in feedback.dataset)) feedback.hidden = false;
  }

  // What the server says of the answer to a practice item; it says nothing while questions of it lack an answer.
  hear(text) {
    const { feedback } = this;
    if (this.isFinal) this.element.disabled = true;
    if (!feedback || !("byAnswer" in feedback.dataset) || (text === undefined && this.lack)) return;
    feedback.textContent = text ?? "";
    feedback.hidden = !text;
    feedback.dataset.heard = "";
  }

  // The picture can't be seen, or can after all: all of the item is said anew.
  see() {
    for (const question of this.questions) {
      question.refusal = "";
      question.complain("");
      question.isDirty ||= question.isAnswered;
      question.isAnswered = false;
    }
    delete this.element.dataset.answered;
    clearTimeout(this.timer);
    if (!this.isFinal) this.timer = setTimeout(() => this.give({ isLeft: this.unseen.checked }), PAUSE_MS);
  }

  // What the browser still holds of it and the server may not have.
  fill(given) {
    if (!given.has("position")) return;
    if (!this.hasSeveral) {
      this.questions[0].fill(given);
      return;
    }
    if (this.unseen) this.unseen.checked = given.has("could_not_see");
    for (const question of this.questions) {
      const prefix = `q${question.number}-`;
      const own = [...given].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]);
      if (own.length) question.fill(new URLSearchParams(own));
    }
  }

  refuse(refusal) {
    const number = Number(OF_A_QUESTION.exec(refusal.field ?? "")?.[1]);
    (this.questions.find((question) => question.number === number) ?? this.questions[0]).refuse(refusal);
    delete this.element.dataset.answered;
  }

  // A later question comes, or goes, with the answer that it hangs on. What stood in it stays, should it come again.
  showAsked({ isSaid = true } = {}) {
    if (!this.hasSeveral) return;
    const answers = Object.fromEntries(this.questions.map((question) => [question.number, question.answer]));
    const shown = numbersShown(this.questions, answers);
    const words = [];
    for (const question of this.questions) {
      const { element } = question;
      const isShown = shown.has(question.number);
      if (isShown !== element.hidden) continue;
      if (!isShown && element.contains(document.activeElement)) this.questions[0].element.querySelector(".question").focus();
      element.hidden = !isShown;
      element.disabled = !isShown;
      if (isShown && question.touchedAt === null) question.shownAt = performance.now();
      if (isShown && question.wasAnswered) question.isDirty = true;
      question.wasAnswered = question.isAnswered;
      question.isAnswered = false;
      words.push([isShown ? "sayComes" : "sayGoes", wording(question)]);
    }
    const teller = this.element.querySelector("[data-comes]");
    if (isSaid && words.length) teller.textContent = words.map(([how, question]) => fill(teller.dataset[how], { question })).join(" ");
  }
}

const wording = (question) => question.element.querySelector(".question").textContent.trim();
