// By when to finish, in the person's own time; a warning five minutes before, and a word when it has passed.

const SOON_MS = 5 * 60 * 1000;
const LOOK_MS = 15000; // a phone that was asleep finds out within so long

const place = document.querySelector("[data-deadline]");
let said = "";

function sentence(text, end) {
  const isToday = end.toDateString() === new Date().toDateString();
  const day = isToday ? {} : { weekday: "long", day: "numeric", month: "long" };
  const time = document.createElement("time");
  time.dateTime = end.toISOString();
  time.textContent = end.toLocaleString(document.documentElement.lang, { ...day, hour: "numeric", minute: "2-digit" });
  const [before, after] = text.split("{time}");
  return [before, time, after];
}

function look(end) {
  const left = end - Date.now();
  const what = left <= 0 ? "over" : left <= SOON_MS ? "soon" : "by";
  if (what !== said) show(what, end);
  const next = left <= 0 ? Infinity : what === "soon" ? left : left - SOON_MS;
  if (next !== Infinity) setTimeout(() => look(end), Math.min(next + 50, LOOK_MS));
}

function show(what, end) {
  said = what;
  place.dataset.told = "";
  const by = place.querySelector("[data-by]");
  by.hidden = what !== "by";
  if (what === "by") {
    by.replaceChildren(...sentence(place.dataset.sayBy, end));
    return;
  }
  const notice = document.createElement("p");
  notice.className = "notice";
  notice.append(...sentence(what === "soon" ? place.dataset.saySoon : place.dataset.sayOver, end));
  place.querySelector("[data-warning]").replaceChildren(notice);
}

if (place) look(new Date(Date.now() + Number(place.dataset.secondsLeft) * 1000));
