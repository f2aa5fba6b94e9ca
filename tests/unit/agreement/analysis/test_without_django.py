from __future__ import annotations

import subprocess
import sys


def test_the_one_line_job_loads_no_django() -> None:
    """Mathematics and files know nothing of the web: analysing a file must work where Django isn't even there."""
    code = "import sys; sys.modules['django'] = None; import agreement.analysis.file_job"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.stderr == ""
    assert done.returncode == 0
