// The page that people will see, beside the form: sent as it stands while somebody types, into a frame behind the one that
// is seen, which it takes the place of when it has come. Nothing is stored.
const part = document.querySelector("[data-live-preview]");
const form = part.closest("form");
const address = part.dataset.livePreview;
const phone = part.querySelector(".t-phone");
const WAIT = 400;
// What a field is read on, where it isn't the page of questions.
const PAGES = { title: "landing", summary: "landing", pay: "landing", currency: "landing", minutes_expected: "landing", contact: "landing", researchers: "landing", institution: "landing", ethics: "landing", consent: "consent", instructions: "instructions" };
let timer = 0;
let sent = "";
let count = 0;

function entries() {
  return [...new FormData(form)].filter(([, value]) => typeof value === "string");
}

function send() {
  const now = entries();
  const text = JSON.stringify(now);
  if (text === sent) return;
  sent = text;
  count += 1;
  const mine = count;
  const shown = phone.querySelector("iframe");
  const next = document.createElement("iframe");
  next.name = `live-preview-${count}`;
  next.title = shown.title;
  next.className = "t-coming";
  phone.append(next);
  const letter = document.createElement("form");
  letter.method = "post";
  letter.action = address;
  letter.target = next.name;
  letter.hidden = true;
  for (const [name, value] of now) {
    const field = document.createElement("textarea");
    field.name = name;
    field.value = value;
    letter.append(field);
  }
  document.body.append(letter);
  next.addEventListener("load", () => {
    letter.remove();
    let isThere = false;
    try {
      isThere = Boolean(next.contentDocument.querySelector("#main"));
    } catch {
      // The session has ended, or the network is away: the last page stays.
    }
    if (!isThere || mine !== count) {
      next.remove();
      phone.querySelector("iframe").classList.remove("t-coming");
      return;
    }
    for (const frame of phone.querySelectorAll("iframe")) if (frame !== next) frame.remove();
    next.classList.remove("t-coming");
  });
  letter.submit();
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(send, WAIT);
}

function follow(event) {
  const page = PAGES[event.target.name] ?? (event.target.closest?.("[data-live-preview]") ? "" : "question");
  const radio = page && part.querySelector(`input[value="${page}"]`);
  if (radio) radio.checked = true;
}

part.querySelector("[data-show-live]").hidden = true;
form.addEventListener("input", (event) => {
  follow(event);
  later();
});
form.addEventListener("change", later);
form.addEventListener("focusin", (event) => {
  if (!event.target.matches("input:not([type=radio], [type=hidden]), textarea, select")) return;
  follow(event);
  later();
});
form.addEventListener("click", (event) => {
  if (event.target.closest(".t-move, .add-row, .inline-deletelink")) later();
});
// The frame of a page without script shows the first page, and the question is what is chosen.
phone.querySelector("iframe").classList.add("t-coming");
send();
