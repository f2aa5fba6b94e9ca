// Brings the watch page up to date: parts that have changed are exchanged, where nobody is at work in them.
const root = document.querySelector("[data-refresh]");
const seconds = Number(root.dataset.refresh);
const shown = new Map(); // what the server last sent of each part, before scripts drew in it

function partsOf(page) {
  return new Map([...page.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]));
}

function sent(page) {
  return new Map([...partsOf(page)].map(([name, part]) => [name, part.innerHTML]));
}

// A part that holds the focus, or in which a table of numbers is open, waits until it doesn't.
function isInUse(part) {
  return part.contains(document.activeElement) || part.querySelector("details[open]") !== null;
}

async function fetched() {
  const answer = await fetch(window.location.href, { headers: { Accept: "text/html" } });
  if (!answer.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

function exchange(page) {
  const there = partsOf(root);
  for (const [name, html] of sent(page)) {
    const part = there.get(name);
    if (!part) {
      window.location.reload(); // a part that wasn't there before, such as the first figures
      return;
    }
    if (shown.get(name) === html || isInUse(part)) continue;
    part.innerHTML = html;
    shown.set(name, html);
    if (part.querySelector("[data-vega]")) document.dispatchEvent(new Event("figures:added"));
  }
  const [before, now] = [root, page].map((each) => each.querySelector("time"));
  before.textContent = now.textContent;
  before.dateTime = now.dateTime;
}

async function look() {
  try {
    if (!document.hidden) {
      const page = await fetched();
      if (page) exchange(page);
    }
  } catch {
    // The network or the server is away for a moment: look again later.
  }
  setTimeout(look, seconds * 1000);
}

async function start() {
  const page = await fetched().catch(() => null);
  if (page) for (const [name, html] of sent(page)) shown.set(name, html);
  root.querySelector("[data-with-script]").hidden = false;
  setTimeout(look, seconds * 1000);
}

start();
