"""Runs railyard collective and reads its table as a tool written for nccl-tests does."""
import pathlib
import re
import subprocess
import sys
import tempfile

RAILYARD = sys.argv.pop()

# A row of nccl-tests: size count type redop root, then time algbw busbw #wrong twice.
ROW = re.compile(
    r"^ {0,11}(\d+) +(\d+) +(\w+) +(\w+) +(-?\d+)"
    + r" +([\d.]+) +([\d.]+) +([\d.]+) +(\d+|N/A)" * 2
    + r"$"
)


def parse(text):
    """Reads the table as a tool written for nccl-tests does: comments are skipped, every other line is a row."""
    rows = {}
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            continue
        match = ROW.match(line)
        if not match:
            raise ValueError(f"not a row of nccl-tests: {line!r}")
        rows[int(match[1])] = {
            "count": int(match[2]),
            "time": float(match[6]),
            "algbw": float(match[7]),
            "busbw": float(match[8]),
        }
    return rows


def cluster(row):
    """The machines of a curve as a scenario. Where a source does not describe the network, switches do not hash."""
    gpus, nodes = int(row["gpus"]), int(row["nodes"])
    per_node = gpus // nodes
    amd = row["gpu"].startswith("MI")
    rate = f'link_rate = "{float(row["nic_GBs"]) * 8:g} Gb/s"\n' if float(row["nic_GBs"]) else ""
    topology = "star" if nodes == 1 else "rail-optimized" if gpus <= 2048 else "clos3"
    rails = "rails = true\n" if topology == "clos3" else ""
    nics = f'nics_per_node = {row["nics_per_node"]}\n' if int(row["nics_per_node"]) else ""
    return (
        f'name = "{row["curve"]}"\n[cluster]\ngpu = "{row["gpu"]}"\ngpus = {gpus}\ngpus_per_node = {per_node}\n{nics}'
        f'nic = "{"Thor-2" if amd else "ConnectX-7"}"\n'
        f'[fabric]\ntopology = "{topology}"\nswitch = "{"Tomahawk-5" if amd else "Quantum-2"}"\n{rails}{rate}'
        f'[transport]\nkind = "{"roce" if amd else "infiniband"}"\n[routing]\npolicy = "adaptive"\n'
    )


def sweep(kind, scenario, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "cluster.toml"
        path.write_text(scenario)
        return subprocess.run(
            [RAILYARD, "collective", kind, "--scenario", str(path), *arguments],
            capture_output=True,
            text=True,
        )


def predicted(row):
    size, asked = row["size_bytes"], row["asked"]
    forced = [] if asked == "auto" else ["--set", f"collective.algorithm={asked}"]
    result = sweep(row["collective"], cluster(row), "-b", size, "-e", size, *forced)
    if result.returncode != 0:
        raise AssertionError(f"{row}: {result.stderr}")
    return parse(result.stdout)[int(size)], result.stdout
