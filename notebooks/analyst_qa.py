# %% [markdown]
# # Questions over an earnings call and a 10-K
#
# Four documents that ship with CliqueRAG (all invented) are read and asked. No key, no network, no server.
# The last cells show how to do the same with your own files and your own model.

# %%
from pathlib import Path
from tempfile import TemporaryDirectory

import matplotlib.pyplot as plt
import pymupdf
from cliquerag import Scope, Workspace
from cliquerag.demo import copy_documents
from IPython.display import Image, Markdown, display

home = TemporaryDirectory()  # goes when the notebook is closed; use a folder of yours to keep the work
documents = copy_documents(Path(home.name))
ws = Workspace(f"sqlite:///{home.name}/analyst.db")

# %% [markdown]
# ## Add the documents
#
# Company, period and kind are read from the cover page. Adding a file again costs nothing unless it has changed.


# %%
def table(head, rows):
    """Rows as a table of the notebook."""
    lines = [head, ["---"] * len(head), *rows]
    return Markdown("\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in lines))


reports = list(ws.add_all([documents]))
table(
    ["document", "kind", "period", "chunks", "facts", "statements"],
    [[r.source, r.metadata.kind, r.metadata.period.label, r.chunks, r.facts, r.statements] for r in reports],
)

# %% [markdown]
# ## Ask
#
# Every sentence of an answer carries the number of its source. Without a language model the answer is put together
# from the sentences and cells of the documents; with one it is written by the model, from the same evidence.


# %%
def show(question):
    """Ask, and show the answer with its sources."""
    answer = ws.ask(question)
    quoted = answer.text.replace("$", "\\$").replace("\n", "  \n> ")
    sources = [f"{c.number}. *{c.source}*{f', page {c.page}' if c.page else ''}: `{c.text}`" for c in answer.citations]
    display(Markdown("\n".join([f"**{question}**\n", f"> {quoted}\n", *sources])))


show("Why did net revenue rise in fiscal 2025?")
show("Why did Halvern deliver fewer robots than planned in the fourth quarter?")
show("What operating margin does Halvern guide for fiscal 2026?")
show("What is the effective tax rate of Halvern in fiscal 2025?")
show("清源精密2025年的研发费用是多少？")

# %% [markdown]
# What the documents do not say is not invented:

# %%
show("What did Halvern pay for its office in Tokyo?")

# %% [markdown]
# ## Look at the page
#
# A citation knows its page and the lines on it, so a claim can be checked with one look.


# %%
def page(citation):
    """The cited page with the lines of the passage framed."""
    anchor = citation.anchors[0]
    with pymupdf.open(ws.path_of(citation.source)) as pdf:
        sheet = pdf[anchor.page - 1]
        for box in anchor.boxes:
            sheet.draw_rect(pymupdf.Rect(box), color=(0.9, 0.35, 0), width=1.5)
        return Image(sheet.get_pixmap(dpi=80).tobytes("png"))


answer = ws.ask("Why did net revenue rise in fiscal 2025?")
page(answer.citations[0])

# %% [markdown]
# ## One document, one period
#
# A scope keeps a question to some companies, periods or files; `search` gives the evidence without an answer.

# %%
call = Scope(sources=("Halvern_2025Q4_earnings_call.txt",))
for found in ws.search("cell prices and supply", scope=call, k=3):
    print(f"{found.score:.3f}  {' '.join(found.text.split())[:150]}")

# %% [markdown]
# ## Numbers
#
# Facts come from tables and sentences, with unit, scale and page, and are exact.

# %%
facts = ws.facts(company="Halvern", metric=["revenue", "operating income", "net income"])
facts = [f for f in facts if f.source_kind == "table" and f.page == 5]  # the statements of income
table(
    ["metric", "period", "as printed", "amount", "page"],
    [[f.metric, f.period.label, f.text.replace("$", "\\$"), f"{f.amount:,.0f} {f.unit}", f.page] for f in facts],
)

# %%
figure, axes = plt.subplots(figsize=(6.5, 3))
metrics = ["revenue", "operating income", "net income"]
for place, year in enumerate(["FY2023", "FY2024", "FY2025"]):
    of_year = {f.metric.replace("_", " "): float(f.amount) / 1e6 for f in facts if f.period.label == year}
    bars = axes.bar([m + (place - 1) * 0.27 for m in range(3)], [of_year[m] for m in metrics], 0.25, label=year)
    axes.bar_label(bars, fmt="{:,.0f}", fontsize=8)
axes.set_xticks(range(3), metrics)
axes.set_ylabel("USD million")
axes.set_title("Halvern Robotics, statements of income (10-K, page 5)", fontsize=10)
axes.spines[["top", "right"]].set_visible(False)
axes.legend(frameon=False)
plt.show()

# %% [markdown]
# Ratios are worked out from the facts, with the cells they come from:

# %%
for name in ["gross margin", "operating margin", "current ratio", "free cash flow"]:
    print(ws.calc(name, company="Halvern", period="FY2025").answer.text, end="\n\n")

# %% [markdown]
# ## Your own files
#
# Name files or folders here (PDF, HTML, Markdown, text) and run the notebook again. A file that cannot be read is
# reported and the others go on.

# %%
MINE = []  # for example ["~/reports/acme-10-K-2023.pdf", "~/reports/calls"]

for report in ws.add_all([Path(name).expanduser() for name in MINE]):
    print(report.source, report.outcome, report.error or "")

# %% [markdown]
# ## Your own model
#
# Anything that speaks the OpenAI API: OpenAI itself, or vLLM, Ollama, llama.cpp on your machine. The key is read from
# `OPENAI_API_KEY` in the environment and nowhere else; set it before you start Jupyter.
#
# ```python
# import os
#
# os.environ["CLIQUERAG_MODEL"] = "gpt-4o-mini"  # any model of the endpoint
# os.environ["OPENAI_BASE_URL"] = "http://localhost:8000/v1"  # leave out for OpenAI itself
# ```

# %%
with Workspace(ws.settings.workspace) as again:  # reads the settings anew
    print("answers by:", again.settings.model or "no model, extractive")
    print(again.ask("Who supplies battery cells to Halvern Robotics?").text)

# %%
ws.close()
