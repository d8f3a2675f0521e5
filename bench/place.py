#!/usr/bin/env python3
"""Ranks on half of a cluster: how much shorter a step is than in the scheduler's order, over 20 seeds; and 16,384 ranks (bar: 60 s).

place.py [RAILYARD] (default: build/release/railyard). Every seed draws which half of the nodes is free. `policy` is the best of the
built-in policies on them. A row where the result is worse than the scheduler's order or a policy would be a bug: it is marked.
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
RAILYARD = pathlib.Path(
    sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/release/railyard"
).resolve()
EXPERTS = ROOT / "scenarios/place/experts.toml"
TWICE = {"cluster.gpus": 1024, "fabric.gpus": 2048}
DENSE = {
    "model.preset": "llama3-70b",
    "parallel.tensor": 8,
    "parallel.expert": 1,
    "training.global_batch": 256,
}
CASES = [
    ("512 of 1,024, experts, 4:1", EXPERTS, 128, {}, 20),
    ("1,024 of 2,048, experts, 4:1", EXPERTS, 256, TWICE, 20),
    ("512 of 1,024, experts, 4:1, ECMP", EXPERTS, 128, {"routing.policy": "ecmp"}, 3),
    ("512 of 1,024, experts, 1:1", EXPERTS, 128, {"fabric.oversubscription": 1}, 3),
    ("512 of 1,024, dense, 4:1", EXPERTS, 128, DENSE, 3),
    ("16,384 of 32,768, Llama 3", ROOT / "scenarios/llama3.toml", 4096, {"fabric.gpus": 32768}, 1),
]


def place(folder, scenario, nodes, keys, seed):
    free = set(random.Random(seed).sample(range(nodes), nodes // 2))
    file = folder / "nodes.txt"
    file.write_text("".join(f"gpu{i} {'idle' if i in free else 'alloc'}\n" for i in range(nodes)))
    sets = [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    before = time.monotonic()
    done = subprocess.run(
        [RAILYARD, "place", scenario, "--nodes", file, *sets, "--json", "-"],
        check=True,
        capture_output=True,
    )
    return json.loads(done.stdout), time.monotonic() - before


def main():
    print(
        f"{'case':<36}{'seed':>5}{'scheduler':>11}{'policy':>9}{'placed':>9}{'less':>8}{'seconds':>9}"
    )
    with tempfile.TemporaryDirectory() as folder:
        for name, scenario, nodes, keys, seeds in CASES:
            gains = []
            for seed in range(1, seeds + 1):
                found, took = place(pathlib.Path(folder), scenario, nodes, keys, seed)
                gains.append(found["gain"])
                worse = found["best_s"] > min(one["step_s"] for one in found["placements"])
                print(
                    f"{name:<36}{seed:>5}{found['scheduler_s']:>11.3f}{found['policy_s']:>9.3f}"
                    f"{found['best_s']:>9.3f}{100 * found['gain']:>7.1f}%{took:>9.1f}"
                    + (" WORSE" if worse else ""),
                    flush=True,
                )
            print(
                f"{name:<36}  least {100 * min(gains):.1f} %, mean {100 * sum(gains) / seeds:.1f} %"
            )


main()
