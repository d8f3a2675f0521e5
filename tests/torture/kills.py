"""Ends the program while it works and while it writes: files are whole or as they were, and nothing is left behind.

kills.py RAILYARD: twenty kills in ctest; --kills 1000 by hand. What is tried follows from --seed alone; when a signal comes
is up to the machine.
"""
import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PARSER = argparse.ArgumentParser(description=__doc__)
PARSER.add_argument("railyard", type=lambda path: str(pathlib.Path(path).resolve()))
PARSER.add_argument("--seed", type=int, default=20)
PARSER.add_argument("--kills", type=int, default=20)

# The last one cannot be caught: what was unfinished stays, under a name of its own.
SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL"]
WORK = [
    "run",
    "scenarios/first.toml",
    "--quiet",
    "--set",
    "engine.fidelity=flow",
    "--set",
    "collective.sizes=[1, 2, 4, 8, 16, 32, 64]",
]
FIRST_LINES = {
    "--json": lambda text: json.loads(text)["schema"] == "railyard-results/1",
    "-o": lambda text: text.rstrip().endswith("</html>"),
    "--flows": lambda text: text.startswith("start_s,") and text.endswith("\n"),
}


def command_of(railyard, outputs, folder):
    words = [railyard, *WORK]
    for option in outputs:
        words += [option, str(folder / option.strip("-"))]
    return words


def wrong_after(folder, outputs, was_there, name):
    """What is not as it should be."""
    for option in outputs:
        path = folder / option.strip("-")
        text = path.read_text() if path.exists() else None
        if text is None and not was_there:
            continue
        if text == "old" and was_there:
            continue
        if not text or not FIRST_LINES[option](text):
            yield f"{option} is neither old nor whole: {str(text)[:80]!r}"
    expected = {option.strip("-") for option in outputs}
    for path in folder.iterdir():
        is_unfinished = path.name.startswith(".railyard-") and path.name.endswith(".partial")
        if path.name not in expected and not (name == "SIGKILL" and is_unfinished):
            yield f"{path.name} stays behind"


def kill_once(railyard, draw, takes):
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        outputs = draw.sample(sorted(FIRST_LINES), draw.randint(1, len(FIRST_LINES)))
        was_there = draw.random() < 0.5
        for option in outputs if was_there else []:
            (folder / option.strip("-")).write_text("old")
        name = draw.choice(SIGNALS)
        # As often near the end, where files are written, as anywhere.
        share = draw.uniform(0, 1.1) if draw.random() < 0.5 else draw.uniform(0.8, 1.1)
        process = subprocess.Popen(
            command_of(railyard, outputs, folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(share * takes)
        process.send_signal(getattr(signal, name))
        code = process.wait(60)
        wrong = list(wrong_after(folder, outputs, was_there, name))
        if code not in (0, -getattr(signal, name)):
            wrong.append(f"ended with {code}")
        return code != 0, [f"{name} after {share * takes:.3f} s, {outputs}: {w}" for w in wrong]
    finally:
        shutil.rmtree(folder)


def time_of(railyard):
    with tempfile.TemporaryDirectory() as name:
        start = time.monotonic()
        subprocess.run(command_of(railyard, sorted(FIRST_LINES), pathlib.Path(name)), check=True)
        return time.monotonic() - start


def main():
    asked = PARSER.parse_args()
    draw = random.Random(asked.seed)
    takes = time_of(asked.railyard)
    wrong, killed = [], 0
    for _ in range(asked.kills):
        was_killed, found = kill_once(asked.railyard, draw, takes)
        killed += was_killed
        wrong += found
    for sentence in wrong:
        print(sentence)
    print(
        f"{asked.kills} runs of {takes:.2f} s, {killed} killed before their end, {len(wrong)} wrong"
    )
    sys.exit(1 if wrong else 0)


main()
