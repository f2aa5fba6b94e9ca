// All items by their state: what the server knew when it was asked, and what was done on this page since.

const SHOWN = { all: () => true, open: (letters) => !/[as]/.test(letters) };
for (const [name, letter] of Object.entries({ answered: "a", skipped: "s", flagged: "f", commented: "c" })) {
  SHOWN[name] = (letters) => letters.includes(letter);
}
let known = [];
let chosen = "all";

export async function openOverview({ root, items, stage }, lettersOf) {
  const dialog = root.querySelector("[data-overview]");
  const draw = () => show(dialog, root.dataset.base, stage.number);
  if (!dialog.dataset.isReady) begin(dialog, draw);
  dialog.showModal();
  try {
    const response = await fetch(`${root.dataset.base}overview/`, { credentials: "same-origin", signal: AbortSignal.timeout(20000) });
    known = (await response.json()).items;
    dialog.querySelector("[data-missing]").hidden = true;
  } catch {
    dialog.querySelector("[data-missing]").hidden = false; // what is known from before, or from this page alone
    const seen = new Set(known.map(([, position]) => position));
    for (const item of items.values()) {
      if (!seen.has(item.position)) known.push([item.where.page, item.position, item.where.called, ""]);
    }
  }
  for (const row of known) {
    const item = items.get(row[1]);
    if (!item) continue;
    const { dataset } = item.element;
    row[3] = ("skipped" in dataset ? "s" : "answered" in dataset ? "a" : "") + lettersOf(item);
  }
  draw();
}

function begin(dialog, draw) {
  dialog.dataset.isReady = "1";
  dialog.addEventListener("click", (event) => {
    const button = event.target.closest("[data-show]");
    if (button) chosen = button.dataset.show;
    if (button) draw();
    else if (event.target.closest("a")) dialog.close();
  });
}

function show(dialog, base, here) {
  for (const button of dialog.querySelectorAll("[data-show]")) {
    const { show: name } = button.dataset;
    button.setAttribute("aria-pressed", name === chosen);
    button.querySelector("b").textContent = known.filter((row) => SHOWN[name](row[3])).length;
  }
  const rows = known.filter((row) => SHOWN[chosen](row[3]));
  dialog.querySelector("[data-all]").replaceChildren(...rows.map(([page, , called, letters]) => {
    const [place, link] = [document.createElement("li"), document.createElement("a")];
    link.href = `${base}${page}/`;
    link.dataset.turn = page;
    link.dataset.state = letters;
    if (page === here) link.setAttribute("aria-current", "true");
    link.textContent = called;
    const words = Object.entries(SHOWN).filter(([name, is]) => name !== "all" && is(letters))
      .map(([name]) => dialog.querySelector(`[data-show=${name}] span`).textContent);
    link.setAttribute("aria-label", [called, ...words].join(", "));
    link.title = words.join(", ");
    place.append(link);
    return place;
  }));
}
