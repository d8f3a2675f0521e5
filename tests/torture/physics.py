"""What no result may be: checks of the JSON that `railyard run --json` writes."""

import math

# Doubles add up to this, and no worse.
NEAR = 1e-9
SHARES = {
    "utilisation",
    "mean_utilisation",
    "peak_utilisation",
    "busiest_utilisation",
    "share",
    "scale_out_share",
    "count_share",
    "bytes_share",
    "duty_cycle",
    "of_bound",
    "idle",
    "expected_idle",
    "collisions",
    "entropy",
    "paused",
    "mean_share",
    "most_share",
    "period_strength",
    "dropped_share",
    "network_share",
    "scale_up_share",
    "mean_back",
}
# What may go below zero: differences.
SIGNED = {
    "change_us",
    "exposed_share",
    "hidden_us",
    "exposed_us",
    "contention_us",
    "bubble_us",
    "gain",
}


def numbers(value, path="", key=""):
    """Every number with its path and the last key that is a name."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from numbers(one, f"{path}.{name}" if path else name, name)
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from numbers(one, f"{path}[{i}]", key)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, key, value


def find(value, name):
    """Every member called `name`, with the object it is in and its path."""
    stack = [(value, "")]
    while stack:
        one, path = stack.pop()
        if isinstance(one, dict):
            if name in one:
                yield one, path
            stack.extend((v, f"{path}.{k}" if path else k) for k, v in one.items())
        elif isinstance(one, list):
            stack.extend((v, f"{path}[{i}]") for i, v in enumerate(one))


def above(value, limit):
    return value > limit * (1 + NEAR) + 1e-12


def check_numbers(doc):
    for path, key, value in numbers(doc):
        if not math.isfinite(value):
            yield f"{path} is {value}"
        if value < 0 and key not in SIGNED and not path.startswith("jitter."):
            yield f"{path} = {value} is negative"
        # Loads over time of the map are written in thousandths.
        whole = 1000 if path.startswith("patterns.fabric_map.over_time.") else 1
        if key in SHARES and above(value, whole) and not path.startswith("jitter."):
            yield f"{path} = {value} is a share above {whole}"


def check_rates(doc):
    """Nothing carries more than its line."""
    for one, path in find(doc, "capacity_gbps"):
        line = one["capacity_gbps"]
        rates = [(k, v) for k, v in one.items() if k.endswith("_gbps") and k != "capacity_gbps"]
        for i, resolution in enumerate(one.get("resolutions", [])):
            rates += [(f"resolutions[{i}].{k}", resolution[k]) for k in ("mean_gbps", "peak_gbps")]
        rates += [("gbps", rate) for rate in one.get("gbps", [])]
        for name, rate in rates:
            if above(rate, line):
                yield f"{path}.{name} = {rate} of {line} Gb/s"
    lines = {one["name"]: one["capacity_gbps"] for one in doc.get("patterns", {}).get("bursts", [])}
    for part in ("over_time", "excerpt"):
        for one in doc.get("patterns", {}).get(part, []):
            line = lines.get(one.get("name"))
            for i, stack in enumerate(zip(*(row["gbps"] for row in one.get("rows", [])))):
                # Rows are written with four digits each.
                if line is not None and sum(stack) > line * 1.001:
                    at = f"patterns.{part} of {one['name']}, bin {i}"
                    yield f"{at}: {sum(stack)} of {line} Gb/s"
    fabric_map = doc.get("patterns", {}).get("fabric_map") or {}
    over_time = fabric_map.get("over_time", {}).get("links", [])
    for i, one in enumerate(fabric_map.get("links", [])):
        for name in ("mean", "mean_back", "peak"):
            if above(one.get(name, 0), 1):
                yield f"patterns.fabric_map {one['name']}: {name} = {one[name]}"
            loads = over_time[i].get(name, [0]) if over_time else [0]
            if max(loads) > 1000:
                yield f"patterns.fabric_map.over_time {one['name']}: {name} = {max(loads)}"
            mean = sum(loads) / len(loads) / 1000
            if over_time and name != "peak" and abs(mean - one.get(name, 0)) > 2e-3:
                yield f"patterns.fabric_map.over_time {one['name']}: mean {name} = {mean}"


def check_spreads(doc):
    """Of p50, p99 and max none is below the one before it, and no mean is above the max."""
    for one, path in find(doc, "p99"):
        if "max" not in one:
            continue
        values = [one[k] for k in ("min", "p50", "p90", "p99", "p999", "max") if k in one]
        if values != sorted(values) or above(one.get("mean", 0), one["max"]):
            yield f"{path}: {one} is not in order"


def check_slowdowns(doc):
    for one, path in find(doc, "slowdown"):
        value = one["slowdown"]
        for name, number in value.items() if isinstance(value, dict) else [("", value)]:
            if number < 1 - NEAR and (number != 0 or one.get("delivered_bytes")):
                yield f"{path}.slowdown.{name} = {number} is below 1"


def check_flows(doc):
    """Bytes and messages: what is sent arrives or is told."""
    for part in ("flows", "background", "storage"):
        one = doc.get(part)
        if not isinstance(one, dict) or "messages" not in one:
            continue
        if one["undelivered"] > one["messages"]:
            yield f"{part}: {one['undelivered']} of {one['messages']} messages undelivered"
        codes = {d["code"] for d in doc["diagnostics"]}
        if one["undelivered"] > 0 and not codes:
            yield f"{part}: {one['undelivered']} messages undelivered, and nothing says so"


def check_queues(doc):
    for one, path in find(doc, "mean_backlog_bytes"):
        if above(one["mean_backlog_bytes"], one["deepest_bytes"]):
            yield f"{path}: {one['mean_backlog_bytes']} B on average, {one['deepest_bytes']} at most"


def check_pauses(doc):
    """Every pause is lifted, unless a cycle, a storm or the end of a window keeps it."""
    for one, path in find(doc, "pfc"):
        pfc = one["pfc"]
        if not isinstance(pfc, dict) or "pauses" not in pfc:
            continue
        cycles = [s for s in one.get("standstills", []) if s["cycle"]]
        if pfc["resumes"] > pfc["pauses"]:
            yield f"{path}: {pfc['resumes']} resumes of {pfc['pauses']} pauses"
        is_cut = "from_us" in one  # a window may end in the midst of a pause
        if pfc["pauses"] != pfc["resumes"] and not (cycles or pfc.get("storms") or is_cut):
            yield f"{path}: {pfc['pauses']} pauses, {pfc['resumes']} resumes"


def check_points(doc):
    for i, point in enumerate(doc.get("points", [])):
        if point["time_us"] < point["bound_us"] * (1 - NEAR):
            yield f"points[{i}]: {point['time_us']} us beats its bound, {point['bound_us']} us"


def check_step(doc):
    """The parts of a step make up the step."""
    breakdown = doc.get("breakdown")
    if not breakdown:
        return
    parts = [breakdown[k] for k in breakdown if k.endswith("_s") and k != "hidden_s"]
    total = sum(sum(p.values()) if isinstance(p, dict) else p for p in parts)
    if abs(total - doc["step_time_s"]) > 1e-6 * doc["step_time_s"]:
        yield f"breakdown sums to {total}, the step takes {doc['step_time_s']} s"
    for row in doc.get("reach", []):
        far = sum(row[k] for k in ("domain_bytes", "leaf_bytes", "pod_bytes", "across_bytes"))
        if abs(far - row["sent_bytes"]) > 1e-6 * row["sent_bytes"] + 1:
            yield f"reach of {row['group']}: {far} of {row['sent_bytes']} bytes"


def check_flops(doc):
    """MFU is of the peak in bf16; other formats have twice, or four times that."""
    given = {one["key"]: one["value"].strip('"') for one in doc.get("inputs", [])}
    peak = {"fp8": 2.1, "fp4": 4.2}.get(given.get("training.precision"), 1)
    for name, value in doc.get("mfu", {}).items():
        most = peak * (2 if name == "full" else 1)  # attention counts twice there
        if above(value, most):
            yield f"mfu.{name} = {value}"


def check_volumes(doc):
    """The same bytes cut in several ways are as many each time."""
    sums = {
        one["by"]: sum(row["bytes"] for row in one["rows"])
        for one in doc.get("patterns", {}).get("volumes", [])
    }
    if sums and max(sums.values()) - min(sums.values()) > 1e-6 * max(sums.values()) + 1:
        yield f"patterns.volumes differ: {sums}"


CHECKS = [
    check_numbers,
    check_rates,
    check_spreads,
    check_slowdowns,
    check_flows,
    check_queues,
    check_pauses,
    check_points,
    check_step,
    check_flops,
    check_volumes,
]


def mistakes(doc, never_takes=False):
    """Sentences about what cannot be. `never_takes`: some host takes no packets in."""
    found = []
    for check in CHECKS:
        if not (never_takes and check is check_pauses):
            found.extend(check(doc))
    return found
