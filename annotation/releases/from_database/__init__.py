"""The only way from the database to a `Crowd`: which judgments count, read fast and alike on both databases; and to
what is known of how they were collected.
"""
