#!/usr/bin/env python3
"""How fast configurations are linted: 10,000 ports in one file and in 157 of 64, by language; bar: 2 s of processor time.

bench/lint.py [RAILYARD]
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

RAILYARD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/release/railyard")
PORTS = 10_000
EACH = 64  # ports of a switch, where there are many
MAPS = {
    "dscp_to_tc_map": "M",
    "tc_to_queue_map": "M",
    "tc_to_pg_map": "M",
    "pfc_enable": "3",
    "pfcwd_sw_enable": "3",
}
WRED = {
    "ecn": "ecn_all",
    "green_min_threshold": "800000",
    "green_max_threshold": "3200000",
    "green_drop_probability": "20",
}
LOSSLESS = {
    "pool": "ingress_lossless_pool",
    "size": "0",
    "xon": "0",
    "xoff": "250000",
    "dynamic_th": "-3",
}


def sonic(name, ports):
    names = [f"Ethernet{8 * i}" for i in range(ports)]
    return json.dumps(
        {
            "DEVICE_METADATA": {"localhost": {"hostname": name, "type": "ToRRouter"}},
            "PORT": {p: {"speed": "400000", "mtu": "9216", "admin_status": "up"} for p in names},
            "CABLE_LENGTH": {"AZURE": {p: "30m" for p in names}},
            "DSCP_TO_TC_MAP": {
                "M": {str(d): str(3 if d == 26 else 6 if d == 48 else 0) for d in range(64)}
            },
            "TC_TO_QUEUE_MAP": {"M": {str(i): str(i) for i in range(8)}},
            "TC_TO_PRIORITY_GROUP_MAP": {"M": {str(i): str(i) for i in range(8)}},
            "PORT_QOS_MAP": {p: MAPS for p in names},
            "SCHEDULER": {
                "lossless": {"type": "DWRR", "weight": "50"},
                "strict": {"type": "STRICT"},
            },
            "WRED_PROFILE": {"ROCE": WRED},
            "QUEUE": {
                key: row
                for p in names
                for key, row in [
                    (f"{p}|3", {"scheduler": "lossless", "wred_profile": "ROCE"}),
                    (f"{p}|6", {"scheduler": "strict"}),
                ]
            },
            "BUFFER_POOL": {
                "ingress_lossless_pool": {
                    "type": "ingress",
                    "mode": "dynamic",
                    "size": "9000000000",
                }
            },
            "BUFFER_PROFILE": {"lossless": LOSSLESS},
            "BUFFER_PG": {f"{p}|3": {"profile": "lossless"} for p in names},
            "PFC_WD": {
                "GLOBAL": {"POLL_INTERVAL": "200"},
                **{
                    p: {"action": "drop", "detection_time": "400", "restoration_time": "400"}
                    for p in names
                },
            },
        },
        indent=1,
    )


def eos(name, ports):
    lines = [f"! device: {name} (DCS-7060X6-64PE, EOS-4.33.1F)", f"hostname {name}", "!"]
    lines += [
        "qos map dscp 26 to traffic-class 3",
        "qos map dscp 48 to traffic-class 6",
        "!",
        "qos profile gpu",
    ]
    lines += [
        "   qos trust dscp",
        "   priority-flow-control on",
        "   priority-flow-control priority 3 no-drop",
        "   !",
    ]
    lines += ["   uc-tx-queue 3", "      no priority", "      bandwidth percent 60"]
    lines += [
        "      random-detect ecn minimum-threshold 800 kbytes maximum-threshold 3200 kbytes max-mark-probability 20"
    ]
    for i in range(ports):
        lines += [
            "!",
            f"interface Ethernet{i + 1}/1",
            "   mtu 9214",
            "   speed 400g-4",
            "   service-profile gpu",
        ]
    return "\n".join(lines) + "\n"


def nvue(_, ports):
    lines = [
        "nv set qos roce enable on",
        "nv set qos roce mode lossless",
        "nv set system hostname leaf",
    ]
    for i in range(ports):
        lines += [
            f"nv set interface swp{i + 1} link mtu 9216",
            f"nv set interface swp{i + 1} link speed 400G",
        ]
    return "\n".join(lines) + "\n"


def junos(name, ports):
    top = "set class-of-service"
    lines = [
        f"set system host-name {name}",
        f"{top} forwarding-classes class roce queue-num 3 no-loss",
    ]
    lines += [
        f"{top} classifiers dscp c forwarding-class roce loss-priority low code-points 011010"
    ]
    lines += [f"{top} congestion-notification-profile p input dscp code-point 011010 pfc"]
    lines += [f"{top} congestion-notification-profile p input cable-length 30"]
    for i in range(ports):
        lines += [
            f"set interfaces et-0/0/{i} mtu 9216",
            f"{top} interfaces et-0/0/{i} congestion-notification-profile p",
        ]
        lines += [f"{top} interfaces et-0/0/{i} unit 0 classifiers dscp c"]
    return "\n".join(lines) + "\n"


def nxos(name, ports):
    lines = [
        f"hostname {name}",
        "class-map type qos match-all roce",
        "  match dscp 26",
        "policy-map type qos in",
    ]
    lines += [
        "  class roce",
        "    set qos-group 3",
        "policy-map type network-qos nq",
        "  class type network-qos c-8q-nq3",
    ]
    lines += [
        "    mtu 9216",
        "    pause pfc-cos 3",
        "system qos",
        "  service-policy type network-qos nq",
    ]
    for i in range(ports):
        lines += [f"interface Ethernet1/{i + 1}", "  priority-flow-control mode on", "  mtu 9216"]
        lines += ["  service-policy type qos input in"]
    return "\n".join(lines) + "\n"


LANGUAGES = {
    "sonic": (sonic, ".json"),
    "eos": (eos, ".cfg"),
    "nvue": (nvue, ".txt"),
    "junos": (junos, ".conf"),
    "nxos": (nxos, ".cfg"),
}


def processor_seconds(folder):
    best, code = float("inf"), 0
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = subprocess.run([RAILYARD, "lint", str(folder)], stdout=subprocess.DEVNULL).returncode
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best, code


def main():
    print(f"{'language':9}  {'files':>5}  {'ports':>6}  {'MB':>5}  {'s':>6}")
    for language, (write, ending) in LANGUAGES.items():
        for files, ports in [(1, PORTS), (-(-PORTS // EACH), EACH)]:
            with tempfile.TemporaryDirectory() as folder:
                for i in range(files):
                    name = f"leaf{i + 1:03}"
                    (pathlib.Path(folder) / (name + ending)).write_text(write(name, ports))
                size = sum(p.stat().st_size for p in pathlib.Path(folder).iterdir()) / 1e6
                took, code = processor_seconds(folder)
                assert code in (0, 1), f"{language}: exit code {code}"
                print(
                    f"{language:9}  {files:5}  {files * ports:6}  {size:5.1f}  {took:6.2f}",
                    flush=True,
                )


main()
