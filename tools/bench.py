"""`make bench`: runs the programs in tools/benchmarks/ one after the other, with a throwaway PostgreSQL for them."""

import argparse
import os
import subprocess
import sys
import time

from tests.services.postgres import throwaway_postgres
from tools import place

FOLDER = place.ROOT / "tools" / "benchmarks"
LONG = {"coverage", "cleaning_study"}  # simulations with a command of their own
PARTS = {"analyse_stages"}  # started by analyse_file, once a size


def names() -> list[str]:
    """Those that can be run; the others are parts of them."""
    runnable = [path.stem for path in FOLDER.glob("*.py") if '__name__ == "__main__"' in path.read_text()]
    return sorted(set(runnable) - PARTS)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=f"of {', '.join(names())}; without any: all but {', '.join(LONG)}")
    chosen = parser.parse_args().names or [name for name in names() if name not in LONG]
    if unknown := set(chosen) - set(names()):
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}: there are {', '.join(names())}")
    failed = []
    with throwaway_postgres() as url:
        env = {**os.environ, "TOUCHSTONE_TEST_POSTGRES_URL": url}
        for name in chosen:
            print(f"== {name}", flush=True)
            began = time.monotonic()
            if subprocess.run(
                [sys.executable, "-m", f"tools.benchmarks.{name}"], cwd=place.ROOT, env=env, check=False
            ).returncode:
                failed.append(name)
            print(f"   ({time.monotonic() - began:.1f} s)", flush=True)
    if failed:
        print(f"These ended with an error, shown above: {', '.join(failed)}.", file=sys.stderr)
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
