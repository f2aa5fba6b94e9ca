"""From judgments to results: cleaning, gold, agreement, ceilings, scores and their exports."""
