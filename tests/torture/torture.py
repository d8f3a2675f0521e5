#!/usr/bin/env python3
"""Tries to break Railyard: bad inputs, random scenarios, sizes, kills, and all that broke it once.

    tests/torture/torture.py build/release/railyard --minutes 60 --seed 1

A case is named by its kind and a seed: `--case scenario:1/17 --keep DIR` runs it again and keeps
its files. Every case must end by itself with an exit code that is documented, say why if it
refuses, and leave results that physics allows. What `check` calls fine must run, and what `run`
refuses `check` must refuse.
"""

import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import damage  # pylint: disable=wrong-import-position
import findings
import generate
import physics

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Kinds of cases, as often as they come.
KINDS = ["scenario"] * 8 + ["keys"] * 3 + ["text"] * 4 + ["threads"] * 2 + ["starved"] * 2
KINDS += ["diff", "kill", "scale"]
PATIENCE = 10  # times the processor time that a call may take, by the clock
CONTROL = set(range(32)) - {9, 10, 13}


class Broken(Exception):
    """Something that may not happen."""


class Torture:
    """Runs cases against one program."""

    def __init__(self, options):
        self.program = str(pathlib.Path(options.railyard).resolve())
        self.options = options
        self.counts = collections.Counter()
        self.lock = threading.Lock()
        self.texts = damage.seeds_of(ROOT)
        self.known_keys = damage.keys_of(self.call(["keys", "--markdown"], ROOT).stdout.decode())

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    # One call of the program ---------------------------------------------------------------------

    def limits(self, seconds):
        """Of a call: processor time, which others on the machine do not add to, and memory."""
        seconds = math.ceil(seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not self.options.sanitized:
            size = int(self.options.memory_gb * (1 << 30))
            resource.setrlimit(resource.RLIMIT_AS, (size, size))

    def call(self, args, folder, seconds=None):
        """Ends by itself, with a code that is documented, and says why it refuses."""
        self.count("calls")
        seconds = seconds or self.options.timeout
        try:
            done = subprocess.run(
                [self.program, *args],
                cwd=folder,
                capture_output=True,
                timeout=PATIENCE * seconds,
                check=False,
                stdin=subprocess.DEVNULL,
                preexec_fn=lambda: self.limits(seconds),
            )
        except subprocess.TimeoutExpired:
            raise Broken(f"no answer: it waits for something: {' '.join(args)}") from None
        if done.returncode == -signal.SIGXCPU:
            raise Broken(f"no answer within {seconds} s: {' '.join(args)}")
        words = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 1, 2):
            raise Broken(f"ends with {done.returncode}: {' '.join(args)}: {words.strip()[-400:]}")
        if done.returncode == 2 and not words.strip() and "--json" not in args:
            raise Broken(f"refuses without a word: {' '.join(args)}")
        for name, data in (("stdout", done.stdout), ("stderr", done.stderr)):
            self.look_for_controls(name, data, args)
        return done

    def look_for_controls(self, name, data, args):
        """Names and files may hold anything; a terminal gets none of it raw."""
        text = data.decode(errors="replace")
        if any(ord(c) in CONTROL or 127 <= ord(c) < 160 for c in text):
            raise Broken(f"control characters on {name}: {' '.join(args)}")

    # Kinds of cases ------------------------------------------------------------------------------

    def scenario(self, seed, folder):
        scenario = generate.draw(seed)
        self.mend(scenario, folder)
        self.run_and_check(folder, seed)

    def starved(self, seed, folder):
        """Packets that hardly get through: slow or stuck, the run must end and say so."""
        self.mend(generate.draw_starved(seed), folder)
        self.run_and_check(folder, seed)

    def keys(self, seed, folder):
        """Any key of all there are, at any value of its kind."""
        write(damage.odd_keys(seed, self.known_keys), folder)
        self.run_and_check(folder, seed)

    def threads(self, seed, folder):
        """The same bytes whatever the number of threads."""
        self.mend(generate.draw(seed), folder)
        documents = []
        for threads in ("1", "2", "5"):
            done = self.call(
                ["run", "s.toml", "--json", "-", "--threads", threads, *advice_or_not(seed)], folder
            )
            document = json.loads(done.stdout)
            document.pop("wall_s", None)
            documents.append((done.returncode, json.dumps(document)))
        if len(set(documents)) != 1:
            raise Broken("results depend on the number of threads")

    def text(self, seed, folder):
        """A file that ships, broken."""
        rng = random.Random(f"file {seed}")
        path = rng.choice(self.texts)
        data = damage.broken_text(seed, path.read_text(errors="surrogateescape"))
        (folder / path.name).write_bytes(data)
        if path.suffix == ".toml":
            args = rng.choice([["check"], ["fabric"], ["check", "--json", "-"]])
            self.call([args[0], path.name, *args[1:]], folder)
        elif path.suffix == ".json":
            self.call(["diff", path.name, path.name], folder)
        else:
            write(user_of(path), folder)
            self.call(["check", "s.toml"], folder)

    def diff(self, seed, folder):
        for name in "ab":
            (folder / f"{name}.json").write_text(damage.odd_document(f"{seed} {name}"))
        self.call(["diff", "a.json", "b.json"], folder)
        self.call(["diff", "a.json", "a.json", "--json", "-"], folder)

    def kill(self, seed, folder):
        """Who is stopped leaves whole files or none."""
        rng = random.Random(f"kill {seed}")
        self.mend(generate.draw(seed), folder)
        args = ["run", "s.toml", "--json", "r.json", "-o", "r.html", "--quiet"]
        (folder / "r.json").write_text("{}")
        before = set(os.listdir(folder))
        how = rng.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        with subprocess.Popen(
            [self.program, *args], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as running:
            time.sleep(rng.choice([0.001, 0.01, 0.03, 0.1]))
            running.send_signal(how)
            running.wait()
        self.count("calls")
        json.loads((folder / "r.json").read_text())
        page = folder / "r.html"
        if page.exists() and not page.read_text().rstrip().endswith("</html>"):
            raise Broken("a page that is cut off")
        left = set(os.listdir(folder)) - before - {"r.html"}
        if left and how != signal.SIGKILL:
            raise Broken(f"{signal.Signals(how).name} leaves {sorted(left)}")

    def scale(self, seed, folder):
        """The same much larger: an answer, or a refusal, in bounded memory."""
        rng = random.Random(f"scale {seed}")
        self.mend(generate.draw(seed), folder)
        gpus = rng.choice([1024, 4096, 20000, 66000, 131072])
        args = ["s.toml", "--set", f"cluster.gpus={gpus}", "--set", "fabric.radix="]
        self.call(["check", *args], folder)
        try:
            self.call(["run", *args, "--quiet"], folder)
        except Broken as broken:
            if "no answer" not in str(broken):
                raise
            self.count("scale-ups without an answer in time")

    # What all scenarios must do ------------------------------------------------------------------

    def mend(self, scenario, folder):
        """Takes away what `check` complains of, so that most of what is drawn runs."""
        for _ in range(8):
            write(scenario, folder)
            done = self.call(["check", "s.toml", "--json", "-", "--quiet"], folder)
            if done.returncode != 2:
                return
            errors = [d for d in diagnostics_of(done) if d["severity"] == "error"]
            lines = sorted({d.get("line") or 0 for d in errors}, reverse=True)
            if not any([scenario.drop_line(line) for line in lines]):
                return

    def run_and_check(self, folder, seed):
        checked = self.call(["check", "s.toml", "--json", "-", "--quiet"], folder)
        done = self.call(["run", "s.toml", "--json", "-", *advice_or_not(seed)], folder)
        said = {d["code"] for d in diagnostics_of(checked)}
        if done.returncode == 2:
            self.count("refused")
            errors = {
                d["code"]: d["message"] for d in diagnostics_of(done) if d["severity"] == "error"
            }
            unsaid = {code: message for code, message in errors.items() if code not in said}
            text = (folder / "s.toml").read_text()
            if "from = " in text or 'fidelity = "packet"' in text:
                for never_ends in ("RY-RUN-030", "RY-RUN-035"):  # that shows as it runs
                    unsaid.pop(never_ends, None)
            if unsaid:
                raise Broken(f"run refuses what check calls fine: {unsaid}")
            return
        if checked.returncode != 0:
            raise Broken(f"check refuses what runs: {sorted(said)}")
        self.count("ran")
        document = json.loads(done.stdout)
        self.count(f"ran {document['engine']}")
        never_takes = 'slow_rate = "0 b/s"' in (folder / "s.toml").read_text()
        mistakes = physics.mistakes(document, never_takes)
        if mistakes:
            more = f" and {len(mistakes) - 3} more" if len(mistakes) > 3 else ""
            raise Broken("; ".join(mistakes[:3]) + more)

    def finding(self, finding, folder):
        """One that broke it before."""
        for name, text in finding.files.items():
            (folder / name).write_text(text)
        for name, target in finding.links.items():
            (folder / name).symlink_to(target)
        if finding.text:
            (folder / "s.toml").write_text(finding.text)
        args = [a.replace("{}", str(folder / "s.toml")) for a in finding.args]
        is_run = args[0] == "run" and not {"--json", "-o", "--flows"} & set(args)
        out = ["--json", str(folder / "results.json"), "--quiet"] if is_run else []
        where = folder if finding.files else ROOT
        done = self.call([*args, *out], where, finding.seconds)
        for name in finding.links:
            if not (folder / name).is_symlink():
                raise Broken(f"replaces the link {name}")
        for name, text in finding.files.items():
            if name not in finding.changes and (folder / name).read_text() != text:
                raise Broken(f"writes over {name}")
        if done.returncode not in finding.may:
            raise Broken(f"ends with {done.returncode}, not {finding.may}")
        if finding.wants not in done.stderr.decode():
            raise Broken(f"does not name {finding.wants}")
        if is_run and done.returncode != 2:
            document = json.loads((folder / "results.json").read_text())
            mistakes = physics.mistakes(document, finding.stuck)
            if document.get("flows", {}).get("undelivered") and not finding.stuck:
                mistakes.append("messages never arrive")
            if mistakes:
                raise Broken("; ".join(mistakes[:3]))

    # All of it -----------------------------------------------------------------------------------

    def case(self, name):
        """Runs the case of that name; returns what is broken, or nothing."""
        kind, _, seed = name.partition(":")
        known = {one.name: one for one in findings.FINDINGS}
        with tempfile.TemporaryDirectory(prefix="torture-") as home:
            folder = pathlib.Path(self.options.keep or home)
            folder.mkdir(parents=True, exist_ok=True)
            try:
                if kind == "finding":
                    self.finding(known[seed], folder)
                else:
                    getattr(self, kind)(seed, folder)
            except Broken as broken:
                return f"{name}: {broken}"
        self.count(kind)
        return None

    def names(self):
        """All cases in order; without end."""
        wanted = self.options.only.split(",") if self.options.only else None
        if not wanted or "finding" in wanted:
            for one in findings.FINDINGS:
                yield f"finding:{one.name}"
        kinds = [kind for kind in KINDS if not wanted or kind in wanted]
        number = 0
        while kinds:
            yield f"{kinds[number % len(kinds)]}:{self.options.seed}/{number}"
            number += 1

    def all(self):
        """Runs cases until time or number is over; returns what is broken."""
        end = time.monotonic() + self.options.minutes * 60
        broken, started = [], 0
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            waiting = set()
            for name in self.names():
                if time.monotonic() > end or (self.options.cases and started == self.options.cases):
                    break
                waiting.add(pool.submit(self.case, name))
                started += 1
                if len(waiting) < 2 * self.options.jobs:
                    continue
                done, waiting = concurrent.futures.wait(waiting, return_when="FIRST_COMPLETED")
                broken += [self.report(one.result()) for one in done if one.result()]
            broken += [self.report(one.result()) for one in waiting if one.result()]
        return broken

    def report(self, sentence):
        print(f"broken: {sentence}", flush=True)
        return sentence


def advice_or_not(seed):
    """Changes are tried in one case of eight: each is a run more."""
    return [] if random.Random(f"advice {seed}").randrange(8) == 0 else ["--no-advice"]


def write(scenario, folder):
    """A scenario and the files it names."""
    (folder / "s.toml").write_text(scenario.toml())
    for name, text in scenario.files.items():
        (folder / name).write_text(text)


def user_of(path):
    """A scenario that reads a drawing, traffic, ranks or loads of experts."""
    scenario = generate.Scenario()
    for key, value in {
        "name": "reads a file",
        "cluster.gpus": 8,
        "fabric.link_rate": "100 Gb/s",
        "fabric.link_delay": "100 ns",
        "fabric.switch_latency": "300 ns",
        "fabric.host_latency": "500 ns",
    }.items():
        scenario[key] = value
    if path.suffix == ".csv":
        scenario["traffic.pattern"] = "file"
        scenario["traffic.file"] = path.name
        return scenario
    scenario["traffic.pattern"] = "ring"
    scenario["traffic.size"] = "1 kB"
    if "rank" in path.name:
        scenario["placement.policy"] = "file"
        scenario["placement.file"] = path.name
    else:
        scenario["fabric.topology"] = "file"
        scenario["fabric.file"] = path.name
        for key in ("link_rate", "link_delay"):
            scenario.keys.pop(f"fabric.{key}")
    return scenario


def diagnostics_of(done):
    try:
        return json.loads(done.stdout)["diagnostics"]
    except (ValueError, KeyError):
        raise Broken(f"--json is no JSON: {done.stdout[:200]!r}") from None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("railyard", nargs="?", default=str(ROOT / "build/release/railyard"))
    parser.add_argument("--minutes", type=float, default=1, help="how long to go on")
    parser.add_argument("--cases", type=int, default=0, help="how many cases at most")
    parser.add_argument("--seed", default="1", help="names all cases")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="cases at a time")
    parser.add_argument(
        "--only", default="", help="kinds, with commas: " + ", ".join(sorted(set(KINDS)))
    )
    parser.add_argument("--case", action="append", default=[], help="run this one alone")
    parser.add_argument("--keep", default="", help="leave the files of --case in this folder")
    parser.add_argument(
        "--timeout", type=float, default=60, help="seconds of processor time that one call may take"
    )
    parser.add_argument("--memory-gb", type=float, default=6, help="that one call may use")
    parser.add_argument(
        "--sanitized", action="store_true", help="no limit of memory: sanitizers need all of it"
    )
    options = parser.parse_args()
    torture = Torture(options)
    if options.case:
        broken = [torture.report(one) for one in map(torture.case, options.case) if one]
    else:
        broken = torture.all()
    print("".join(f"{what}: {number}\n" for what, number in sorted(torture.counts.items())), end="")
    print(f"broken: {len(broken)}")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
