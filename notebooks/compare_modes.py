# %% [markdown]
# # Vector, graph or hybrid?
#
# Thirteen questions with known answers and pages (`questions.jsonl`, English and Chinese) are asked in three modes over
# the documents that ship with CliqueRAG. A set this small shows how to compare, not which mode is better in general:
# look at the width of the intervals. The second part tunes the chunker.

# %%
import dataclasses
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from cliquerag import Workspace, chunk
from cliquerag.demo.tour import copy_documents
from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.compare import compare
from cliquerag.evaluation.questions import read_questions
from cliquerag.evaluation.scoring import budget_recall
from cliquerag.ingest.chunkers import make_chunker
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
# ## Tuning the chunker
#
# The chunker links sentences of a neighbourhood whose similarity lies above the threshold theta, finds the maximal
# cliques, and cuts where the fewest lie across. Theta is a quantile of the document's own similarities (`quantile`), so
# it fits any embedder; `target` is the wished length in tokens. First the text itself: the similarity of the sentences
# of the call, and under it the chunks that some settings make of it.

# %%
call = next(record.source for record in ws.documents() if record.kind == "earnings call")
text = ws.store.text(call)
SETTINGS = [(quantile, target) for quantile in (0.3, 0.5, 0.9) for target in (40, 85, 170)]


def cut(quantile, target):
    """Sentences of each chunk."""
    chunks = chunk(text, quantile=quantile, target=target, embedder=ws.embedder)
    return [len(c.sentences) for c in chunks]


sentences = [text[start:end] for c in chunk(text, embedder=ws.embedder) for start, end in c.sentences]
vectors = ws.embedder.embed(sentences)

figure, (top, bottom) = plt.subplots(2, 1, figsize=(8, 9), sharex=True, height_ratios=(5, 2), layout="constrained")
picture = top.imshow(vectors @ vectors.T, vmin=0, vmax=0.8, cmap="Blues", aspect="auto")
figure.colorbar(picture, ax=top, label="cosine", shrink=0.6)
edges = np.cumsum(cut(0.5, 85)) - 0.5
for start, end in pairwise([-0.5, *edges]):
    top.add_patch(plt.Rectangle((start, start), end - start, end - start, fill=False, edgecolor="#e8590c", lw=1.5))
top.set_title("Similarity of the sentences of the call; framed: chunks with the default settings", fontsize=10)
for row, (quantile, target) in enumerate(SETTINGS):
    ends = np.cumsum([0, *cut(quantile, target)])
    for number, (start, end) in enumerate(pairwise(ends)):
        bottom.barh(row, end - start, left=start - 0.5, color=("#2f6fde", "#9dbdf2")[number % 2], height=0.8)
bottom.set_yticks(range(len(SETTINGS)), [f"theta {q}, target {t}" for q, t in SETTINGS], fontsize=8)
bottom.invert_yaxis()
bottom.set_xlabel("sentence")
plt.show()

# %% [markdown]
# Theta moves single borders; `target` decides how many there are. Does it matter for finding the evidence? Every
# setting reads the documents again into a store of its own (the sentences are embedded already) and answers the same
# questions by vectors alone. *Recall* is the share of the gold pages among what fits into a context of 250 tokens.


# %%
def recall(quantile, target, budget=250):
    """Chunks in the store, and the recall of each question."""
    with Workspace("sqlite://") as trial:
        chunker = make_chunker("clique", quantile=quantile, target=target)
        trial.tools = dataclasses.replace(trial.tools, chunker=chunker)
        count = sum(report.chunks for report in trial.add_all([documents]))
        found = [budget_recall(q, trial.search(q.question, mode="vector"))[budget] for q in questions]
        return count, found


targets = {target: recall(0.5, target) for target in (20, 40, 85, 170, 340)}
thetas = {theta: recall(theta, 85) for theta in (0.1, 0.3, 0.5, 0.7, 0.9)}

# %%
figure, panels = plt.subplots(1, 2, figsize=(9, 3.2), sharey=True, layout="constrained")
for axes, name, results in zip(panels, ("target (tokens)", "theta (quantile)"), (targets, thetas), strict=True):
    values = [Row.mean("", "recall", found) for _, found in results.values()]
    means = np.array([row.value for row in values])
    spread = [means - [row.low for row in values], [row.high for row in values] - means]
    axes.errorbar(range(len(results)), means, spread, fmt="o-", color="#2f6fde", ecolor="#9dbdf2", capsize=3)
    axes.set_xticks(
        range(len(results)), [f"{value}\n{count} chunks" for value, (count, _) in results.items()], fontsize=8
    )
    axes.set_xlabel(name)
    axes.spines[["top", "right"]].set_visible(False)
panels[0].set_ylim(0, 1.05)
panels[0].set_ylabel("recall in 250 tokens")
figure.suptitle(f"{len(questions)} questions, vector mode, mean and 95 % interval", fontsize=10)
plt.show()

# %% [markdown]
# Where the intervals overlap as widely as here, keep the defaults: they come from much larger public sets
# (`docs/benchmarks.md`). With a question set of your own, put its path in the second cell and look again.

# %%
ws.close()
