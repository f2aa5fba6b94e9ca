// Pages beyond those that travelled with the first one: fetched before anybody comes to them. Who comes to one that isn't
// here yet stays where they are until it is, and is told so if there is no network.

const NEAR = 60; // pages ahead that are to be here
const AT_ONCE = 60; // as judging.py sends them
const TIMEOUT_MS = 20000;
const WAITS_MS = [1000, 2000, 4000, 8000];
const CLOSED = [404, 410];

export class Ahead {
  constructor(stage, total, tell) {
    Object.assign(this, { stage, total, tell, wanted: 0, underWay: null, isStuck: false });
    stage.onMissing = (number, remember) => this.bring(number, remember);
    window.addEventListener("online", () => this.fetchNear());
    this.fetchNear();
  }

  // Another page is shown: whatever was waited for isn't any more.
  look() {
    this.wanted = 0;
    this.isStuck = false;
    this.fetchNear();
  }

  fetchNear() {
    const last = Math.min(this.stage.number + NEAR, this.total);
    for (let number = this.stage.number + 1; number <= last; number += 1) {
      if (this.stage.has(number)) continue;
      this.load(number);
      return;
    }
  }

  async bring(number, remember) {
    this.stage.isHeld = true;
    if (this.wanted === number) return;
    this.wanted = number;
    const first = this.stage.has(number + 1) ? Math.max(1, number - AT_ONCE + 1) : number;
    for (let tries = 0; !this.stage.has(number); tries += 1) {
      if (tries) await this.pause(WAITS_MS[Math.min(tries, WAITS_MS.length) - 1]);
      const status = this.wanted === number && !this.stage.has(number) ? await this.load(first) : 0;
      if (this.wanted !== number) return;
      if (CLOSED.includes(status)) {
        window.location.assign(`${this.stage.root.dataset.base}${number}/`); // which says why
        return;
      }
      this.isStuck = !this.stage.has(number);
      if (this.isStuck) this.tell("waiting");
    }
    this.stage.turn(number, { remember });
    this.tell("");
  }

  pause(ms) {
    return new Promise((resolve) => {
      setTimeout(resolve, ms);
      window.addEventListener("online", resolve, { once: true });
    });
  }

  // One at a time. The server's status, or 0 for none.
  async load(first) {
    await this.underWay;
    this.underWay = this.fetch(first);
    return this.underWay;
  }

  async fetch(first) {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await fetch(`${this.stage.root.dataset.base}pages/${first}/`, { credentials: "same-origin", signal });
      const holder = document.createElement("template");
      if (response.ok && !response.redirected) holder.innerHTML = await response.text();
      for (const page of holder.content.querySelectorAll("template[data-page]")) {
        const number = Number(page.dataset.page);
        if (!this.stage.has(number)) this.stage.pages.set(number, page.content);
      }
      return response.status;
    } catch {
      return 0;
    }
  }
}
