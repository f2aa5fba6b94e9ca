// A place in the browser for what is not at the server yet. In frames and private windows the browser may refuse one:
// then it lasts as long as the page does.

function lasting() {
  try {
    const store = window.localStorage;
    store.setItem("touchstone", "1");
    store.removeItem("touchstone");
    return store;
  } catch {
    return null;
  }
}

const ALL = "touchstone.";

function keys(store) {
  return Array.from({ length: store?.length ?? 0 }, (_, i) => store.key(i)).filter((key) => key.startsWith(ALL));
}

// On a device that several people use nobody's words stay behind: not of assignments that have ended, and not of those
// whose person never came back and from whom nothing is taken any more.
export function forget(names) {
  const kept = lasting();
  const isTheirs = (key) => names.some((name) => key.startsWith(`${ALL}${name}.`));
  for (const key of keys(kept).filter((one) => isTheirs(one) || isStale(kept.getItem(one)))) kept.removeItem(key);
}

function isStale(text) {
  try {
    return JSON.parse(text).until < Date.now();
  } catch {
    return false;
  }
}

export class Store {
  // `until`: the moment from which on what is put here is of no use.
  constructor(name, until = null) {
    this.prefix = `${ALL}${name}.`;
    this.until = until;
    this.kept = lasting();
    this.here = new Map();
  }

  set(key, value) {
    this.here.set(key, value);
    try {
      this.kept?.setItem(this.prefix + key, JSON.stringify(this.until === null ? value : { until: this.until, value }));
    } catch {
      this.kept = null; // full: go on from memory
    }
  }

  get(key) {
    return this.here.get(key);
  }

  delete(key) {
    this.here.delete(key);
    this.kept?.removeItem(this.prefix + key);
  }

  // What other tabs and earlier visits left, and what this page has put here.
  load() {
    for (let i = 0; i < (this.kept?.length ?? 0); i += 1) {
      const name = this.kept.key(i);
      if (!name.startsWith(this.prefix)) continue;
      try {
        const kept = JSON.parse(this.kept.getItem(name));
        this.here.set(name.slice(this.prefix.length), kept?.until === undefined ? kept : kept.value);
      } catch {
        // Not ours, or cut short: leave it alone.
      }
    }
    return this.here;
  }
}

// crypto.randomUUID is missing on pages without TLS; getRandomValues is not.
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
