"""Pattern tables: groups of regular expressions read from a rule file."""

from __future__ import annotations

import re
import sys

import pytest
from cliquerag.core.patterns import (
    LazyPattern,
    PatternGroup,
    PatternTable,
    first_found,
    on_demand,
    stretches,
    without_parts,
)
from cliquerag.core.period_text import find_periods

RULES = r"""
greeting = ['^good (?P<when>morning|evening)', 'hello']
farewell = 'bye'

[money.sign]
dollar = ['\$']
code = '(?-i:USD)'

[unit_line]
patterns = ['in (?:millions|thousands)']
words = ['in']

[[kind]]
name = "time"
asked = ['\bwhen\b', '什么时候']

[[kind]]
name = "count"
asked = ['\bhow many\b']
held = ['\d']

[[twice]]
name = "same"
asked = 'a'

[[twice]]
name = "same"
asked = 'b'
"""


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("package") / "ruled"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    (folder / "wrong.toml").write_text("broken = '(unclosed'\nright = 'a'", encoding="utf-8")
    sys.path.insert(0, str(folder.parent))
    return folder.name


@pytest.fixture
def table(package: str) -> PatternTable:
    return PatternTable(package, "rules.toml")


def test_a_group_is_found_by_any_of_its_patterns_and_case_is_ignored(table: PatternTable) -> None:
    assert table.any("greeting", "Well, HELLO there")
    assert table.any("greeting", "Good evening")
    assert not table.any("greeting", "a very good evening")
    assert not table.any("farewell", "hello")


def test_a_single_pattern_is_a_group_of_one(table: PatternTable) -> None:
    assert [pattern.pattern for pattern in table.all("farewell")] == ["bye"]


def test_first_goes_by_the_order_of_the_file_not_of_the_text(package: str) -> None:
    table = PatternTable(package, "rules.toml")
    match = table.first("greeting", "good Morning, hello")
    assert match is not None
    assert match["when"] == "Morning"
    anywhere = table.first("greeting", "he said hello, good morning")
    assert anywhere is not None
    assert anywhere.group() == "hello"
    assert table.first("greeting", "bye") is None


def test_a_text_without_a_word_of_the_group_is_tried_with_none_of_its_patterns(
    table: PatternTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def search(pattern: LazyPattern, text: str, start: int = 0, end: int = sys.maxsize) -> None:
        tried.append(pattern.pattern)

    monkeypatch.setattr(LazyPattern, "search", search)
    assert not table.any("greeting", "good bye")
    assert tried == []
    assert not table.any("greeting", "hello, good morning")
    assert len(tried) == 2


def test_patterns_are_compiled_once(table: PatternTable) -> None:
    assert table.all("greeting") is table.all("greeting")


def test_nothing_is_read_before_a_group_is_asked_for(package: str) -> None:
    PatternTable("no.such.package", "absent.toml")
    assert PatternTable(package, "wrong.toml").any("right", "A")


def test_a_section_may_be_nested_and_a_part_may_heed_case(package: str) -> None:
    signs = PatternTable(package, "rules.toml", "money.sign")
    assert list(signs) == ["dollar", "code"]
    assert signs.any("code", "5 USD")
    assert not signs.any("code", "5 usd")


def test_groups_that_are_tables_are_read_by_a_field(package: str) -> None:
    by_table = PatternTable(package, "rules.toml", field="patterns")
    assert list(by_table) == ["unit_line"]
    assert by_table.any("unit_line", "(In millions)")
    asked = PatternTable(package, "rules.toml", "kind", field="asked")
    assert list(asked) == ["time", "count"]
    assert asked.any("time", "工厂什么时候投产")
    assert list(PatternTable(package, "rules.toml", "kind", field="held")) == ["count"]


def test_which_names_the_first_group_of_the_file_that_is_found(package: str) -> None:
    kinds = PatternTable(package, "rules.toml", "kind", field="asked")
    assert kinds.which("How many stores were open when sales fell?") == "time"
    assert kinds.which("How many stores?") == "count"
    assert kinds.which("Why?") == ""


def test_first_found_goes_by_the_order_of_the_rules() -> None:
    rules = ((re.compile("b"), 2), (re.compile("a"), 1))
    assert first_found(rules, "ab", 0) == 2
    assert first_found(rules, "a", 0) == 1
    assert first_found(rules, "c", 0) == 0
    assert first_found((), "a", None) is None


def test_an_unknown_group_is_named_with_its_file(table: PatternTable) -> None:
    with pytest.raises(KeyError, match=r"'thanks' in ruled/rules\.toml"):
        table.any("thanks", "hello")


def test_a_name_that_occurs_twice_is_an_error(package: str) -> None:
    with pytest.raises(ValueError, match=r"twice in ruled/rules\.toml \[twice\]"):
        PatternTable(package, "rules.toml", "twice", field="asked").any("same", "a")


def test_each_match_goes_on_to_the_next_and_the_last_to_the_end():
    matches = list(re.finditer(r"[A-Z]\w", "Ab, Cd, Ef."))
    assert [(match[0], end) for match, end in stretches(matches, 11)] == [("Ab", 4), ("Cd", 8), ("Ef", 11)]
    assert list(stretches([], 11)) == []


def test_a_pattern_on_demand_is_what_re_gives_from_its_first_use_on() -> None:
    pattern = on_demand(r"(?P<year>20\d\d)|q(?P<quarter>[1-4])", re.IGNORECASE)
    assert not isinstance(pattern, re.Pattern) and "search" not in vars(pattern)
    compiled = re.compile(r"(?P<year>20\d\d)|q(?P<quarter>[1-4])", re.IGNORECASE)
    text = "Q3 of 2023"
    assert [match.groupdict() for match in pattern.finditer(text)] == [m.groupdict() for m in compiled.finditer(text)]
    assert "search" in vars(pattern)
    for method in ("search", "match", "fullmatch", "findall", "split"):
        assert repr(getattr(pattern, method)(text)) == repr(getattr(compiled, method)(text))
    assert pattern.sub("x", text) == compiled.sub("x", text) and pattern.subn("x", text) == compiled.subn("x", text)
    assert (pattern.pattern, pattern.groups, pattern.flags) == (compiled.pattern, compiled.groups, compiled.flags)


def test_a_wrong_pattern_on_demand_is_noticed_when_it_is_used() -> None:
    with pytest.raises(re.error):
        on_demand("(").search("x")


def test_parts_of_a_text_are_cut_out() -> None:
    text = "Sales of 2021 rose, those of Q2 2022 fell."
    assert without_parts(text, find_periods(text)) == "Sales of   rose, those of   fell."
    assert without_parts(text, find_periods(text), by="") == "Sales of  rose, those of  fell."
    assert without_parts(text, []) == text


TOGETHER = (
    "net income|profit",
    "gross margins?",
    "[0-9]{4}",
    "(?:毛利|净利润)率",
    "股",
    "Q4|eu",
    r"\bup\b",
    "no ?where",
)
TEXTS = (
    "Gross margin of 2023", "NET INCOME in the EU was up", "毛利率為35%", "净利润率和股本", "Nowhere", "n o",
    "", "ÉTÉ 股", "Profıt", "q4", "the margin alone", "x" * 30_000 + " profit",
)  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_patterns_of_a_group_are_found_where_each_alone_is(text):
    patterns = list(map(LazyPattern, TOGETHER))
    found = [number for number, pattern in enumerate(patterns) if pattern.search(text)]
    group = PatternGroup(patterns)
    assert list(group.found_in(text)) == found
    assert group.any(text) == bool(found)
    assert set(found) <= {patterns.index(pattern) for pattern in group.near(text)}
    first = group.first(text)
    assert (first is None) == (not found)
    assert first is None or (first[0], first[1][0]) == (found[0], patterns[found[0]].search(text)[0])


def test_of_a_group_only_patterns_whose_words_stand_there_are_tried(monkeypatch):
    tried = []
    search = LazyPattern.search
    monkeypatch.setattr(LazyPattern, "search", lambda self, text: tried.append(self.pattern) or search(self, text))
    group = PatternGroup(map(LazyPattern, TOGETHER))
    assert group.any("a gross margin") and tried == ["gross margins?"]
