"""The chat client against a real server that answers, stalls, limits, cuts off and talks nonsense."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.models.address import Limits
from cliquerag.models.cache import Cache
from cliquerag.models.chat import ChatModel, load_language_model
from cliquerag.models.endpoint import Endpoint
from cliquerag.models.language import Budget, BudgetError, Message
from support.openai_server import (
    AtOnce,
    OpenAIServer,
    break_off,
    echo,
    fail,
    hang_up,
    rate_limit,
    raw,
    say,
    stall,
    without,
)

KEY = "sk-secret-0123456789"
SCHEMA = {"type": "object", "properties": {"names": {"type": "array"}}, "required": ["names"]}
Make = Callable[..., ChatModel]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with OpenAIServer() as running:
        yield running


@pytest.fixture
def make(server: OpenAIServer, tmp_path: Path) -> Make:
    def build(model: str = "gpt-4o-mini", timeout: float = 20.0, **options: Any) -> ChatModel:
        endpoint = Endpoint(model, server.url, Limits(timeout=timeout), retries=2)
        return ChatModel(endpoint, Cache(tmp_path), **options)

    return build


def ask(text: str) -> list[Message]:
    return [Message("system", "Be brief."), Message("user", text)]


def test_an_answer_with_its_usage(server: OpenAIServer, make: Make) -> None:
    server.script = [say("forty two")]
    model = make()
    reply = model.reply(ask("What is six times seven?"))
    assert (reply.text, reply.cached) == ("forty two", False)
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.calls) == (7, 2, 1)
    assert reply.usage.cost == pytest.approx((7 * 0.15 + 2 * 0.6) / 1e6)
    assert model.usage == reply.usage
    assert server.calls[0].authorization == f"Bearer {KEY}"
    assert server.calls[0].body["temperature"] == 0


def test_an_answer_is_paid_for_once(server: OpenAIServer, make: Make) -> None:
    assert make().reply(ask("a")).text == "echo a"
    again = make().reply(ask("a"))
    assert (again.text, again.cached, again.usage.calls) == ("echo a", True, 0)
    make(model="another").reply(ask("a"))
    make(temperature=0.5).reply(ask("a"))
    make().reply(ask("b"))
    assert len(server.calls) == 4


def test_two_endpoints_do_not_share_answers(server: OpenAIServer, make: Make, tmp_path: Path) -> None:
    server.script = [say("one")]
    cache = Cache(tmp_path / "shared")
    assert ChatModel(Endpoint("m", server.url), cache).reply(ask("x")).text == "one"
    with OpenAIServer() as other:
        other.script = [say("other")]
        assert ChatModel(Endpoint("m", other.url), cache).reply(ask("x")).text == "other"
    assert ChatModel(Endpoint("m", server.url + "/"), cache).reply(ask("x")).cached


def test_usage_is_estimated_where_the_endpoint_reports_none(server: OpenAIServer, make: Make) -> None:
    server.script = [say("some words to count", usage=False)]
    usage = make().reply(ask("How long?")).usage
    assert usage.input_tokens > 3
    assert usage.output_tokens == 4


# --- failures that pass


@pytest.mark.parametrize(
    "trouble",
    [fail(500), fail(503), fail(408), hang_up, break_off("an answer"), raw("{not json"), raw("<html>", "text/html")],
    ids=["500", "503", "408", "hang-up", "break-off", "broken JSON", "HTML"],
)
def test_what_passes_is_tried_again(server: OpenAIServer, make: Make, trouble: Any) -> None:
    server.script = [trouble, say("here")]
    assert make().reply(ask("x")).text == "here"
    assert len(server.calls) == 2


def test_a_stalled_call_is_given_up_in_time_and_not_paid_for_again(server: OpenAIServer, make: Make) -> None:
    server.script = [stall(5), say("here")]
    began = time.monotonic()
    with pytest.raises(ModelError, match=r"no whole answer in 0\.3 seconds"):
        make(timeout=0.3).reply(ask("x"))
    assert time.monotonic() - began < 1
    assert len(server.calls) == 1


def test_retry_after_is_honoured_by_every_slot(server: OpenAIServer, make: Make) -> None:
    server.script = [rate_limit(0.6), echo()]
    model = make(concurrency=4)
    results: list[str] = []

    def late(text: str) -> None:
        time.sleep(0.2)
        results.append(model.reply(ask(text)).text)

    threads = [threading.Thread(target=late, args=(text,)) for text in "bcd"]
    for thread in threads:
        thread.start()
    results.append(model.reply(ask("a")).text)
    for thread in threads:
        thread.join()
    assert sorted(results) == ["echo a", "echo b", "echo c", "echo d"]
    assert min(call.at for call in server.calls[1:]) - server.calls[0].at >= 0.6


def test_lasting_trouble_is_one_clear_error(server: OpenAIServer, make: Make) -> None:
    server.script = [fail(503, "overloaded")]
    with pytest.raises(ModelError, match=r"HTTP 503.*overloaded"):
        make().reply(ask("x"))
    assert len(server.calls) == 3


@pytest.mark.parametrize(
    ("trouble", "message"),
    [
        (fail(401, f"Incorrect API key provided: {KEY}"), "Check OPENAI_API_KEY"),
        (fail(404, "no model"), "no such model"),
        (fail(429, "quota", code="insufficient_quota"), "HTTP 429"),
        (fail(429, "tomorrow", retry_after="86400"), "asks to wait 86400 seconds"),
        (fail(400, f"bad thing with {KEY}"), "HTTP 400"),
    ],
)
def test_hopeless_calls_are_not_repeated(server: OpenAIServer, make: Make, trouble: Any, message: str) -> None:
    server.script = [trouble]
    with pytest.raises(ModelError, match=message) as caught:
        make().reply(ask("x"))
    assert len(server.calls) == 1
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_nobody_there(tmp_path: Path) -> None:
    endpoint = Endpoint("m", "http://127.0.0.1:9/v1", retries=1)
    with pytest.raises(ModelError, match="Is the endpoint running"):
        ChatModel(endpoint, Cache(tmp_path)).reply(ask("x"))


# --- structured output


def test_structured_output_where_the_endpoint_has_it(server: OpenAIServer, make: Make) -> None:
    server.script = [say('{"names": ["Acme"]}')]
    assert make().reply(ask("x"), schema=SCHEMA).data == {"names": ["Acme"]}
    sent = server.calls[0].body["response_format"]["json_schema"]
    assert sent["schema"] == SCHEMA
    assert sent["strict"] is False
    assert make().reply(ask("x"), schema=SCHEMA).data == {"names": ["Acme"]}
    assert len(server.calls) == 1


def test_an_endpoint_with_plain_json_only(server: OpenAIServer, make: Make) -> None:
    plain = without("response_format", say('{"names": []}'), lambda value: value["type"] == "json_object")
    server.script = [plain]
    model = make()
    assert model.reply(ask("x"), schema=SCHEMA).data == {"names": []}
    assert '"required"' in server.calls[1].body["messages"][0]["content"]
    model.reply(ask("y"), schema=SCHEMA)
    assert len(server.calls) == 3, "what the endpoint does not understand is learnt"


def test_an_endpoint_without_structured_output(server: OpenAIServer, make: Make) -> None:
    server.script = [without("response_format", say('Here you are: ```json\n{"names": ["A",]}\n```'))]
    assert make().reply(ask("x"), schema=SCHEMA).data == {"names": ["A"]}
    assert len(server.calls) == 3
    assert "response_format" not in server.calls[2].body


def test_an_endpoint_that_ignores_what_it_is_asked(server: OpenAIServer, make: Make) -> None:
    server.script = [say("I think it is Acme."), say('{"names": ["Acme"]}')]
    model = make()
    reply = model.reply(ask("x"), schema=SCHEMA)
    assert (reply.data, reply.usage.calls) == ({"names": ["Acme"]}, 2)
    assert "could not be read" in server.calls[1].question
    model.reply(ask("y"), schema=SCHEMA)
    assert len(server.calls) == 3
    assert "JSON schema" in server.calls[2].body["messages"][0]["content"]


@pytest.mark.parametrize(
    "first",
    [say('{"names": ["Acme", "Be'), say('{"names": ["Acme"', finish="length"), say("{}"), say("[1]")],
    ids=["cut off", "token limit", "key missing", "wrong type"],
)
def test_half_an_answer_is_asked_for_again(server: OpenAIServer, make: Make, first: Any) -> None:
    server.script = [first, say('{"names": ["Acme", "Beta"]}')]
    assert make(max_tokens=50).reply(ask("x"), schema=SCHEMA).data == {"names": ["Acme", "Beta"]}
    assert server.calls[1].body["max_tokens"] == 100


def test_lasting_nonsense_is_an_error_and_not_cached(server: OpenAIServer, make: Make) -> None:
    server.script = [say('{"names": [')]
    with pytest.raises(ModelError, match="no readable answer in 3 attempts"):
        make().reply(ask("x"), schema=SCHEMA)
    server.script = [say('{"names": []}')]
    assert make().reply(ask("x"), schema=SCHEMA).data == {"names": []}


def test_parameters_that_a_model_does_not_take_are_left_out(server: OpenAIServer, make: Make) -> None:
    refuse_limit = fail(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    refuse_temperature = fail(400, "Unsupported value: 'temperature' does not support 0")
    server.script = [refuse_temperature, refuse_limit, say("fine")]
    assert make(max_tokens=9).reply(ask("x")).text == "fine"
    assert server.calls[2].body["max_completion_tokens"] == 9
    assert "temperature" not in server.calls[2].body


# --- several at once


def test_several_at_once_keep_their_index_and_the_limit(server: OpenAIServer, make: Make) -> None:
    answer = AtOnce(echo(), 0.03)
    server.script = [answer]
    requests = [ask(str(i % 20)) for i in range(25)]
    replies = dict(make(concurrency=3).replies(requests))
    assert {i: reply.text for i, reply in replies.items()} == {i: f"echo {i % 20}" for i in range(25)}
    assert len(server.calls) == 20, "equal requests are asked once"
    assert answer.most == 3
    assert sum(reply.usage.calls for reply in replies.values()) == 20


def test_a_failure_stops_what_has_not_begun_and_keeps_what_was_answered(server: OpenAIServer, make: Make) -> None:
    server.script = [echo(0.02)] * 5 + [fail(400, "odd")] + [echo(0.02)]
    got = []
    with pytest.raises(ModelError, match="odd"):
        for index, _ in make(concurrency=2).replies([ask(str(i)) for i in range(50)]):
            got.append(index)
    assert 5 <= len(got) <= 7
    assert len(server.calls) <= 9
    before = len(server.calls)
    assert len(dict(make().replies([ask(str(i)) for i in got]))) == len(got)
    assert len(server.calls) == before


def test_one_that_fails_alone_can_be_reported(server: OpenAIServer, make: Make) -> None:
    def odd(handler: Any, body: Any) -> None:
        (fail(400, "odd") if body["messages"][-1]["content"] == "3" else echo())(handler, body)

    server.script = [odd]
    failures: list[int] = []
    replies = dict(make().replies([ask(str(i)) for i in range(6)], failed=lambda i, error: failures.append(i)))
    assert (sorted(replies), failures) == ([0, 1, 2, 4, 5], [3])


def test_leaving_early_stops_the_rest(server: OpenAIServer, make: Make) -> None:
    server.script = [echo(0.02)]
    for _ in make(concurrency=2).replies([ask(str(i)) for i in range(50)]):
        break
    assert len(server.calls) <= 5


# --- money


def test_the_budget_stops_before_it_is_broken_and_says_how_to_go_on(server: OpenAIServer, make: Make) -> None:
    server.script = [say("word " * 1000)]
    budget = Budget(0.005)
    got = []
    with pytest.raises(BudgetError, match="higher --max-cost"):
        for index, _ in make(budget=budget, concurrency=3).replies([ask(str(i)) for i in range(50)]):
            got.append(index)
    cost = 1000 * 0.6 / 1e6
    assert budget.spent == pytest.approx(len(got) * cost, rel=0.01)
    assert 0.005 - 3 * cost <= budget.spent <= 0.005 + 3 * cost
    assert len(server.calls) == len(got)
    assert len(dict(make(budget=Budget(1.0)).replies([ask(str(i)) for i in range(10)]))) == 10
    assert len(server.calls) == 10, "what was paid for is not paid again"


def test_a_budget_needs_a_price(make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match=r"prices\.toml"):
        make(model="my-own", budget=Budget(1.0))
    prices = tmp_path / "prices.toml"
    prices.write_text("[my-own]\ninput = 1.0\noutput = 2.0\n")
    monkeypatch.setenv("CLIQUERAG_PRICES", str(prices))
    assert make(model="my-own", budget=Budget(1.0)).reply(ask("x")).usage.cost == pytest.approx(3e-6 + 4e-6)


# --- streams


def test_a_stream_comes_in_parts_and_is_cached(server: OpenAIServer, make: Make) -> None:
    server.script = [say("one two three")]
    model = make()
    assert list(model.stream(ask("x"))) == ["one", " two", " three"]
    assert list(make().stream(ask("x"))) == ["one two three"]
    assert len(server.calls) == 1
    assert model.usage.output_tokens == 3


@pytest.mark.parametrize("trouble", [break_off("one two"), say("one two", finish="length")], ids=["broken", "limit"])
def test_a_stream_that_breaks_off_is_an_error_and_not_cached(server: OpenAIServer, make: Make, trouble: Any) -> None:
    server.script = [trouble, say("one two three")]
    parts = []
    with pytest.raises(ModelError):
        for part in make().stream(ask("x")):
            parts.append(part)
    assert parts == ["one", " two"]
    assert "".join(make().stream(ask("x"))) == "one two three"


def test_a_stream_is_tried_again_before_its_first_part(server: OpenAIServer, make: Make) -> None:
    server.script = [fail(503), rate_limit(0.1), say("here")]
    assert "".join(make().stream(ask("x"))) == "here"


# --- configuration


def test_no_model_without_configuration(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLIQUERAG_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    assert load_language_model() is None
    with pytest.raises(UsageError, match="OPENAI_API_KEY is not set"):
        load_language_model("gpt-4o-mini")
    assert load_language_model("qwen3", base_url="http://localhost:11434/v1") is not None


def test_configuration_from_the_environment(
    server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path))
    monkeypatch.setenv("CLIQUERAG_MODEL", "qwen3")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    by_environment = load_language_model()
    by_setting = load_language_model(f"llama@{server.url}")
    assert by_environment is not None
    assert by_setting is not None
    assert (by_environment.name, by_setting.name) == ("qwen3", "llama")
    assert by_environment.reply(ask("x")).text == by_setting.reply(ask("x")).text == "echo x"
    assert KEY not in repr(vars(by_setting))


def test_it_works_inside_a_running_event_loop(make: Make) -> None:
    """As in a notebook. In a thread of its own: a browser's tests may have left a loop running in this one."""
    import asyncio
    from concurrent.futures import ThreadPoolExecutor

    async def cell() -> list[str]:
        return [reply.text for _, reply in make().replies([ask("a")])]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, cell()).result() == ["echo a"]


# --- kill -9

# Imports once and forks a client for each line it reads: starting Python twenty times would take most of the test.
CLIENTS = """
import os, sys
from pathlib import Path
import openai, cliquerag.models.http_client
from cliquerag.models.cache import Cache
from cliquerag.models.chat import ChatModel
from cliquerag.models.endpoint import Endpoint
from cliquerag.models.language import Message

def client(url, folder, total):
    model = ChatModel(Endpoint("m", url), Cache(Path(folder)), concurrency=4)
    got = [index for index, _ in model.replies([[Message("user", str(i))] for i in range(int(total))])]
    os._exit(0 if sorted(got) == list(range(int(total))) else 1)

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        client(*sys.argv[1:])
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_twenty_random_moments_only_calls_in_the_air_are_repeated(
    server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = [echo(0.01)]
    total, kills, concurrency = 600, 20, 4
    moments = random.Random(5)
    command = [sys.executable, "-c", CLIENTS, server.url, str(tmp_path), str(total)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as clients:
        assert clients.stdin is not None
        assert clients.stdout is not None
        for _ in range(kills):
            before = len(server.calls)
            clients.stdin.write("start\n")
            child = int(clients.stdout.readline())
            while len(server.calls) == before:
                time.sleep(0.002)
            time.sleep(moments.uniform(0, 0.06))
            os.kill(child, signal.SIGKILL)
            assert int(clients.stdout.readline()) == -signal.SIGKILL
        assert len(server.calls) < total, "killed too late to show anything"
        clients.stdin.write("start\n")
        clients.stdout.readline()
        assert int(clients.stdout.readline()) == 0
        clients.stdin.close()
    asked = sorted(int(call.question) for call in server.calls)
    repeated = sum(a == b for a, b in pairwise(asked))
    assert set(asked) == set(range(total))
    assert 0 < repeated <= kills * concurrency
