"""What goes out, as streams of bytes that a command writes to a file and a view sends: docs/formats.md."""
