"""Bad inputs: files that are cut, repeated, mixed and full of extremes, and odd command lines."""

import json
import pathlib
import random

import generate

EXTREMES = [
    "0",
    "-1",
    "1",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "1e308",
    "nan",
    "inf",
    "-0.0",
    '"0 B"',
    '"1 ps"',
    '"9000000 TB"',
    '"1 b/s"',
    '"9000000 Tb/s"',
    '"100000 h"',
    '""',
    '"\\u001b[31m"',
    '"\\u009b2J"',
    "[]",
    "{}",
    "[1, [2]]",
    "true",
    "1979-05-27",
    '"' + "x" * 5000 + '"',
]
BYTES = [
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\x1b[2J",
    b"\xc2\x9b",
    b'"',
    b"[",
    b"]",
    b"=",
]


def values_of(keys):
    """Values for a key by what it takes, as `railyard keys --markdown` names it."""
    sizes = ["0 B", "1 B", "4 KiB", "1 MB", "64 GiB", "8000 TB"]
    return {
        "integer": [0, 1, 2, 3, 7, 8, 64, 1023, 1024, 65536, 100000, 4294967295],
        "number": [0, 0.001, 0.5, 1, 2.5, 1000, 1e18],
        "size": sizes,
        "duration": ["0 ps", "1 ps", "1 ns", "10 us", "1 s", "24 h"],
        "rate": ["0 b/s", "1 b/s", "1 Mb/s", "25 Gb/s", "400 Gb/s", "100 Tb/s"],
        "length": ["0 m", "1 mm", "30 m", "1000 km"],
        "text": ["", "x", "H100-SXM-80", "gradients", "/dev/null", "no such file"],
        "list of integer": [[], [0], [0, 1], [3, 3], [100000]],
        "list of number": [[1], [2, 2], [0.5], [0]],
        "list of ratio": [[1], [2, "2:1"], ["7:3"], ["1:2"], ["2:"], [0]],
        "list of size": [sizes[:1], ["1 kB", "64 KiB"], ["1 GiB"]],
        "list of text": [[], ["gradients"], ["boundary", "x"]],
    }.get(keys, [True, False])


def keys_of(markdown):
    """Paths with what they take, from `railyard keys --markdown`."""
    section, found = "", []
    for line in markdown.splitlines():
        if line.startswith("#"):
            name = line.strip("# ").strip("`[]")
            section = "" if "top" in name else name
        if not line.startswith("| `"):
            continue
        cells = [cell.strip() for cell in line.replace("\\|", "\0").strip("|").split("|")]
        takes = cells[1].replace("\0", "|")
        path = f"{section}.{cells[0].strip('`')}" if section else cells[0].strip("`")
        choices = [one.strip() for one in takes.split("|")] if "|" in takes else None
        if not path.startswith("expect"):
            found.append((path, choices or values_of(takes)))
    return found


def odd_keys(seed, keys):
    """A drawn scenario with one to three of all keys set to anything of their kind."""
    rng = random.Random(f"keys {seed}")
    scenario = generate.draw(f"{seed} below")
    for _ in range(rng.randint(1, 3)):
        path, values = rng.choice(keys)
        scenario[path] = rng.choice(values)
    return scenario


def broken_text(seed, text):
    """Text with a few changes that a hand or a disk may make."""
    rng = random.Random(f"text {seed}")
    data = bytearray(text.encode("utf-8", "surrogateescape"))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        way = rng.randrange(7)
        if way == 0:
            del data[at : at + rng.randint(1, 40)]
        elif way == 1:
            data[at:at] = rng.choice(BYTES) * rng.choice([1, 1, 3, 1000])
        elif way == 2 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif way == 3:
            other = rng.randrange(len(data) + 1)
            data[at:at] = data[min(at, other) : max(at, other)][:4000]
        elif way == 4:
            lines = bytes(data).split(b"\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            data = bytearray(b"\n".join(lines))
        elif way == 5:
            data = bytearray(extreme_value(rng, bytes(data)))
        else:
            del data[at:]
    return bytes(data)


def extreme_value(rng, data):
    """One value of the file is another."""
    lines = data.split(b"\n")
    given = [i for i, line in enumerate(lines) if b"=" in line]
    if given:
        i = rng.choice(given)
        lines[i] = lines[i].split(b"=")[0] + b"= " + rng.choice(EXTREMES).encode()
    return b"\n".join(lines)


def seeds_of(root):
    """Every text that ships and that a reader reads."""
    root = pathlib.Path(root)
    found = []
    for folder in ("scenarios", "tests/scenarios", "tests/fuzz/seeds"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".toml", ".txt", ".csv", ".json") and path.stat().st_size < 20000:
                found.append(path)
    return found


def odd_document(seed):
    """JSON that looks like results, for `diff`."""
    rng = random.Random(f"document {seed}")

    def value(depth):
        kind = rng.randrange(8 if depth < 4 else 5)
        if kind == 0:
            return rng.choice([0, -1, 3, 1e308, 2**63, 0.1])
        if kind == 1:
            return rng.choice(["", "x", "railyard-results/1", "\x1b[31m", "\u009b"])
        if kind == 2:
            return rng.choice([None, True, False])
        if kind in (3, 4):
            return {}
        if kind == 5:
            return [value(depth + 1) for _ in range(rng.randrange(4))]
        names = [
            "runs",
            "points",
            "patterns",
            "results",
            "id",
            "name",
            "tiers",
            "flows",
            "step_time_s",
        ]
        return {rng.choice(names): value(depth + 1) for _ in range(rng.randrange(5))}

    kinds = ["railyard-results/1", "railyard-comparison/1", "railyard-findings/1", "x", 3]
    document = {"schema": rng.choice(kinds), "railyard": "0.1.0", "kind": "comparison"}
    for name in rng.sample(["runs", "points", "tables", "flows", "engine", "wall_s"], 3):
        document[name] = value(0)
    return json.dumps(document)
