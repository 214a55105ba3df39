# %% [markdown]
# # Vector, graph or hybrid?
#
# Thirteen questions with known answers and pages (`questions.jsonl`, English and Chinese) are asked in three modes over
# the documents that ship with CliqueRAG. A set this small shows how to compare, not which mode is better in general:
# look at the width of the intervals.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from cliquerag import Workspace
from cliquerag.demo import copy_documents
from cliquerag.evaluation.compare import compare
from cliquerag.evaluation.questions import read_questions
from IPython.display import Markdown

MODES = ("vector", "graph", "hybrid")
home = TemporaryDirectory()
documents = copy_documents(Path(home.name) / "documents")
ws = Workspace(f"sqlite:///{home.name}/compare.db")
chunks = sum(report.chunks for report in ws.add_all([documents]))
questions = read_questions(Path("questions.jsonl"))  # put your own file here
print(f"{chunks} chunks, {len(questions)} questions")

# %% [markdown]
# ## Ask everything in every mode
#
# The same as `cliquerag compare questions.jsonl --modes vector,graph,hybrid` on the command line, which also writes a
# report with both contexts of every question side by side.

# %%
result = compare(questions, MODES, ws.ask, search=ws.search, embedder=ws.embedder)

# %% [markdown]
# Means with their 95 % intervals (bootstrap over the questions). Answers are judged by rules here, by a model where one
# is configured. *Number accuracy* counts only the questions whose answer is a number.

# %%
METRICS = ("number accuracy", "hit@1", "hit@5", "MRR@10", "context recall", "faithfulness", "context tokens")
means = {(row.system, row.metric): row for row in result.report().rows if row.system in MODES}


def table(head, rows):
    """Rows as a table of the notebook."""
    return Markdown("\n".join("| " + " | ".join(map(str, row)) + " |" for row in [head, ["---"] * len(head), *rows]))


def cell(mode, metric):
    """A mean and its interval."""
    row = means[mode, metric]
    digits = 0 if row.value > 1 else 2
    return f"{row.value:.{digits}f} ({row.low:.{digits}f} to {row.high:.{digits}f})"


table(
    ["measure", "questions", *MODES],
    [[m, means[MODES[0], m].n, *(cell(mode, m) for mode in MODES)] for m in METRICS],
)

# %%
shown = METRICS[:-1]
figure, axes = plt.subplots(figsize=(9, 3.6))
for place, (mode, colour) in enumerate(zip(MODES, ("#2f6fde", "#e8590c", "#2b8a3e"), strict=True)):
    rows = [means[mode, metric] for metric in shown]
    values = np.array([row.value for row in rows])
    spread = [values - [row.low for row in rows], [row.high for row in rows] - values]
    axes.bar(np.arange(len(shown)) + (place - 1) * 0.27, values, 0.25, label=mode, color=colour)
    axes.errorbar(np.arange(len(shown)) + (place - 1) * 0.27, values, spread, fmt="none", ecolor="#495057", capsize=3)
axes.set_xticks(range(len(shown)), shown)
axes.set_ylim(0, 1.05)
axes.set_title(f"{len(questions)} questions, mean and 95 % interval", fontsize=10)
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.1))
plt.show()

# %% [markdown]
# Is a difference more than chance? Every question is asked in every mode, so the differences are taken question by
# question; where the interval holds zero, this set cannot tell the two modes apart.

# %%
differences = [row for row in result.report().rows if " minus " in row.system and row.metric in shown]
table(
    ["difference", "measure", "mean", "95 % interval", "told apart"],
    [
        [
            d.system,
            d.metric,
            f"{d.value:+.2f}",
            f"{d.low:+.2f} to {d.high:+.2f}",
            "no" if d.low <= 0 <= d.high else "yes",
        ]
        for d in differences
    ],
)

# %% [markdown]
# ## Question by question
#
# The means hide what matters most: where the modes differ, and why.

# %%
for question in questions:
    verdict = result.verdict(question)
    print(f"{question.question}\n    expected: {question.answer}")
    for outcome in result.of(question):
        mark = "*" if outcome.mode in verdict.winners else " "
        print(f"  {mark} {outcome.mode:7} {' '.join(outcome.answer.split())[:120]}")
    print(f"    {verdict.reason}\n")

print("Won alone:", result.wins())

# %% [markdown]
# LightRAG's modes can be columns too, over the same chunks and triples (extra `lightrag`):
# `cliquerag compare questions.jsonl --modes vector,hybrid,lightrag:mix`. On sets of hundreds of questions, see
# `docs/benchmarks.md`.

# %%
ws.close()
