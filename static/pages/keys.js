// Number keys choose the answer that carries the number, in the question that has the focus or else the first open one;
// what is answered so hands the focus on to the next open question of the page.

const WRITES = "textarea, select, input[type=text], input[type=number], input[type=search]";

export const isWriting = (event) => event.isComposing || event.target.matches?.(WRITES);
export const isPlain = (event) => !(event.ctrlKey || event.altKey || event.metaKey);

// The questions of the page that are shown, each once.
export function questionsOn(root) {
  return [...root.querySelectorAll("[data-stage] :is([data-item], [data-question]):not([hidden])")]
    .filter((one) => !one.querySelector("[data-question]"));
}

export function focusOn(question) {
  const control = question.querySelector("[data-offered] input:checked") ?? question.querySelector(
    "[data-offered] input, input[type=range], textarea, select",
  );
  control?.focus({ preventScroll: true });
  question.scrollIntoView({ block: "nearest" });
}

export function listenForNumbers(root, { isHeld, isOpen }) {
  document.addEventListener("keydown", (event) => {
    if (!isPlain(event) || isWriting(event) || event.repeat || isHeld() || "keysOff" in root.dataset) return;
    if (!/^[0-9]$/.test(event.key)) return;
    const { activeElement } = document;
    const sure = activeElement.closest?.("[data-sure]");
    const questions = questionsOn(root);
    const here = questions.find((one) => one.matches("[data-question]") && one.contains(activeElement));
    const offering = (here ? [here] : questions).filter((one) => one.querySelector("[data-offered]"));
    const question = offering.find((one) => one.contains(activeElement)) ?? offering.find(isOpen) ?? offering.at(-1);
    const input = (sure ?? question?.querySelector("[data-offered]"))?.querySelector(`input[data-digit="${event.key}"]`);
    if (!input || input.closest("[inert]")) return;
    event.preventDefault();
    input.focus();
    input.click();
    if (input.type === "radio") goOn(root, question, isOpen);
  });
}

// To the next item that is open, from one that is answered; at expert pace also within an item, to how sure they are and to
// the question that came with the answer.
function goOn(root, question, isOpen) {
  if (!question.isConnected) return; // at expert pace another page is shown by now
  const isExpert = root.querySelector("[data-expert]") !== null;
  if (!isExpert && questionsOn(root).some((one) => isOpen(one) && one.closest("[data-item]") === question.closest("[data-item]"))) return;
  const unsure = isOpen(question) && question.querySelector("[data-sure] input");
  if (unsure) {
    unsure.focus();
    return;
  }
  const questions = questionsOn(root);
  const next = questions.slice(questions.indexOf(question) + 1).find(isOpen) ?? questions.find(isOpen);
  if (next) focusOn(next);
}
