// One question on the page: its controls, what was answered and when, what it lacks, and what is wrong with it.

import { read, write } from "./form.js";
import { hand } from "./hand.js";
import { Line } from "./line.js";
import { Writing } from "./writing.js";

const WEEK_MS = 7 * 24 * 3600 * 1000;

export class Question {
  // `position` begins the names of its fields; `onChange` is told of what was answered, but not of each letter.
  constructor(element, { position, unseen, say, store, onChange }) {
    Object.assign(this, { element, position, unseen, say, store, onChange, touchedAt: null, moves: 0, isDirty: false, isBeingWritten: false });
    Object.assign(this, { refusal: "", lines: [], waits: "" });
    this.typed = element.querySelector("[data-typed]");
    this.part = element.querySelector("[data-part]"); // a custom element of the kind's own; see annotation/answering/kinds/form.py
    this.unknown = element.querySelector("[data-dont-know]");
    this.sure = [...element.querySelectorAll("[data-sure] input")];
    this.problem = element.querySelector("[data-problem]");
    this.lines = [...element.querySelectorAll("[data-line]")].map((line) => new Line(line, {
      say,
      onTouch: () => this.touch(),
      onSettle: () => { this.moves += 1; this.onChange(); },
    }));
  }

  // Once what it holds was filled in.
  begin() {
    const draft = this.store.get(`draft.${this.position}`);
    if (this.typed && draft !== undefined) {
      this.typed.value = draft;
      this.isDirty = true;
      this.isBeingWritten = true;
    }
    this.element.addEventListener("change", (event) => this.change(event.target));
    this.typed?.addEventListener("input", () => {
      this.touch();
      this.isBeingWritten = true;
      this.store.set(`draft.${this.position}`, this.typed.value);
    });
    if (this.typed) this.writing = new Writing(this.typed, this.element.querySelector("[data-count]"), this.say);
    this.shownAt = performance.now();
  }

  get isAnswered() {
    return "answered" in this.element.dataset;
  }

  set isAnswered(is) {
    this.element.toggleAttribute("data-answered", is);
  }

  get hasAnswer() {
    if (this.lines.length) return this.lines.every((line) => line.isAnswered);
    if (this.typed) return this.typed.value.trim() !== "";
    if (this.part?.isAnswered !== undefined) return this.part.isAnswered;
    if (this.part?.querySelector("select")) return this.controls.every((control) => control.value !== "");
    return this.element.querySelector("[data-offered] input:checked") !== null;
  }

  get isUnsure() {
    return this.sure.length > 0 && !this.sure.some((point) => point.checked);
  }

  get isComplete() {
    if (this.unseen?.checked || this.unknown?.checked) return true;
    return this.hasAnswer && !this.isUnsure;
  }

  // Why the person can't go on from here yet, in a sentence, or nothing.
  get lack() {
    if (this.unseen?.checked) return "";
    if (this.waits) return this.waits;
    if (!this.isComplete && this.hasAnswer) return this.sure[0].closest("[data-sure]").dataset.sayUnsure;
    if (!this.isComplete) return this.part?.lack || this.say.unanswered;
    return this.writing?.problem || this.refusal;
  }

  get controls() {
    return [...this.element.querySelectorAll("input[type=range], textarea, [data-offered] input, [data-part] select")];
  }

  // What the answer still lacks: of several lines those that are open, or how sure the person is; or any of it.
  get open() {
    if (this.hasAnswer && this.isUnsure) return this.sure;
    const lines = this.lines.filter((line) => !line.isAnswered).map((line) => line.range);
    return lines.length ? lines : this.controls;
  }

  // Where a person goes on who left something out: of several lines, the first without an answer.
  get firstOpen() {
    if (this.hasAnswer && this.isUnsure) return this.sure[0];
    const line = this.lines.find((one) => !one.isAnswered);
    return line?.range ?? this.part?.firstOpen ?? this.controls.find((control) => !control.closest("[hidden]")) ?? this.controls[0];
  }

  touch() {
    this.refusal = "";
    this.touchedAt ??= performance.now();
    this.lastAt = performance.now();
    this.isDirty = true;
    this.kind = hand();
    if (this.unknown) this.unknown.checked = false;
    this.complain("");
  }

  change(target) {
    if (target.type === "range") return; // its line says when
    const isUnknown = target === this.unknown && target.checked;
    this.touch();
    if (isUnknown) {
      this.unknown.checked = true;
      for (const input of [...this.element.querySelectorAll("[data-offered] input"), ...this.sure]) input.checked = false;
      this.part?.fill?.();
    }
    this.isBeingWritten = false;
    this.moves += 1;
    this.onChange();
  }

  since(moment) {
    return Math.min(Math.max(0, Math.round(moment - this.shownAt)), WEEK_MS);
  }

  // Its fields with the times of its answer, up to this moment.
  fields(now) {
    const given = read(this.element, this.position);
    given.set("response_ms", this.since(now));
    if (this.touchedAt !== null) given.set("first_touch_ms", this.since(this.touchedAt));
    given.set("moves", this.moves);
    given.set("input_kind", this.kind ?? "unknown");
    return given;
  }

  // It is on its way to the server.
  handOn() {
    this.isDirty = false;
    this.isAnswered = true;
    this.store.delete(`draft.${this.position}`);
  }

  // Shows an answer that this browser holds and the server may not have yet.
  fill(given) {
    write(this.element, this.position, given);
    for (const line of this.lines) line.fill(line.number.value);
    this.part?.fill?.();
    this.isAnswered = true;
  }

  // The server did not take it. Until it is changed the person stays here, unless nothing is taken any more.
  refuse({ sentence, isFinal }) {
    if (!isFinal) this.refusal = sentence;
    this.isAnswered = false;
    this.complain(sentence);
  }

  // Ties the sentence to what can be put right.
  complain(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
    this.element.toggleAttribute("data-lacks", sentence !== "");
    const { open } = this;
    for (const control of [...this.controls, ...this.sure]) {
      const isMeant = sentence !== "" && open.includes(control);
      control.dataset.described ??= control.getAttribute("aria-describedby") ?? "";
      const described = `${control.dataset.described} ${isMeant ? this.problem.id : ""}`.trim();
      if (described) control.setAttribute("aria-describedby", described);
      else control.removeAttribute("aria-describedby");
      // A radio button can't be called invalid by itself.
      if (isMeant && control.type !== "radio") control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
  }
}
