# %% [markdown]
# # Tuning the chunker
#
# Where a text is cut decides what can be found. Here the settings of the clique chunker are varied over the documents
# that ship with CliqueRAG: first to see what they do to one text, then to measure what that does to thirteen questions.

# %%
import dataclasses
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import numpy as np
from cliquerag import Workspace, chunk
from cliquerag.demo import copy_documents
from cliquerag.evaluation.benchmark import Row
from cliquerag.evaluation.questions import read_questions
from cliquerag.evaluation.scoring import budget_recall
from cliquerag.ingest.chunkers import make_chunker

home = TemporaryDirectory()
documents = copy_documents(Path(home.name) / "documents")  # put your own folder here
questions = read_questions(Path("questions.jsonl"))  # and your own questions
ws = Workspace(f"sqlite:///{home.name}/tune.db")
chunks = sum(report.chunks for report in ws.add_all([documents]))
print(f"{chunks} chunks, {len(questions)} questions")

# %% [markdown]
# ## What the settings cut
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
        trial.components.tools = dataclasses.replace(trial.components.tools, chunker=chunker)
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
# (`docs/benchmarks.md`). With documents and questions of your own, put their paths in the first cell and look again.

# %%
ws.close()
