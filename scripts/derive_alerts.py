#!/usr/bin/env python3
"""Derives the thresholds of alerts from runs: healthy ones against the same with a seeded fault.

scripts/derive_alerts.py RAILYARD [--write] [--tests FILE]

Every run is written as OpenMetrics and loaded into a Prometheus; what an alert looks at is asked for over the run (its first
quarter of an hour), and what counts is what lasts for a minute, because alerts wait for that. The threshold is the geometric mean of what the healthy and the faulty run show, to two digits; a healthy run that shows nothing
counts as a hundredth of the faulty one. Prints the rules, or writes integrations/prometheus/alerts.yml. --tests writes unit tests
for `promtool test rules`, made of the same series. Needs the packages prometheus and python3, no network.
"""
import argparse
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

from prometheus_server import START, Prometheus, load

ROOT = pathlib.Path(__file__).resolve().parent.parent
RULES = ROOT / "integrations/prometheus/alerts.yml"
SCENARIOS = "integrations/scenarios/"
LEAST_RATIO = 2  # of what a faulty run shows to what a healthy one does
STEP_S = 5
FOR_S = 60  # that something has to last
LOOKED_AT_S = 900
AFTER_S = 120  # the end of a run: what is known only then

# Runs by name: the scenario, and what differs from it.
RUNS = {
    "exchange": ("exchange.toml", []),
    "storm": ("exchange.toml", ['failures."gpu 5"={storm=true,from="50 us",until="250 us"}']),
    "slow receiver": ("exchange.toml", ['failures."gpu 5"={takes="20 Gb/s"}']),
    "no congestion control": ("exchange.toml", ["transport.dcqcn.enabled=false"]),
    "one path": ("exchange.toml", ["routing.policy=ecmp"]),
    "bad optic": (
        "exchange.toml",
        ["routing.policy=ecmp", 'failures."leaf 0 uplink 1"={ber=1e-7}'],
    ),
    "gradients": ("gradients.toml", []),
    "slow port": ("gradients.toml", ['failures."gpu 3"={rate="25 Gb/s"}']),
}

# What a leaf sends up: the descriptions of its ports say who is at the other end.
UPLINK = 'sonic_interface_info{description=~"(?i).*spine.*"}'
UPLINKS = f"rate(sonic_interface_transmit_bytes_total[5m]) * on (run, instance, device) group_left () {UPLINK}"

# Ranges of sizes as NCCL's Inspector writes them: "256-257MB" and all that are larger.
FROM_256_MB = "(25[6-9]|2[6-9][0-9]|[3-9][0-9]{2}|[0-9]{4})-[0-9]+MB|.*[GT]B"


# The label `place` is that of a run; series of a real cluster have none.
NIC = "{{ $labels.device }} of {{ $labels.instance }}{{ with $labels.place }} ({{ . }}){{ end }}"


def counted(over, under, factor=""):
    """Both summed over the fabric, as a ratio."""
    return f"sum by (run) (rate({over})) / (sum by (run) (rate({under})){factor} > 0)"


# `reads`: series that the expression is made of, for every exporter that has them. `dilated`: it has a time in it, which runs
# slower in Prometheus.
ALERTS = [
    {
        "name": "NicPausesSwitch",
        "record": "nic:pauses_switch:ratio",
        "expr": 'rate(rdma_roce_pfc_pause_duration_total{direction="tx"}[1m]) / 1e6',
        "reads": [['rdma_roce_pfc_pause_duration_total{direction="tx"}']],
        "dilated": True,
        "above": True,
        "healthy": "exchange",
        "faulty": "storm",
        "severity": "critical",
        "says": NIC + " keeps its switch paused {{ $value | humanizePercentage }} of the time",
    },
    {
        "name": "SenderPaused",
        "record": "nic:paused:ratio",
        "expr": 'rate(rdma_roce_pfc_pause_duration_total{direction="rx"}[1m]) / 1e6',
        "reads": [['rdma_roce_pfc_pause_duration_total{direction="rx"}']],
        "dilated": True,
        "above": True,
        "healthy": "exchange",
        "faulty": "slow receiver",
        "severity": "warning",
        "says": NIC + " is paused {{ $value | humanizePercentage }} of the time",
    },
    {
        "name": "EcnWithoutCnp",
        "record": "fabric:cnps_per_mark:ratio",
        "expr": counted(
            "node_infiniband_np_cnp_packets_sent_total[1m]",
            "node_infiniband_np_ecn_marked_roce_packets_received_total[1m]",
        )
        + " or "
        + counted("rdma_np_cnp_sent_total[1m]", "rdma_np_ecn_marked_roce_packets_total[1m]"),
        "reads": [
            [
                "node_infiniband_np_cnp_packets_sent_total",
                "node_infiniband_np_ecn_marked_roce_packets_received_total",
            ],
            ["rdma_np_cnp_sent_total", "rdma_np_ecn_marked_roce_packets_total"],
        ],
        "dilated": False,
        "above": False,
        "healthy": "exchange",
        "faulty": "no congestion control",
        "severity": "warning",
        "says": "Receivers see marked packets and answer {{ $value | humanizePercentage }} of them with a CNP",
    },
    {
        "name": "PacketsOutOfSequence",
        "record": "fabric:out_of_sequence:per_packet",
        "expr": counted(
            "node_infiniband_out_of_sequence_packets_received_total[5m]",
            "node_infiniband_port_data_received_bytes_total[5m]",
            " / 4096",
        )
        + " or "
        + counted("rdma_out_of_sequence_total[5m]", "rdma_port_rcv_data_total[5m]", " * 4 / 4096"),
        "reads": [
            [
                "node_infiniband_out_of_sequence_packets_received_total",
                "node_infiniband_port_data_received_bytes_total",
            ],
            ["rdma_out_of_sequence_total", "rdma_port_rcv_data_total"],
        ],
        "dilated": False,
        "above": True,
        "healthy": "one path",
        "faulty": "bad optic",
        "severity": "warning",
        "says": "{{ $value | humanizePercentage }} of all packets are received out of sequence",
    },
    {
        "name": "UplinksUneven",
        "record": "switch:uplinks_worst_to_mean:ratio",
        "expr": f"max by (instance, run) ({UPLINKS}) / (avg by (instance, run) ({UPLINKS}) > 0)",
        "reads": [["sonic_interface_transmit_bytes_total", "sonic_interface_info"]],
        "dilated": False,
        "above": True,
        "healthy": "exchange",
        "faulty": "one path",
        "severity": "warning",
        "says": "The busiest uplink of {{ $labels.instance }} carries {{ $value | humanize }} times the mean",
    },
    {
        "name": "NcclBusBandwidthLow",
        "record": "nccl:bus_bandwidth:gbs",
        "expr": f'nccl_bus_bandwidth_gbs{{collective="AllReduce",n_nodes!="1",message_size=~"{FROM_256_MB}"}}',
        "reads": [["nccl_bus_bandwidth_gbs"]],
        "dilated": False,
        "above": False,
        "healthy": "gradients",
        "faulty": "slow port",
        "severity": "warning",
        "says": "An all-reduce of {{ $labels.message_size }} over {{ $labels.n_nodes }} nodes runs at {{ $value | humanize }} GB/s",
    },
]


def whole_expression(alert):
    """With simulated time brought back to what it was; series of a real cluster have no label `run`."""
    expression = alert["expr"]
    if not alert["dilated"]:
        return expression
    plain = expression.replace("direction=", 'run="",direction=')
    return f"{expression} * on (run) group_left () railyard_time_dilation_ratio or {plain}"


def simulate(railyard, name, folder):
    """Runs one, loads it, and returns how many seconds of Prometheus it lasts."""
    scenario, overrides = RUNS[name]
    label = name.replace(" ", "-")
    metrics, results = folder / f"{label}.om", folder / f"{label}.json"
    command = [railyard, "run", SCENARIOS + scenario, "--threads", "1", "--no-advice", "--quiet"]
    for one in overrides:
        command += ["--set", one]
    command += ["--metrics", metrics, "--metrics-run", label, "--json", results]
    subprocess.run(list(map(str, command)), check=True, cwd=ROOT)
    load(metrics, folder / "data")
    last = 0.0
    with open(metrics) as lines:
        for line in lines:
            if not line.startswith("#"):
                last = max(last, float(line.rsplit(" ", 1)[1]) - START)
    return min(last + AFTER_S, LOOKED_AT_S)


def of_run(expression, name):
    """Series of one run, for as long as anything is known of it."""
    info = f'railyard_run_info{{run="{name.replace(" ", "-")}"}}'
    return f"({expression}) and on (run) {info}"


def lasting(points, above):
    """The most (or least) that values keep to for FOR_S, or to the end of a shorter series."""
    values = [value for _, value in points if math.isfinite(value)]
    count = min(len(values), FOR_S // STEP_S + 1)
    windows = [values[i : i + count] for i in range(len(values) - count + 1)]
    return max(map(min, windows)) if above else min(map(max, windows))


def seen(server, alert, name, lasts):
    """What an expression shows in a run; 0 where it shows nothing."""
    series = server.over(of_run(whole_expression(alert), name), lasts, STEP_S)
    values = [lasting(points, alert["above"]) for _, points in series if points]
    return 0.0 if not values else max(values) if alert["above"] else min(values)


def two_digits(value):
    return float(f"{value:.1e}")


def threshold_of(alert, server, lengths):
    healthy = seen(server, alert, alert["healthy"], lengths[alert["healthy"]])
    faulty = seen(server, alert, alert["faulty"], lengths[alert["faulty"]])
    low, high = (healthy, faulty) if alert["above"] else (faulty, healthy)
    low = max(low, high / 100)
    if high <= 0 or high < LEAST_RATIO * low:
        raise SystemExit(
            f"{alert['name']}: healthy {healthy:g} and faulty {faulty:g} are too close"
        )
    return {
        "threshold": two_digits(math.sqrt(low * high)),
        "healthy": healthy,
        "faulty": faulty,
    }


def overrides_text(name):
    return " ".join([SCENARIOS + RUNS[name][0]] + [f"--set '{one}'" for one in RUNS[name][1]])


def rules_text(found):
    lines = [
        "# Written by scripts/derive_alerts.py --write from the runs named below; do not edit the thresholds.",
        "groups:",
        "  - name: railyard",
        "    interval: 5s",
        "    rules:",
    ]
    for alert in ALERTS:
        lines += [
            f"      - record: {alert['record']}",
            f"        expr: {json.dumps(whole_expression(alert))}",
        ]
    for alert in ALERTS:
        values, sign = found[alert["name"]], ">" if alert["above"] else "<"
        lines += [
            f"      # healthy: {values['healthy']:.4g} in `railyard run {overrides_text(alert['healthy'])}`",
            f"      # faulty: {values['faulty']:.4g} in `railyard run {overrides_text(alert['faulty'])}`",
            f"      - alert: {alert['name']}",
            f"        expr: {alert['record']} {sign} {values['threshold']:g}",
            f"        for: {FOR_S}s",
            "        labels:",
            f"          severity: {alert['severity']}",
            "        annotations:",
            f"          summary: {json.dumps(alert['says'])}",
            f"          description: {json.dumps(evidence(alert, values))}",
            f"          runbook_url: integrations/runbooks/{alert['name']}.md",
        ]
    return "\n".join(lines) + "\n"


def evidence(alert, values):
    return (
        f"{alert['record']} is {values['healthy']:.3g} in a healthy run and {values['faulty']:.3g} with the fault"
        f" that this alert is for ({alert['faulty']})."
    )


# How much slower than Prometheus packet runs go.
DILATION = 1e6


def series_of(server, alert, reads, name, lasts, real):
    """Series that an alert reads, as promtool's tests write them; `real`: as the exporters of a cluster do, whose time is that
    of Prometheus and who know nothing of runs and of places in a scenario."""
    text = []
    more = ["railyard_time_dilation_ratio"] if alert["dilated"] and not real else []
    factor = DILATION if alert["dilated"] and real else 1
    for selector in reads + more:
        for labels, points in server.over(of_run(selector, name), lasts, STEP_S):
            values = {at: value * factor for at, value in points}
            row = [values.get(float(at)) for at in range(0, int(lasts) + 1, STEP_S)]
            family = labels.pop("__name__")
            if real:
                labels = {key: labels[key] for key in labels if key not in ("run", "place", "job")}
            inside = ",".join(f"{key}={json.dumps(value)}" for key, value in sorted(labels.items()))
            shown = " ".join(
                "_" if value is None else f"{value:g}" if value % 1 else f"{value:.0f}"
                for value in row
            )
            text += [
                f"      - series: {json.dumps(f'{family}{{{inside}}}')}",
                f"        values: {json.dumps(shown)}",
            ]
    return text


def tests_text(server, found, lengths):
    """A fault raises its alert; a healthy run does not. The same with series as exporters of real clusters write them."""
    lines = [f"rule_files: [{json.dumps(str(RULES))}]", f"evaluation_interval: {STEP_S}s", "tests:"]
    for alert in ALERTS:
        ways = [(alert["reads"][0], False)] + [(reads, True) for reads in alert["reads"]]
        for (reads, real), kind in itertools.product(ways, ("healthy", "faulty")):
            lasts = lengths[alert[kind]]
            title = f"{alert['name']}: {kind}" + (f", real: {reads[0]}" if real else "")
            lines += [f"  - name: {json.dumps(title)}", f"    interval: {STEP_S}s"]
            lines += ["    input_series:"]
            lines += series_of(server, alert, reads, alert[kind], lasts, real)
            lines += ["    promql_expr_test:"]
            ever = f'count(count_over_time(ALERTS{{alertname="{alert["name"]}",alertstate="firing"}}[{int(lasts) + 60}s])) > bool 0'
            lines += [f"      - expr: {json.dumps(ever)}", f"        eval_time: {int(lasts)}s"]
            lines += [
                "        exp_samples: "
                + ('[{labels: "{}", value: 1}]' if kind == "faulty" else "[]")
            ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("railyard")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tests")
    arguments = parser.parse_args()
    railyard = pathlib.Path(arguments.railyard).resolve()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        lengths = {name: simulate(railyard, name, folder) for name in RUNS}
        with Prometheus(folder / "data") as server:
            found = {alert["name"]: threshold_of(alert, server, lengths) for alert in ALERTS}
            if arguments.tests:
                pathlib.Path(arguments.tests).write_text(tests_text(server, found, lengths))
    if arguments.write:
        RULES.write_text(rules_text(found))
    else:
        sys.stdout.write(rules_text(found))


if __name__ == "__main__":
    main()
