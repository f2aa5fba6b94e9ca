"""Pairs of things and which is larger: complements, transitive and subtype sets, splits and summaries. No Django."""
