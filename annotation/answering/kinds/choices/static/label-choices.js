// A set of labels, within the study's limits: a label that stands alone takes the others' ticks away, as they take its
// own, and no more can be ticked than an answer may have. The server decides the same without script.

class LabelChoices extends HTMLElement {
  connectedCallback() {
    if (this.listens) return;
    this.listens = true;
    this.addEventListener("click", (event) => this.refuse(event), true);
    this.addEventListener("change", (event) => this.settle(event.target), true); // before the question counts it
    this.limit();
  }

  get ticked() {
    return [...this.querySelectorAll("input:checked")];
  }

  get isAlone() {
    return this.ticked.some((input) => "exclusive" in input.dataset);
  }

  get isFull() {
    return !this.isAlone && this.ticked.length >= Number(this.dataset.most ?? Infinity);
  }

  get isAnswered() {
    const { length } = this.ticked;
    return length > 0 && (this.isAlone || length >= Number(this.dataset.fewest ?? 1));
  }

  // Why the person can't go on: too few are ticked.
  get lack() {
    return this.ticked.length ? this.dataset.howMany : "";
  }

  fill() {
    this.limit();
  }

  // One more than may be chosen: the tick doesn't come.
  refuse(event) {
    const input = event.target;
    if (input.getAttribute?.("aria-disabled") === "true" && input.checked) event.preventDefault();
  }

  settle(input) {
    if (input.type !== "checkbox") return;
    for (const other of input.checked ? this.ticked : []) {
      if (other !== input && ("exclusive" in other.dataset || "exclusive" in input.dataset)) other.checked = false;
    }
    this.limit();
  }

  limit() {
    for (const input of this.querySelectorAll("[data-offered] input")) {
      const isBarred = this.isFull && !input.checked && !("exclusive" in input.dataset);
      if (isBarred) input.setAttribute("aria-disabled", "true");
      else input.removeAttribute("aria-disabled");
    }
  }
}

customElements.define("label-choices", LabelChoices);
