// What stands beside an item at expert pace: a flag, a comment, and the reasons to skip it.

import { judging } from "./judge.js";

const { root, queue } = judging;
const template = root.querySelector("template[data-note]");
const PAUSE_MS = 500;
const notes = new Map();

class Note {
  constructor(item, skip) {
    Object.assign(this, { item, timer: 0 });
    if (!("notes" in item.element.dataset)) return; // practice
    const element = template.content.firstElementChild.cloneNode(true);
    this.element = element;
    this.flagged = element.querySelector("[data-flag]");
    this.text = element.querySelector("textarea");
    const { flagged, comment } = item.element.dataset;
    const pending = new URLSearchParams(queue.pending(this.key) ?? queue.refusal(this.key)?.body ?? "");
    this.flagged.checked = pending.has("note") ? pending.has("is_flagged") : flagged !== undefined;
    this.text.value = pending.has("note") ? pending.get("comment") : comment ?? "";
    element.addEventListener("change", () => this.send());
    element.addEventListener("input", () => this.soon());
    window.addEventListener("pagehide", () => { if (this.timer) this.send(); });
    for (const button of element.querySelectorAll("[data-reason]")) {
      button.addEventListener("click", () => { element.open = false; skip(button.dataset.reason); });
    }
    item.element.after(element);
    this.mark();
  }

  // Beside the answers in the queue, which have plain positions.
  get key() {
    return `n${this.item.position}`;
  }

  get letters() {
    return `${this.flagged?.checked ? "f" : ""}${this.text?.value.trim() ? "c" : ""}`;
  }

  soon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.send(), PAUSE_MS);
  }

  send() {
    clearTimeout(this.timer);
    this.timer = 0;
    const fields = new URLSearchParams({ note: "1", comment: this.text.value.trim() });
    if (this.flagged.checked) fields.set("is_flagged", "1");
    this.mark();
    if (fields.toString() === this.sent) return;
    this.sent = fields.toString();
    queue.add(this.key, fields, { ...this.item.where, item: this.item.position });
  }

  mark() {
    if (!this.element) return;
    const { dataset } = root.querySelector("[data-expert]");
    const skipped = this.element.querySelector(`[data-reason="${this.item.element.dataset.skipped ?? ""}"] span`);
    const marks = [
      skipped && `${dataset.saySkipped}: ${skipped.textContent}`,
      this.flagged.checked && dataset.sayFlagged,
      this.text.value.trim() && dataset.sayCommented,
    ].filter(Boolean);
    this.element.querySelector("[data-marks]").textContent = marks.join(" · ");
    this.element.toggleAttribute("data-marked", marks.length > 0);
  }

  flag() {
    this.flagged?.click();
  }

  comment() {
    this.open(this.text);
  }

  choose() {
    this.open(this.element?.querySelector("[data-reason]"));
  }

  open(control) {
    if (!control) return;
    this.element.open = true;
    control.focus();
    this.element.scrollIntoView({ block: "nearest" });
  }
}

export function noteOf(item, { skip } = {}) {
  if (!notes.has(item.position)) notes.set(item.position, new Note(item, skip));
  return notes.get(item.position);
}
