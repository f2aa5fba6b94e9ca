// Which of an item's questions are shown: as annotation/answering/several_questions.py decides it, by the same cases.

// `answer`: what an earlier question has, its labels or its number; null where it has none, or isn't known.
function holds({ labels, low, high }, answer) {
  if (!answer) return false;
  if (labels?.length) return (answer.labels ?? []).some((label) => labels.includes(label));
  return typeof answer.number === "number" && answer.number >= (low ?? -Infinity) && answer.number <= (high ?? Infinity);
}

// Of `questions`, each { number, condition }, in their order; an answer to one that isn't shown counts for nothing.
export function numbersShown(questions, answers) {
  const shown = new Set();
  for (const { number, condition } of questions) {
    if (!condition || (shown.has(condition.question) && holds(condition, answers[condition.question]))) shown.add(number);
  }
  return shown;
}
