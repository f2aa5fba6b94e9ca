// An item with several questions: which of them are shown, and their answers, which are handed on together.

import { numbersShown } from "./conditions.js";
import { read } from "./form.js";
import { hand } from "./hand.js";
import { Item } from "./item.js";
import { Question } from "./question.js";
import { fill } from "./writing.js";

const OF_A_QUESTION = /^q(\d+)-/;

class OneOfSeveral extends Question {
  get number() {
    return Number(this.element.dataset.question);
  }

  get condition() {
    return JSON.parse(this.element.dataset.shownIf ?? "null");
  }

  // Whether it stands empty, and may.
  get isLeftEmpty() {
    return "optional" in this.element.dataset && this.isBlank;
  }

  get isBlank() {
    const isBegun = this.lines.some((line) => line.isAnswered) || this.hasAnswer
      || this.element.querySelector("[data-offered] input:checked") !== null;
    return !isBegun && !this.unknown?.checked && (!this.sure.length || this.isUnsure);
  }

  // What conditions of later questions are about: nothing where there is no answer yet, or none is known.
  get answer() {
    if (!this.isComplete || this.unknown?.checked || this.writing?.problem) return null;
    const labels = [...this.element.querySelectorAll("[data-offered] input:checked")].map((input) => input.value);
    const placed = [...this.element.querySelectorAll("[data-part] select")].map(({ name }) => name.slice(name.indexOf(":") + 1));
    const [line] = this.lines;
    const isNumber = line?.number.name === `i${this.position}-number`;
    return { labels: [...labels, ...placed], number: isNumber ? Number(line.number.value || line.range.value) : null };
  }

  get lack() {
    return this.isLeftEmpty ? "" : super.lack;
  }

  handOn() {
    super.handOn();
    this.isAnswered = !this.isLeftEmpty;
  }

  get wording() {
    return this.element.querySelector(".question").textContent.trim();
  }
}

class ItemOfSeveral extends Item {
  get parts() {
    return [...this.element.querySelectorAll("[data-question]")].map((part) => [part, `${this.position}-q${part.dataset.question}`]);
  }

  begin() {
    this.unseen?.addEventListener("change", () => this.see());
    this.showAsked({ isSaid: false });
  }

  change() {
    this.showAsked();
    super.change();
  }

  // Messages call a question by its own words.
  get where() {
    return { ...super.where, names: Object.fromEntries(this.questions.map((question) => [question.number, question.wording])) };
  }

  // Those that have an answer, and all of them when the page is left.
  give({ isLeft = false } = {}) {
    clearTimeout(this.timer);
    if (this.isFinal && !isLeft) return;
    const ready = this.ready({ isLeft });
    const isNew = ready.some((question) => question.isDirty || !(question.isAnswered || question.isBlank));
    if (!isNew && !(isLeft && !("answered" in this.element.dataset))) return;
    const given = this.bodyOf(ready);
    for (const question of ready) question.handOn();
    this.element.toggleAttribute("data-answered", !this.lack);
    this.queue.add(this.position, given, this.where);
    if (!this.lack) this.showFeedback();
  }

  // Up to the last that was answered: one that was passed over untouched is one as it stands, a later one isn't yet.
  // A text that is still being written waits. What was refused goes along, so that it stays refused, and kept.
  ready({ isLeft }) {
    if (this.unseen?.checked) return [];
    const { shown } = this;
    const last = isLeft ? shown.length : shown.findLastIndex((question) => question.isDirty || question.isAnswered || question.refusal);
    return shown.filter((question, at) => at <= last
      && (isLeft || !question.isBeingWritten)
      && (question.isComplete ? !question.writing?.problem : question.isLeftEmpty));
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

  // The picture can't be seen, or can after all: all of the item is said anew.
  see() {
    for (const question of this.questions) {
      question.refusal = "";
      question.complain("");
      question.isDirty ||= question.isAnswered;
      question.isAnswered = false;
    }
    delete this.element.dataset.answered;
    if (!this.isFinal) this.soon({ isLeft: this.unseen.checked });
  }

  fill(given) {
    if (!given.has("position")) return;
    const unseen = given.getAll("could_not_see");
    for (const box of this.element.querySelectorAll("input[name$='-could_not_see']")) box.checked = unseen.includes(box.value);
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
      words.push([isShown ? "sayComes" : "sayGoes", question.wording]);
    }
    const teller = this.element.querySelector("[data-comes]");
    if (isSaid && words.length) teller.textContent = words.map(([how, question]) => fill(teller.dataset[how], { question })).join(" ");
  }
}

ItemOfSeveral.Question = OneOfSeveral;
Item.ofSeveral = ItemOfSeveral;
