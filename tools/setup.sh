#!/bin/sh
# Makes .venv from a hash-locked list of wheels: `sh tools/setup.sh run` or `dev`.
# Needs Python 3.11 or newer and nothing else; a second run compares two files and is done.
set -u
kind=${1:-run}
lock=tools/requirements/$kind.txt
venv_python=.venv/bin/python
log=.venv/install.log

stop() {
    printf '%s\n' "$*" >&2
    exit 1
}

version() {
    "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo none
}

# The dev list holds everything in the run list, so either satisfies `run`.
installed() {
    [ -x "$venv_python" ] && suitable "$venv_python" && [ "$(version "$venv_python")" = "$(version "${PYTHON:-$venv_python}")" ] || return 1
    cmp -s tools/requirements/dev.txt .venv/installed-dev.txt && return 0
    [ "$kind" = run ] && cmp -s "$lock" .venv/installed-run.txt
}

# Runs the candidate: a name on the path can be a shim without a Python behind it.
suitable() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

# With ensurepip the venv gets its own pip; without it, another pip of the same Python can fill it from outside.
can_install() {
    "$1" -c 'import ensurepip, venv; ensurepip.version()' 2>/dev/null && return 0
    "$1" -c 'import venv, pip; assert tuple(map(int, pip.__version__.split(".")[:2])) >= (22, 3)' 2>/dev/null
}

find_python() {
    without_venv=
    [ -n "${PYTHON:-}" ] && set -- "$PYTHON" || set -- python3.13 python3.12 python3.11 python3 python
    for candidate; do
        suitable "$candidate" || continue
        if can_install "$candidate"; then
            python=$candidate
            return
        fi
        without_venv=${without_venv:-$candidate}
    done
    if [ -n "$without_venv" ]; then
        minor=$(version "$without_venv")
        stop "$without_venv has no working venv module: install it ('apt-get install python$minor-venv' on Debian and Ubuntu), then run make again, or name another Python with PYTHON=…"
    fi
    [ -n "${PYTHON:-}" ] && stop "PYTHON=$PYTHON is not a working Python 3.11 or newer: name one that is, or leave PYTHON out."
    stop "No Python 3.11 or newer was found on the path: install one (python3 and python3-venv on Debian and Ubuntu), or name one with PYTHON=/path/to/python3."
}

explain_failure() {
    if grep -qiE 'THESE PACKAGES DO NOT MATCH THE HASHES' "$log"; then
        stop "A package that was fetched isn't the one in $lock (its hash differs), so nothing of it was installed: try again from a trusted index, and report it if it stays so ($log)."
    elif grep -qiE 'No space left' "$log"; then
        stop "The disk is full: about 1 GB is needed for .venv ($log)."
    elif grep -qiE 'from versions: [0-9]|not a supported wheel|only-binary' "$log"; then
        stop "A package in $lock has no wheel for this Python or machine: name another Python with PYTHON=python3.12, say ($log: $(grep -m1 ERROR "$log"))."
    elif grep -qiE 'NewConnection|resolution|resolve|Max retries|ProxyError|timed out|unreachable|refused|from versions: none|SSLError' "$log"; then
        stop "The packages could not be fetched, so there seems to be no network: connect, or set HTTPS_PROXY or PIP_INDEX_URL, and run make again ($log says more)."
    fi
    tail -n 5 "$log" >&2
    stop "The packages could not be installed: the lines above, and all of $log, say why."
}

[ -f "$lock" ] || stop "There is no $lock here: run make in the project's own folder."
installed && exit 0
[ -w . ] || stop "$(pwd) can't be written to by $(id -un 2>/dev/null || id -u): clone the project into a folder of your own."

if [ -n "${PYTHON:-}" ] || ! { [ -x "$venv_python" ] && suitable "$venv_python" && [ -f .venv/made ]; }; then
    find_python
    rm -rf .venv
    without_pip=
    "$python" -c 'import ensurepip; ensurepip.version()' 2>/dev/null || without_pip=--without-pip
    printf 'Making .venv with %s …\n' "$("$python" -c 'import sys; print(sys.executable, sys.version.split()[0])')"
    # shellcheck disable=SC2086 # an empty option must vanish
    "$python" -m venv $without_pip .venv >/dev/null 2>&1 || stop "$python could not make .venv: install its venv package (python3-venv on Debian and Ubuntu), or name another Python with PYTHON=…"
    [ -z "$without_pip" ] || printf '%s\n' "$python" >.venv/outer-python
    : >.venv/made
fi

printf 'Installing the packages of %s into .venv (once; a minute or two) …\n' "$lock"
if [ -f .venv/outer-python ]; then
    set -- "$(cat .venv/outer-python)" -m pip --python "$venv_python"
else
    set -- "$venv_python" -m pip
fi
PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1 "$@" install --quiet --progress-bar off --retries 2 \
    --require-hashes --only-binary :all: --requirement "$lock" >"$log" 2>&1 || explain_failure
cp "$lock" ".venv/installed-$kind.txt"
