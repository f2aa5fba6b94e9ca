// One slider: no thumb until it is first touched, touching it where it lies is an answer, and so is any key that moves it.

import { Gesture } from "./gesture.js";
import { hand } from "./hand.js";

const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

export class Line {
  constructor(element, { say, onTouch, onSettle }) {
    this.range = element.querySelector("input[type=range]");
    this.number = element.querySelector(".plain input");
    this.shows = element.querySelector("[data-shows]");
    Object.assign(this, { say, onTouch, onSettle, gesture: null });
    if (this.isUntouched && this.range.value !== this.range.defaultValue) this.place(); // moved before we were here
    this.describe();
    this.range.addEventListener("pointerdown", (event) => { this.gesture = new Gesture(this.range, event, this.state); });
    this.range.addEventListener("pointermove", (event) => { if (this.gesture?.moveTo(event)) this.place(); });
    this.range.addEventListener("pointerup", (event) => this.lift(event));
    this.range.addEventListener("pointercancel", () => this.revert());
    this.range.addEventListener("input", () => this.place());
    this.range.addEventListener("change", () => this.settle());
    this.range.addEventListener("click", () => this.click());
    this.range.addEventListener("keydown", (event) => this.key(event));
  }

  get isUntouched() {
    return this.range.hasAttribute("data-untouched");
  }

  get isAnswered() {
    return !this.isUntouched;
  }

  get state() {
    return { number: this.number.value, value: this.range.value, isUntouched: this.isUntouched };
  }

  set state({ number, value, isUntouched }) {
    this.range.toggleAttribute("data-untouched", isUntouched);
    this.number.value = number;
    this.range.value = value;
    this.describe();
  }

  place() {
    this.range.removeAttribute("data-untouched");
    this.number.value = this.range.value;
    this.describe();
    this.onTouch(hand());
  }

  // One gesture is one move, however many events the browser makes of it.
  settle() {
    if (this.number.value === "" || this.gesture?.isSettled) return;
    if (this.gesture) this.gesture.isSettled = true;
    this.onSettle();
  }

  // A finger or a pen leaves the line: where it tapped or dragged to is the answer, whatever the browser makes of it.
  lift(event) {
    if (!this.gesture?.isFinger) return;
    if (this.gesture.isAcross(event)) {
      this.revert();
      return;
    }
    this.gesture.tapAt(event);
    this.place();
    this.settle();
  }

  // A finger that came down here only to scroll the page has not answered.
  revert() {
    if (!this.gesture) return;
    this.state = this.gesture.before;
    this.gesture = null;
  }

  // A mouse where the thumb lies, or a screen reader's double tap, which brings no pointer.
  click() {
    this.place();
    this.settle();
  }

  key(event) {
    if (event.key !== " " && !KEYS.has(event.key)) return;
    this.gesture = null;
    if (event.key !== " ") return;
    event.preventDefault();
    this.place();
    this.settle();
  }

  fill(value) {
    if (value !== "") this.state = { number: value, value, isUntouched: false };
  }

  describe() {
    const { min, max, value, dataset } = this.range;
    const share = Math.round(((value - min) / (max - min)) * 100);
    const words = this.say.value.replace("{share}", share).replace("{low}", dataset.low).replace("{high}", dataset.high);
    this.range.setAttribute("aria-valuetext", this.isUntouched ? this.say.untouched : words);
    if (this.shows) this.shows.value = this.number.value;
  }
}
