// One question's part of a page's form: its inputs are named by its position, and leave the page without it.

const isChoice = (input) => input.type === "radio" || input.type === "checkbox";

function* named(element, position) {
  const prefix = `i${position}-`;
  for (const input of element.elements) {
    if (input.name?.startsWith(prefix)) yield [input.name.slice(prefix.length), input];
  }
}

export function read(element, position) {
  const given = new URLSearchParams();
  for (const [name, input] of named(element, position)) {
    if (!isChoice(input) || input.checked) given.append(name, input.value);
  }
  return given;
}

export function write(element, position, given) {
  for (const [name, input] of named(element, position)) {
    const values = given.getAll(name);
    if (isChoice(input)) input.checked = values.includes(input.value);
    else if (input.type !== "hidden") input.value = values.at(-1) ?? "";
  }
}
