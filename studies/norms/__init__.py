"""Property norms from elsewhere, and models held against them."""
