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

export class Store {
  constructor(name) {
    this.prefix = `touchstone.${name}.`;
    this.kept = lasting();
    this.here = new Map();
  }

  set(key, value) {
    this.here.set(key, value);
    try {
      this.kept?.setItem(this.prefix + key, JSON.stringify(value));
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
        this.here.set(name.slice(this.prefix.length), JSON.parse(this.kept.getItem(name)));
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
