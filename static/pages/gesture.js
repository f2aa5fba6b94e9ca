// A finger or a pen on a slider. Some browsers (Safari on phones) let only the thumb be dragged, and ours is hidden at
// first: so the thumb comes to wherever the finger taps or drags. A mouse is left to the browser, which does that itself.

const DRAG_PX = 8;
const THUMB_REM = 2; // --thumb of touchstone.css

export class Gesture {
  constructor(range, event, before) {
    this.range = range;
    this.before = before;
    this.startX = event.clientX;
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

  tapAt(event) {
    if (this.isFinger && !this.isDrag && event.detail > 0) this.put(event.clientX);
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
