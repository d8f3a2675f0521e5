#!/usr/bin/env python3
"""Draws docs/incast-metrics.svg: what Prometheus answers for an incast, with the expressions of the dashboard.

scripts/draw_metrics.py RAILYARD [--write]

Runs scenarios/packets/incast.toml, loads its metrics into a Prometheus on loopback and draws four panels of
integrations/grafana/network.json from the answers. Without --write the picture goes to stdout.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
from xml.sax.saxutils import escape

from prometheus_server import Prometheus, load

ROOT = pathlib.Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs/incast-metrics.svg"
SCENARIO = "scenarios/packets/incast.toml"
LASTS, STEP = 1400, 10
PANELS = [
    ("Received by NICs", "Gb/s", 1e9),
    ("Sent by NICs", "Gb/s", 1e9),
    ("Deepest queues of switches", "MB", 1e6),
    ("Marked packets received, CNPs sent and handled", "million/s", 1e6),
]
WIDTH, HEIGHT, LEFT, TOP, GAP = 440, 200, 64, 40, 60
COLOURS = ["#3274d9", "#e0752d", "#299c46", "#a352cc", "#c4162a", "#8f8f8f"]
MOST_LINES = 33


def answers(server):
    board = json.loads((ROOT / "integrations/grafana/network.json").read_text())
    panels = {panel["title"]: panel for panel in board["panels"]}
    for title, unit, scale in PANELS:
        lines = []
        for target in panels[title]["targets"]:
            expression = target["expr"].replace("$run", "incast").replace("$__rate_interval", "60s")
            for labels, points in server.over(expression, LASTS, STEP):
                label = labels.get("place", target["legendFormat"])
                lines.append((label, [(at, value / scale) for at, value in points]))
        lines.sort(key=lambda line: (-max(value for _, value in line[1]), line[0]))
        yield title, unit, [line for line in lines if max(v for _, v in line[1]) > 0][:MOST_LINES]


def round_top(value):
    """The next of 1, 2, 4, 5 or 8 times a power of ten."""
    scale = 10.0 ** len(str(int(value))) / 10 if value >= 1 else 0.1
    for factor in (1, 2, 4, 5, 8, 10):
        if value <= factor * scale:
            return factor * scale
    return value


def panel_text(number, title, unit, lines):
    x0, y0 = LEFT + (WIDTH + GAP + 20) * (number % 2), TOP + (HEIGHT + GAP + 28) * (number // 2)
    top = round_top(max((value for _, points in lines for _, value in points), default=1))
    out = [f'<text class="title" x="{x0}" y="{y0 - 12}">{escape(title)}, {unit}</text>']
    for part in range(5):
        y = y0 + HEIGHT * (1 - part / 4)
        out.append(f'<line class="grid" x1="{x0}" x2="{x0 + WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        out.append(f'<text class="axis end" x="{x0 - 6}" y="{y + 4:.1f}">{top * part / 4:g}</text>')
    for minute in range(0, LASTS // 60 + 1, 5):
        x = x0 + WIDTH * minute * 60 / LASTS
        out.append(
            f'<text class="axis middle" x="{x:.1f}" y="{y0 + HEIGHT + 16}">{minute}:00</text>'
        )
    for index, (_, points) in reversed(list(enumerate(lines))):
        path = " ".join(
            f"{x0 + WIDTH * at / LASTS:.1f},{y0 + HEIGHT * (1 - value / top):.1f}"
            for at, value in points
        )
        colour = COLOURS[min(index, len(COLOURS) - 1)]
        out.append(f'<polyline points="{path}" stroke="{colour}"/>')
    legend = [label for label, _ in lines[:3]]
    more = f" and {len(lines) - 3} more" if len(lines) > 3 else ""
    text = "".join(
        f'<tspan fill="{COLOURS[i]}">{escape(label)}</tspan>{", " if i + 1 < len(legend) else ""}'
        for i, label in enumerate(legend)
    )
    out.append(f'<text class="axis" x="{x0}" y="{y0 + HEIGHT + 34}">{text}{more}</text>')
    return out


def picture(panels):
    width, height = 2 * (WIDTH + GAP) + LEFT + 20, 2 * (HEIGHT + GAP + 28) + 40
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        "<title>An incast of 32 to 1 as Prometheus answers for it</title>",
        "<style>.title{font-size:14px;font-weight:600}.axis{font-size:11px;fill:#555}.end{text-anchor:end}"
        ".middle{text-anchor:middle}.grid{stroke:#ddd}polyline{fill:none;stroke-width:1.4}</style>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        out += panel_text(number, *panel)
    out.append(
        f'<text class="axis" x="{LEFT}" y="{height - 12}">{SCENARIO}; a second of the axis is a microsecond of the run</text>'
    )
    return "\n".join(out + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("railyard")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        command = [arguments.railyard, "run", SCENARIO, "--threads", "1", "--no-advice", "--quiet"]
        command += ["--metrics", str(folder / "incast.om"), "--metrics-run", "incast"]
        subprocess.run(command, check=True, cwd=ROOT)
        load(folder / "incast.om", folder / "data")
        with Prometheus(folder / "data") as server:
            text = picture(list(answers(server)))
    if arguments.write:
        PICTURE.write_text(text)
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
