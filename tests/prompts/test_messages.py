"""Every language of answers says the same things with the same values."""

from __future__ import annotations

from string import Template

import pytest
from cliquerag.core.rules import load_rules
from cliquerag.prompts import LANGUAGES

PACKAGE = "cliquerag.prompts.messages"
ENGLISH = load_rules(PACKAGE, "en.toml")
OTHER = {"more_companies": {"all"}}
"""Values that another language may count by: "and 3 more" is "of 8 in all" in Chinese."""


def values(text: str) -> set[str]:
    return {match["named"] for match in Template.pattern.finditer(text) if match["named"]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_message_and_its_values(language: str) -> None:
    own = load_rules(PACKAGE, f"{language}.toml")
    assert own.keys() == ENGLISH.keys()
    assert all(values(text) <= values(ENGLISH[key]) | OTHER.get(key, set()) for key, text in own.items())
