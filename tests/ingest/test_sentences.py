"""Sentences: where they end, what joins, and that nothing of the text is lost."""

from __future__ import annotations

import pytest
from cliquerag.ingest import sentences
from cliquerag.ingest.chunk import Break
from cliquerag.ingest.document import Document, Segment
from cliquerag.ingest.lines import logical_lines
from cliquerag.ingest.sentences import sentences_by_segment, split_text
from hypothesis import given, settings
from hypothesis import strategies as st

ENGLISH = [
    ["Acme Inc. reported revenue of $89.5 billion.", "That was up 2% from a year ago."],
    ["The U.S. Federal Reserve raised rates.", "Markets fell."],
    ["Sales in the U.S. rose 4%.", "Sales in the U.K. fell."],
    ["EPS was $0.45, versus $.32 a year ago.", "We guide to Q3 FY24.", "Margins should expand."],
    ["Our No. 1 priority is cash flow.", "See Note No. 5 for details."],
    ["See Item 1A. Risk Factors for more.", "See also Item 7. Management's Discussion."],
    ["Mr. Cook will speak first.", "Prof. Wu is absent."],
    ["Thank you.", "Was it 5.3% vs. 4.1% in the prior quarter?", "Yes."],
    ['"Will you?" she asked.', "He left."],
    ["It was filed with the SEC.", "Amounts are in Note 12.", "Leverage was 2.1x.", "Adj. EBITDA rose."],
    ["In 2018 we set up Bolt Pte. Ltd. in Singapore and Crux Sdn. Bhd. in Penang.", "Both grew."],
    ["We lease approx. 2.5 mn sq. ft. of space.", "Leases end on Jan. 31, 2031."],
    ["It was a strong quarter.1", "Footnote 1 applies."],
    ["revenues fell in 2014 .", "the decline was due to lower prices at acme inc. stores in the u.s. market."],
]
CHINESE = [
    ["公司2023年实现营业收入12.5亿元。", "同比增长8.3%。"],
    ["“你们会涨价吗？”分析师问。", "管理层没有回答。"],
    ["风险提示：原材料价格波动；汇率风险。", "维持“买入”评级。"],
    ["贵州茅台(600519.SH)发布年报。", "真的吗？！", "公司(Moutai Co., Ltd.)表现稳健。"],
]


def _texts(text: str, **options: int) -> list[str]:
    return [text[s.start : s.end] for s in split_text(text, **options)]


@pytest.mark.parametrize("gold", ENGLISH, ids=lambda gold: gold[0][:20])
def test_english(gold: list[str]) -> None:
    assert _texts(" ".join(gold), shortest=0) == gold


@pytest.mark.parametrize("gold", CHINESE, ids=lambda gold: gold[0][:8])
def test_chinese(gold: list[str]) -> None:
    assert _texts("".join(gold), shortest=0) == gold


def test_unit_line_joins_its_neighbour() -> None:
    assert _texts("单位：万元\n本期营业收入为一百二十三万元人民币。") == [
        "单位：万元\n本期营业收入为一百二十三万元人民币。"
    ]


def test_short_answer_joins_the_sentence_on_its_line() -> None:
    text = "We are pleased with the quarter. Thank you.\n\nOur next question is about the margins in Asia."
    assert _texts(text)[0] == "We are pleased with the quarter. Thank you."


def test_numbers_join_their_label_and_wrapped_lines_their_paragraph() -> None:
    raw = (
        "Net cash provided by operating\nactivities\n1,234\n(1,100)\nCapital expenditures\n$ (560)\n—\n"
        "The increase in net cash provided by operating activities was due to higher income and\n"
        "Asia, where working capital was released during the second half of the year. Interest\npaid fell."
    )
    lines = [" ".join(raw[line.start : line.end].split()) for line in logical_lines(raw)]
    assert lines[:2] == ["Net cash provided by operating activities 1,234 (1,100)", "Capital expenditures $ (560) —"]
    assert len(lines) == 3


def test_rows_of_a_plain_table_stay_apart() -> None:
    raw = "\n".join(f"revenue of region {i} | ${i}00 million | {i}5 % of total" for i in range(1, 6))
    assert len(_texts(raw)) == 5


def test_breaks_tell_lines_from_paragraphs() -> None:
    paragraph = "The second paragraph is here. It goes on for a little while."
    text = f"The first paragraph ends here.\n\n{paragraph}\n- And a list item follows."
    assert [s.before for s in split_text(text)] == [Break.PARAGRAPH, Break.PARAGRAPH, Break.NONE, Break.LINE]


def test_escaped_line_ends_count_as_line_ends() -> None:
    text = "".join(f"{i}. The city of number {i} has many green roofs\\n\\n" for i in range(6))
    assert len(_texts(text)) == 6


def test_long_sentences_are_cut_at_a_clause() -> None:
    text = "we have " + "risks of prices and demand; " * 60
    parts = _texts(text)
    assert all(len(part) <= 600 for part in parts)
    assert all(part.endswith(";") for part in parts)


def _document(*parts: tuple[str, str, dict]) -> Document:
    text, segments = "", []
    for kind, content, more in parts:
        segments.append(Segment(kind, len(text), len(text) + len(content), **more))
        text += content + "\n\n"
    return Document("doc", text, tuple(segments))


def test_documents_break_hard_at_headings_tables_and_speakers() -> None:
    document = _document(
        ("heading", "Results of operations", {"level": 1}),
        ("heading", "Revenue", {"level": 2}),
        ("paragraph", "Revenue rose in all of our regions.", {"headings": ("Results of operations", "Revenue")}),
        ("paragraph", "Prices rose as well, by two percent.", {"headings": ("Results of operations", "Revenue")}),
        ("table", "| a | b |\n|---|---|\n| x | 1 |", {"table": 0}),
        ("paragraph", "The table shows revenue by region.", {"speaker": "Ann"}),
        ("paragraph", "I have a question about the regions.", {"speaker": "Bob"}),
    )
    breaks = [sentence.before for _, found in sentences_by_segment(document) for sentence in found]
    hard, line, paragraph = Break.HARD, Break.LINE, Break.PARAGRAPH
    assert breaks == [hard, paragraph, paragraph, paragraph, hard, line, line, hard, hard]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB c.!?\n1,。！”\"')$%|\\n u.S Inc.第\u00a0\u2028\x85\ud800"), max_size=300))
def test_nothing_is_lost_and_order_is_kept(text: str) -> None:
    _check_cover(text, split_text(text))
    _check_cover(text, split_text(text, shortest=5, longest=12))


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("aB 1.!?…。！”\"')]"), max_size=60), st.integers(0, 9), st.integers(0, 60))
def test_marks_are_found_where_the_pattern_alone_finds_them(text: str, start: int, end: int) -> None:
    found = [match.span() for match in sentences._ends(text, start, end)]
    assert found == [match.span() for match in sentences._END.finditer(text, start, end)]


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_covered(text: str) -> None:
    _check_cover(text, split_text(text, longest=20))


def _check_cover(text: str, found: list) -> None:
    end = 0
    for s in found:
        assert s.start >= end and s.start < s.end
        assert not text[end : s.start].strip()
        assert text[s.start : s.end] == text[s.start : s.end].strip()
        end = s.end
    assert not text[end:].strip()


def test_a_long_chinese_sentence_does_not_reach_into_what_follows_it() -> None:
    """Latin letters behind it are narrower: they are not its room to grow."""
    text = "字" * 310 + "\n\n" + "Sales rose in Asia, because prices fell; costs did not. " * 12
    spans = [(sentence.start, sentence.end) for sentence in split_text(text)]
    assert spans[:2] == [(0, 300), (300, 310)]
    assert all(start < end for start, end in spans)
