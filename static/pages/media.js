// Pictures, sounds and videos: an answer waits until they are there, and played to the end where the study wants that.

const AHEAD = 3;
const SOON_MS = 300; // what is there sooner needs no words
const ALL_BUT = 0.95; // of its duration: a browser leaves out fractions of seconds
const root = document.querySelector("[data-judging]");
const waitings = new Map();

class Medium {
  constructor(figure, field, onChange) {
    Object.assign(this, { figure, field, onChange });
    this.column = figure.dataset.column;
    this.element = figure.querySelector("img, audio, video");
    this.sorry = figure.querySelector("figcaption");
    const [, started, ended] = (field?.value || "::").split(":").map(Number);
    Object.assign(this, { started: started || 0, ended: ended || 0, isAtBeginning: true, isOver: false });
    for (const kind of ["load", "loadedmetadata", "error"]) this.element.addEventListener(kind, () => this.look());
    this.sorry.querySelector("[data-again]").addEventListener("click", () => this.fetchAgain());
    if (!this.isPicture) this.listen();
    this.look();
  }

  get isPicture() {
    return this.element.tagName === "IMG";
  }

  get isThere() {
    return this.isPicture ? this.element.complete && this.element.naturalWidth > 0 : this.element.readyState > 0;
  }

  get isLost() {
    return this.isPicture ? this.element.complete && this.element.naturalWidth === 0 : this.element.error !== null;
  }

  get isToBePlayed() {
    return "mustPlay" in this.figure.dataset && !this.ended;
  }

  fetchAgain() {
    if (this.isPicture) this.element.src = this.element.getAttribute("src");
    else this.element.load();
  }

  look() {
    this.sorry.hidden = !this.isLost;
    this.onChange();
  }

  listen() {
    this.tell();
    this.element.addEventListener("play", () => {
      for (const other of document.querySelectorAll("audio, video")) if (other !== this.element) other.pause();
      if (this.isAtBeginning || this.element.currentTime < 0.5) this.started += 1;
      Object.assign(this, { isAtBeginning: false, isOver: false });
      this.tell();
    });
    for (const kind of ["ended", "pause"]) this.element.addEventListener(kind, () => this.end());
  }

  // Who drags the handle to the end has not played it.
  end() {
    const { ended } = this.element;
    this.isAtBeginning ||= ended;
    if (this.isOver || !(ended || !this.ended) || this.heardSeconds < this.seconds * ALL_BUT) return;
    this.isOver = true;
    this.ended += 1;
    this.tell();
    this.onChange();
  }

  get heardSeconds() {
    const { played } = this.element;
    return Array.from({ length: played.length }, (_, at) => played.end(at) - played.start(at)).reduce((a, b) => a + b, 0);
  }

  get seconds() {
    const { duration } = this.element;
    return Number.isFinite(duration) ? duration : Number(this.figure.dataset.duration) / 1000;
  }

  tell() {
    this.field.value = `${this.column}:${this.started}:${this.ended}`;
  }
}

// One item, whose answers are held back until all of its media are there.
class Waiting {
  constructor(item) {
    Object.assign(this, { item, begun: performance.now(), isReady: false, media: [] });
    this.answers = item.element.querySelector("[data-answers]");
    this.words = item.element.querySelector("[data-waits]");
    const figures = (item.element.closest(".beside") ?? item.element).querySelectorAll("[data-medium]");
    this.media = [...figures].map((figure) => new Medium(figure, this.fieldOf(figure), () => this.look()));
    item.unseen?.addEventListener("change", () => this.look());
    this.look();
    setTimeout(() => this.say(), SOON_MS);
  }

  fieldOf(figure) {
    return this.item.element.querySelector(`input[data-plays="${figure.dataset.column}"]`);
  }

  get sentence() {
    if (this.item.unseen?.checked) return "";
    if (this.media.some((medium) => !medium.isThere)) return root.dataset.sayLoading;
    return this.media.some((medium) => medium.isToBePlayed) ? root.dataset.sayPlay : "";
  }

  look() {
    if (!this.media.length) return;
    const { sentence } = this;
    for (const question of this.item.questions) {
      if (question.waits && question.problem.textContent === question.waits) question.complain("");
      question.waits = sentence;
    }
    this.answers.inert = sentence !== "";
    if (!sentence && !this.isReady) this.begin();
    if (this.words.textContent || performance.now() - this.begun > SOON_MS) this.say();
  }

  say() {
    this.words.textContent = this.sentence;
  }

  // Times run from the moment at which all could be seen and heard.
  begin() {
    this.isReady = true;
    for (const question of this.item.questions) if (question.touchedAt === null) question.shownAt = performance.now();
  }
}

function fetchAhead(stage) {
  for (let number = stage.number + 1; number <= stage.number + AHEAD; number += 1) {
    for (const picture of stage.pages.get(number)?.querySelectorAll("[data-picture]") ?? []) {
      const small = picture.closest("picture").querySelector("source");
      new Image().src = window.matchMedia(small.media).matches ? small.srcset : picture.getAttribute("src");
    }
  }
}

root.addEventListener("begin", ({ detail: { form, items, stage } }) => {
  for (const element of form.querySelectorAll("[data-item]")) {
    const item = items.get(Number(element.dataset.item));
    if (element.querySelector("[data-waits]") && !waitings.has(item)) waitings.set(item, new Waiting(item));
  }
  fetchAhead(stage);
});
