// Shows what was understood of items while they are pasted, dropped or chosen: the server reads them and stores nothing.
import { isForParts } from "./uploads.js";

const form = document.querySelector("[data-items]");
const looked = form.querySelector("[data-looked]");
const look = form.querySelector("[data-look]");
const question = form.querySelector("[data-question]");
const [box, file, pictures] = ["items", "file", "pictures"].map((name) => form.elements[name]);
const WAIT = 500;
const TABLES = /\.(csv|tsv|txt|jsonl|ndjson|json|xlsx|xls|parquet)$/i;
let timer = 0;
let asked = 0;

// `wish` is what the button would send: to look, or to have the question name the columns that there are.
async function preview(wish = "look", brings = false) {
  asked += 1;
  const mine = asked;
  if (isForParts() || (!box.value.trim() && !file.files.length)) {
    looked.replaceChildren();
    return;
  }
  const sent = new FormData(form);
  sent.set("do", wish);
  sent.set("live", "1");
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent, redirect: "error" });
    const text = await answer.text();
    if (mine !== asked || !answer.ok) return;
    const page = new DOMParser().parseFromString(text, "text/html");
    const seen = page.querySelectorAll("[data-looked] > *");
    looked.replaceChildren(...(seen.length ? seen : page.querySelectorAll(".t-refusal, .t-field-wrong .t-error")));
    look.classList.toggle("t-primary", !looked.querySelector(".t-primary"));
    question.textContent = page.querySelector("[data-question]").textContent;
    if (brings && looked.getBoundingClientRect().top > innerHeight / 2) looked.scrollIntoView();
  } catch {
    // The network is away for a moment: the button does the same.
  }
}

function later(brings = false) {
  clearTimeout(timer);
  timer = setTimeout(() => preview("look", brings), WAIT);
}

// The field says how many files it has, once the widget's own script has named the first of them.
function nameFiles(input) {
  const named = input.closest("div[class]").parentElement.querySelector("input[type=text]");
  setTimeout(() => {
    const [first, second] = input.files;
    named.value = second ? `${input.files.length} files` : (first?.name ?? named.defaultValue);
  });
}

// Files that are dropped go where they belong: a table into the field of the file, all others to the pictures.
function take(dropped) {
  const [tables, others] = [new DataTransfer(), new DataTransfer()];
  for (const each of dropped) (TABLES.test(each.name) ? tables : others).items.add(each);
  if (tables.files.length) file.files = tables.files;
  if (others.files.length) pictures.files = others.files;
  for (const input of [file, pictures]) nameFiles(input);
  later(true);
}

form.addEventListener("input", (event) => {
  if (event.target !== box) return;
  // What came last is meant: a file that was chosen before would hide what is pasted now.
  if (box.value.trim() && file.files.length) {
    file.value = "";
    nameFiles(file);
  }
  later();
});
for (const input of [file, pictures]) {
  input.addEventListener("change", () => {
    nameFiles(input);
    later(true);
  });
}
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
  preview("look", true);
});
looked.addEventListener("click", (event) => {
  if (event.target.value !== "rename") return;
  event.preventDefault();
  preview("rename");
});
// What was pasted or chosen before this script was there.
if (box.value !== box.defaultValue || file.files.length) later();
