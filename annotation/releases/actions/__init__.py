"""What is written on the way from judgments to gold: runs, verdicts, exclusions, releases, each with its audit row."""
