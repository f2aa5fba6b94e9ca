"""The kinds of question, one folder per kind, and what all of them share. Used by both apps."""
