"""Endpoints that answer too slowly, too much, in the wrong shape or from somewhere else: one clear error, in time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import openai  # noqa: F401  # loading it takes seconds where a machine is busy: not in the time of a call
import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.models.address import Limits
from cliquerag.models.cache import Cache
from cliquerag.models.chat import ChatModel, load_language_model
from cliquerag.models.embedders import BATCH, EndpointEmbedder, load_embedder
from cliquerag.models.endpoint import Endpoint
from cliquerag.models.language import Message
from cliquerag.models.reranker import EndpointReranker, load_reranker
from support.openai_server import (
    Behaviour,
    OpenAIServer,
    drip,
    embed,
    endless,
    events,
    fail,
    packed,
    rate_limit,
    raw,
    redirect,
    rerank,
    say,
)

KEY = "sk-secret-0123456789"
ASKED = [Message("user", "What was revenue?")]
Call = Callable[[str, Limits], Any]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer() as running:
        yield running


def chat(url: str, limits: Limits, retries: int = 1) -> ChatModel:
    return ChatModel(Endpoint("m", url, limits, retries=retries), Cache("/dev/null/no cache"))


def complete(url: str, limits: Limits) -> str:
    return chat(url, limits).reply(ASKED).text


def stream(url: str, limits: Limits) -> str:
    return "".join(chat(url, limits).stream(ASKED))


def vectors(url: str, limits: Limits) -> np.ndarray:
    return EndpointEmbedder(f"m@{url}", limits, retries=1).embed(["one", "two"])


def scores(url: str, limits: Limits) -> list[float]:
    return EndpointReranker("m", url, limits).scores("q", ["one", "two"])


pytestmark = pytest.mark.filterwarnings("ignore:The model cache")
EVERY_KIND = pytest.mark.parametrize("call", [complete, stream, vectors, scores])


# --- from somewhere else


@EVERY_KIND
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_neither_key_nor_question_goes_to_another_server(server: OpenAIServer, call: Call, status: int) -> None:
    with OpenAIServer() as other:
        server.script = [redirect(f"{other.url}/steal", status)]
        with pytest.raises(ModelError, match=rf"redirects to http://127\.0\.0\.1 \(HTTP {status}\)"):
            call(server.url, Limits())
        assert other.calls == []
    assert len(server.calls) == 1


def test_a_server_may_redirect_within_itself(server: OpenAIServer) -> None:
    server.script = [redirect("/v1/chat/completions/", 307), say("here")]
    assert complete(server.url, Limits()) == "here"
    assert [call.authorization for call in server.calls] == [f"Bearer {KEY}"] * 2


def test_a_server_may_have_its_answer_fetched(server: OpenAIServer) -> None:
    server.script = [redirect("/v1/answers/1", 303), raw(CHOICE % '{"content": "here"}')]
    assert complete(server.url, Limits()) == "here"


def test_a_redirect_to_nowhere(server: OpenAIServer) -> None:
    server.script = [redirect("http://host:no-port/", 307)]
    with pytest.raises(ModelError, match="redirects to what is no address"):
        complete(server.url, Limits())


# --- too slow


@EVERY_KIND
@pytest.mark.parametrize("head", [True, False], ids=["head", "body"])
def test_a_reply_that_drips_is_given_up_in_time(server: OpenAIServer, call: Call, head: bool) -> None:
    server.script = [drip(head)]
    within(1.5, lambda: call(server.url, Limits(timeout=0.5)), "no whole answer in 0.5 seconds")
    assert len(server.calls) == 1


def test_a_stream_of_pings_is_given_up_in_time(server: OpenAIServer) -> None:
    server.script = [events(*[": ping"] * 100, pause=0.05)]
    within(1.5, lambda: stream(server.url, Limits(timeout=0.5)), "no whole answer in 0.5 seconds")


def test_a_call_that_ran_out_of_time_says_how_its_last_attempt_ended(server: OpenAIServer) -> None:
    server.script = [fail(502, "Bad Gateway")] * 100
    call = partial(chat(server.url, Limits(timeout=1), retries=100).reply, ASKED)
    within(2.5, call, "no whole answer in 1 seconds; the last attempt ended in HTTP 502")


@pytest.mark.parametrize("trouble", [rate_limit(0.2), fail(503, retry_after="0.2")], ids=["429", "503"])
def test_all_attempts_and_pauses_count(server: OpenAIServer, trouble: Behaviour) -> None:
    server.script = [trouble]
    within(2, lambda: chat(server.url, Limits(timeout=1), retries=100).reply(ASKED), "asks to wait|in 1 seconds")
    assert 3 <= len(server.calls) <= 7


def test_a_pause_that_would_end_too_late_is_not_waited_for(server: OpenAIServer) -> None:
    server.script = [rate_limit(30)]
    within(1, lambda: complete(server.url, Limits(timeout=20)), "asks to wait 30 seconds")


@pytest.mark.parametrize("value", ["nan", "-5", "soon", "99999999999999999999"])
def test_a_pause_of_an_odd_length_is_survived(server: OpenAIServer, value: str) -> None:
    server.script = [fail(429, retry_after=value), say("here")]
    try:
        assert complete(server.url, Limits()) == "here"
    except ModelError as error:
        assert "asks to wait" in str(error)


def within(seconds: float, call: Callable[[], Any], message: str) -> None:
    began = time.monotonic()
    with pytest.raises(ModelError, match=message):
        call()
    assert time.monotonic() - began < seconds


# --- too much

WORD = 'data: {"choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}\n\n'


@EVERY_KIND
@pytest.mark.parametrize(
    "behaviour",
    [endless(" ", "application/json"), endless("x", status=500), endless("x", status=429), packed(20_000_000)],
    ids=["endless", "endless 500", "endless 429", "packed"],
)
def test_an_endless_reply_is_cut(server: OpenAIServer, call: Call, behaviour: Behaviour) -> None:
    server.script = [behaviour]
    with pytest.raises(ModelError, match=r"larger than 0\.5 MB|is packed"):
        call(server.url, Limits(max_reply_mb=0.5))


@pytest.mark.parametrize("piece", [WORD, "data: x", ": ping\n\n"], ids=["words", "a line", "pings"])
def test_an_endless_stream_is_cut(server: OpenAIServer, piece: str) -> None:
    server.script = [endless(f"data: {piece}" if piece == "x" else piece)]
    with pytest.raises(ModelError, match=r"larger than 0\.5 MB|no JSON"):
        stream(server.url, Limits(max_reply_mb=0.5))


def test_limits_have_to_be_above_zero() -> None:
    for wrong in ({"timeout": 0.0}, {"timeout": float("nan")}, {"max_reply_mb": -1.0}):
        with pytest.raises(UsageError, match="must be above 0"):
            Limits(**wrong)


# --- in the wrong shape

DEEP = "[" * 200_000
CHOICE = '{"choices": [{"message": %s, "finish_reason": "stop"}]}'


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("null", "nothing is where an object with choices should be"),
        ("[1, 2]", "a list is where an object with choices should be"),
        ('{"choices": "abc"}', "choices is text, not a list"),
        ('{"choices": []}', "no choices"),
        ('{"choices": ["abc"]}', "text is where an object with message should be"),
        ('{"choices": [{"message": "hello"}]}', "message is text, not an object"),
        (CHOICE % '{"content": 12345}', "content is a number, not a list"),
        (CHOICE % '{"content": ["a", 1]}', "text is where an object with type should be"),
        (CHOICE % '{"content": [{"type": "text", "text": 5}]}', "text is a number, not text"),
        (CHOICE % '{"content": true}', "content is a truth value"),
        ("<html>", "no JSON"),
        ('{"choices": [{"mess', "no JSON"),
        (DEEP, "nested too deep"),
    ],
)
def test_a_chat_reply_of_another_shape(server: OpenAIServer, body: str, message: str) -> None:
    server.script = [raw(body)]
    with pytest.raises(ModelError, match=message) as caught:
        complete(server.url, Limits())
    assert server.url in str(caught.value)


@pytest.mark.parametrize(
    "usage",
    ["null", "[1]", "5", '{"prompt_tokens": null, "completion_tokens": "x"}', '{"prompt_tokens": -9}', '{"a": NaN}'],
)
def test_usage_that_cannot_be_is_estimated(server: OpenAIServer, usage: str) -> None:
    choices = '[{"message": {"content": "forty two"}, "finish_reason": "stop"}]'
    server.script = [raw(f'{{"choices": {choices}, "usage": {usage}}}')]
    reply = chat(server.url, Limits()).reply(ASKED)
    assert reply.text == "forty two"
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (4, 2)


def test_an_answer_in_parts_is_its_text(server: OpenAIServer) -> None:
    parts = '{"content": [{"type": "thinking", "thinking": []}, {"type": "text", "text": "It is 4."}]}'
    server.script = [raw(CHOICE % parts)]
    assert complete(server.url, Limits()) == "It is 4."


def test_half_a_character_does_not_stop_an_answer(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = [raw(CHOICE % r'{"content": "Acme \ud800 bought Beta \ud83d\ude00"}')]
    model = ChatModel(Endpoint("m", server.url), Cache(tmp_path))
    first = model.reply([Message("user", "who? \ud800")])
    assert first.text == "Acme � bought Beta 😀"
    assert model.reply([Message("user", "who? \ud800")]).cached


def test_half_a_character_in_structured_output(server: OpenAIServer) -> None:
    server.script = [say('{"names": ["Acme \\ud800"]}')]
    reply = chat(server.url, Limits()).reply(ASKED, schema={"type": "object", "required": ["names"]})
    assert reply.data == {"names": ["Acme �"]}


def test_structured_output_that_is_nested_too_deep(server: OpenAIServer) -> None:
    server.script = [say("[" * 100_000 + "]" * 100_000)]
    with pytest.raises(ModelError, match="no readable answer"):
        chat(server.url, Limits()).reply(ASKED, schema={"type": "array"})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["data: [1, 2]"], "a list is where an object with choices should be"),
        (['data: {"choices": "abc"}'], "choices is text"),
        (['data: {"choices": [{"delta": null}]}'], "delta is missing"),
        (['data: {"choices": [{"delta": {"content": 5}}]}'], "content is a number"),
        (["data: {not json"], "no JSON"),
        ([f"data: {DEEP}"], "no JSON"),
        (['data: {"error": {"message": "overloaded"}}'], "overloaded"),
        ([], "broke off"),
    ],
)
def test_a_stream_of_another_shape(server: OpenAIServer, lines: list[str], message: str) -> None:
    server.script = [events(*lines)]
    with pytest.raises(ModelError, match=message):
        stream(server.url, Limits())


def test_the_usage_of_a_stream_is_the_endpoints(server: OpenAIServer) -> None:
    begin = 'data: {"choices": [{"delta": {"content": "four"}, "finish_reason": "stop"}]}'
    end = 'data: {"choices": [], "usage": {"prompt_tokens": 70, "completion_tokens": 30}}'
    server.script = [events(begin, end, "data: [DONE]")]
    model = chat(server.url, Limits())
    assert "".join(model.stream(ASKED)) == "four"
    assert (model.usage.input_tokens, model.usage.output_tokens) == (70, 30)
    assert server.calls[0].body["stream_options"] == {"include_usage": True}


def test_a_stream_without_usage_where_the_endpoint_refuses_to_count(server: OpenAIServer) -> None:
    server.script = [fail(422, "extra inputs are not permitted"), say("here")]
    assert stream(server.url, Limits()) == "here"
    assert "stream_options" not in server.calls[1].body


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ('{"data": null}', "data is missing"),
        ("<html>", "no JSON"),
        ('{"data": [{"index": 0, "embedding": [1, 2]}]}', "1 vectors for 2 texts"),
        ('{"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}', "2 vectors for 2 texts"),
        ('{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": "AACAPw=="}]}', "embedding is text"),
        ('{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}', "different lengths"),
        ('{"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}', "empty"),
        ('{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [NaN]}]}', "not finite"),
        ('{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1e99]}]}', "not finite"),
        ('{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [0]}]}', "zero"),
        ('{"data": [{"index": 0, "embedding": ["a"]}, {"index": 1, "embedding": ["b"]}]}', "not of numbers"),
        ('{"data": [{"index": "0", "embedding": [1]}, {"index": 1, "embedding": [1]}]}', "index is text"),
        (DEEP, "nested too deep"),
    ],
)
def test_an_embedding_reply_of_another_shape(server: OpenAIServer, body: str, message: str) -> None:
    server.script = [raw(body)]
    with pytest.raises(ModelError, match=message) as caught:
        vectors(server.url, Limits())
    assert server.url in str(caught.value)


def test_vectors_of_two_lengths_never_meet(server: OpenAIServer) -> None:
    server.script = [embed(lambda text: [1.0, 2.0]), embed(lambda text: [1.0, 2.0, 3.0])]
    with pytest.raises(ModelError, match="vectors of 3 numbers, after some of 2"):
        EndpointEmbedder(f"m@{server.url}").embed(["x"] * (BATCH + 1))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("null", "nothing is where an object with data should be"),
        ("<html>", "no JSON"),
        ('{"results": 5}', "results is a number"),
        ('{"results": ["a"]}', "text is where an object with index should be"),
        ('{"results": [{"index": 0, "score": 1}, {"index": 1, "relevance_score": NaN}]}', "relevance_score is nan"),
        ('{"results": [{"index": 0, "score": 1}, {"index": 1, "score": "high"}]}', "score is text"),
        ('{"results": [{"index": 0, "score": 1}]}', "1 scores for 2 texts"),
        ('{"results": [{"index": true, "score": 1}]}', "index is a truth value"),
        ('{"results": [{"index": 0, "score": 1}, {"index": 0, "score": 2}]}', "2 scores for 2 texts, not one each"),
        (DEEP, "nested too deep"),
    ],
)
def test_a_reranking_reply_of_another_shape(server: OpenAIServer, body: str, message: str) -> None:
    server.script = [raw(body)]
    with pytest.raises(ModelError, match=message) as caught:
        scores(server.url, Limits())
    assert server.url in str(caught.value)


# --- credentials


def with_credentials(url: str) -> str:
    return url.replace("://", "://ann:p%40ss-word@")


@EVERY_KIND
def test_credentials_of_an_address_are_sent_and_never_shown(
    server: OpenAIServer, call: Call, caplog: pytest.LogCaptureFixture
) -> None:
    server.script = [fail(400, f"odd request to {with_credentials(server.url)} with {KEY[:-3]}***")]
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError) as caught:
        call(with_credentials(server.url), Limits())
    assert server.calls[0].authorization == "Basic YW5uOnBAc3Mtd29yZA=="
    for shown in (str(caught.value), caplog.text):
        assert "p%40ss" not in shown and "p@ss" not in shown and "secret" not in shown


def test_a_wrong_setting_is_named_without_its_credentials() -> None:
    for load in (load_embedder, load_reranker, load_language_model):
        with pytest.raises(UsageError) as caught:
            load("endpoint:m@http://ann:secret@host:no-port/v1")
        assert "secret" not in str(caught.value)
        assert "host:no-port" in str(caught.value)


@EVERY_KIND
def test_a_key_that_no_request_can_carry(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-“quoted”-0123456789")
    with pytest.raises(UsageError, match="OPENAI_API_KEY: this is no key") as caught:
        call(server.url, Limits())
    assert "quoted" not in str(caught.value)
    monkeypatch.setenv("OPENAI_API_KEY", f" {KEY}\n")
    server.script = [fail(400)]
    with pytest.raises(ModelError):
        call(server.url, Limits())
    assert server.calls[0].authorization == f"Bearer {KEY}"


def test_answers_are_cached_whatever_the_password(server: OpenAIServer, tmp_path: Path) -> None:
    server.script = [say("one"), say("two")]
    for url in (server.url, with_credentials(server.url)):
        assert ChatModel(Endpoint("m", url), Cache(tmp_path)).reply(ASKED).text == "one"


def test_what_an_endpoint_says_reaches_no_terminal_raw(server: OpenAIServer) -> None:
    server.script = [fail(400, "\x1b[2J\x1b]0;owned\x07 bad")]
    with pytest.raises(ModelError) as caught:
        complete(server.url, Limits())
    assert str(caught.value).isprintable()


def test_an_answer_does_not_steer_the_terminal(server: OpenAIServer) -> None:
    server.script = [say("\x1b]0;owned\x07Revenue\twas\n\x9b2J4.")]
    assert complete(server.url, Limits()) == "]0;ownedRevenue\twas\n2J4."
    server.script = [say("\x1b[31mRevenue rose")]
    assert stream(server.url, Limits()) == "[31mRevenue rose"


# --- all is well


def test_within_the_limits_all_is_as_it_was(server: OpenAIServer) -> None:
    server.script = [say("here"), say("and here"), embed(lambda text: [3.0, 4.0]), rerank(lambda q, text: len(text))]
    limits = Limits(timeout=20, max_reply_mb=1)
    assert complete(server.url, limits) == "here"
    assert stream(server.url, limits) == "and here"
    np.testing.assert_allclose(vectors(server.url, limits), [[0.6, 0.8]] * 2, rtol=1e-6)
    assert scores(server.url, limits) == [3.0, 3.0]
