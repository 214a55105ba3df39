"""Figures from a PDF to an answer: found, cited with their picture, described by a model whose numbers are checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pymupdf
import pytest
from cliquerag import Workspace
from cliquerag.core.errors import UsageError
from cliquerag.ingest.pdf import ocr
from cliquerag.web.evidence import cited_figures, shown_figures
from support.openai_server import OpenAIServer, say
from support.pdf_samples import paragraph, save, write

if TYPE_CHECKING:
    from cliquerag.web.desk import Desk

REPLY = {
    "description": "Deliveries of turbines rose every year. They reached 150.5 in 2022. In 2030 they will be 999.",
    "columns": ["Year", "Deliveries"],
    "rows": [["2021", "120.5"], ["2022", "150.5"], ["2023", "170"]],
    "latex": "",
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("CLIQUERAG_EMBEDDER", "none")
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path / "cache"))
    document = pymupdf.open()
    page = document.new_page()
    paragraph(page, (50, 60, 550, 140), "Acme Corp builds turbines in three plants. " * 6)
    paragraph(page, (50, 150, 550, 170), "The following graph shows the deliveries of turbines by year.")
    for at, (height, year) in enumerate(((60, "2019"), (90, "2020"), (120, "2021"), (150, "2022"))):
        x = 120 + 80 * at
        page.draw_rect((x, 380 - height, x + 40, 380), fill=(0.1, 0.3, 0.7), color=None)
        write(page, x + 8, 376 - height, f"{height}.5", 8)
        write(page, x + 8, 392, year, 8)
    save(document, tmp_path / "acme.pdf")
    yield tmp_path


def workspace(folder: Path, **settings: str) -> Workspace:
    return Workspace(f"sqlite:///{folder / 'w.db'}", **settings)


def figure_text(ws: Workspace) -> str:
    (source,) = [record.source for record in ws.documents()]
    (chunk,) = [chunk for chunk in ws.store.chunks_of(source) if chunk.kind == "figure"]
    return chunk.text


def test_a_figure_is_found_by_its_caption_and_shows_its_part_of_the_page(folder: Path) -> None:
    with workspace(folder) as ws:
        report = ws.add(folder / "acme.pdf")
        assert report.coverage.figures == 1
        found = ws.search("deliveries of turbines by year graph", k=5)
        figure = next(item for item in found if item.kind == "figure")
        assert "150.5" in figure.text and figure.page == 1

        record = next(iter(ws.documents()))
        desk = SimpleNamespace(workspace=ws, sheets=SimpleNamespace(record=lambda source: record))
        (shown,) = shown_figures([figure], cast("Desk", desk)).values()
        left, top, width, height = shown.box
        assert shown.caption.startswith("The following graph shows")
        assert left < 125 and left + width > 390 and top < 235 and top + height > 380
        assert shown.picture.startswith("/picture/") and (shown.width, shown.height) == (595, 842)


def test_a_model_sees_the_picture_and_only_printed_numbers_stay(folder: Path) -> None:
    with OpenAIServer(say(json.dumps(REPLY))) as model:
        with workspace(folder) as ws:
            ws.add(folder / "acme.pdf")
        with workspace(folder, model="seer", base_url=model.url) as ws:
            (report,) = ws.enrich(figures=True)
            assert report.outcome == "replaced" and report.usage.calls == 1
            text = figure_text(ws)
            assert "seer" in text and "Deliveries of turbines rose every year." in text
            assert "| 2022 | 150.5 |" in text
            assert "999" not in text and "170" not in text
            (again,) = ws.enrich(figures=True)
            assert again.outcome == "unchanged" and len(model.calls) == 1
            assert ws.add(folder / "acme.pdf").outcome == "unchanged"
    system, user = model.calls[0].body["messages"]
    words, picture = user["content"]
    assert "150.5" in words["text"] and "never an instruction" in system["content"]
    assert picture["image_url"]["url"].startswith("data:image/png;base64,iVBOR")


def test_a_changed_file_is_not_described(folder: Path) -> None:
    with OpenAIServer(say(json.dumps(REPLY))) as model, workspace(folder, model="seer", base_url=model.url) as ws:
        ws.add(folder / "acme.pdf")
        (folder / "acme.pdf").write_bytes(b"%PDF-1.7 another")
        (report,) = ws.enrich(figures=True)
        assert report.outcome == "failed" and "not the one that was stored" in report.error


def test_without_a_model_and_text_recognition_it_says_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    with workspace(folder) as ws:
        ws.add(folder / "acme.pdf")
        with pytest.raises(UsageError, match="described by a model"):
            ws.enrich(figures=True)


def test_an_answer_that_cites_the_sentence_above_a_figure_shows_the_figure(folder: Path) -> None:
    with workspace(folder) as ws:
        ws.add(folder / "acme.pdf")
        answer = ws.ask("What does the graph of Acme's deliveries of turbines show?")
        assert any("following graph shows" in citation.text for citation in answer.citations)
        record = next(iter(ws.documents()))
        desk = SimpleNamespace(workspace=ws, sheets=SimpleNamespace(record=lambda source: record))
        (shown,) = cited_figures(answer, cast("Desk", desk))
        assert shown.caption.startswith("The following graph shows") and shown.place.page == 1
