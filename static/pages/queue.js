// Answers on their way to the server: kept until it says that it has them, sent one by one, again and again.

import { uuid } from "./store.js";

const WAITS_MS = [1000, 2000, 4000, 8000, 15000, 30000];
const TIMEOUT_MS = 20000;
const CLOSED = [404, 410]; // whatever the answer says: nothing is taken any more

export class Queue {
  // `hear` is told what a saved answer was replied with: the last page has no item that would show it.
  constructor({ address, store, tell, hear = () => {} }) {
    Object.assign(this, { address, store, tell, hear, failures: 0, sending: null, timer: 0, waiters: [], why: "waiting", added: null });
    store.load();
    window.addEventListener("online", () => this.flush());
  }

  get entries() {
    return [...this.store.here.entries()].filter(([key]) => key.startsWith("answer.")).sort((a, b) => a[1].at - b[1].at);
  }

  // The newest answer to this question that the server may not have.
  pending(position) {
    return this.entries.filter(([, entry]) => entry.position === position).at(-1)?.[1].body;
  }

  // What the server did not take, with its sentence: kept until there is another answer to that question.
  get refused() {
    return [...this.store.here.entries()].filter(([key]) => key.startsWith("refused.")).map(([, entry]) => entry)
      .sort((a, b) => a.position - b.position);
  }

  refusal(position) {
    return this.store.get(`refused.${position}`);
  }

  // `where` says how messages call the question, and the number of its page; of what is no answer also its item.
  add(position, fields, where = {}) {
    const id = uuid();
    fields.set("position", where.item ?? position);
    fields.set("key", id);
    Queue.sign?.(position, fields); // signs.js, where it is loaded
    this.store.load(); // another tab's older answer to the same question must not arrive after this one
    for (const [key, entry] of this.entries) {
      if (entry.position === position && key !== this.sending) this.store.delete(key);
    }
    this.store.delete(`refused.${position}`);
    this.store.set(`answer.${id}`, { position, body: fields.toString(), at: Date.now(), ...where });
    this.added?.(position);
    this.flush();
  }

  // Resolves once nothing is left to send and there is a network: without one, going on would end on the browser's own
  // error page.
  whenEmpty() {
    return new Promise((resolve) => {
      this.waiters.push(resolve);
      this.flush();
    });
  }

  async flush() {
    if (this.sending) return;
    clearTimeout(this.timer);
    const [next] = this.entries;
    if (!next) {
      await this.letGo();
      return;
    }
    const [key, entry] = next;
    this.sending = key;
    if (!this.failures) this.tell("saving", entry.position);
    const reply = await this.send(entry);
    this.sending = null;
    if (reply === null) {
      this.tell(this.why, entry.position);
      this.timer = setTimeout(() => this.flush(), WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)]);
      this.failures += 1;
      return;
    }
    this.failures = 0;
    this.store.delete(key);
    if (reply.saved && !this.pending(entry.position)) this.hear(entry.position, reply.feedback);
    if (!reply.saved) this.refuse(entry, reply);
    else if (!this.entries.length) this.tell("saved", entry.position);
    this.flush();
  }

  // Of several questions, `field` says which: messages call it by its own words.
  refuse(entry, { sentence, status, field }) {
    if (this.pending(entry.position)) return; // changed meanwhile: that answer is judged by itself
    const isFinal = CLOSED.includes(status);
    const called = entry.names?.[/^q(\d+)-/.exec(field ?? "")?.[1]] ?? entry.called;
    this.store.set(`refused.${entry.position}`, { ...entry, called, field, sentence, isFinal });
    this.tell("refused", entry.position);
  }

  // Lets go who waited for the last answer.
  async letGo() {
    if (!this.waiters.length) return;
    if (!(await this.isReachable())) {
      this.tell("waiting");
      this.timer = setTimeout(() => this.flush(), WAITS_MS[Math.min(this.failures, WAITS_MS.length - 1)]);
      this.failures += 1;
    } else if (!this.entries.length) {
      this.failures = 0;
      this.waiters.splice(0).forEach((resolve) => resolve());
    }
  }

  // A browser that says there is no network may be wrong; whatever the server replies, it is there.
  async isReachable() {
    if (navigator.onLine) return true;
    try {
      await fetch(this.address, { method: "HEAD", credentials: "omit", signal: AbortSignal.timeout(TIMEOUT_MS) });
      return true;
    } catch {
      return false;
    }
  }

  // The server's word on it, or null where it should be asked again: no network, or a server that is out of order.
  // `why` is for the person: whether it is the connection, or the site that takes nothing for a while.
  async send(entry, options = {}) {
    try {
      const response = await fetch(this.address, {
        method: "POST",
        body: new URLSearchParams(entry.body),
        headers: { "Accept-Language": document.documentElement.lang },
        credentials: "omit",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        ...options,
      });
      this.why = response.status === 503 ? "paused" : "waiting";
      if (response.status >= 500 || response.status === 429 || response.redirected) return null;
      return { ...(await response.json()), status: response.status };
    } catch {
      this.why = "waiting";
      return null;
    }
  }

  // The page is going away: what is left goes out now, and stays kept here in case it doesn't arrive.
  sendAllAtOnce() {
    for (const [, entry] of this.entries) this.send(entry, { keepalive: true, signal: undefined });
  }
}
