// One item on the page with its question: what was answered is handed on as soon as it is made. several.js has the rest.

import { Question } from "./question.js";

const PAUSE_MS = 500; // keys and ticks come in bursts: one answer each burst

// Several boxes, one for each medium, as one.
const anyOf = (boxes) => ({
  get checked() { return boxes.some((box) => box.checked); },
  addEventListener: (...listening) => { for (const box of boxes) box.addEventListener(...listening); },
});

export class Item {
  constructor(element, { say, queue, store }) {
    Object.assign(this, { element, queue, store, timer: 0 });
    this.position = Number(element.dataset.item);
    this.isFinal = "final" in element.dataset;
    const boxes = [...element.querySelectorAll("input[name$='-could_not_see']")];
    this.unseen = boxes.length > 1 ? anyOf(boxes) : boxes[0];
    this.questions = this.parts.map(([part, position]) => new this.constructor.Question(part, {
      position,
      unseen: this.unseen,
      say,
      store,
      onChange: () => this.change(),
    }));
    const refused = queue.refusal(this.position);
    const sent = new URLSearchParams(queue.pending(this.position) ?? refused?.body ?? "");
    if (sent.has("skip")) this.element.dataset.skipped = sent.get("skip");
    else this.fill(sent);
    for (const question of this.questions) question.begin();
    this.begin();
    if (refused) this.refuse(refused);
  }

  // Its questions, each with what begins the names of its fields.
  get parts() {
    return [[this.element, this.position]];
  }

  begin() {}

  change() {
    delete this.element.dataset.skipped;
    this.soon();
  }

  // Passed over at expert pace, for a reason (expert.js).
  get isSkipped() {
    return "skipped" in this.element.dataset;
  }

  // How messages and links find it again, on this page and on the last one.
  get where() {
    return { called: this.element.dataset.called, page: Number(this.element.closest("form").dataset.number) };
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
    if (this.isSkipped) return "";
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

  soon(options) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.give(options), PAUSE_MS);
  }

  // Hands on what is new. An unmoved slider that starts in the middle is an answer when the page is left, and an answer
  // that is final waits for that.
  give({ isLeft = false, hasTexts = true } = {}) {
    clearTimeout(this.timer);
    if (this.isFinal && !isLeft) return;
    const [question] = this.questions;
    if (!hasTexts && question.typed) return;
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

  // What the browser still holds of it and the server may not have.
  fill(given) {
    if (given.has("position")) this.questions[0].fill(given);
  }

  refuse(refusal) {
    this.questions[0].refuse(refusal);
    delete this.element.dataset.answered;
  }
}

Item.Question = Question;
