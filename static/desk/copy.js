// Buttons that copy the text of a part of the page, where the browser lets pages do that.
for (const button of document.querySelectorAll("[data-copy-text]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const source = document.querySelector(button.dataset.copyText);
    await navigator.clipboard.writeText((source.value ?? source.innerText).trim());
    button.textContent = button.dataset.sayCopied;
  });
}
