// A field to write in: what stands in it is counted against its limits, as the server will count it.

export const fill = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
const length = (text) => [...text].length; // an emoji is one character here and at the server

export class Writing {
  constructor(field, count, say) {
    Object.assign(this, { field, count, say });
    const { longest, longestLine, mostLines } = field.dataset;
    [this.longest, this.longestLine, this.mostLines] = [longest, longestLine, mostLines].map((limit) => Number(limit ?? Infinity));
    for (const moment of ["input", "keyup", "click"]) field.addEventListener(moment, () => this.show());
    this.show();
  }

  get isList() {
    return Number.isFinite(this.longestLine);
  }

  get lines() {
    return this.field.value.split("\n").map((line) => line.trim().replace(/\s+/gu, " "));
  }

  // What is too long, in a sentence, or nothing.
  get problem() {
    if (length(this.field.value.trim()) > this.longest) return fill(this.say.long, { limit: this.longest });
    if (!this.isList) return "";
    const { lines } = this;
    if (new Set(lines.filter((line) => line)).size > this.mostLines) return fill(this.say.many, { limit: this.mostLines });
    const index = lines.findIndex((line) => length(line) > this.longestLine);
    if (index < 0) return "";
    return fill(this.say.longline, { line: index + 1, count: length(lines[index]), limit: this.longestLine });
  }

  // A list is counted by the line that is being written.
  show() {
    const { value, selectionStart } = this.field;
    const line = value.slice(0, selectionStart).split("\n").length;
    this.count.textContent = this.isList
      ? fill(this.say.countedline, { line, count: length(this.lines[line - 1]), limit: this.longestLine })
      : fill(this.say.counted, { count: length(value.trim()), limit: this.longest });
    this.count.toggleAttribute("data-over", this.problem !== "");
  }
}
