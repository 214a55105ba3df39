"""A cross-encoder behind an endpoint, over real HTTP."""

import pytest
from cliquerag.core.errors import ModelError, UsageError
from cliquerag.models.address import Limits
from cliquerag.models.reranker import EndpointReranker, LocalReranker, load_reranker
from support.openai_server import OpenAIServer, fail, hang_up, raw, rerank, stall


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def length(question, text):
    return float(len(text))


def test_scores_come_in_the_order_of_the_texts(server):
    server.script = [rerank(length)]
    assert EndpointReranker("m", server.url).scores("q", ["bb", "a", "cccc"]) == [2.0, 1.0, 4.0]
    body = server.calls[0].body
    assert body["model"] == "m" and body["query"] == "q" and body["top_n"] == 3


def test_the_key_of_the_reranker_is_sent(server, monkeypatch):
    monkeypatch.setenv("RERANK_API_KEY", "secret")
    server.script = [rerank(length)]
    EndpointReranker("m", server.url).scores("q", ["a"])
    assert server.calls[0].authorization == "Bearer secret"


@pytest.mark.parametrize(
    "behaviour",
    [fail(500), fail(401), hang_up, raw("{}"), raw("no json"), raw('{"results": [{"index": 5}]}'), stall(3)],
)
def test_whatever_goes_wrong_is_one_clear_error(server, behaviour):
    server.script = [behaviour]
    with pytest.raises(ModelError):
        EndpointReranker("m", server.url, Limits(timeout=0.5)).scores("q", ["a", "b"])


def test_no_texts_ask_nothing(server):
    assert EndpointReranker("m", server.url).scores("q", []) == [] and server.calls == []


def test_settings():
    assert load_reranker("") is None and load_reranker("none") is None
    assert isinstance(load_reranker("local:cross-encoder/ms-marco-MiniLM-L-6-v2"), LocalReranker)
    for wrong in ("bge", "endpoint:bge", "endpoint:@http://x", "local:"):
        with pytest.raises(UsageError):
            load_reranker(wrong)


def test_a_local_model_is_asked_in_pairs(monkeypatch):
    class Encoder:
        def predict(self, pairs):
            return [len(text) for _, text in pairs]

    reranker = LocalReranker("x")
    monkeypatch.setattr(reranker, "_model", Encoder())
    assert reranker.scores("q", ["aa", "b"]) == [2.0, 1.0]
