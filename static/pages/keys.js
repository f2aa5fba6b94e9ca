// Number keys choose the answer that carries the number, in the question that has the focus or else the first open one.

const WRITES = "textarea, select, input[type=text], input[type=number], input[type=search]";

export function listenForNumbers(root) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.target.matches?.(WRITES)) return;
    if (!/^[0-9]$/.test(event.key)) return;
    const items = [...root.querySelectorAll("[data-stage] [data-item]")].filter((item) => item.querySelector("[data-offered]"));
    const item = items.find((one) => one.contains(document.activeElement))
      ?? items.find((one) => !("answered" in one.dataset)) ?? items.at(-1);
    const input = item?.querySelector(`input[data-digit="${event.key}"]`);
    if (!input) return;
    event.preventDefault();
    input.focus();
    input.click();
  });
}
