// Previews the rules while they are typed: the server answers with the page, and what belongs to it is put in place.
const form = document.querySelector("#rules-form");
const WAIT = 500;
let timer = 0;
let asked = 0;
let isTomlTyped = false; // then it is the researcher's, until they fill in the form with it

function putErrors(page) {
  for (const name of ["[data-form-errors]", "[data-rule-error]", "[data-rule-sentence]", "[data-about]"]) {
    const newer = [...page.querySelectorAll(name)];
    [...form.querySelectorAll(name)].forEach((place, at) => {
      if (newer[at]) place.replaceChildren(...newer[at].cloneNode(true).childNodes);
    });
  }
  for (const field of page.querySelectorAll("[data-field]")) {
    const mine = form.querySelector(`[data-field="${CSS.escape(field.dataset.field)}"]`);
    if (!mine) continue;
    mine.classList.toggle("t-field-wrong", field.classList.contains("t-field-wrong"));
    const input = mine.querySelector("input");
    const wrong = field.querySelector("input").getAttribute("aria-invalid");
    if (wrong) input.setAttribute("aria-invalid", wrong);
    else input.removeAttribute("aria-invalid");
    // A built-in rule set that was changed has another name: nothing else is ever written over.
    if (field.dataset.field === "name" && input !== document.activeElement) input.value = field.querySelector("input").value;
  }
}

async function preview() {
  const mine = asked;
  const sent = new FormData(form);
  sent.set("preview", "1");
  sent.set("live", "1");
  try {
    const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(sent), redirect: "error" });
    const text = await answer.text();
    if (mine !== asked || !answer.ok) return; // something was typed since: its own answer is on its way
    const page = new DOMParser().parseFromString(text, "text/html");
    const isRefused = page.querySelector("[data-refused]") !== null;
    putErrors(page);
    const toml = form.querySelector("#id_toml");
    if (!isTomlTyped && !isRefused) toml.value = page.querySelector("#id_toml").value;
    const tried = page.querySelector("#tried");
    const line = page.querySelector("[data-live-line]");
    form.querySelector("[data-live-line]").replaceChildren(...(line?.childNodes ?? []));
    if (!isRefused && tried) {
      for (const folded of document.querySelectorAll("#tried details[open]")) tried.querySelector(`#${folded.id}`)?.setAttribute("open", "");
      document.querySelector("#tried").replaceChildren(...tried.childNodes);
      document.dispatchEvent(new CustomEvent("figures:added"));
    }
  } catch {
    // The network is away for a moment: the button does the same.
  }
}

function later() {
  asked += 1;
  clearTimeout(timer);
  timer = setTimeout(preview, WAIT);
}

if (form?.dataset.live === "1") {
  form.addEventListener("input", (event) => {
    if (event.target.id === "id_toml") isTomlTyped = true;
    else if (event.target.id !== "id_with") later();
  });
  const tried = document.querySelector("#tried");
  if (tried && !tried.querySelector("section, p")) preview();
}
