// A button that copies the code, where the browser lets pages do that.

const button = document.querySelector("[data-copy]");
const code = document.querySelector("[data-code]");

if (button && navigator.clipboard) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent.trim());
    button.textContent = button.dataset.sayCopied;
  });
}
