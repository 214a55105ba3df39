"""What a call costs: prices are data, and a user's own come first."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..core.errors import UsageError
from ..core.rules import load_rules, read_rules

_SNAPSHOT = re.compile(r"[-@:]\d[\d.-]{0,40}$")
MILLION = 1_000_000


def price(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """US dollars for a call, or for many; None where the model's price is not known.

    >>> price("openai/gpt-4o-2024-11-20", 1_000_000, 100_000)
    3.5
    >>> price("a-model-of-my-own", 1, 1) is None
    True
    """
    own = user_prices()
    table = dict(load_rules(__package__, "prices.toml"))
    if own.is_file():
        table.update(_own_table(own))
    name = model.rpartition("/")[2]
    entry = table.get(model) or table.get(name) or table.get(_SNAPSHOT.sub("", name))
    if entry is None:
        return None
    try:
        return (input_tokens * float(entry["input"]) + output_tokens * float(entry["output"])) / MILLION
    except (KeyError, TypeError, ValueError) as error:
        hint = "Write input = ... and output = ..., in dollars a million tokens"
        raise UsageError(f"no price for {model}", where=str(own), hint=hint) from error


def user_prices() -> Path:
    """The file of a user's own prices, there or not: ``CLIQUERAG_PRICES``, else in the user's configuration folder."""
    import platformdirs

    named = os.environ.get("CLIQUERAG_PRICES")
    folder = platformdirs.user_config_dir("cliquerag", appauthor=False)
    return Path(named).expanduser() if named else Path(folder) / "prices.toml"


@cache
def _own_table(path: Path) -> Mapping[str, Any]:
    return read_rules(path)
