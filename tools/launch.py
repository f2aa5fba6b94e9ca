"""`make run` and `touchstone run`: the demo's results, then web process, worker and clock, until told to stop."""

import argparse
import http.client
import os
import sys
import time
from collections.abc import Sequence

from tools import guarded, place
from tools.child import Child, stop_all
from tools.stopping import Stopping

READY_SECONDS = 60
LOOPBACK = "127.0.0.1,localhost,::1"
# In a container everyone is root, and no message here is a pickle: Celery's warning would only frighten.
CELERY = [sys.executable, "-W", "ignore:You're running the worker", "-m", "celery", "--quiet", "--app", "config"]


def environment(here: place.Place) -> dict[str, str]:
    env = dict(os.environ)
    env.setdefault("TOUCHSTONE_SECRET_KEY", place.secret_key(here.var))
    env.setdefault("TOUCHSTONE_ALLOWED_HOSTS", f"{place.HOST},localhost")
    env.setdefault("TOUCHSTONE_HTTPS_ONLY", "0")  # on loopback there is nobody in between, and no certificate
    env.setdefault("TOUCHSTONE_BROKER_URL", "filesystem://localhost")
    env["TOUCHSTONE_VAR"] = str(here.var)
    env["TOUCHSTONE_ADDRESS"] = here.address
    env["DJANGO_SETTINGS_MODULE"] = "config.settings"
    env["PYTHONUNBUFFERED"] = "1"
    for name in ("no_proxy", "NO_PROXY"):
        env[name] = ",".join(filter(None, [env.get(name), LOOPBACK]))
    return env


def children(here: place.Place, env: dict[str, str]) -> list[Child]:
    web = [sys.executable, "-m", "granian", "--interface", "rsgi", "--host", place.HOST, "--port", str(here.port)]
    web += ["--workers", "1", "--runtime-mode", "st", "--no-ws", "--log-level", "warning"]
    # A worker that is told to stop while it starts doesn't hear it.
    web += ["--workers-kill-timeout", "3", "config.rsgi:application"]
    # One job at a time: SQLite has one writer anyway. A pool of its own would only be one more process.
    worker = [*CELERY, "worker", "--pool", "solo", "--loglevel", "WARNING"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    # In memory: a schedule of one entry needs no file that a crash could leave half written.
    clock = [*CELERY, "beat", "--scheduler", "celery.beat:Scheduler", "--pidfile", "", "--loglevel", "WARNING"]
    return [Child("web process", web, env), Child("worker", worker, env), Child("clock", clock, env)]


def prepare(here: place.Place, env: dict[str, str], stopping: Stopping) -> int:
    """The exit code of the preparation, which ends early when asked to stop."""
    collect = [] if here.static_is_collected() else ["collectstatic"]
    preparation = guarded.start([sys.executable, "-m", "tools.prepare", *collect], env=env)
    while preparation.is_running() and not stopping:
        stopping.wait(0.05)
    return preparation.stop()


def answers(here: place.Place) -> bool:
    connection = http.client.HTTPConnection(place.HOST, here.port, timeout=5)  # knows nothing of proxies
    try:
        connection.request("GET", "/")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def serve(here: place.Place, children: list[Child], stopping: Stopping) -> int:
    web, *others = children
    running = [web]
    give_up_at = time.monotonic() + READY_SECONDS
    ready = False
    while not stopping:
        for child in running:
            if said := child.tend():
                print(said, flush=True)
        if not ready and answers(here):
            ready = True
            running += others  # after the page, for which a person waits
            print(f"Ready at {here.address}/ (Ctrl-C stops it; the data stays in {here.var}).", flush=True)
        if not ready and time.monotonic() > give_up_at:
            print(f"{here.address}/ did not answer in {READY_SECONDS} s: the lines above say why.", file=sys.stderr)
            return 1
        stopping.wait(0.5 if ready else 0.05)
    return 0


def run(here: place.Place, stopping: Stopping) -> int:
    env = environment(here)
    once = os.environ.get("ONCE", "0") not in {"", "0"}
    running = children(here, env)
    try:
        if here.is_prepared() and here.static_is_collected() and not once:
            running[0].start()  # the web process, which a second run has ready while the results are being shown
        code = prepare(here, env, stopping)
        if stopping:
            print("Stopped before the results were ready; what was done is kept.", flush=True)
            return 0
        if code:
            return code
        here.note_prepared()
        return 0 if once else serve(here, running, stopping)
    finally:
        if not stopping.is_orphaned():  # else nobody waits for a farewell, and the guards are quicker alone
            stop_all(running)


def main(arguments: Sequence[str] | None = None, program: str | None = None) -> int:
    parser = argparse.ArgumentParser(prog=program, description=__doc__)
    parser.add_argument("--port", help="where the site is served on this machine (default: PORT, or 8000)")
    parser.add_argument("--once", action="store_true", help="stop after the results (as ONCE=1)")
    parser.add_argument("--with-parent", action="store_true", help="stop when the process that started this one ends")
    options = parser.parse_args(arguments)
    if options.port is not None:
        os.environ["PORT"] = options.port
    if options.once:
        os.environ["ONCE"] = "1"
    os.umask(0o077)  # answers of people: nobody else on this machine reads them
    stopping = Stopping(with_parent=options.with_parent)
    try:
        code = run(place.find(), stopping)
    except place.Unusable as error:
        print(error, file=sys.stderr)
        return 1
    if stopping:
        print("Stopped.", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
