// A tap on a picture shows it as large as it is; without script the same link opens it in a tab of its own.

let dialog = null;

function made(sayClose) {
  dialog = document.createElement("dialog");
  dialog.className = "large";
  const [close, picture] = [document.createElement("button"), document.createElement("img")];
  close.type = "button";
  close.textContent = sayClose;
  close.addEventListener("click", () => dialog.close());
  picture.addEventListener("click", () => dialog.close());
  const frame = document.createElement("div");
  frame.tabIndex = 0; // the arrow keys scroll it
  frame.append(picture);
  dialog.append(close, frame);
  document.body.append(dialog);
  return dialog;
}

export function enlargeBy(root, sayClose) {
  root.addEventListener("click", (event) => {
    const link = event.target.closest("[data-enlarge]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const [small, shown] = [link.querySelector("img"), dialog ?? made(sayClose)];
    const large = shown.querySelector("img");
    large.src = link.href;
    large.alt = small.alt;
    shown.setAttribute("aria-label", small.alt || link.title);
    shown.querySelector("div").setAttribute("aria-label", small.alt || link.title);
    shown.querySelector("div").setAttribute("role", "region");
    shown.showModal(); // the browser's own: Escape closes it, and the focus goes back to the picture
  });
}
