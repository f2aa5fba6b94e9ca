// What the person last used: mouse, touch, pen or keyboard. Kept with each answer, for it changes how exact one can be.

let last = "unknown";

document.addEventListener("pointerdown", (event) => { last = event.pointerType || "unknown"; }, true);
document.addEventListener("keydown", () => { last = "keyboard"; }, true);

export const hand = () => (["mouse", "touch", "pen", "keyboard"].includes(last) ? last : "unknown");
