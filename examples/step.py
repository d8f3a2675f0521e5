# %% [markdown]
# # What a training step sends when
# DeepSeek-V3 on 2,048 GPUs: every transfer of the step, by what it is for.

# %%
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy
import railyard

results = railyard.run("deepseek-v3")
flows = results.flows
sent = (flows["bytes"] * flows["edges"]).groupby(flows["what"], observed=True).sum() / 1e12
print(sent.rename("TB at most").round(2).to_string())

# %%
figure, axes = plt.subplots(figsize=(9, 4), constrained_layout=True)
edges = numpy.linspace(0, results["step_time_s"], 200)
stacked = []
for what in sent.index:
    rows = flows[flows["what"] == what]
    amounts, _ = numpy.histogram(
        rows["finish_ps"] / 1e12, bins=edges, weights=rows["bytes"] * rows["edges"] / 1e9
    )
    stacked.append(amounts)
axes.stackplot(edges[:-1], stacked, labels=list(sent.index), step="post")
axes.set(xlabel="time, s", ylabel="GB that arrive at most", title=results.scenario.name)
axes.legend(loc="upper right")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "step.png", dpi=120)
