// The frame around the preview follows the page in it: Next in the study's own page moves the list on, too.
const keys = JSON.parse(document.getElementById("preview-pages").textContent);
const frame = document.querySelector("[data-preview]");
const links = [...document.querySelectorAll("[data-page]")];
const [back, next] = [document.querySelector("[data-before]"), document.querySelector("[data-after]")];
let width = new URLSearchParams(location.search).get("width") || "phone";

const addressOf = (key) => Object.keys(keys).find((address) => keys[address] === key);
const here = () => keys[frame.contentWindow.location.pathname];

function point(link, key) {
  if (key) link.href = `?page=${key}&width=${width}`;
  else link.removeAttribute("href");
}

function follow() {
  const key = here();
  if (!key) return;
  const at = links.findIndex((link) => link.dataset.page === key);
  links.forEach((link, index) => {
    if (index === at) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  point(back, links[at - 1]?.dataset.page);
  point(next, links[at + 1]?.dataset.page);
  frame.title = `Preview: ${links[at].textContent.trim()}`;
  history.replaceState(null, "", `?page=${key}&width=${width}`);
}

// Reckoned when it is asked: a page can be seen, and left, before all of it has been loaded and followed.
function neighbour(steps) {
  const at = links.findIndex((link) => link.dataset.page === here());
  return at < 0 ? undefined : links[at + steps]?.dataset.page;
}

function show(event, key) {
  if (!key || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  frame.contentWindow.location.assign(addressOf(key));
}

frame.addEventListener("load", () => {
  follow();
  // A page of questions turns without loading anything: its address alone changes.
  const { history: inside } = frame.contentWindow;
  for (const name of ["pushState", "replaceState"]) {
    const change = inside[name].bind(inside);
    inside[name] = (...given) => {
      change(...given);
      follow();
    };
  }
  frame.contentWindow.addEventListener("popstate", follow);
});
for (const link of links) link.addEventListener("click", (event) => show(event, link.dataset.page));
back.addEventListener("click", (event) => show(event, neighbour(-1)));
next.addEventListener("click", (event) => show(event, neighbour(1)));
for (const link of document.querySelectorAll("[data-width]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    width = link.dataset.width;
    document.querySelector("[data-device]").className = `t-device t-device-${width}`;
    for (const other of document.querySelectorAll("[data-width]")) other.toggleAttribute("aria-current", other === link);
    link.setAttribute("aria-current", "true");
    follow();
  });
}
