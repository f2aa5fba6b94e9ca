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
    this.range.addEventListener("pointerup", () => { if (this.gesture?.isDrag) this.settle(); });
    // A finger that came down here only to scroll the page has not answered.
    this.range.addEventListener("pointercancel", () => { if (this.gesture) this.state = this.gesture.before; });
    this.range.addEventListener("input", () => this.place());
    this.range.addEventListener("change", () => this.settle());
    this.range.addEventListener("click", (event) => this.tap(event));
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

  tap(event) {
    this.gesture?.tapAt(event);
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
