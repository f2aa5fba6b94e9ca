import { Gesture } from "/static/pages/gesture.js";
import { equal, test } from "./tried.js";

export { run } from "./tried.js";

const REM = parseFloat(getComputedStyle(document.documentElement).fontSize);
const THUMB = 2 * REM;

// A slider of 0 to 100 whose thumb travels 400 px, from x = 100 to x = 500.
function slider(direction = "ltr") {
  const range = document.createElement("input");
  Object.assign(range, { type: "range", min: 0, max: 100 });
  range.style.cssText = `position: fixed; left: ${100 - THUMB / 2}px; top: 0; width: ${400 + THUMB}px; margin: 0; direction: ${direction}`;
  document.body.append(range);
  return range;
}

const finger = (x, y = 0, more = {}) => ({ clientX: x, clientY: y, pointerType: "touch", buttons: 1, ...more });

test("a tap puts the thumb's middle where the finger was", () => {
  const range = slider();
  for (const [x, value] of [[100, "0"], [300, "50"], [500, "100"], [0, "0"], [900, "100"]]) {
    new Gesture(range, finger(x), "0").tapAt(finger(x));
    equal(range.value, value);
  }
});

test("from right to left the ends change places", () => {
  const range = slider("rtl");
  for (const [x, value] of [[100, "100"], [200, "75"], [500, "0"]]) {
    new Gesture(range, finger(x), "0").tapAt(finger(x));
    equal(range.value, value);
  }
});

test("a finger that trembles taps, and one that goes on drags", () => {
  const range = slider();
  range.value = 10;
  const gesture = new Gesture(range, finger(300), "10");
  equal([gesture.moveTo(finger(308)), range.value], [false, "10"]);
  equal([gesture.moveTo(finger(309)), range.value], [true, "52"]);
  equal([gesture.moveTo(finger(301)), range.value], [true, "50"]);
  gesture.tapAt(finger(500));
  equal(range.value, "50");
});

test("up or down is scrolling, unless the thumb was dragged before", () => {
  const range = slider();
  const gesture = new Gesture(range, finger(300), "50");
  equal([gesture.isAcross(finger(300, 16)), gesture.isAcross(finger(300, 17))], [false, true]);
  gesture.moveTo(finger(350));
  equal(gesture.isAcross(finger(350, 40)), false);
});

test("a pen is a finger, and a mouse is left to the browser", () => {
  const range = slider();
  range.value = 10;
  const mouse = { pointerType: "mouse" };
  const gesture = new Gesture(range, finger(300, 0, mouse), "10");
  gesture.tapAt(finger(300, 0, mouse));
  equal([gesture.moveTo(finger(400, 0, mouse)), gesture.isAcross(finger(300, 90, mouse)), range.value], [false, false, "10"]);
  new Gesture(range, finger(300), "10").tapAt(finger(300));
  equal(range.value, "50");
});

test("a finger that is no longer down drags nothing", () => {
  const range = slider();
  range.value = 10;
  equal([new Gesture(range, finger(300), "10").moveTo(finger(400, 0, { buttons: 0 })), range.value], [false, "10"]);
});
