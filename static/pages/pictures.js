// Pictures: the next ones are fetched ahead, and one that fails says so and can be asked for again.

const AHEAD = 3;

export function watchPictures(form) {
  for (const picture of form.querySelectorAll("[data-picture]")) {
    const sorry = picture.closest("figure").querySelector("figcaption");
    const judge = () => { sorry.hidden = !(picture.complete && picture.naturalWidth === 0); };
    picture.addEventListener("error", judge);
    picture.addEventListener("load", judge);
    sorry.querySelector("[data-again]").addEventListener("click", () => { picture.src = picture.getAttribute("src"); });
    judge();
  }
}

export function fetchAhead(stage) {
  for (let number = stage.number + 1; number <= stage.number + AHEAD; number += 1) {
    for (const picture of stage.pages.get(number)?.querySelectorAll("[data-picture]") ?? []) {
      const small = picture.closest("picture").querySelector("source");
      new Image().src = window.matchMedia(small.media).matches ? small.srcset : picture.getAttribute("src");
    }
  }
}
