"""Virtual people with a known truth and known vices, for demonstrations, planning and tests."""
