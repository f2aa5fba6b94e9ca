// A tap on a picture shows it large, from its middle; without script the same link opens it in a tab of its own.

let dialog = null;

// So large that it fills the screen both ways, and is scrolled; but no larger than it is, unless all of it fits.
function fit(picture, frame) {
  const [across, down] = [frame.clientWidth / picture.naturalWidth, frame.clientHeight / picture.naturalHeight];
  picture.width = picture.naturalWidth * Math.min(Math.max(across, down), Math.max(1, Math.min(across, down)));
  frame.scrollTo((frame.scrollWidth - frame.clientWidth) / 2, (frame.scrollHeight - frame.clientHeight) / 2);
}

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
  picture.addEventListener("load", () => fit(picture, frame));
  dialog.append(close, frame);
  document.body.append(dialog);
  return dialog;
}

export function enlargeBy(root, sayClose) {
  root.addEventListener("click", (event) => {
    const link = event.target.closest("[data-enlarge]");
    if (!link || !window.HTMLDialogElement || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const [small, shown] = [link.querySelector("img"), dialog ?? made(sayClose)];
    const large = shown.querySelector("img");
    large.removeAttribute("width");
    large.alt = small.alt;
    shown.setAttribute("aria-label", small.alt || link.title);
    shown.querySelector("div").setAttribute("aria-label", small.alt || link.title);
    shown.querySelector("div").setAttribute("role", "region");
    large.src = link.href;
    shown.showModal(); // the browser's own: Escape closes it, and the focus goes back to the picture
  });
}
