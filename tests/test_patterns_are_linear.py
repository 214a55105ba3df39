"""Every regular expression takes linear time: texts made of its own parts, 20,000 characters long, try to slow it down.

``python tests/support/regex_attack.py [FOLDER...]`` tells more, also for one folder.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.timeout(1200)  # attacks on thousands of patterns take minutes of CPU
SUPPORT = Path(__file__).parent / "support"
PUT_TOGETHER = {
    "without_credentials": "a key, escaped",
    "written_in_full": "a name, escaped",
    "_as_printed": "words of a name, escaped",
    "_excerpts": "a name, escaped",
    "_quarter_number": "phrases of a table in the same file",
    "_form_of": "the letters of an abbreviation",
    "_is_common_word": "a name, escaped",
    "_is_somebody": "a name, escaped",
    "parse_number": "a set of one decimal mark",
    "shown_at": "the words of a value, escaped",
    "first_place": "a name, escaped",
    "_kind": "texts of tables.toml, attacked by themselves",
    "_without_name": "words of a name, escaped",
    "_role_pattern": "offices of the word lists, escaped",
    "_leave": "the mark that closes a model's thoughts, escaped",
    "_is_own": "a name, escaped",
    "_pattern": "words of the same package, or names, escaped",
    "_chinese_names": "names, escaped",
    "pattern": "texts of patterns_en.toml, attacked by themselves",
    "any_of": "texts of patterns_en.toml, attacked by themselves",
    "shape": "texts of patterns_en.toml, attacked by themselves",
    "_shape": "texts of a rule file, attacked by themselves",
    "number_pattern": "the digits of a number",
    "_held": "texts of a rule file, attacked by themselves",
    "_as_pattern": "sentences of translations.toml, escaped, with holes of 600 characters at most",
    "first_piece": "the address in an element, in bytes",
    "_mentions": "a name, escaped",
    "_is_written_as_name": "a word of a name, escaped",
    "correct": "a word of letters only",
    "_is_printed": "a word, escaped",
    "_within": "a sentence, escaped",
    "place_of": "a word of letters only, escaped",
    "_abbreviated_in": "a name, escaped",
    "__getattr__": "patterns on demand, attacked where they stand",
}
"""Functions that put a pattern together from what a text or question holds, and were not called here."""


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    command = [sys.executable, str(SUPPORT / "regex_attack.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_no_pattern_is_slow(report: dict[str, Any]) -> None:
    assert report["patterns"] > 1_000
    assert report["slow"] == []


def test_nothing_is_left_out(report: dict[str, Any]) -> None:
    assert report["not_imported"] == []
    functions = {place.partition(": ")[2] for place in report["never_compiled"]}
    assert functions <= PUT_TOGETHER.keys(), report["never_compiled"]


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"\s*\n\s*", True),
        (r"(?<!\s)\s*x", False),
        (r"(?:a|ab|b)*c", True),
        (r"(\w+\s?)+$", True),
        (r"^\d+[.,]\d+$", False),
        (r"<.*?</p>", True),
        (r"[\d,]*\.?\d*x", True),
        (r"[^()]*\)", True),
        (r"(?:word ){0,5}end", False),
    ],
)
def test_the_attack_tells_slow_from_fast(pattern: str, slow: bool) -> None:
    code = (
        "import sys; sys.argv = ['']\n"
        "from patterns import Found\n"
        "from regex_attack import attack_all\n"
        f"print(len(attack_all([Found('here', {pattern!r}, 0)])))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=SUPPORT, capture_output=True, text=True, check=False)
    assert done.stdout == f"{int(slow)}\n", done.stderr
