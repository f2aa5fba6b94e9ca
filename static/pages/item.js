// One question on the page: what was answered, when and how, and handing that on as soon as it is made.

import { read, write } from "./form.js";
import { hand } from "./hand.js";
import { Line } from "./line.js";
import { Writing } from "./writing.js";

const PAUSE_MS = 500; // keys and ticks come in bursts: one answer each burst
const WEEK_MS = 7 * 24 * 3600 * 1000;

export class Item {
  constructor(element, { say, queue, store }) {
    this.element = element;
    this.position = Number(element.dataset.item);
    Object.assign(this, { say, queue, store, touchedAt: null, moves: 0, isDirty: false, timer: 0 });
    this.refusal = "";
    this.typed = element.querySelector("[data-typed]");
    this.part = element.querySelector("[data-part]"); // a custom element of the kind's own; see annotation/answering/kinds/form.py
    this.unseen = element.querySelector("input[name$='-could_not_see']");
    this.problem = element.querySelector("[data-problem]");
    this.lines = [...element.querySelectorAll("[data-line]")].map((line) => new Line(line, {
      say,
      onTouch: () => this.touch(),
      onSettle: () => { this.moves += 1; this.soon(); },
    }));
    const refused = queue.refusal(this.position);
    this.fill(new URLSearchParams(queue.pending(this.position) ?? refused?.body ?? ""));
    const draft = store.get(`draft.${this.position}`);
    if (this.typed && draft !== undefined) { this.typed.value = draft; this.isDirty = true; }
    element.addEventListener("change", (event) => this.change(event.target));
    this.typed?.addEventListener("input", () => { this.touch(); store.set(`draft.${this.position}`, this.typed.value); });
    if (this.typed) this.writing = new Writing(this.typed, element.querySelector("[data-count]"), say);
    if (refused) this.refuse(refused);
    this.shownAt = performance.now();
  }

  // How messages and links find it again, on this page and on the last one.
  get where() {
    return { called: this.element.dataset.called, page: Number(this.element.closest("form").dataset.number) };
  }

  get isComplete() {
    if (this.unseen?.checked) return true;
    if (this.lines.length) return this.lines.every((line) => line.isAnswered);
    if (this.typed) return this.typed.value.trim() !== "";
    if (this.part?.isAnswered !== undefined) return this.part.isAnswered;
    if (this.part?.querySelector("select")) return this.controls.every((control) => control.value !== "");
    return this.element.querySelector("[data-offered] input:checked") !== null;
  }

  // Why the person can't go on from here yet, in a sentence, or nothing.
  get lack() {
    if (this.unseen?.checked) return "";
    if (!this.isComplete) return this.part?.lack || this.say.unanswered;
    return this.writing?.problem || this.refusal;
  }

  get controls() {
    return [...this.element.querySelectorAll("input[type=range], textarea, [data-offered] input, [data-part] select")];
  }

  // Where a person goes on who left something out: of several lines, the first without an answer.
  get firstOpen() {
    const line = this.lines.find((one) => !one.isAnswered);
    return line?.range ?? this.part?.firstOpen ?? this.controls.find((control) => !control.closest("[hidden]")) ?? this.controls[0];
  }

  touch() {
    this.refusal = "";
    this.touchedAt ??= performance.now();
    this.isDirty = true;
    this.kind = hand();
    this.complain("");
  }

  change(target) {
    if (target.type === "range") return; // its line says when
    this.touch();
    this.moves += 1;
    this.soon();
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.give(), PAUSE_MS);
  }

  // Hands the answer on if there is a new one; an unmoved slider that starts in the middle is one when the page is left.
  give() {
    clearTimeout(this.timer);
    if (!this.isComplete || !(this.isDirty || !("answered" in this.element.dataset))) return;
    if (this.lack) {
      this.complain(this.lack);
      return;
    }
    this.isDirty = false;
    this.element.dataset.answered = "";
    this.queue.add(this.position, this.fields(), this.where);
    this.store.delete(`draft.${this.position}`);
    const feedback = this.element.querySelector("[data-feedback]");
    if (feedback) feedback.hidden = false;
  }

  fields() {
    const given = read(this.element, this.position);
    const since = (moment) => Math.min(Math.max(0, Math.round(moment - this.shownAt)), WEEK_MS);
    given.set("response_ms", since(performance.now()));
    if (this.touchedAt !== null) given.set("first_touch_ms", since(this.touchedAt));
    given.set("moves", this.moves);
    given.set("input_kind", this.kind ?? "unknown");
    return given;
  }

  // Shows an answer that this browser holds and the server may not have yet.
  fill(given) {
    if (!given.has("position")) return;
    write(this.element, this.position, given);
    for (const line of this.lines) line.fill(line.number.value);
    this.part?.fill?.();
    this.element.dataset.answered = "";
  }

  // The server did not take it. Until it is changed the person stays here, unless nothing is taken any more.
  refuse({ sentence, isFinal }) {
    if (!isFinal) this.refusal = sentence;
    delete this.element.dataset.answered;
    this.complain(sentence);
  }

  // Ties the sentence to what can be put right: of several lines, to those that lack an answer.
  complain(sentence) {
    this.problem.textContent = sentence;
    this.problem.hidden = !sentence;
    this.element.toggleAttribute("data-lacks", sentence !== "");
    const open = this.lines.filter((line) => !line.isAnswered).map((line) => line.range);
    for (const control of this.controls) {
      const isMeant = sentence !== "" && (!open.length || open.includes(control));
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
