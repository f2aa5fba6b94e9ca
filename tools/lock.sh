#!/bin/sh
# Writes tools/requirements/run.txt and dev.txt anew from pyproject.toml: `make lock`, with UPGRADE=1 to take newer versions.
set -eu
command -v uv >/dev/null || {
    echo "make lock needs uv: install it (https://docs.astral.sh/uv/), then run make lock again." >&2
    exit 1
}
# --no-emit-*: a lock holds names, versions and hashes, never where this machine fetches from.
lock() {
    uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-emit-find-links \
        --only-binary :all: --all-extras ${UPGRADE:+--upgrade} pyproject.toml "$@"
}
lock --group dev -o tools/requirements/dev.txt
lock -o tools/requirements/run.txt
if grep -nE '(https?|file)://' tools/requirements/*.txt; then
    echo "A lock names a place to fetch from, in the lines above: that must not be committed." >&2
    exit 1
fi
