// The pages of an assignment: they travel with the first one, or are fetched ahead, and turning them needs no network.

export class Stage {
  constructor(root, onShow) {
    this.root = root;
    this.place = root.querySelector("[data-stage]");
    this.onShow = onShow;
    this.pages = new Map();
    this.isHeld = false; // a page was asked for that isn't here yet (ahead.js)
    this.onMissing = (number) => window.location.assign(`${root.dataset.base}${number}/`);
    for (const template of root.querySelectorAll("template[data-page]")) {
      this.pages.set(Number(template.dataset.page), template.content);
    }
    this.number = Number(this.form.dataset.number);
    window.addEventListener("popstate", () => this.comeBack());
  }

  get form() {
    return this.place.querySelector("form");
  }

  has(number) {
    return this.pages.has(number) || number === this.number;
  }

  // Leaves this page as it is, to be found so again, and shows another.
  turn(number, { remember = true } = {}) {
    if (number === this.number) return;
    if (!this.pages.has(number)) {
      this.onMissing(number, remember);
      return;
    }
    const deadline = this.form.querySelector("[data-deadline]");
    const left = document.createDocumentFragment();
    left.append(...this.place.childNodes);
    this.pages.set(this.number, left);
    this.place.append(this.pages.get(number));
    this.pages.delete(number);
    this.number = number;
    this.isHeld = false;
    if (deadline) this.form.querySelector(".progress").append(deadline);
    if (remember) window.history.pushState(null, "", `${this.root.dataset.base}${number}/`);
    document.title = this.form.dataset.title;
    this.onShow(this.form);
    window.scrollTo(0, 0);
    this.form.querySelector(".stimulus, .question").focus({ preventScroll: true });
  }

  comeBack() {
    const number = Number(window.location.pathname.match(/(\d+)\/$/)?.[1]);
    if (number && number !== this.number) this.turn(number, { remember: false });
  }
}
