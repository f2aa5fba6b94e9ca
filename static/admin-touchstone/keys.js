// The theme opens its sidebar, filters and menus by clicks on elements that no key reaches: these become buttons.
const NAMES = { dock_to_right: "Show or hide the sections", close: "Close", more_horiz: "More" };

addEventListener("load", () => {
  document.querySelectorAll("a:not([href]), span, div").forEach((element) => {
    if (!element.hasAttribute("x-on:click")) return;
    element.setAttribute("role", "button");
    element.tabIndex = 0;
    const icon = element.textContent.trim();
    if (NAMES[icon]) element.setAttribute("aria-label", NAMES[icon]);
    element.addEventListener("keydown", (event) => {
      if (event.target !== element || !["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      element.click();
    });
  });
});
