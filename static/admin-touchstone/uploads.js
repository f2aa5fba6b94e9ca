// More files than one request takes are sent part by part; after a break the same files go on where they stopped.

const MOST_AT_ONCE = 50_000_000;
const MOST_FILES = 300;
const WAITS_MS = [1000, 2000, 4000, 8000, 15000, 30000];
const form = document.querySelector("[data-items]");
const card = form.querySelector("[data-parts]");
const words = card.querySelector("[data-words]");
const bar = card.querySelector("progress");
const [go, drop] = [card.querySelector("[data-go]"), card.querySelector("[data-drop]")];
const address = card.dataset.address;
const token = form.elements.csrfmiddlewaretoken.value;
let isUnderWay = false;

const chosen = () => [...form.elements.file.files, ...form.elements.pictures.files];

export function isForParts() {
  const files = chosen();
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const is = form.elements.file.files.length === 1 && (files.length > MOST_FILES || bytes > MOST_AT_ONCE);
  if (!isUnderWay) card.hidden = !is;
  if (is && !isUnderWay) {
    words.textContent = `${files.length.toLocaleString("en")} files, ${Math.ceil(bytes / 1e6).toLocaleString("en")} MB, are sent in parts. You can close this page and go on later with the same files.`;
    bar.hidden = true;
  }
  return is;
}

class Refusal extends Error {}

// Asks until there is an answer: a lost network or a site that starts anew is no reason to stop.
async function ask(query, body) {
  for (let tries = 0; ; tries += 1) {
    try {
      const answer = await fetch(`${address}?${new URLSearchParams(query)}`, {
        method: "POST",
        body,
        headers: { "X-CSRFToken": token, "Content-Type": "application/octet-stream" },
        redirect: "error",
      });
      if (answer.status === 422) throw new Refusal((await answer.json()).reasons.join(" "));
      if (answer.ok) return await answer.json();
      if (answer.status < 500 && answer.status !== 429) throw new Refusal("You are not signed in any more, or may not change this study: reload the page.");
    } catch (error) {
      if (error instanceof Refusal) throw error;
    }
    words.textContent = "No connection at the moment. What has come is kept, and the rest goes on by itself.";
    await new Promise((resolve) => { setTimeout(resolve, WAITS_MS[Math.min(tries, WAITS_MS.length - 1)]); });
  }
}

async function send() {
  const files = chosen();
  const list = files.map(({ name, size, lastModified }) => ({ name, size, modified: lastModified }));
  const { stored, part_bytes: partBytes } = await ask({ do: "begin" }, JSON.stringify(list));
  const parts = files.map(({ size }) => Math.max(1, Math.ceil(size / partBytes)));
  bar.hidden = false;
  bar.max = parts.reduce((a, b) => a + b, 0);
  bar.value = stored.reduce((a, b) => a + b, 0);
  for (const [file, count] of parts.entries()) {
    for (let part = stored[file]; part < count; part += 1) {
      await ask({ do: "part", file, part }, files[file].slice(part * partBytes, (part + 1) * partBytes));
      bar.value += 1;
      words.textContent = `${file + 1} of ${files.length.toLocaleString("en")} files: ${files[file].name}`;
    }
  }
  window.location.assign((await ask({ do: "queue" })).address);
}

async function attempt(work) {
  isUnderWay = true;
  go.disabled = true;
  try {
    await work();
  } catch (error) {
    words.textContent = error.message;
    drop.hidden = false;
  }
  isUnderWay = false;
  go.disabled = false;
}

go.addEventListener("click", () => attempt(send));
drop.addEventListener("click", () => attempt(async () => {
  await ask({ do: "drop" });
  drop.hidden = true;
  words.textContent = "The unfinished upload was dropped.";
}));
