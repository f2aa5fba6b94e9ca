// Number keys choose the answer that carries the number, in the question that has the focus or else the first open one.

const WRITES = "textarea, select, input[type=text], input[type=number], input[type=search]";

export function listenForNumbers(root) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.target.matches?.(WRITES)) return;
    if (!/^[0-9]$/.test(event.key)) return;
    const { activeElement } = document;
    const sure = activeElement.closest?.("[data-sure]");
    const questions = [...root.querySelectorAll("[data-stage] :is([data-item], [data-question]):not([hidden])")]
      .filter((one) => !one.querySelector("[data-question]"));
    const here = questions.find((one) => one.matches("[data-question]") && one.contains(activeElement));
    const offering = (here ? [here] : questions).filter((one) => one.querySelector("[data-offered]"));
    const question = offering.find((one) => one.contains(activeElement))
      ?? offering.find((one) => !("answered" in one.dataset)) ?? offering.at(-1);
    const input = (sure ?? question?.querySelector("[data-offered]"))?.querySelector(`input[data-digit="${event.key}"]`);
    if (!input || input.closest("[inert]")) return;
    event.preventDefault();
    input.focus();
    input.click();
  });
}
