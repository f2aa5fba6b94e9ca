// Buttons that copy the text of a part of the page, where the browser lets pages do that.
for (const button of document.querySelectorAll("[data-copy-text]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copyText).innerText.trim());
    button.textContent = button.dataset.sayCopied;
  });
}
