"""Runs: one, several side by side, and many over a grid of keys."""

import itertools
import sys

from . import _railyard, frames
from .results import Results
from .scenarios import load


def run(scenario, *, set=None, seed=None, threads=0, flows=True, progress=None):
    """Simulates a scenario (see load). Ctrl-C gives it up.

    `threads`: 0 takes all there are; results do not depend on it. `flows`: keep every transfer. `progress`: True shows a line
    on a terminal; a function is called with the share that is done and what it is at, about ten times a second.
    """
    ready = load(scenario, set, seed)
    shown = _Line(ready.name) if progress is True else None
    try:
        session = _railyard.run(ready, threads, flows, shown or progress or None)
    finally:
        if shown:
            shown.end()
    return Results(session, ready)


def compare(scenarios, figures, **choices):
    """Runs scenarios and puts figures of them side by side: a frame with a row for each.

    `scenarios`: a list of what load takes, or a dict with the names of rows. `figures`: paths of docs/results.md.
    """
    pandas = frames.pandas()

    named = scenarios if isinstance(scenarios, dict) else None
    rows, names = [], []
    for key in named or range(len(scenarios)):
        results = run(scenarios[key], **choices)
        names.append(key if named else results.scenario.name)
        rows.append([_figure(results, figure) for figure in figures])
    return pandas.DataFrame(rows, index=names, columns=list(figures))


def sweep(scenario, axes, figures, *, set=None, **choices):
    """Runs a scenario at every combination of values: a frame with a row for each.

    `axes`: {"fabric.oversubscription": [1, 2, 4], "routing.policy": ["ecmp", "adaptive"]}. A combination that cannot be run has
    no figures, and its reason in the column `error`.
    """
    pandas = frames.pandas()

    rows = []
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values))
        row = dict(point)
        try:
            results = run(scenario, set={**(set or {}), **point}, **choices)
            row.update({figure: _figure(results, figure) for figure in figures})
        except _railyard.Error as refused:
            row["error"] = str(refused)
        rows.append(row)
    frame = pandas.DataFrame(rows)
    return frame.reindex(columns=[*axes, *figures, *(["error"] if "error" in frame else [])])


def diff(a, b):
    """What differs between two results, as `railyard diff --json` tells it."""
    import json

    return json.loads(_railyard.differences(json.dumps(a.dict), json.dumps(b.dict)))


def _figure(results, path):
    try:
        return results[path]
    except KeyError:
        return None


class _Line:
    """How far a run is, on one line of a terminal."""

    def __init__(self, name):
        self.name = name
        self.width = 0

    def __call__(self, share, now):
        if not sys.stderr.isatty():
            return
        text = f"{self.name}: {share:4.0%}{' ' + now if now else ''}"[:78]
        sys.stderr.write("\r" + text.ljust(self.width))
        sys.stderr.flush()
        self.width = len(text)

    def end(self):
        if self.width:
            sys.stderr.write("\r" + " " * self.width + "\r")
            sys.stderr.flush()
