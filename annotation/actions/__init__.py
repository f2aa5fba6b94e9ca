"""Everything that annotation writes: named functions, keyword-only, with the audit row inside."""
