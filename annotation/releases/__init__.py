"""From judgments in the database to gold releases: cleaning runs, exclusions, releases, scores and exports."""
