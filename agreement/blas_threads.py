"""One thread for linear algebra, set before numpy loads: our matrices are small, and a BLAS that waits for a busy core
by spinning made an analysis on a loaded machine eight times slower. Work is spread over processes instead.
"""

import os

for _library in ("OPENBLAS", "OMP", "MKL"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
