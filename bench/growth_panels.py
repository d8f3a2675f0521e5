"""Draws time and memory over size, side by side, all axes logarithmic, for light and dark pages."""
import math

WIDTH, HEIGHT, TOP, BOTTOM, GAP = 960, 520, 60, 170, 80
LIGHT = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989"]
DARK = ["#58a6ff", "#f0883e", "#3fb950", "#a371f7", "#db61a2"]


def style():
    def colours(of):
        return " ".join(f".s{i} {{ stroke: {c}; fill: {c} }}" for i, c in enumerate(of))

    return (
        "<style>text { font: 13px system-ui, sans-serif; fill: #1f2328 }"
        " .title { font-size: 15px; font-weight: 600 }"
        " .grid { stroke: #d0d7de } polyline { fill: none !important; stroke-width: 2.5 } "
        + colours(LIGHT)
        + " @media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .grid { stroke: #30363d } "
        + colours(DARK)
        + " }</style>"
    )


class Axis:
    """Decades of values on a span of the picture."""

    def __init__(self, values, begin, end):
        self.low = math.floor(math.log10(min(values)))
        self.high = max(self.low + 1, math.ceil(math.log10(max(values))))
        self.begin, self.end = begin, end

    def at(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.begin + part * (self.end - self.begin)

    def ticks(self):
        return [10.0**i for i in range(self.low, self.high + 1)]


def panel(series, column, title, unit, left, right):
    x = Axis([p[0] for _, points in series for p in points], left, right)
    y = Axis([p[column] for _, points in series for p in points], HEIGHT - BOTTOM, TOP)
    out = [f'<text class="title" x="{left}" y="{TOP - 24}">{title}</text>']
    for value in x.ticks():
        at = x.at(value)
        out.append(f'<line class="grid" x1="{at:.1f}" x2="{at:.1f}" y1="{TOP}" y2="{y.begin}"/>')
        out.append(
            f'<text x="{at:.1f}" y="{y.begin + 20}" text-anchor="middle">{value:,.0f}</text>'
        )
    for value in y.ticks():
        at = y.at(value)
        out.append(f'<line class="grid" x1="{left}" x2="{right}" y1="{at:.1f}" y2="{at:.1f}"/>')
        label = f"{value:g} {unit}"
        out.append(f'<text x="{left - 8}" y="{at + 4:.1f}" text-anchor="end">{label}</text>')
    for i, (_, points) in enumerate(series):
        places = [(x.at(p[0]), y.at(p[column])) for p in points]
        line = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        out.append(f'<polyline class="s{i}" points="{line}"/>')
        out += [f'<circle class="s{i}" cx="{a:.1f}" cy="{b:.1f}" r="3.5"/>' for a, b in places]
    return out


def draw(series):
    """`series`: pairs of a name and points of (n, wall seconds, processor seconds, MB)."""
    middle = WIDTH / 2
    label = "Processor time and memory over the number of GPUs"
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"'
        f' aria-label="{label}">',
        style(),
    ]
    out += panel(series, 2, "Processor time over GPUs", "s", GAP, middle - 20)
    out += panel(series, 3, "Memory over GPUs", "MB", middle + GAP, WIDTH - 20)
    for i, (name, _) in enumerate(series):
        height = HEIGHT - BOTTOM + 50 + 22 * i
        out.append(f'<circle class="s{i}" cx="{GAP}" cy="{height - 4}" r="4"/>')
        out.append(f'<text x="{GAP + 12}" y="{height}">{name}</text>')
    return "\n".join(out + ["</svg>"]) + "\n"
