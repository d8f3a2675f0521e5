# %% [markdown]
# # How much oversubscription a job bears
# Llama 3 405B on 16,384 MI300X, with fewer and fewer uplinks, under two ways of routing.

# %%
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import railyard

table = railyard.sweep(
    "mi300x-llama3",
    {"routing.policy": ["ecmp", "adaptive"], "fabric.oversubscription": [1, 2, 4, 8]},
    ["step_time_s", "mfu.causal"],
)
print(table.to_string(index=False))

# %%
figure, axes = plt.subplots(figsize=(7, 4), constrained_layout=True)
for policy, rows in table.groupby("routing.policy"):
    axes.plot(rows["fabric.oversubscription"], rows["step_time_s"], marker="o", label=policy)
axes.set(
    xlabel="oversubscription of leaves",
    ylabel="step, s",
    title="Llama 3 405B on 16,384 MI300X",
    ylim=(0, None),
)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "oversubscription.png", dpi=120)
