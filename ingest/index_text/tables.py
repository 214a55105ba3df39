"""Table summaries: a row in words for each table, embedded and searched with it, never cited.

The index of a table holds the names of its rows and columns and none of its values; a summary adds what the values say:
what rose, what fell, what turned into a loss. By rules, or by a model, one call a section.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING

from ...core.names import is_chinese
from ...core.patterns import PatternTable
from ...core.period_text import first_period
from ...core.quantity import parse_quantity
from ...core.records import dataclass
from ...core.rules import load_rules
from ...core.sequences import among
from ...core.tokens import estimate_tokens
from ..document import Document, Segment, Table
from ..model_calls import ask_sections, rows_schema, section_chat, sections, texts_of
from ..tables.markdown import head_texts
from ..tables.values import is_number
from .context import about_line
from .propositions import figures_in

if TYPE_CHECKING:
    from ...core.period import Period
    from ...models.language import LanguageModel, Message

_TOTALS = tuple(PatternTable(__package__, "tables.toml", language) for language in ("english", "chinese"))
_MOST_ROWS = 8
"""Rows whose course is told: with the title as much as a small encoder reads of one text."""
_UNCHANGED = Decimal("0.005")
"""Relative change below which a row stays as it was."""
_LONGEST_LABEL = 60
_LONGEST_SUMMARY = 600
_LONGEST_TABLE = 4_000
"""Characters of a table that a model is shown: its first fifty rows or so."""
_SCHEMA = rows_schema("summaries", table="integer", text="string")


@dataclass(frozen=True, slots=True)
class Course:
    """What a row does from the older of two periods to the newer."""

    label: str
    word: str
    """"rose", "fell", "unchanged", "loss" (from a gain to a loss), "gain" (the reverse)."""
    change: Decimal
    """Relative to the older value, without sign."""
    is_total: bool


def table_summaries(document: Document, segments: Sequence[Segment], model: LanguageModel | None = None) -> list[str]:
    """A summary for each table's segment; "" where there is nothing to tell, as for figures.

    With a model its summaries, one call a section of up to 2,000 tokens; tables that it leaves out, or of which it
    states a figure that is not printed there, keep what the rules say. Raises ModelError: the endpoint fails.
    """
    found = [_by_rules(document, segment) for segment in segments]
    shown = [at for at, segment in enumerate(segments) if segment.table is not None]
    if model is not None:
        for place, text in _by_model(document, [segments[at] for at in shown], model).items():
            found[shown[place]] = text
    return found


def _by_model(document: Document, tables: Sequence[Segment], model: LanguageModel) -> dict[int, str]:
    """Place of a table -> what a model says of it, where that holds no figure from elsewhere."""
    texts = [_in_one_line(document.text[table.start : table.end]) for table in tables]
    parts = sections([table.headings for table in tables], list(map(estimate_tokens, texts)))
    about = about_line(document)
    chats: list[list[Message]] = []
    for part in parts:
        head = " | ".join((about, " > ".join(tables[part.start].headings)))
        chats.append(section_chat("table_summaries", texts[part.start : part.stop], head))
    found: dict[int, str] = {}
    for number, data in ask_sections(model, chats, _SCHEMA).items():
        part = parts[number]
        for at, summary in texts_of(data, "summaries", "table", "text", len(part)):
            printed = figures_in(about) | figures_in(texts[part[at]])
            if printed.issuperset(figures_in(summary)):
                found[part[at]] = summary[:_LONGEST_SUMMARY]
    return found


def _by_rules(document: Document, segment: Segment) -> str:
    if segment.table is None:
        return ""
    table = document.tables[segment.table]
    title = table.title or (segment.headings[-1] if segment.headings else "")
    return summary_of(table, title)


def summary_of(table: Table, title: str = "") -> str:
    """Title, the two periods that are compared, and the course of its rows, totals first.

    >>> rows = (("", "2021", "2022"), ("Net sales", "100", "120"), ("Other income", "9", "(3)"), ("Tax", "5", "5"))
    >>> summary_of(Table(rows), "Income")
    'Income, 2022 compared with 2021: Net sales rose; Other income turned negative; Tax was unchanged.'
    >>> summary_of(Table((("项目", "2023年", "2022年"), ("营业收入", "120", "100"))), "利润表")
    '利润表，2023年与2022年相比：营业收入增长。'
    """
    compared = _compared(table)
    if compared is None:
        return ""
    newer, older = compared
    courses = _courses(table, newer, older)
    if not courses:
        return ""
    told = _most_telling(courses)
    heads = head_texts(table)
    chinese = is_chinese("".join(course.label for course in told) + title)
    words = _words()["chinese" if chinese else "english"]
    rows = words["between"].join(course.label + words[course.word] for course in told)
    summary: str = words["form"].format(title=title, newer=heads[newer], older=heads[older], rows=rows)
    return summary.lstrip(words["strip"])[:_LONGEST_SUMMARY]


def _most_telling(courses: Sequence[Course]) -> list[Course]:
    """Totals as they stand, then what changed most; in the order of the table."""
    totals = [course for course in courses if course.is_total]
    others = sorted((course for course in courses if not course.is_total), key=lambda course: -course.change)
    chosen = [*totals, *others][:_MOST_ROWS]
    return among(courses, chosen)


def _compared(table: Table) -> tuple[int, int] | None:
    """The columns of the newest period and of the one before it; None where the heads name no two periods."""
    dated: list[tuple[Period, int]] = []
    for column, head in enumerate(head_texts(table)):
        period = first_period(head)
        if period is not None and column:
            dated.append((period, column))
    if len(dated) < 2:
        return None
    newest, newer = max(dated, key=lambda pair: pair[0].sort_key)
    before = [pair for pair in dated if pair[0].unit == newest.unit and pair[0].sort_key < newest.sort_key]
    if not before:
        return None
    return newer, max(before, key=lambda pair: pair[0].sort_key)[1]


def _courses(table: Table, newer: int, older: int) -> list[Course]:
    found: list[Course] = []
    for row in table.body:
        label = " ".join(row[0].split())[:_LONGEST_LABEL]
        now, then = _value(row[newer]), _value(row[older])
        if not label or now is None or then is None:
            continue
        found.append(_course(label, now, then))
    return found


def _course(label: str, now: Decimal, then: Decimal) -> Course:
    change = abs(now - then) / abs(then) if then else Decimal(1)
    word = "rose" if abs(now) > abs(then) else "fell"  # what is spent or lost is printed as negative
    if change < _UNCHANGED:
        word = "unchanged"
    elif then >= 0 > now:
        word = "loss"
    elif then < 0 <= now:
        word = "gain"
    is_total = any(names.any("total", label) for names in _TOTALS)
    return Course(label, word, change, is_total)


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return load_rules(__package__, "tables.toml")


def _value(cell: str) -> Decimal | None:
    if not is_number(cell.strip()):
        return None
    quantity = parse_quantity(cell.strip())
    return quantity.value if quantity else None


def _in_one_line(markdown: str) -> str:
    """A table as one line, rows apart."""
    return " / ".join(line.strip() for line in markdown[:_LONGEST_TABLE].splitlines() if line.strip())
