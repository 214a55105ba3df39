# %% [markdown]
# # A tour of the entity graph
#
# While documents are read, companies, people, products and what they do to each other become a graph. Every line in it
# is a sentence of a document. The documents are the invented ones that ship with CliqueRAG.

# %%
import os
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill

import matplotlib.pyplot as plt
import networkx as nx
import pymupdf
from cliquerag import Workspace
from cliquerag.demo import copy_documents
from cliquerag.kg.entity_names import look_up
from cliquerag.kg.export import export_graph
from cliquerag.kg.paths import best_paths
from matplotlib import font_manager

home = TemporaryDirectory()
ws = Workspace(f"sqlite:///{home.name}/tour.db")
for report in ws.add_all([copy_documents(Path(home.name))]):
    print(f"{report.source}: {report.entities} entities, {report.statements} statements")

# %% [markdown]
# ## The whole graph
#
# `ws.graph()` gives it to networkx. A font with Chinese characters comes with the PDF reader.

# %%
font = Path(home.name) / "cjk.ttf"
font.write_bytes(pymupdf.Font("cjk").buffer)
font_manager.fontManager.addfont(font)
CJK = font_manager.FontProperties(fname=font).get_name()
COLOURS = {
    "company": "#2f6fde",
    "person": "#e8590c",
    "product": "#2b8a3e",
    "role": "#ae3ec9",
    "metric": "#0c8599",
    "place": "#f08c00",
}


def layout(graph):
    """The largest group in the middle, the small ones in rows on the right."""
    largest, *others = sorted(nx.weakly_connected_components(graph), key=lambda group: (-len(group), min(group)))
    middle = nx.Graph()  # in a fixed order, so that the picture is the same in every run
    middle.add_nodes_from(sorted(largest, key=lambda node: graph.nodes[node]["label"]))
    middle.add_edges_from(graph.subgraph(largest).edges())
    places = {node: (2.4 * x, 1.1 * y) for node, (x, y) in nx.kamada_kawai_layout(middle).items()}
    for row, group in enumerate(others):
        named = sorted(group, key=graph.out_degree, reverse=True)
        places |= {node: (3.2 + 1.5 * column, 0.9 - 0.45 * row) for column, node in enumerate(named)}
    return places


def draw(graph, height=7.0, highlight=()):
    """Names in the colour of their type; what is said of two stands on the line between them."""
    places, types = layout(graph), dict(graph.nodes(data="type"))
    axes = plt.figure(figsize=(13, height)).add_subplot()
    colours = [COLOURS.get(types[node], "#868e96") for node in graph]
    nx.draw_networkx_nodes(graph, places, node_color=colours, node_size=160, ax=axes)
    said = {}
    for head, tail, relation in graph.edges(keys=True):
        bold = {head, tail} <= set(highlight)
        options = {"edge_color": "#d6336c" if bold else "#adb5bd", "width": 2.5 if bold else 1.2}
        nx.draw_networkx_edges(graph, places, [(head, tail)], node_size=160, ax=axes, **options)
        said.setdefault(tuple(sorted((head, tail))), []).append(relation.replace("_", " "))
    lines = {pair: "\n".join(relations) for pair, relations in said.items()}
    paper = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5}
    captions = nx.draw_networkx_edge_labels(graph, places, lines, font_size=8, rotate=False, bbox=paper, ax=axes)
    plt.setp(captions.values(), zorder=4)
    for node, name in graph.nodes(data="label"):
        (x, y), near = places[node], [places[other][1] for other in nx.all_neighbors(graph, node)]
        above = y >= sum(near) / len(near)  # the name stands away from the lines
        style = {"ha": "center", "va": "bottom" if above else "top", "fontfamily": ["DejaVu Sans", CJK]}
        offset, colour = (0, 9 if above else -9), COLOURS.get(types[node], "#495057")
        axes.annotate(fill(name, 16), (x, y), offset, textcoords="offset points", color=colour, bbox=paper, **style)
    for kind in sorted({*types.values()}):
        axes.scatter([], [], color=COLOURS.get(kind, "#868e96"), label=kind)
    axes.legend(frameon=False, ncols=6, loc="upper center", bbox_to_anchor=(0.5, 0))
    axes.margins(0.12)
    axes.axis("off")
    plt.show()


graph = ws.graph()
related = graph.subgraph([node for node, degree in graph.degree() if degree])
print(
    f"{graph.number_of_nodes()} entities, {related.number_of_nodes()} of them in {related.number_of_edges()} relations"
)
draw(related)

# %% [markdown]
# ## One entity
#
# Found by any of its names. Each relation has its sentence, its document and its page.

# %%
halvern = look_up(ws.store, "Halvern")
print(f"{halvern.name} ({halvern.type}), also: {', '.join(halvern.aliases)}\n")


def tell(relation):
    """One relation and the sentence behind it."""
    said = relation.statements[0]
    page = f", page {said.page}" if said.page else ""
    print(f"{relation.head.name} -- {relation.relation} --> {relation.tail.name}")
    print(fill(" ".join(said.text.split()), 110, initial_indent="    ", subsequent_indent="    "))
    print(f"    ({said.document}{page}{f', {said.period.label}' if said.period else ''})")


for relation in ws.store.subgraph([halvern.id]).relations[:5]:
    tell(relation)

# %% [markdown]
# ## From one company to another
#
# What has a lithium producer to do with a freight group? The best supported path, with the sentence behind every step.

# %%
start, goal = look_up(ws.store, "Atacama Minerals"), look_up(ws.store, "Meridian Freight Group")
path = best_paths(ws.store, start.id, goal.id, ws.vocabulary.schema, 1)[0]
for relation in path:
    tell(relation)

# %%
steps = {end.id for relation in path for end in (relation.head, relation.tail)}
companies = [node for node, kind in related.nodes(data="type") if kind == "company"]
around = related.subgraph(companies)
draw(around.subgraph(max(nx.weakly_connected_components(around), key=len)), height=5.5, highlight=steps)

# %% [markdown]
# ## What the graph knows that the text search does not
#
# Who does it to whom, whom two companies have in common, and what takes two steps: the same questions by words and
# vectors alone, and with the graph.

# %%
for question in (
    "Who acquired Halvern Robotics?",
    "Which supplier do Halvern Robotics and Vexel Automation share?",
    "Who supplies the company that Vexel Automation sued?",
):
    print(question)
    for mode in ("vector", "hybrid"):
        told = " ".join(ws.ask(question, mode=mode).text.split())
        print(fill(f"{mode}: {told}", 110, initial_indent="    ", subsequent_indent="    "))

# %% [markdown]
# ## Two names, one company?
#
# Names are taken for one where a document says so or where they differ by a legal suffix only; the reason is kept, and
# nothing is lost: a merge lies on top of the names as written.


# %%
def show_merges():
    """Every merge with its reason."""
    merges = ws.store.merges()
    names = ws.store.entity_names({m.entity for m in merges} | {m.into for m in merges})
    for merge in merges:
        print(f"{names[merge.entity]} = {names[merge.into]}  ({merge.reason}){'  undone' if merge.undone else ''}")


show_merges()

# %% [markdown]
# The Chinese report and the 10-K speak of one supplier in two languages. No document says that the two are one, so they
# stay two until somebody who knows says so. Then a path leads from its subsidiary to the customers of its customer.


# %%
def count_paths():
    """How many paths lead from the subsidiary in Ningbo to the freight group."""
    ends = look_up(ws.store, "宁波恒芯电子有限公司"), look_up(ws.store, "Meridian Freight Group")
    return len(best_paths(ws.store, ends[0].id, ends[1].id, ws.vocabulary.schema))


print("paths before:", count_paths())
chinese, english = look_up(ws.store, "清源精密股份有限公司"), look_up(ws.store, "Qingyuan Precision")
merge = ws.store.merge(chinese.id, english.id, "by hand")
print("paths with the merge:", count_paths())
ws.store.undo(merge.id)
print("paths after undo:", count_paths(), "\n")
show_merges()

# %% [markdown]
# An undone merge stays in the list, so that it is not made again.
#
# ## Take it elsewhere
#
# GraphML for Gephi, yEd and Cytoscape, DOT for Graphviz, CSV for Neo4j's import, JSON for LightRAG.

# %%
for name in ("graph.graphml", "graph.dot", "graph.csv", "graph.json"):
    print(name, dict(export_graph(ws.store, f"{home.name}/{name}", ws.vocabulary.schema)))

# %% [markdown]
# ## Neo4j
#
# The same workspace runs on a server. `make neo4j` starts one; then set, before Jupyter starts,
# `NEO4J_URI=neo4j://localhost:7687` and `NEO4J_PASSWORD`, and this cell copies everything there. The graph can
# then be looked at in the Neo4j Browser, with captions and colours, and asked in Cypher.

# %%
server = os.environ.get("NEO4J_URI")
if server:
    print(dict(export_graph(ws.store, server, ws.vocabulary.schema)))
    with Workspace(server) as scaled_out:
        print(scaled_out.ask("Who supplies Halvern Robotics?").text)
else:
    print("No server is named. Everything above ran on one SQLite file, the normal case.")

# %%
ws.close()
