# %% [markdown]
# # What ECN thresholds do to an incast
# Thirty-two GPUs send 2 MB each to one. Where marks come late, the switch's buffer fills; where they come early, the link to the
# receiver runs empty. Each line is the queue at that link, from the run's own samples.

# %%
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import railyard

THRESHOLDS = {"early": ("50 KB", "200 KB"), "as shipped": None, "late": ("8 MB", "16 MB")}

# %%
runs = {}
for name, marks in THRESHOLDS.items():
    keys = dict(zip(("transport.ecn.kmin", "transport.ecn.kmax"), marks)) if marks else {}
    runs[name] = railyard.run("packets/incast", set=keys)
    worst = runs[name]["worst_ports.deepest[0]"]
    print(
        f"{name:>10}: last message after {runs[name]['flows.delivery_us.max']:.0f} µs, "
        f"deepest queue {worst['deepest_bytes'] / 1e6:.1f} MB, {runs[name]['pfc.pauses']} pauses"
    )

# %%
figure, axes = plt.subplots(figsize=(8, 4), constrained_layout=True)
for name, results in runs.items():
    port = results.port_names.index("leaf 0 to GPU 0")
    axes.step(
        results.sample_times_ps / 1e6, results.samples["backlog_bytes"][:, port] / 1e6, label=name
    )
last = max(
    results["flows.delivery_us.max"] for results in runs.values()
)  # timers of NICs go on for a while
axes.set(
    xlabel="time, µs",
    ylabel="backlog, MB",
    title="The queue to the receiver of a 32:1 incast",
    xlim=(0, last),
)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "incast.png", dpi=120)
