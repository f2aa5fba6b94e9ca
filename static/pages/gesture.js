// A finger or a pen on a slider. Some browsers (Safari on phones) let only the thumb be dragged, and ours is hidden at
// first; others (Chromium) send no event at all where a tap falls on the hidden thumb. So the thumb comes to wherever the
// finger taps or drags, as soon as it is lifted. A mouse is left to the browser, which does that itself.

const DRAG_PX = 8;
const SCROLL_PX = 16; // as far as a finger that taps may slip
const THUMB_REM = 2; // --thumb of touchstone.css

export class Gesture {
  constructor(range, event, before) {
    this.range = range;
    this.before = before;
    [this.startX, this.startY] = [event.clientX, event.clientY];
    this.isFinger = event.pointerType === "touch" || event.pointerType === "pen";
    this.isDrag = false;
    this.isSettled = false;
  }

  // Whether it moved the thumb.
  moveTo(event) {
    if (!this.isFinger || event.buttons === 0) return false;
    this.isDrag ||= Math.abs(event.clientX - this.startX) > DRAG_PX;
    if (this.isDrag) this.put(event.clientX);
    return this.isDrag;
  }

  // Up or down and not along: the person meant to scroll, on a page that is too short for it.
  isAcross(event) {
    return this.isFinger && !this.isDrag && Math.abs(event.clientY - this.startY) > SCROLL_PX;
  }

  tapAt(event) {
    if (this.isFinger && !this.isDrag) this.put(event.clientX);
  }

  // The thumb's middle travels from half a thumb inside one end to half a thumb inside the other.
  put(x) {
    const { left, width } = this.range.getBoundingClientRect();
    const thumb = THUMB_REM * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const along = Math.min(1, Math.max(0, (x - left - thumb / 2) / (width - thumb)));
    const share = getComputedStyle(this.range).direction === "rtl" ? 1 - along : along;
    const [low, high] = [Number(this.range.min), Number(this.range.max)];
    this.range.value = low + share * (high - low);
  }
}
