"""How long the command `ask --json` takes for a thousand questions; see `bench.py`.

Each measurement is a process of its own that has asked nothing before: no table of odds and no map
is known to it. It times the calibration loop and the command, and prints the ratio.
"""

from __future__ import annotations

import contextlib
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rulesengine.__main__ import main

COUNT = 1000
BOUND = 20.0
ROOT = Path(__file__).parents[1]


def measure(rounds: int) -> float:
    """Calibration loops for a thousand answers, the median of so many rounds."""
    from tests.thousand import questions

    with tempfile.TemporaryDirectory() as folder:
        asked = Path(folder) / "questions.json"
        asked.write_text(json.dumps(questions(COUNT)))
        return round(statistics.median(_in_a_new_process(asked) for _ in range(rounds)), 3)


def _in_a_new_process(asked: Path) -> float:
    command = [sys.executable, "-m", "tests.bench_asking", str(asked)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return float(done.stdout)


def cold(asked: Path) -> float:
    """The ratio in this process."""
    from tests.bench import loop, timed

    unit = statistics.median(timed(loop) for _ in range(3))
    answers = io.StringIO()
    with contextlib.redirect_stdout(answers):
        start = time.process_time()
        status = main(["ask", str(asked), "--json"])
        spent = time.process_time() - start
    assert status == 0
    assert len(json.loads(answers.getvalue())) == COUNT
    return spent / unit


if __name__ == "__main__":
    print(cold(Path(sys.argv[1])))
