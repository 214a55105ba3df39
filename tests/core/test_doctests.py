"""The examples in the docstrings are true."""

from __future__ import annotations

import doctest
from importlib import import_module
from pkgutil import iter_modules

import pytest
from cliquerag import core

MODULES = [module.name for module in iter_modules(core.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(f"cliquerag.core.{name}")).failed == 0


def test_there_are_examples() -> None:
    attempted = [doctest.testmod(import_module(f"cliquerag.core.{name}")).attempted for name in MODULES]
    assert sum(map(bool, attempted)) >= 10
