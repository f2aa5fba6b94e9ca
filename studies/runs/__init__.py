"""`make studies`: the five founding studies, each from its items to its tables, as pages with figures."""
