"""What a researcher takes away of an analysis: the report page, figures, and tables for a paper."""
