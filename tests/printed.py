"""What long commands print, asked for once: several tests look at the same predictions, which take a minute of two cores.

The answer lies beside the program and is as new as it is; what the program reads for such commands is built into it.
"""
import fcntl
import hashlib
import os
import pathlib
import subprocess


def main_job(program):
    """What `railyard compare` prints 100 columns wide, without the last line, and its page: made by web/test/main_job.mjs."""
    program = pathlib.Path(program).resolve()
    folder = program.parent / "web" / "main"
    text = folder / "main.txt"
    if not text.exists() or text.stat().st_mtime_ns < program.stat().st_mtime_ns:
        maker = pathlib.Path(__file__).resolve().parents[1] / "web" / "test" / "main_job.mjs"
        subprocess.run(["node", maker, program, folder], check=True)
    return text.read_text().split("\npage: ")[0], folder / "main.html"


def printed_once(program, *words):
    """Standard output of a command that must succeed. Tests that ask at the same time wait for the first of them."""
    program = pathlib.Path(program).resolve()
    folder = program.parent / "printed"
    folder.mkdir(exist_ok=True)
    name = "-".join(word.strip("-") for word in words)
    file = folder / f"{name}-{hashlib.sha256(' '.join(words).encode()).hexdigest()[:8]}.txt"
    with open(file.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not file.exists() or file.stat().st_mtime_ns < program.stat().st_mtime_ns:
            done = subprocess.run([program, *words], capture_output=True, text=True)
            if done.returncode != 0:
                raise AssertionError(
                    f"railyard {' '.join(words)} ends with {done.returncode}: {done.stderr}"
                )
            partial = file.with_suffix(".partial")
            partial.write_text(done.stdout)
            os.replace(partial, file)
        return file.read_text()
