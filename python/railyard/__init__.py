"""Railyard in Python: what will this network do to this training job?

    import railyard

    results = railyard.run("packets/incast", set={"transport.dcqcn.enabled": False})
    results["flows.delivery_us.max"]          # a figure, by its path in docs/results.md
    results.frame("over_time.ports.series")   # a table, as a pandas frame
    results.flows                             # every transfer, as a frame over the run's own memory
    print(results)                            # the report, as the program prints it

    railyard.sweep("llama3", {"fabric.oversubscription": [1, 2, 4]}, ["step_time_s", "mfu.causal"])
"""

from ._railyard import Error, __version__
from .results import Results
from .running import compare, diff, run, sweep
from .scenarios import Scenario, load, presets

__all__ = [
    "Error",
    "Results",
    "Scenario",
    "__version__",
    "compare",
    "diff",
    "load",
    "presets",
    "run",
    "sweep",
]
