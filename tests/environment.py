"""Settings that every test runs under: loaded by pytest (`-p tests.environment`) before Django reads its settings."""

import os

os.environ.setdefault(
    "TOUCHSTONE_SECRET_KEY", "only for tests, and long enough to please check --deploy: 0123456789abcdef"
)
os.environ.setdefault("TOUCHSTONE_ALLOWED_HOSTS", "127.0.0.1,localhost,testserver")
os.environ.setdefault("TOUCHSTONE_HTTPS_ONLY", "0")
