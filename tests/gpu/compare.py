#!/usr/bin/env python3
"""A GPU gives the results of the processor, to the last byte of the document.

tests/gpu/compare.py [PROGRAM] [--device emulated|cuda] [--few] [--only TEXT] [--limit N] [--jobs N]

Runs every scenario under tests/scenarios and scenarios that has packets, on the processor and on a GPU, and compares the JSON
documents but for the seconds that runs took and the name of the device. "emulated" plays on the processor what a GPU would do,
in one of two orders. Skipped are scenarios that a GPU does not play (RY-RUN-077) and those that nobody does. --few: those of
FEW, each of which takes seconds at most. What differs is a line each; the last line has the counts.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FEW = [
    "scenarios/mistakes/pfc-at-one-end.toml",
    "scenarios/packets/bystanders.toml",
    "scenarios/packets/checkpoint.toml",
    "scenarios/packets/microbursts.toml",
    "scenarios/packets/permutation.toml",
    "scenarios/packets/slow-receiver.toml",
    "tests/scenarios/collective/library_packets.toml",
    "tests/scenarios/packet/dcqcn_byte_counter.toml",
    "tests/scenarios/packet/deadlock.toml",
    "tests/scenarios/packet/deadlock_dcqcn.toml",
    "tests/scenarios/packet/empty_messages_dcqcn.toml",
    "tests/scenarios/packet/host_rate.toml",
    "tests/scenarios/packet/incast_32.toml",
    "tests/scenarios/packet/line_rate_cut_through.toml",
    "tests/scenarios/packet/lossy_go_back_n.toml",
    "tests/scenarios/packet/lossy_selective_repeat.toml",
    "tests/scenarios/packet/ns3_permutation.toml",
    "tests/scenarios/packet/pfc_priorities_7.toml",
    "tests/scenarios/packet/pinned.toml",
    "tests/scenarios/packet/queue_pairs_16.toml",
    "tests/scenarios/packet/rail_only_ring.toml",
    "tests/scenarios/packet/routing_loop_lossy.toml",
    "tests/scenarios/packet/sent_again_after_the_end.toml",
    "tests/scenarios/packet/star_of_1100.toml",
    "tests/scenarios/packet/static_detour.toml",
    "tests/scenarios/packet/storage_mixed.toml",
    "tests/scenarios/packet/storm_drop.toml",
    "tests/scenarios/packet/storm_forward.toml",
    "tests/scenarios/packet/two_sites.toml",
    "tests/scenarios/packet/xon_zero.toml",
    "tests/scenarios/packet_step/hashed.toml",
    "tests/scenarios/packet_step/infiniband.toml",
    "tests/scenarios/packet_step/spread.toml",
    "tests/scenarios/qos/cnp_first.toml",
    "tests/scenarios/qos/mixed_nics.toml",
    "tests/scenarios/qos/mtu_as_configured.toml",
    "tests/scenarios/qos/ports_as_configured.toml",
    "tests/scenarios/slice/boundary_beside_gradients.toml",
    "tests/scenarios/trace/token_packet.toml",
    "tests/scenarios/traffic/background_packets.toml",
    "tests/scenarios/transport/hybrid_alike.toml",
]
REFUSED = "RY-RUN-077"
REFUSAL = 2  # the exit status of a run that does not begin
APART = {"wall_s", "device"}
SAME = object()


def spec_of(path):
    """A scenario with what it extends: [engine] and [slice] are all that is asked for."""
    own = tomllib.loads(path.read_text())
    base = own.get("extends")
    if base is None:
        return own
    preset = ROOT / f"scenarios/{base}.toml"
    below = spec_of(preset if preset.is_file() else path.parent / base)
    engine = {**below.get("engine", {}), **own.get("engine", {})}
    return {**below, **own, "engine": engine}


def has_packets(path):
    try:
        return spec_of(path).get("engine", {}).get("fidelity") == "packet"
    except (OSError, ValueError):  # a mistake is what the scenario is for
        return False


def scenarios():
    files = [
        f for folder in ("tests/scenarios", "scenarios") for f in (ROOT / folder).rglob("*.toml")
    ]
    return sorted(str(f.relative_to(ROOT)) for f in files if has_packets(f))


def comparable(value):
    if isinstance(value, dict):
        return {key: comparable(v) for key, v in value.items() if key not in APART}
    if isinstance(value, list):
        return [comparable(v) for v in value]
    return value


def first_difference(a, b, where=""):
    """The path to the first value that differs; SAME if there is none."""
    if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
        parts = ((f"{where}.{key}" if where else key, a[key], b[key]) for key in a)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        parts = ((f"{where}[{i}]", x, y) for i, (x, y) in enumerate(zip(a, b)))
    else:
        return SAME if a == b else f"{where}: {str(a)[:60]} and {str(b)[:60]}"
    for place, x, y in parts:
        if (found := first_difference(x, y, place)) is not SAME:
            return found
    return SAME


class Comparison:
    def __init__(self, program, device, timeout):
        self.program, self.device, self.timeout = program, device, timeout

    def run(self, scenario, device, threads):
        """Exit status, document or None, and what was said."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "run.json"
            command = [self.program, "run", scenario, "--no-advice", "--threads", str(threads)]
            try:
                done = subprocess.run(
                    [*command, "--set", f"engine.device={device}", "--json", str(path)],
                    capture_output=True,
                    text=True,
                    errors="replace",
                    timeout=self.timeout,
                    cwd=ROOT,
                )
            except subprocess.TimeoutExpired:
                return None, None, f"took more than {self.timeout} s"
            document = comparable(json.loads(path.read_text())) if path.is_file() else None
            return done.returncode, document, done.stdout + done.stderr

    def compare(self, scenario):
        """What happened: passed, failed or skipped, and why."""
        order = (
            1 + zlib.crc32(scenario.encode()) % 2
        )  # the number of threads says in which order the emulation plays
        gpu_status, gpu, gpu_said = self.run(scenario, self.device, order)
        if gpu_status == REFUSAL and REFUSED in gpu_said:
            return "skipped", "a GPU does not play it"
        status, processor, said = self.run(scenario, "cpu", 1)
        if status is None or gpu_status is None:
            return "failed", said if status is None else gpu_said
        if status != gpu_status:
            return (
                "failed",
                f"ends with {gpu_status} instead of {status}: {gpu_said.strip()[-200:]}",
            )
        if status == REFUSAL:
            return "skipped", "refused anywhere"
        found = first_difference(processor, gpu)
        return ("passed", "") if found is SAME else ("failed", found)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("program", nargs="?", default=str(ROOT / "build/release/railyard"))
    parser.add_argument("--device", choices=["emulated", "cuda"], default="emulated")
    parser.add_argument(
        "--few", action="store_true", help="a fixed choice that takes less than a minute"
    )
    parser.add_argument("--only", default="", help="scenarios whose path has this text")
    parser.add_argument("--limit", type=int, help="at most so many scenarios")
    parser.add_argument("--jobs", type=int, default=1, help="scenarios at a time")
    parser.add_argument("--timeout", type=int, default=600, help="seconds for a run")
    parser.add_argument("--verbose", action="store_true", help="a line for every scenario")
    options = parser.parse_args()
    wanted = [s for s in (FEW if options.few else scenarios()) if options.only in s][
        : options.limit
    ]
    if not wanted:
        sys.exit(f"no scenario with packets has '{options.only}' in its path")
    comparison = Comparison(
        str(pathlib.Path(options.program).resolve()), options.device, options.timeout
    )
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for scenario, (what, why) in zip(wanted, pool.map(comparison.compare, wanted)):
            counts[what] += 1
            if what == "failed" or options.verbose:
                print(f"{what} {scenario}{': ' + why if why else ''}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counts.items()))
    sys.exit(1 if counts["failed"] else 0)


if __name__ == "__main__":
    main()
