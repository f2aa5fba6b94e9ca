// The theme's scrollers all call themselves "scrollable content": a screen reader's list of regions needs names apart.
addEventListener("load", () => {
  // The sidebar's current page is told by colour alone.
  document.querySelectorAll("#nav-sidebar-apps a.active").forEach((link) => {
    link.setAttribute("aria-current", link.pathname === location.pathname ? "page" : "true");
  });
  document.querySelectorAll(".simplebar-content-wrapper").forEach((scroller, index) => {
    const name = scroller.closest("nav") ? "Sections of the site" : `Table ${index}`;
    scroller.setAttribute("aria-label", name);
  });
});
