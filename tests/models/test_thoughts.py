"""Reasoning is no part of an answer, however it is marked and wherever a stream is cut."""

from __future__ import annotations

import pytest
from cliquerag.models.cache import Cache
from cliquerag.models.chat import ChatModel
from cliquerag.models.endpoint import Endpoint
from cliquerag.models.language import Message
from cliquerag.models.replies import MARKS, visible_parts, without_thoughts
from hypothesis import given
from hypothesis import strategies as st
from support.openai_server import OpenAIServer, say

ASKED = [Message("user", "How much?")]

TEXTS = [
    ("<think>a\nb</think>\nyes", "yes"),
    ("<THINK>a</Think> yes", "yes"),
    ("a\nb</think>\n\nyes", "yes"),
    ("first <think>x</think>second", "first second"),
    ("<think>a</think><think>b</think>yes", "yes"),
    ("<think>a < b and </thin", ""),
    ("an answer about <think> marks", "an answer about <think> marks"),
    ("3 < 4 and 5 <", "3 < 4 and 5 <"),
    ("no reasoning", "no reasoning"),
    ("İ<think>İİ</think>yes", "İyes"),  # as small letters it is longer
    ("", ""),
    ('{"text": "so </think> it <think>was</think>"}', '{"text": "so </think> it <think>was</think>"}'),
    ("[THINK]hm[/THINK][1, 2]", "[1, 2]"),
]


@pytest.mark.parametrize(("text", "answer"), TEXTS)
def test_whole_answers(text: str, answer: str) -> None:
    assert without_thoughts(text) == answer


@pytest.mark.parametrize(("opening", "closing"), MARKS.items())
def test_every_mark(opening: str, closing: str) -> None:
    assert without_thoughts(f"{opening} 2 and 2 {closing}\nIt is 4.") == "It is 4."


@given(st.sampled_from([text for text, _ in TEXTS if not text.startswith(("a\nb", "{"))]), st.data())
def test_a_stream_is_the_same_wherever_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    parts = [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert "".join(visible_parts(parts)) == without_thoughts(text)


def test_nothing_is_held_back_without_need() -> None:
    assert list(visible_parts(["one ", "two ", "three"])) == ["one ", "two ", "three"]


def test_long_reasoning_is_read_in_linear_time() -> None:
    parts = ["<think>", *["word "] * 100_000, "</think>", "yes"]
    assert list(visible_parts(parts)) == ["yes"]


@pytest.fixture
def model(tmp_path):
    with OpenAIServer() as server:
        model = ChatModel(Endpoint("m", server.url), Cache(tmp_path))
        model.server = server
        yield model


def test_replies_streams_and_what_is_cached(model: ChatModel) -> None:
    model.server.script = [say("<think>hm hm</think> It is 4.")]
    assert model.reply(ASKED).text == "It is 4."
    assert model.usage.output_tokens == 5, "reasoning is paid for"
    assert "".join(model.stream([Message("user", "and streamed?")])) == "It is 4."
    assert "".join(model.stream([Message("user", "and streamed?")])) == "It is 4."
    assert len(model.server.calls) == 2


def test_structured_output_after_reasoning(model: ChatModel) -> None:
    model.server.script = [say('<think>maybe {"a": 1}?</think>{"a": 2}')]
    assert model.reply(ASKED, schema={"type": "object", "required": ["a"]}).data == {"a": 2}


def test_reasoning_alone_is_asked_for_again(model: ChatModel) -> None:
    model.server.script = [say("<think>hm hm"), say("It is 4.")]
    assert model.reply(ASKED).text == "It is 4."


def test_a_model_whose_template_opens_the_reasoning_is_known_after_one_answer(model: ChatModel) -> None:
    model.server.script = [say("hm</think>It is 4."), say("hm hm</think>It is 5."), say("Six, without reasoning.")]
    assert model.reply(ASKED).text == "It is 4."
    assert list(model.stream([Message("user", "b")])) == ["It", " is", " 5."]
    assert "".join(model.stream([Message("user", "c")])) == "Six, without reasoning."
