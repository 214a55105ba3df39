"""Draws what the benchmark ``learning`` found: ``python -m benchmarks.learning_figure docs/pictures/learning.svg``.

Reads the result that ``--write docs`` kept. Needs matplotlib.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from cliquerag.evaluation.benchmark import Row

from .results import DOCS, kept_reports
from .tasks.retrieval.learning import COUNTS, METHODS

_SETS = {"tatqa": "TAT-QA", "ectsum": "ECTSum", "financebench": "FinanceBench"}
_STARTS = {"shipped": "from the shipped weights", "wrong": "from wrong weights"}
_COLOURS = {"weights": "#1f5fbf", "reinforce": "#b8860b", "ppo": "#7a3fa0"}


def draw(rows: Sequence[Row], path: Path) -> None:
    """Gain in NDCG@10 on the other half by number of questions; solid what counts after the gate, dotted without it."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "learning"
    import matplotlib.pyplot as plt

    values = {(row.system, row.metric): row.value for row in rows}
    figure, axes = plt.subplots(len(_STARTS), len(_SETS), figsize=(10, 5), sharex=True, sharey="row")
    for across, (start, told) in zip(axes, _STARTS.items(), strict=True):
        for plot, (name, title) in zip(across, _SETS.items(), strict=True):
            for method in ("weights", *METHODS):
                for metric, style in (("gain kept", "-"), ("gain", ":")):
                    gains = [
                        values[f"{name}, {start}: {method}, {count:,} questions", f"other half: {metric}"]
                        for count in COUNTS
                    ]
                    label = method if metric == "gain kept" else None
                    plot.plot(COUNTS, gains, style, color=_COLOURS[method], marker="o", markersize=3, label=label)
            plot.axhline(0, color="#888888", linewidth=0.8)
            plot.set_xscale("log")
            plot.set_title(f"{title}, {told}", fontsize=9)
    axes[0][0].legend(fontsize=8, frameon=False)
    for plot in axes[-1]:
        plot.set_xlabel("questions asked", fontsize=8)
    for across in axes:
        across[0].set_ylabel("gain in NDCG@10", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw(kept_reports(DOCS)["learning"].report.rows, Path(sys.argv[1]))
