// Shows what was understood of items while they are pasted, dropped or chosen: the server reads them and stores nothing.
const form = document.querySelector("[data-items]");
const looked = form.querySelector("[data-looked]");
const look = form.querySelector("[data-look]");
const [box, file, pictures] = ["items", "file", "pictures"].map((name) => form.elements[name]);
const WAIT = 500;
const TABLES = /\.(csv|tsv|txt|jsonl|ndjson|json|xlsx|xls|parquet)$/i;
let timer = 0;
let asked = 0;

async function preview() {
  asked += 1;
  const mine = asked;
  if (!box.value.trim() && !file.files.length) {
    looked.replaceChildren();
    return;
  }
  const sent = new FormData(form);
  sent.set("do", "look");
  sent.set("live", "1");
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent, redirect: "error" });
    const text = await answer.text();
    if (mine !== asked || !answer.ok) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const seen = page.querySelectorAll("[data-looked] > *");
    looked.replaceChildren(...(seen.length ? seen : page.querySelectorAll(".t-refusal, .t-field-wrong .t-error")));
    look.classList.toggle("t-primary", !looked.querySelector(".t-primary"));
  } catch {
    // The network is away for a moment: the button does the same.
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
}

// Files that are dropped go where they belong: a table into the field of the file, all others to the pictures.
function take(dropped) {
  const [tables, others] = [new DataTransfer(), new DataTransfer()];
  for (const each of dropped) (TABLES.test(each.name) ? tables : others).items.add(each);
  if (tables.files.length) file.files = tables.files;
  if (others.files.length) pictures.files = others.files;
  later();
}

form.addEventListener("input", (event) => {
  if (event.target === box) later();
});
for (const input of [file, pictures]) input.addEventListener("change", later);
form.addEventListener("dragover", (event) => {
  if (!event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  form.classList.add("t-drop");
});
form.addEventListener("dragleave", (event) => {
  if (!form.contains(event.relatedTarget)) form.classList.remove("t-drop");
});
form.addEventListener("drop", (event) => {
  form.classList.remove("t-drop");
  if (!event.dataTransfer.files.length) return;
  event.preventDefault();
  take(event.dataTransfer.files);
});
look.addEventListener("click", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  preview();
});
// What was pasted or chosen before this script was there.
if (box.value !== box.defaultValue || file.files.length) later();
