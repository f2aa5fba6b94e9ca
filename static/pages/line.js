// One slider: no thumb until it is first touched, touching it where it lies is an answer, and so is any key that moves it.

import { hand } from "./hand.js";

const KEYS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

export class Line {
  constructor(element, { say, onTouch, onSettle }) {
    this.range = element.querySelector("input[type=range]");
    this.number = element.querySelector(".plain input");
    this.shows = element.querySelector("[data-shows]");
    Object.assign(this, { say, onTouch, onSettle, before: null });
    if (this.isUntouched && this.range.value !== this.range.defaultValue) this.place(); // moved before we were here
    this.describe();
    this.range.addEventListener("pointerdown", () => { this.before = [this.number.value, this.range.value, this.isUntouched]; });
    // A finger that came down here only to scroll the page has not answered.
    this.range.addEventListener("pointercancel", () => this.takeBack());
    this.range.addEventListener("input", () => this.place());
    this.range.addEventListener("change", () => this.settle());
    this.range.addEventListener("click", () => this.touchWhereItLies());
    this.range.addEventListener("keydown", (event) => this.key(event));
  }

  get isUntouched() {
    return this.range.hasAttribute("data-untouched");
  }

  get isAnswered() {
    return !this.isUntouched;
  }

  place() {
    this.range.removeAttribute("data-untouched");
    this.number.value = this.range.value;
    this.describe();
    this.onTouch(hand());
  }

  settle() {
    if (this.number.value === "") return;
    this.onSettle();
  }

  touchWhereItLies() {
    if (this.number.value !== "") return; // the browser has moved it, and has said so
    this.place();
    this.settle();
  }

  takeBack() {
    if (!this.before) return;
    const [number, value, wasUntouched] = this.before;
    this.range.toggleAttribute("data-untouched", wasUntouched);
    this.number.value = number;
    this.range.value = value;
    this.describe();
  }

  key(event) {
    if (event.key === " ") {
      event.preventDefault();
      this.touchWhereItLies();
    } else if (KEYS.has(event.key)) {
      this.before = null;
    }
  }

  fill(value) {
    this.number.value = value;
    if (value === "") return;
    this.range.value = value;
    this.range.removeAttribute("data-untouched");
    this.describe();
  }

  describe() {
    const { min, max, value, dataset } = this.range;
    const share = Math.round(((value - min) / (max - min)) * 100);
    const words = this.say.value.replace("{share}", share).replace("{low}", dataset.low).replace("{high}", dataset.high);
    this.range.setAttribute("aria-valuetext", this.isUntouched ? this.say.untouched : words);
    if (this.shows) this.shows.value = this.number.value;
  }
}
