#!/usr/bin/env python3
"""Writes integrations/grafana/*.json from the panels below, so that every panel has the same shape.

scripts/make_dashboards.py [--check]

--check fails where a file is not what would be written. Expressions bring dilated time back to that of the run where the label
`run` says that series are of a simulation.
"""
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "integrations/grafana"
DILATION = ' * on (run) group_left () railyard_time_dilation_ratio{run=~"$run"}'
WINDOW = "$__rate_interval"


def rate(metric, labels="", by=None):
    """A rate by the run's own clock, summed by labels where some are given."""
    inside = 'run=~"$run"' + (f",{labels}" if labels else "")
    text = f"rate({metric}{{{inside}}}[{WINDOW}]){DILATION}"
    return f"sum by ({by}) ({text})" if by else text


# title, unit, [(expression, legend)]
NETWORK = [
    (
        "Sent by NICs",
        "bps",
        [("8 * " + rate("node_infiniband_port_data_transmitted_bytes_total"), "{{place}}")],
    ),
    (
        "Received by NICs",
        "bps",
        [("8 * " + rate("node_infiniband_port_data_received_bytes_total"), "{{place}}")],
    ),
    (
        "Deepest queues of switches",
        "bytes",
        [
            (
                'topk(10, nvswitch_interface_shared_buffer_port_tc_curr_occupancy{run=~"$run"})',
                "{{place}}",
            )
        ],
    ),
    (
        "Marked by switches",
        "pps",
        [("topk(10, " + rate("sonic_queue_wred_ecn_marked_packets_total") + ")", "{{place}}")],
    ),
    (
        "Marked packets received, CNPs sent and handled",
        "pps",
        [
            (
                rate("node_infiniband_np_ecn_marked_roce_packets_received_total", by="run"),
                "marked packets received",
            ),
            (rate("node_infiniband_np_cnp_packets_sent_total", by="run"), "CNPs sent"),
            (rate("node_infiniband_rp_cnp_packets_handled_total", by="run"), "CNPs handled"),
        ],
    ),
    (
        "Time that ports of switches are paused",
        "percentunit",
        [
            (
                "topk(10, " + rate("nvswitch_interface_sp_rx_pause_duration") + " / 1e6)",
                "{{place}}, priority {{switch_priority}}",
            )
        ],
    ),
    (
        "Time that NICs are paused",
        "percentunit",
        [
            (
                rate("rdma_roce_pfc_pause_duration_total", 'direction="rx"') + " / 1e6",
                "{{place}}, priority {{priority}}",
            )
        ],
    ),
    (
        "Pause frames received and sent by NICs",
        "pps",
        [(rate("rdma_roce_pfc_pause_frames_total", by="run, direction"), "{{direction}}")],
    ),
    (
        "Packets out of sequence",
        "pps",
        [
            (
                rate("node_infiniband_out_of_sequence_packets_received_total", by="run"),
                "out of sequence",
            )
        ],
    ),
    (
        "Packets dropped by switches",
        "pps",
        [(rate("sonic_queue_dropped_packets_total", by="run"), "dropped")],
    ),
    (
        "Uplinks of leaves",
        "bps",
        [
            (
                "8 * " + rate("sonic_interface_transmit_bytes_total", 'place=~"leaf.* to spine.*"'),
                "{{place}}",
            )
        ],
    ),
    (
        "Time in queues of switches",
        "s",
        [
            (
                f'histogram_quantile({share}, sum by (le, run) (last_over_time(railyard_queue_time_seconds_bucket{{run=~"$run"}}[$__range])))',
                f"{share:g}",
            )
            for share in (0.5, 0.9, 0.99)
        ],
    ),
]

TRAINING = [
    ("Use of tiers", "percentunit", [('railyard_tier_utilisation_ratio{run=~"$run"}', "{{tier}}")]),
    (
        "Use of the busiest link of a tier",
        "percentunit",
        [('railyard_busiest_link_utilisation_ratio{run=~"$run"}', "{{tier}}: {{place}}")],
    ),
    (
        "Bus bandwidth of collectives",
        "GBs",
        [('nccl_bus_bandwidth_gbs{run=~"$run"}', "{{collective}} {{operation}} {{comm_name}}")],
    ),
    (
        "Time of collectives",
        "µs",
        [
            (
                'nccl_collective_exec_time_microseconds{run=~"$run"}',
                "{{collective}} {{operation}} {{comm_name}}",
            )
        ],
    ),
    (
        "What collectives put on the links that carry most",
        "bps",
        [("8 * " + rate("railyard_port_collective_bytes_total"), "{{place}}: {{collective}}")],
    ),
    (
        "Bytes sent by servers",
        "bytes",
        [
            (
                'sum by (instance) (last_over_time(node_infiniband_port_data_transmitted_bytes_total{run=~"$run"}[$__range]))',
                "{{instance}}",
            )
        ],
    ),
]


def panel(number, title, unit, targets):
    return {
        "id": number + 1,
        "title": title,
        "type": "timeseries",
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "gridPos": {"h": 8, "w": 12, "x": 12 * (number % 2), "y": 8 * (number // 2)},
        "fieldConfig": {
            "defaults": {"unit": unit, "custom": {"lineInterpolation": "linear"}},
            "overrides": [],
        },
        "options": {"legend": {"displayMode": "table", "placement": "bottom", "calcs": ["max"]}},
        "targets": [
            {"refId": chr(ord("A") + index), "expr": expression, "legendFormat": legend}
            for index, (expression, legend) in enumerate(targets)
        ],
    }


def dashboard(uid, title, panels):
    return {
        "uid": uid,
        "title": title,
        "tags": ["railyard"],
        "schemaVersion": 38,
        "editable": True,
        "time": {"from": "2025-01-01T00:00:00.000Z", "to": "2025-01-01T00:30:00.000Z"},
        "timezone": "utc",
        "templating": {
            "list": [
                {"name": "datasource", "type": "datasource", "query": "prometheus"},
                {
                    "name": "run",
                    "type": "query",
                    "datasource": {"type": "prometheus", "uid": "${datasource}"},
                    "query": "label_values(railyard_run_info, run)",
                    "refresh": 2,
                    "includeAll": False,
                    "multi": False,
                },
            ]
        },
        "panels": [panel(number, *one) for number, one in enumerate(panels)],
    }


def main():
    wanted = {
        "network.json": dashboard(
            "railyard-network", "Railyard: a network packet by packet", NETWORK
        ),
        "training.json": dashboard("railyard-training", "Railyard: a training step", TRAINING),
    }
    for name, content in wanted.items():
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        if "--check" not in sys.argv[1:]:
            (FOLDER / name).write_text(text)
        elif (FOLDER / name).read_text() != text:
            sys.exit(f"integrations/grafana/{name} is not what scripts/make_dashboards.py writes")


if __name__ == "__main__":
    main()
