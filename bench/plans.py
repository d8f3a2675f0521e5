#!/usr/bin/env python3
"""Searches a plan for jobs of catalog/published and tells how far the published one is from the best that is found.

    bench/plans.py build/release/railyard [--tables korthikanti,llama3] [--every N] > table.md

Closed forms time the plans: most publications do not describe their network. docs/plans.md holds a table of this."""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = [
    "korthikanti",
    "sc21",
    "megatron-core",
    "mlperf-gpt3",
    "mlperf-llama405b",
    "llama3",
    "megascale",
    "deepseek-v3",
    "megatron-bridge",
]
SECTIONS = ["model", "training", "parallel", "cluster", "fabric"]
SHORT = {
    "parallel.tensor": "tp",
    "parallel.context": "cp",
    "parallel.pipeline": "pp",
    "parallel.virtual_pipeline": "vpp",
    "parallel.expert": "ep",
    "parallel.zero": "zero",
    "training.micro_batch": "mbs",
    "training.recompute": "recompute",
}


def merged(base, over):
    """`over` laid over `base`, section by section."""
    out = dict(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(out.get(key), dict):
            out[key] = merged(out[key], value)
        else:
            out[key] = value
    return out


def scenario_text(name, sections):
    """A scenario in closed form; numbers and texts are written alike in JSON and TOML."""
    lines = [f"name = {json.dumps(name)}"]
    for section in SECTIONS:
        keys = sections.get(section, {})
        if keys:
            lines.append(f"[{section}]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    return "\n".join(lines + ["[engine]", 'fidelity = "analytic"', ""])


def rows_of(table, every):
    """Rows of a table, one in `every`."""
    document = tomllib.loads((ROOT / "catalog/published" / f"{table}.toml").read_text())
    for i, (name, row) in enumerate(document["rows"].items()):
        if i % every == 0:
            yield name, merged(document.get("common", {}), row)


def plan_text(row):
    """A plan as people write it, without degrees of one."""
    words = []
    for key, short in SHORT.items():
        value = row["plan"].get(key)
        if value is not None and not (value == "1" and short in ("tp", "cp", "pp", "vpp", "ep")):
            words.append(f"{short} {value}" if short != "recompute" else f"recompute {value}")
    return ", ".join(words + [f"dp {row['replicas']}"])


def search(railyard, name, sections, folder):
    """What `railyard plan` finds for one row; its first mistake where it cannot."""
    file = pathlib.Path(folder) / "row.toml"
    out = pathlib.Path(folder) / "plan.json"
    file.write_text(scenario_text(name, sections))
    begin = time.monotonic()
    run = subprocess.run(
        [railyard, "plan", str(file), "--quiet", "--keep", "3", "--json", str(out)],
        capture_output=True,
        text=True,
    )
    took = time.monotonic() - begin
    if run.returncode != 0:
        return None, run.stderr.strip().split("\n")[0], took
    return json.loads(out.read_text()), "", took


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("railyard")
    parser.add_argument("--tables", default=",".join(TABLES))
    parser.add_argument("--every", type=int, default=1)
    asked = parser.parse_args()
    print("| published | GPUs | its plan | step s | rank | best found | step s | gap |")
    print("|---|---:|---|---:|---:|---|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for table in asked.tables.split(","):
            for name, sections in rows_of(table, asked.every):
                plan, mistake, took = search(asked.railyard, name, sections, folder)
                print(f"{table} {name}: {took:.1f} s {mistake}", file=sys.stderr)
                if not plan:
                    continue
                if "today" not in plan:
                    print(f"{table} {name}: {plan.get('today_refused')}", file=sys.stderr)
                    continue
                today, best = plan["today"], plan["best"][0]
                print(
                    f"| {table}, {name} | {plan['gpus']:,} | {plan_text(today)} | {today['step_s']:.4g} "
                    f"| {today.get('rank_in_closed_form', '')} | {plan_text(best)} | {best['step_s']:.4g} "
                    f"| {100 * (today['step_s'] / best['step_s'] - 1):.1f} % |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
