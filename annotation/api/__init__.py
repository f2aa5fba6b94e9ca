"""The REST API under /api/v1/: an interface like the pages, which calls the same actions and reads the same rows."""
