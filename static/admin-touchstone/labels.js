// The theme's tables of a form all call themselves "scrollable content": a screen reader's list needs names apart.
addEventListener("load", () => {
  document.querySelectorAll(".simplebar-content-wrapper").forEach((scroller, index) => {
    scroller.setAttribute("aria-label", `Table ${index + 1}`);
  });
});
