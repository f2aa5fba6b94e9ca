// The form of a study: one section at a time, only the fields that its kind of question uses, rows moved by buttons.
const kinds = JSON.parse(document.getElementById("kinds-of-question").textContent);
const sections = [...document.querySelectorAll("[data-section]")];
const tabs = [...document.querySelectorAll("[data-opens]")];

function open(key) {
  if (!sections.some((section) => section.id === key)) return;
  for (const section of sections) section.hidden = section.id !== key;
  for (const tab of tabs) tab.setAttribute("aria-pressed", String(tab.dataset.opens === key));
  document.querySelector("[data-section-open]").value = key;
}

// A link to a field, from the errors above or from another page, opens the section that has it.
function follow() {
  const wanted = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const section = wanted?.closest("[data-section]");
  if (!section) return;
  open(section.id);
  for (let fold = wanted.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  if (wanted !== section) {
    wanted.scrollIntoView({ block: "center" });
    wanted.focus();
  }
}

for (const tab of tabs) tab.addEventListener("click", () => open(tab.dataset.opens));
addEventListener("hashchange", follow);
document.addEventListener("click", (event) => {
  if (event.target.closest?.("a[href^='#id_'], a[href$='-group']")) setTimeout(follow);
});

// Fields of other kinds of question.
const kind = document.getElementById("id_kind");
let firstQuestion = kind && kinds[kind.value]?.question;

function show() {
  const chosen = kinds[kind.value];
  if (!chosen) return;
  for (const { unused } of Object.values(kinds)) {
    for (const name of unused) {
      const field = name === "labels" ? document.getElementById("labels-group") : document.getElementById(`id_${name}`)?.closest(".field-line");
      if (field) field.hidden = chosen.unused.includes(name);
    }
  }
  const question = document.getElementById("id_question");
  if (question && question.value === firstQuestion) question.value = firstQuestion = chosen.question;
  fillScale("id_", chosen.unused);
}

// A scale that is used begins from 0 to 100.
function fillScale(prefix, unused) {
  for (const [name, value] of [["scale_low", "0"], ["scale_high", "100"]]) {
    const field = document.getElementById(prefix + name);
    if (field && !field.value && !unused.includes(name)) field.value = value;
  }
}
kind?.addEventListener("change", show);
if (kind) show();

// Each further question shows the fields that its own kind uses; one whose kind isn't chosen yet shows all.
function showOwn(select) {
  const prefix = select.id.replace(/kind$/, "");
  const unused = kinds[select.value]?.unused ?? [];
  const fields = new Set(Object.values(kinds).flatMap((each) => each.unused));
  for (const name of fields) {
    const line = document.getElementById(prefix + name)?.closest(".field-line");
    if (line) line.hidden = unused.includes(name);
  }
  const alone = document.getElementById(`${prefix}alone`)?.closest(".field-line");
  if (alone) alone.hidden = unused.includes("labels");
  if (kinds[select.value]) fillScale(prefix, unused);
}
const ownKinds = "select[id^='id_further_questions-'][id$='-kind']";
document.addEventListener("change", (event) => {
  if (event.target.matches?.(ownKinds)) showOwn(event.target);
});
document.querySelectorAll(ownKinds).forEach(showOwn);

// A new choice study has rows for its labels, which can be typed over; those of another kind go as long as nobody did.
let firstLabels = kind && location.pathname.endsWith("/add/") ? (kinds[kind.value]?.labels ?? []) : [];
kind?.addEventListener("change", () => {
  const inputs = () => [...document.querySelectorAll("#labels-group tbody.form-group:not(.empty-form) input[name$='-value']")];
  const untouched = inputs().every((input, at) => input.value === (firstLabels[at] ?? ""));
  if (inputs().some((input) => input.value) && !untouched) return;
  const wanted = kinds[kind.value].labels;
  firstLabels = wanted;
  while (inputs().length < wanted.length) {
    const add = document.querySelector("#labels-group a.add-row, #labels-group .add-row a");
    if (!add) return;
    const before = inputs().length;
    add.click();
    if (inputs().length === before) return;
  }
  inputs().forEach((input, at) => (input.value = wanted[at] ?? ""));
});

// Rows: two buttons each, and their order is what is sent.
const rowsOf = (table) => [...table.querySelectorAll("tbody.form-group:not(.empty-form)")];
const positionOf = (row) => row.querySelector("input[name$='-position']");

function move(row, by) {
  const table = row.closest("table");
  const rows = rowsOf(table);
  const other = rows[rows.indexOf(row) + by];
  if (!other) return;
  if (by < 0) other.before(row);
  else other.after(row);
  rowsOf(table).forEach((each, at) => (positionOf(each).value = at + 1));
}

// A form that was refused comes back with its rows as they were moved.
for (const table of document.querySelectorAll("table:has(input[name$='-position'])")) {
  const rows = rowsOf(table).filter((row) => positionOf(row));
  const place = (row) => Number(positionOf(row).value) || Infinity;
  const sorted = rows.toSorted((a, b) => place(a) - place(b) || 0);
  if (sorted.some((row, at) => row !== rows[at])) sorted.forEach((row, at) => at && sorted[at - 1].after(row));
}

function equip(row) {
  if (!positionOf(row) || row.querySelector(".t-move") || row.classList.contains("empty-form")) return;
  const cell = row.querySelector("tr.form-row td");
  if (!cell) return;
  const buttons = document.createElement("div");
  buttons.className = "t-move";
  for (const [by, sign, words] of [[-1, "↑", "Move this row up"], [1, "↓", "Move this row down"]]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    button.title = words;
    button.setAttribute("aria-label", words);
    button.addEventListener("click", () => {
      move(row, by);
      button.focus();
    });
    buttons.append(button);
  }
  cell.prepend(buttons);
}
document.querySelectorAll("tbody.form-group").forEach(equip);
document.addEventListener("formset:added", (event) => {
  equip(event.target.closest("tbody.form-group") ?? event.target);
});

// Blocks: each shows what its kind has; they are added, moved and removed, and their places are what is sent.
const blocks = document.querySelector("[data-blocks]");

function showOfKind(block) {
  const { value } = block.querySelector("[data-block-kind]");
  for (const line of block.querySelectorAll("[data-of-kinds]")) line.hidden = !line.dataset.ofKinds.split(" ").includes(value);
}

function numberBlocks() {
  blocks.querySelectorAll(":scope > .t-block").forEach((block, at) => {
    block.querySelector("legend").textContent = `Block ${at + 1}`;
    block.querySelector("input[name$='-place']").value = at + 1;
    for (const field of block.querySelectorAll("[name]")) field.name = field.name.replace(/-\d+-/, `-${at}-`);
  });
  blocks.querySelector("input[name$='-total']").value = blocks.querySelectorAll(":scope > .t-block").length;
  blocks.dispatchEvent(new Event("change", { bubbles: true }));
}

function equipBlock(block) {
  const order = block.querySelector(".t-block-order");
  const acts = [
    ["↑", "Move this block up", () => block.previousElementSibling?.matches(".t-block") && block.previousElementSibling.before(block)],
    ["↓", "Move this block down", () => block.nextElementSibling?.matches(".t-block") && block.nextElementSibling.after(block)],
    ["Remove", "Remove this block", () => block.remove()],
  ];
  const buttons = document.createElement("div");
  buttons.className = "t-move";
  for (const [sign, words, act] of acts) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = sign;
    if (sign !== "Remove") button.setAttribute("aria-label", words);
    button.addEventListener("click", () => {
      act();
      numberBlocks();
      (block.isConnected ? button : blocks).focus();
    });
    buttons.append(button);
  }
  for (const field of order.querySelectorAll("label")) field.hidden = true;
  order.append(buttons);
  block.querySelector("[data-block-kind]").addEventListener("change", () => showOfKind(block));
  showOfKind(block);
}

if (blocks) {
  for (const unused of blocks.querySelectorAll(":scope > [data-unused]")) unused.remove();
  blocks.querySelectorAll(":scope > .t-block").forEach(equipBlock);
  numberBlocks();
  const add = blocks.querySelector("[data-add-block]");
  add.hidden = false;
  add.addEventListener("click", () => {
    const block = blocks.querySelector("[data-new-block]").content.firstElementChild.cloneNode(true);
    blocks.querySelector("[data-new-block]").before(block);
    equipBlock(block);
    numberBlocks();
    block.querySelector("select").focus();
  });
}

open(document.querySelector("[data-sections]").dataset.sections);
follow();
