#!/usr/bin/env python3
"""What failures cost a run over flows: processor seconds against the whole fabric's, one table.

bench/failures.py [BINARY]    (default build/release/railyard; ./run builds it)

Bars: a single failure at most 2 x the whole run, ten at most 4 x. Ends with 1 where one is missed.
"""
import pathlib
import random
import resource
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BINARY = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build/release/railyard")
SCENARIOS = ["llama3", "mi300x-llama3", "grok4"]
ONE_BAR, TEN_BAR = 2, 4
TURNS = 3
DRAWS = 3  # of ten failures at random


def processor_seconds(scenario, failures):
    command = [BINARY, "run", str(ROOT / f"scenarios/{scenario}.toml"), "--no-advice"]
    for name, value in failures:
        command += ["--set", f'failures."{name}"={value}']
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def ten_at_random(seed):
    """Elements that every scenario here has, down or slow, for good or for a while."""
    draw = random.Random(seed)
    targets = set()
    while len(targets) < 10:
        targets.add(
            draw.choice(
                [
                    f"spine {draw.randrange(16)}",
                    f"leaf {draw.randrange(64)} uplink {draw.randrange(16)}",
                    f"spine {draw.randrange(16)} uplink {draw.randrange(8)}",
                ]
            )
        )
    states = ["down", '{rate="100 Gb/s"}', '{from="500 ms"}', '{from="1 s", until="2 s"}']
    return [(target, draw.choice(states)) for target in sorted(targets)]


def cases():
    yield "a spine", [("spine 0", "down")], ONE_BAR
    yield "an uplink of a leaf", [("leaf 0 uplink 0", "down")], ONE_BAR
    yield "a link from a spine down", [("spine 0 link 3", "down")], ONE_BAR
    yield "a NIC at half rate", [("gpu 5 port 0", '{rate="200 Gb/s"}')], ONE_BAR
    yield "a spine for a while", [("spine 0", '{from="1 s", until="2 s"}')], ONE_BAR
    yield "a spine from 1 s on", [("spine 0", '{from="1 s"}')], ONE_BAR
    flap = '{from="1 s", until="1.1 s", every="500 ms", times=3}'
    yield "an uplink that flaps three times", [("leaf 0 uplink 0", flap)], ONE_BAR
    for seed in range(DRAWS):
        yield f"ten at random, draw {seed}", ten_at_random(seed), TEN_BAR


def main():
    missed = 0
    print(f"{'scenario':16}{'failures':36}{'seconds':>9}{'ratio':>8}{'bar':>5}")
    for scenario in SCENARIOS:
        # The whole fabric and every case take turns, so that what else the machine does hits both.
        wholes, times = [], {}
        for _ in range(TURNS):
            wholes.append(processor_seconds(scenario, []))
            for name, failures, _bar in cases():
                times.setdefault(name, []).append(processor_seconds(scenario, failures))
        whole = min(wholes)
        print(f"{scenario:16}{'none':36}{whole:9.2f}{1:8.2f}")
        for name, _failures, bar in cases():
            ratio = min(times[name]) / whole
            missed += ratio > bar
            print(f"{scenario:16}{name:36}{min(times[name]):9.2f}{ratio:8.2f}{bar:5}")
    sys.exit(missed > 0)


main()
