"""cliquerag chunk, extract and tables: look, store nothing."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..core.anchor import place_name
from ..core.errors import UsageError
from .common import Face, chunker_option, command, index_options

if TYPE_CHECKING:
    from rich.console import Console

_FILE = click.argument("file", type=click.Path(path_type=Path))


@command(
    _FILE,
    chunker_option(default="auto", show_default=True),
    index_options,
    click.option(
        "--html", type=click.Path(path_type=Path), help="Draw sentences, similarities and cuts into this file."
    ),
)
def chunk(face: Face, file: Path, chunker: str, html: Path | None, **settings: str | None) -> None:
    """How a file is cut into chunks.

    With what is searched of each where that is not the printed text.
    """
    from ..one_shot import chunk_file

    document, chunked = chunk_file(file, chunker, **settings)
    if html:
        from ..views.inspection_pages import chunk_html

        html.write_text(chunk_html(document, chunked), encoding="utf-8")
        face.say(f"Written: {html}")

    def render(out: Console) -> None:
        for c in chunked.chunks:
            where = place_name(c) or (f"page {c.page}" if c.page else f"{c.start}-{c.end}")
            out.print(
                f"--- {c.ordinal}  {c.kind}  {where}  {c.tokens} tokens  {' > '.join(c.headings)}",
                style="cyan",
                markup=False,
            )
            out.print(c.text, markup=False)
            if c.index_text != c.text and (c.kind == "text" or settings.get("index_text")):
                out.print(f"searched: {c.index_text}", markup=False, style="dim")

    face.show(chunked.chunks, render)


@command(_FILE, click.option("--extractor", default="rules", show_default=True, help="rules or llm."))
def extract(face: Face, file: Path, extractor: str) -> None:
    """Show the triples that are read from a file."""
    from ..one_shot import extract_file

    triples = extract_file(file, extractor)

    def render(out: Console) -> None:
        for t in triples:
            note = "" if t.modality == "asserted" else f"  [{t.modality}]"
            out.print(
                f"{t.head} ({t.head_type})  {t.relation}  {t.tail} ({t.tail_type}){note}", style="cyan", markup=False
            )
            out.print(f"    {' '.join(t.sentence.split())}", markup=False)
        kinds = ", ".join(f"{name} {count}" for name, count in Counter(t.relation for t in triples).most_common())
        out.print(f"\n{len(triples)} triples. {kinds}", style="dim")

    face.show(triples, render)


@command(
    _FILE,
    click.option("--html", type=click.Path(path_type=Path), help="Write page pictures with boxes over the tables."),
)
def tables(face: Face, file: Path, html: Path | None) -> None:
    """Show the tables of a file."""
    from .. import one_shot as looks

    if html and file.suffix.lower() != ".pdf":
        raise UsageError("only pages of a PDF can be shown as pictures", where=str(file), hint="Leave out --html")
    found = looks.tables(file)
    if html:
        from ..views.inspection_pages import tables_html

        html.write_text(tables_html(file), encoding="utf-8")
        face.say(f"Written: {html}")

    def render(out: Console) -> None:
        from ..ingest.tables.markdown import to_markdown

        for table in found:
            places = ", ".join(anchor.place or f"page {anchor.page}" for anchor in table.anchors)
            out.print(f"--- {places or '-'}  {table.title}  {table.unit}", style="cyan", markup=False)
            out.print(to_markdown(table), markup=False)
        out.print(f"\n{len(found)} tables", style="dim")

    face.show(found, render)
