// Labels put in order: each row is dragged by its handle, moves up and down by its buttons or by the arrow keys on its
// handle, or goes to the place that its list names.
// Its answer stands in the lists, as it does without script; so one is always sent like the other.

const EDGE_PX = 56; // so close to the edge of the screen a drag scrolls the page
const SCROLL_PX = 12;

class LabelOrder extends HTMLElement {
  connectedCallback() {
    if (this.list) return;
    this.list = this.querySelector("ol");
    this.addEventListener("click", (event) => this.click(event));
    this.addEventListener("change", (event) => this.choose(event));
    this.addEventListener("keydown", (event) => this.press(event));
    this.addEventListener("pointerdown", (event) => this.grab(event));
    this.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"]) this.addEventListener(end, () => this.drop());
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
    if (!button || "grip" in button.dataset) return;
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

  press(event) {
    const grip = event.target.closest("[data-grip]");
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!grip || !by || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const row = grip.closest("[data-row]");
    const to = this.rows.indexOf(row) + by;
    if (this.rows[to] && this.move(row, to)) this.tell();
  }

  grab(event) {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button > 0 || this.held) return;
    grip.setPointerCapture(event.pointerId);
    this.held = { row: grip.closest("[data-row]"), from: event.pageY, pointer: event.pointerId, hasMoved: false };
    this.held.row.dataset.held = "";
  }

  // The row that is held stays where it is in the list, or it would be let go; its neighbours go past it.
  drag(event) {
    if (event.pointerId !== this.held?.pointer) return;
    const { held } = this;
    if (event.clientY < EDGE_PX) scrollBy(0, -SCROLL_PX);
    else if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, SCROLL_PX);
    const by = event.clientY + scrollY - held.from;
    const { previousElementSibling: above, nextElementSibling: below } = held.row;
    const passed = (row) => row && Math.abs(by) > (row.offsetHeight + held.row.offsetHeight) / 4 + 4;
    const other = by < 0 ? above : below;
    if (passed(other)) {
      const before = held.row.offsetTop;
      if (by < 0) held.row.after(other);
      else held.row.before(other);
      held.from += held.row.offsetTop - before;
      held.hasMoved = true;
    }
    held.row.style.transform = `translateY(${event.clientY + scrollY - held.from}px)`;
  }

  drop() {
    if (!this.held) return;
    const { row, hasMoved } = this.held;
    this.held = null;
    delete row.dataset.held;
    row.style.transform = "";
    if (!hasMoved) return;
    this.settle();
    this.announce(row);
    this.tell();
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
    this.announce(row);
    return true;
  }

  announce(row) {
    const { rows } = this;
    const words = this.dataset.sayMoved.replace("{place}", rows.indexOf(row) + 1).replace("{total}", rows.length);
    this.querySelector("[data-announce]").textContent = words.replace("{label}", row.querySelector("[data-label]").textContent);
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
