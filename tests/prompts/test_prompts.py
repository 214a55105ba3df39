"""Every prompt exists in every language, and its version follows its text."""

from __future__ import annotations

from importlib.resources import files

import pytest
from cliquerag.core.errors import UsageError
from cliquerag.prompts import LANGUAGES, load_prompt, prompt_version

TASKS = sorted(file.name.removesuffix(".txt") for file in (files("cliquerag.prompts") / "en").iterdir())


@pytest.mark.parametrize("task", TASKS)
def test_every_prompt_is_there_in_every_language(task: str) -> None:
    texts = [load_prompt(task, language) for language in LANGUAGES]
    assert all(texts)
    assert len(set(texts)) == len(LANGUAGES)
    assert len({prompt_version(task, language) for language in LANGUAGES}) == len(LANGUAGES)


@pytest.mark.parametrize(("task", "language"), [("no_such_task", "en"), ("answer", "xx"), ("../en/answer", "en")])
def test_an_unknown_prompt_is_named(task: str, language: str) -> None:
    with pytest.raises(UsageError, match="no prompt"):
        load_prompt(task, language)
