"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module

import numpy
import pytest

MODULES = ("bert", "budget", "dialect", "embedders", "folder_embedder", "parsing", "prices", "retry")


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    result = doctest.testmod(import_module(f"cliquerag.models.{name}"), extraglobs={"np": numpy})
    assert result.attempted > 0
    assert result.failed == 0
