"""What stands before every request, and what a page may load."""
