// Labels put in order: each row moves up and down by its buttons, or to the place that its list names.
// Its answer stands in the lists, as it does without script; so one is always sent like the other.

class LabelOrder extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.list = this.querySelector("ol");
    this.addEventListener("click", (event) => this.click(event));
    this.addEventListener("change", (event) => this.choose(event));
    this.fill(); // chosen before we were here, or answered earlier
    this.limit();
  }

  get rows() {
    return [...this.list.querySelectorAll("[data-row]")];
  }

  get isAnswered() {
    return "answered" in this.dataset;
  }

  // Where a person goes on who left the question out.
  get firstOpen() {
    return this.list.querySelector("select");
  }

  // Takes over places that were written into the lists, if they are an order.
  fill() {
    const placed = this.rows.map((row) => [Number(row.querySelector("select").value), row]).sort(([a], [b]) => a - b);
    if (placed.some(([place], at) => place !== at + 1)) return;
    this.list.append(...placed.map(([, row]) => row));
    this.settle();
  }

  click(event) {
    const button = event.target.closest("button");
    if (!button) return;
    if ("keep" in button.dataset) {
      this.settle();
      this.firstOpen.focus();
      this.tell();
      return;
    }
    if (button.getAttribute("aria-disabled") === "true") return;
    const row = button.closest("[data-row]");
    if (this.move(row, this.rows.indexOf(row) + Number(button.dataset.move))) this.tell();
  }

  // The list's own event goes on to the question, which counts it.
  choose(event) {
    if (event.target === this) return;
    if (event.target.value === "") {
      event.stopPropagation();
      this.number();
      return;
    }
    this.move(event.target.closest("[data-row]"), Number(event.target.value) - 1);
  }

  move(row, to) {
    const { activeElement } = document;
    const rows = this.rows.filter((other) => other !== row);
    rows.splice(to, 0, row);
    this.list.append(...rows);
    if (this.contains(activeElement)) activeElement.focus(); // a row that moves loses it
    this.settle();
    const words = this.dataset.sayMoved.replace("{place}", to + 1).replace("{total}", rows.length);
    this.querySelector("[data-announce]").textContent = words.replace("{label}", row.querySelector("[data-label]").textContent);
    return true;
  }

  // From now on the order is the person's own: every row has its number.
  settle() {
    this.dataset.answered = "";
    this.number();
    this.limit();
  }

  number() {
    this.rows.forEach((row, at) => { row.querySelector("select").value = this.isAnswered ? String(at + 1) : ""; });
  }

  // Says which rows can't go further.
  limit() {
    const { rows } = this;
    rows.forEach((row, at) => {
      row.querySelector("[data-move='-1']").setAttribute("aria-disabled", String(at === 0));
      row.querySelector("[data-move='1']").setAttribute("aria-disabled", String(at === rows.length - 1));
    });
  }

  tell() {
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

customElements.define("label-order", LabelOrder);
