"""Draws docs/growth.svg: seconds of a step over GPUs, both axes logarithmic, in colours that hold on light and on dark pages."""
import math

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 440, 70, 30, 50, 60
STYLE = """<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.grid { stroke: #d0d7de; stroke-width: 1 }
.guide { stroke: #6e7781; stroke-width: 1.5; stroke-dasharray: 6 5; fill: none }
.s0 { stroke: #0969da; fill: #0969da } .s1 { stroke: #bc4c00; fill: #bc4c00 }
polyline { fill: none !important; stroke-width: 2.5 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .grid { stroke: #30363d } .guide { stroke: #8b949e }
  .s0 { stroke: #58a6ff; fill: #58a6ff } .s1 { stroke: #f0883e; fill: #f0883e }
}
</style>"""
NAMES = {"e-ecmp": "hashed (e-ecmp, 16 queue pairs)", "adaptive": "adaptive routing"}


def decades(low, high):
    return range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)


def draw(series):
    """`series`: by routing policy, points of (GPUs, wall seconds, processor seconds, MB)."""
    every = [point for points in series.values() for point in points]
    x_low, x_high = math.log10(min(p[0] for p in every) * 0.8), math.log10(
        max(p[0] for p in every) * 1.25
    )
    rows = decades(min(p[2] for p in every), max(p[2] for p in every))
    y_low, y_high = rows[0], rows[-1]

    def x(gpus):
        return LEFT + (math.log10(gpus) - x_low) / (x_high - x_low) * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        return (
            HEIGHT
            - BOTTOM
            - (math.log10(seconds) - y_low) / (y_high - y_low) * (HEIGHT - TOP - BOTTOM)
        )

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Processor time of a step over GPUs">',
        STYLE,
        f'<text class="title" x="{LEFT}" y="26">Processor time of one simulated step, Llama 3 405B</text>',
    ]
    for decade in rows:
        seconds = 10.0**decade
        out.append(
            f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(seconds):.1f}" y2="{y(seconds):.1f}"/>'
        )
        out.append(
            f'<text x="{LEFT - 8}" y="{y(seconds) + 4:.1f}" text-anchor="end">{seconds:g} s</text>'
        )
    for gpus in sorted({p[0] for p in every}):
        out.append(
            f'<line class="grid" x1="{x(gpus):.1f}" x2="{x(gpus):.1f}" y1="{TOP}" y2="{HEIGHT - BOTTOM}"/>'
        )
        out.append(
            f'<text x="{x(gpus):.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{gpus:,}</text>'
        )
    out.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 14}" text-anchor="middle">GPUs</text>'
    )
    out.append(guide(series, x, y, y_low))
    for i, (policy, points) in enumerate(series.items()):
        out.append(
            f'<polyline class="s{i}" points="{" ".join(f"{x(p[0]):.1f},{y(p[2]):.1f}" for p in points)}"/>'
        )
        out += [
            f'<circle class="s{i}" cx="{x(p[0]):.1f}" cy="{y(p[2]):.1f}" r="4"/>' for p in points
        ]
        out.append(f'<circle class="s{i}" cx="{LEFT + 20}" cy="{TOP + 16 + 22 * i}" r="4"/>')
        out.append(
            f'<text x="{LEFT + 32}" y="{TOP + 20 + 22 * i}">{NAMES.get(policy, policy)}</text>'
        )
    below = TOP + 16 + 22 * len(series)
    out.append(
        f'<line class="guide" x1="{LEFT + 8}" x2="{LEFT + 28}" y1="{below}" y2="{below}"/><text x="{LEFT + 32}" y="{below + 4}">n log n</text>'
    )
    return "\n".join(out + ["</svg>"]) + "\n"


def guide(series, x, y, y_low):
    """n log n through the last point of the slowest series, from where it enters the picture."""
    points = max(series.values(), key=lambda p: p[-1][2])
    last, seconds = points[-1][0], points[-1][2]
    shown = []
    for i in range(41):
        gpus = points[0][0] * (last / points[0][0]) ** (i / 40)
        value = seconds * gpus * math.log(gpus) / (last * math.log(last))
        if value >= 10.0**y_low:
            shown.append(f"{x(gpus):.1f},{y(value):.1f}")
    return f'<polyline class="guide" points="{" ".join(shown)}"/>'
