"""Researchers' accounts: permissions, API tokens, second factors."""
