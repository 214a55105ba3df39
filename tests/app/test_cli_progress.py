"""Long work says how far it is, on a terminal and in a log."""

from __future__ import annotations

import re
import time

import pytest
from cliquerag.cli import common


def test_a_log_is_told_how_far_it_is_and_what_is_left(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(common, "_SECONDS_BETWEEN_LINES", 0.05)
    with common.bar_of_documents("reading", 14) as (bar, task):
        for done in range(1, 4):
            time.sleep(0.02)
            bar.update(task, completed=done, description="acme.pdf: embedded")
        time.sleep(0.2)
    said = capsys.readouterr().err.split("\n")
    assert any(re.fullmatch(r"3 of 14 done, \d:\d\d:\d\d left  acme.pdf: embedded", line) for line in said)


def test_short_work_adds_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with common.bar_of_documents("looking", None):
        pass
    assert capsys.readouterr().err.strip() == ""
