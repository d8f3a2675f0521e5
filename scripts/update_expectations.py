#!/usr/bin/env python3
"""Writes anew what scenarios are pinned to, after a change that is meant to change results. Look at the difference before you commit it.

update_expectations.py [FILES…] (default: every test that has a fingerprint). Each scenario is run with build/release/railyard; its
fingerprint, and values that are marked with `# pinned`, become what the run gave. Scenarios under scenarios/ that have no file in
tests/shipped yet get one.
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAILYARD = ROOT / "build/release/railyard"
HEADLINES = [
    "step_time_s",
    "points[-1].time_us",
    "flows.delivery_us.max",
    "jobs[0].together.mean_s",
]  # the first that a run has


def results_of(path):
    done = subprocess.run(
        [RAILYARD, "run", path, "--json", "-", "--quiet"], cwd=ROOT, capture_output=True, text=True
    )
    return json.loads(done.stdout) if done.returncode == 0 else sys.exit(f"{path}: {done.stderr}")


def look_up(document, path):
    for part in re.findall(r"[^.\[\]]+", path):
        document = document[int(part)] if isinstance(document, list) else document.get(part)
        if document is None:
            return None
    return document


def headline_of(results):
    for path in HEADLINES:
        path = path.replace("[-1]", f"[{len(results.get('points', [])) - 1}]")
        value = look_up(results, path)
        if isinstance(value, (int, float)):
            return path, value
    return None, None


def create(scenario, path):
    """A test that extends a shipped scenario and says what it gives: one figure for people, a fingerprint for machines."""
    up = "../" * len(path.relative_to(ROOT).parent.parts)
    extends = f'extends = "{up}{scenario.relative_to(ROOT)}"\n'
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(extends)
    results = results_of(path.relative_to(ROOT))
    headline, value = headline_of(results)
    text = extends + f'[expect]\nfingerprint = "{results["fingerprint"]}"\n'
    codes = [found["code"] for found in results.get("diagnostics", [])]
    if codes:
        text += "diagnostics = [" + ", ".join(f'"{code}"' for code in codes) + "]\n"
    if headline:
        text += f'[expect.values]\n"{headline}" = {{ value = {value:.7g}, relative = 1e-6 }}  # pinned\n'
    path.write_text(text)


def update(path):
    results = results_of(path.relative_to(ROOT))
    text = re.sub(
        r'^fingerprint = "\w+"',
        f'fingerprint = "{results["fingerprint"]}"',
        path.read_text(),
        flags=re.MULTILINE,
    )

    def pinned(found):
        return f"{found[1]}{look_up(results, found[2].strip(chr(34))):.7g}{found[3]}"

    text = re.sub(
        r'^(("[^"]+"|[\w.]+) = \{ value = )[-+.\de]+(.*# pinned)$', pinned, text, flags=re.MULTILINE
    )
    path.write_text(text)


def main():
    named = [pathlib.Path(name).resolve() for name in sys.argv[1:]]
    for scenario in sorted((ROOT / "scenarios").rglob("*.toml")) if not named else []:
        path = ROOT / "tests/shipped" / scenario.relative_to(ROOT / "scenarios")
        if not path.exists():
            create(scenario, path)
            print("new:", path.relative_to(ROOT))
    for path in named or sorted((ROOT / "tests").rglob("*.toml")):
        before = path.read_text()
        if re.search(r'^fingerprint = "', before, flags=re.MULTILINE):
            update(path)
            if path.read_text() != before:
                print("changed:", path.relative_to(ROOT))


if __name__ == "__main__":
    main()
