// Keys for pages that one goes through one by one. A link, button or field says which key is its own (data-key); digits
// choose answers; j and k go through the rows. Nothing happens in a field for text, and all keys can be switched off.

const OFF = "touchstone.no-shortcuts";
const legend = document.querySelector("[data-shortcuts]");
const isOn = () => localStorage.getItem(OFF) === null;

function isTyping(target) {
  return target.isContentEditable || target.matches("textarea, select, input:not([type=radio], [type=checkbox])");
}

function choose(digit) {
  const input = document.querySelectorAll("[data-digits] :is([type=radio], [type=checkbox])")[(digit + 9) % 10];
  if (!input) {
    document.querySelector("[data-digits] :is(input, textarea, select)")?.focus(); // which takes the digit itself
    return false;
  }
  input.click();
  input.focus();
  return true;
}

function step(by) {
  const rows = [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());
  const next = rows[rows.findIndex((row) => row.contains(document.activeElement)) + by];
  (next ?? (by > 0 ? rows[0] : rows.at(-1)))?.querySelector("a").focus();
  return rows.length > 0;
}

function follow(key) {
  const control = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!control) return false;
  if (control.matches("textarea, input")) control.focus();
  else control.click();
  return true;
}

function press(event) {
  if (!isOn() || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const key = event.key.toLowerCase();
  const isDone = /^\d$/.test(key) ? choose(Number(key)) : follow(key) || (key === "j" && step(1)) || (key === "k" && step(-1));
  if (isDone) event.preventDefault();
}

function show() {
  document.documentElement.toggleAttribute("data-shortcuts-on", isOn());
  const [keys, button] = [legend.querySelector("[data-keys]"), legend.querySelector("button")];
  keys.hidden = !isOn();
  button.textContent = isOn() ? "Switch keys off" : "Switch keys on";
}

if (legend) {
  legend.hidden = false;
  legend.querySelector("button").addEventListener("click", () => {
    if (isOn()) localStorage.setItem(OFF, "1");
    else localStorage.removeItem(OFF);
    show();
  });
  show();
}
document.addEventListener("keydown", press);
