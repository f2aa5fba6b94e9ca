"""A Chromium for the browser tests: the machine's own, else Debian's package where this process may install it."""

import os
import shutil
import subprocess
from pathlib import Path

# The first is the same browser without its windows: a test takes a third less of the processors.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
PACKAGES = ("chromium-headless-shell", "chromium")  # Debian's; older releases have the second alone
WHAT_TO_INSTALL = (
    "The browser tests need Chromium and did not run: install it ('apt-get install chromium-headless-shell' on Debian, "
    "or Google Chrome elsewhere), or name one with CHROMIUM=/path/to/chromium, then run make test again."
)


def works(path: str) -> bool:
    """Ubuntu's package is a pointer to a snap and can be there without working."""
    try:
        return subprocess.run([path, "--version"], capture_output=True, check=False, timeout=60).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def find() -> Path | None:
    named = os.environ.get("CHROMIUM")
    for name in (named,) if named else NAMES:
        found = shutil.which(name)
        if found and works(found):
            return Path(found)
    return None


def find_or_install() -> Path | None:
    found = find()
    if found or os.environ.get("CHROMIUM") or os.geteuid() != 0 or not shutil.which("apt-get"):
        return found
    print("No Chromium was found: installing Debian's package …", flush=True)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    apt = ["apt-get", "--quiet", "--quiet"]
    subprocess.run([*apt, "update"], env=quiet, check=False)
    for package in PACKAGES:
        install = [*apt, "install", "--yes", "--no-install-recommends", package]
        if not subprocess.run(install, env=quiet, check=False).returncode:
            return find()
    return None
