"""The settings under test: the one settings file, read from an environment that no developer's shell has touched."""

import os
import tempfile

for name in [name for name in os.environ if name.startswith("TOUCHSTONE_") and not name.startswith("TOUCHSTONE_TEST_")]:
    del os.environ[name]

folder = tempfile.mkdtemp(prefix="ts-var-")  # removed in tests/house_rules.py
os.environ |= {
    "TOUCHSTONE_VAR": folder,
    "TOUCHSTONE_SECRET_KEY": "known to everyone, for it protects nothing but these tests",
    "TOUCHSTONE_ALLOWED_HOSTS": "testserver,localhost,127.0.0.1",
    "TOUCHSTONE_HTTPS_ONLY": "0",
}
if os.environ.get("TOUCHSTONE_TEST_SHARE") == "postgresql":
    os.environ["TOUCHSTONE_DATABASE_URL"] = os.environ["TOUCHSTONE_TEST_POSTGRES_URL"]

from config.settings import *  # noqa: E402, F403

# Good passwords are slow by design; tests make many accounts.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# A walk over every address asks more often than a person; who tests the limits sets them.
API_READS_PER_MINUTE = API_WRITES_PER_MINUTE = API_VISITS_PER_MINUTE = 1_000_000

# The tables are emptied between tests with the triggers away; tests of what a site does without them set this to 0.
TRIGGERS_CHECKED_EVERY_SECONDS = 1_000_000
