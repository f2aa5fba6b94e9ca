// Draws the figures of a page when they come into view, in the page's own colours, and names what the pointer is on.
const SCHEME = "--figure-scheme";
const NARROW = 560;
const ERRORS = 1; // vega's level of what it logs
const drawings = new Map();

// One box for all figures. Its content is text: what a study's items and workers are called is never read as HTML.
const tip = document.createElement("dl");
tip.className = "t-plot-tip";
tip.hidden = true;
document.body.append(tip);

function schemeOf(place) {
  return getComputedStyle(place).getPropertyValue(SCHEME).trim() || "light";
}

function recoloured(part, colours) {
  if (typeof part === "string") return colours[part] ?? part;
  if (Array.isArray(part)) return part.map((each) => recoloured(each, colours));
  if (part === null || typeof part !== "object") return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, each]) => [key, key === "values" ? each : recoloured(each, colours)]),
  );
}

// A number with four digits that count; texts stay.
function said(value) {
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? String(Number(Number(text).toPrecision(4))) : text;
}

// The names of what a mark stands for, then the numbers that it is drawn from, each under its own heading once.
function lines(value, datum, names) {
  const found = new Map();
  for (const name of names) if (datum?.[name] != null) found.set(name.replaceAll("_", " "), String(datum[name]));
  const known = new Set(found.values());
  for (const [name, text] of Object.entries(value ?? {})) {
    if (!known.has(String(text)) && text !== "null" && !name.startsWith("__")) found.set(name, said(text));
  }
  return found;
}

function tooltip(names) {
  return (_handler, event, item, value) => {
    if (value == null || value === "" || !item) {
      tip.hidden = true;
      return;
    }
    const shown = lines(typeof value === "object" ? value : { value }, item.datum, names);
    tip.replaceChildren(
      ...[...shown].flatMap(([name, text]) => {
        const term = document.createElement("dt");
        const definition = document.createElement("dd");
        term.textContent = name;
        definition.textContent = text;
        return [term, definition];
      }),
    );
    tip.hidden = shown.size === 0;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 8))}px`;
    tip.style.top = `${event.clientY + 14 + height > innerHeight ? Math.max(4, event.clientY - height - 10) : event.clientY + 14}px`;
  };
}

function follow(_event, item) {
  const link = item?.datum?.link;
  if (typeof link === "string" && link.startsWith("/") && !link.startsWith("//")) window.location.assign(link);
}

// In a narrow place legends stand under the drawing, one below the other, and long names are cut: the numbers' table
// has them whole.
function fitted(specification, place) {
  if (place.clientWidth >= NARROW) return specification;
  const legend = {
    ...specification.config.legend,
    orient: "bottom",
    columns: 3,
    layout: { bottom: { anchor: "start", direction: "vertical" } },
  };
  const axis = { ...specification.config.axis, labelLimit: Math.round(place.clientWidth / 2.4) };
  return { ...specification, config: { ...specification.config, axis, legend } };
}

// The drawing is one picture with one name; what it is made of stands in the table. One that is wider than its place
// can be scrolled by keyboard.
function named(place) {
  place.querySelector("svg").setAttribute("aria-hidden", "true");
  place.setAttribute("role", "img");
  place.removeAttribute("aria-roledescription");
  if (place.scrollWidth > place.clientWidth) place.closest("figure")?.classList.add("t-plot-wide"); // the whole row
  if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
  else place.removeAttribute("tabindex");
}

async function draw(place) {
  const figure = place.closest("figure");
  const scheme = schemeOf(place);
  const { specification, dark, names } = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
  try {
    if (!window.vegaEmbed) await import(place.dataset.vega);
    drawings.get(place)?.drawn?.finalize();
    const coloured = scheme === "dark" ? recoloured(specification, dark) : specification;
    const drawn = await window.vegaEmbed(place, fitted(coloured, place), {
      actions: false,
      ast: true,
      defaultStyle: false,
      logLevel: ERRORS,
      mode: "vega-lite",
      renderer: "svg",
      tooltip: tooltip(names),
    });
    named(place);
    drawn.view.addEventListener("click", follow);
    drawings.set(place, { scheme, drawn });
    place.dataset.drawn = scheme;
  } catch (error) {
    console.error(error);
    drawings.set(place, { scheme });
    place.dataset.drawn = "not";
    place.hidden = true;
    figure.querySelector("details").open = true;
  }
}

const watcher = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      draw(target);
    }
  },
  { rootMargin: "600px" },
);

function redraw() {
  for (const [place, { scheme }] of drawings) if (schemeOf(place) !== scheme) draw(place);
}

// Also when a part of the page was exchanged for a newer one (the event figures:added says so).
function drawFiguresIn(root) {
  for (const place of drawings.keys()) {
    if (place.isConnected) continue;
    drawings.get(place).drawn?.finalize();
    drawings.delete(place);
  }
  for (const place of root.querySelectorAll("[data-vega]:not([data-drawn])")) {
    place.closest("figure").querySelector("details").open = false;
    watcher.observe(place);
  }
}

drawFiguresIn(document);
document.addEventListener("figures:added", () => drawFiguresIn(document));
addEventListener("beforeprint", () => document.querySelectorAll("[data-vega]:not([data-drawn])").forEach(draw));
addEventListener("scroll", () => (tip.hidden = true), { passive: true });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
new MutationObserver(redraw).observe(document.documentElement, { attributeFilter: ["class"] });
