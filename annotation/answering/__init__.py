"""The annotator's way through a study: places, pages, forms, saving."""
