// Signs that a person answered: counts and durations beside each answer, and never what was read or written. Loaded only
// where the study counts them and the person agreed; agreement/kinds/signs.py says what each means.

import { Queue } from "./queue.js";

const LONG_PASTE = 100; // characters; as agreement/kinds/signs.py has it
const MOST = 1_000_000;
const WEEK_MS = 7 * 24 * 3600 * 1000;
const NEAR_PX = 3;
const BY_NOBODY = ["click", "pointerdown", "mousedown", "keydown", "input"];

const counts = new Map(); // by the item's position on the person's list
const copiedLengths = new Set(); // of what was copied on this page: pasting it again is no sign
let lastUsed = null; // the item that was last pressed, focused or written in
let copiedFrom = null;
let hiddenSince = null;
let pointerAt = null;
let isOwnEvent = false; // keys.js clicks for a key that was pressed

// An item that is left behind with its page is no longer in the document.
function here() {
  const item = lastUsed?.isConnected ? lastUsed : document.querySelector("[data-stage] [data-item]");
  return of(Number(item?.dataset.item));
}

function of(position) {
  if (!counts.has(position)) {
    counts.set(position, {
      hidden_ms: 0, copied_and_left: 0, long_pastes: 0, pasted_characters: 0, clicks: 0, unmoved_clicks: 0, untrusted_events: 0,
    });
  }
  return counts.get(position);
}

function listen(names, hear) {
  for (const name of names) window.addEventListener(name, hear, { capture: true, passive: true });
}

const place = ({ clientX, clientY }) => ({ x: clientX, y: clientY });
const isFar = (one, other) => Math.abs(one.x - other.x) > NEAR_PX || Math.abs(one.y - other.y) > NEAR_PX;

function lengthOfSelection({ target }) {
  if (target?.selectionStart !== undefined) return target.selectionEnd - target.selectionStart;
  return String(document.getSelection()).length;
}

function leave() {
  if (copiedFrom) copiedFrom.copied_and_left += 1;
  copiedFrom = null;
}

listen(["pointerdown", "focusin", "input"], ({ target }) => {
  lastUsed = target.closest?.("[data-stage] [data-item]") ?? lastUsed;
});

document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    leave();
    hiddenSince = performance.now();
  } else if (hiddenSince !== null) {
    here().hidden_ms += Math.round(performance.now() - hiddenSince);
    hiddenSince = null;
  }
});
window.addEventListener("blur", leave);

// What a person copies of their own writing is none of the item's text.
listen(["copy", "cut"], (event) => {
  if (!event.isTrusted) return;
  copiedLengths.add(lengthOfSelection(event));
  const { target } = event;
  if (target.closest?.("[data-stage]") && !target.closest("textarea, input")) copiedFrom = here();
});
listen(["paste"], (event) => {
  const { length } = event.clipboardData?.getData("text") ?? "";
  if (!event.isTrusted || length < LONG_PASTE || copiedLengths.has(length)) return;
  here().long_pastes += 1;
  here().pasted_characters += length;
});

// Fingers, pens and keys move no pointer on their way, and software for accessibility presses without one.
listen(["pointermove"], (event) => {
  if (event.isTrusted && event.pointerType === "mouse") pointerAt = place(event);
});
listen(["pointerdown"], (event) => {
  if (!event.isTrusted || event.pointerType !== "mouse") return;
  here().clicks += 1;
  if (pointerAt && isFar(place(event), pointerAt)) here().unmoved_clicks += 1;
  pointerAt = place(event);
});

listen(["keydown"], (event) => {
  if (!event.isTrusted) return;
  isOwnEvent = true;
  setTimeout(() => { isOwnEvent = false; });
});
listen(BY_NOBODY, (event) => {
  if (!event.isTrusted && !isOwnEvent) here().untrusted_events += 1;
});

const limited = (number, most) => Math.min(number, most);

Queue.sign = (position, fields) => {
  const counted = of(position);
  const pastes = limited(counted.long_pastes, MOST / LONG_PASTE);
  const clicks = limited(counted.clicks, MOST);
  const sent = {
    ...counted,
    hidden_ms: limited(counted.hidden_ms, WEEK_MS),
    copied_and_left: limited(counted.copied_and_left, MOST),
    long_pastes: pastes,
    pasted_characters: limited(counted.pasted_characters, MOST),
    clicks,
    unmoved_clicks: limited(counted.unmoved_clicks, clicks),
    untrusted_events: limited(counted.untrusted_events, MOST),
    webdriver: Number(navigator.webdriver === true),
  };
  for (const [name, number] of Object.entries(sent)) fields.set(`sign_${name}`, number);
};
