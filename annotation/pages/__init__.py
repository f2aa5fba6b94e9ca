"""The pages on which researchers follow, clean and read a study: view functions, one module per page."""
