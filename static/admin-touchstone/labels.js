// The theme's scrollers all call themselves "scrollable content": a screen reader's list of regions needs names apart.
addEventListener("load", () => {
  document.querySelectorAll(".simplebar-content-wrapper").forEach((scroller, index) => {
    const name = scroller.closest("nav") ? "Sections of the site" : `Table ${index}`;
    scroller.setAttribute("aria-label", name);
  });
});
