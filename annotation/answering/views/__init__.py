"""The annotator's pages, in the order of the journey."""
