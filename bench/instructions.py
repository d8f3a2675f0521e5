"""How many instructions a command executes: the same on a busy machine as on a quiet one. Needs valgrind."""
import re
import subprocess
import sys


def millions_of(command, **options):
    """Instructions of a command that must succeed, in millions."""
    counted = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
    if counted.returncode != 0:
        sys.exit(f"{' '.join(command)} failed under valgrind:\n{counted.stderr}")
    return int(re.search(r"Collected : (\d+)", counted.stderr)[1]) / 1e6
