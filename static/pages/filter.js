// Many labels: a field narrows them down to those that hold what is typed. Those that are chosen always stay.

import { fill } from "./writing.js";

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().trim();

export function filterLabels(item, say) {
  const box = item.querySelector("[data-filter]");
  if (!box) return;
  const [field, count] = [box.querySelector("input"), box.querySelector("[data-found]")];
  const offers = [...item.querySelectorAll(".offer")].map((element) => ({
    element,
    input: element.querySelector("input"),
    text: plain(element.querySelector("span").textContent),
  }));
  const found = () => offers.filter((offer) => !offer.element.hidden);

  function narrow() {
    const sought = plain(field.value);
    const fits = (offer) => offer.text.includes(sought);
    for (const offer of offers) offer.element.hidden = !(fits(offer) || offer.input.checked);
    count.textContent = sought ? fill(say.found, { count: offers.filter(fits).length, total: offers.length }) : "";
  }

  field.addEventListener("input", narrow);
  // The answer itself is saved when one is chosen; what stands in this field is none.
  field.addEventListener("change", (event) => event.stopPropagation());
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") field.value = "";
    else if (event.key === "Enter" || event.key === "ArrowDown") found()[0]?.input.focus();
    else return;
    event.preventDefault();
    narrow();
  });
  box.hidden = false;
}
