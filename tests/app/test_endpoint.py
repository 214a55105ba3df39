"""The commands with a language model, over real HTTP."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cliquerag.indexing.report import spread_of
from cliquerag.models.language import Message
from support.openai_server import AtOnce, Behaviour, OpenAIServer, endless, fail, say, stall

from tests.app.conftest import Run, json_of

NOTE = "Acme Inc. reported revenue of $340 million in 2023. Gamma Ltd. delivers steel to Acme Inc.\n"
TRIPLES = {
    "triples": [
        {
            "sentence": 2,
            "head": "Gamma Ltd.",
            "head_type": "company",
            "relation": "supplies",
            "tail": "Acme Inc.",
            "tail_type": "company",
        }
    ]
}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[OpenAIServer]:
    (tmp_path / "note.txt").write_text(NOTE)
    with OpenAIServer() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-of-the-user")
        monkeypatch.setenv("CLIQUERAG_MODEL", "test-model")
        yield running


def test_a_model_answers_with_checked_citations(cli: Run, server: OpenAIServer) -> None:
    server.script = [say("Revenue was $340 million in 2023 [1].")]
    cli("add", "note.txt")
    answer = json_of(cli("ask", "What was Acme's revenue in 2023?", "--json"))
    assert answer["model"] == "test-model" and "$340 million" in answer["text"]
    assert answer["citations"][0]["source"] == "note.txt" and answer["citations"][0]["checked"]
    assert server.calls[0].authorization == "Bearer sk-secret-of-the-user"


def test_an_invented_number_is_not_passed_on_as_checked(cli: Run, server: OpenAIServer) -> None:
    server.script = [say("Revenue was $999 million in 2023 [1].")]
    cli("add", "note.txt")
    answer = json_of(cli("ask", "What was Acme's revenue in 2023?", "--json"))
    assert not any(c["checked"] and "999" in answer["text"] for c in answer["citations"])


def test_enrich_adds_the_models_triples_once(cli: Run, server: OpenAIServer) -> None:
    server.script = [say(json.dumps(TRIPLES))]
    cli("add", "note.txt")
    first = json_of(cli("enrich", "--json"))
    assert (first[0]["outcome"], first[0]["statements"]) == ("added", 1)
    relations = json_of(cli("graph", "entity", "Gamma Ltd.", "--json"))["relations"]
    assert any(r["relation"] == "supplies" and r["tail"]["name"] == "Acme Inc." for r in relations)
    calls = len(server.calls)
    assert json_of(cli("enrich", "--json"))[0]["outcome"] == "unchanged"
    assert len(server.calls) == calls
    assert json_of(cli("add", "note.txt", "--json"))[0]["outcome"] == "unchanged"


def test_enrich_summarises_each_section_once_and_says_what_it_takes_before(
    cli: Run, server: OpenAIServer, tmp_path: Path
) -> None:
    server.script = [say('{"summary": "Logistics weighed on the margin."}')]
    (tmp_path / "long.md").write_text("# Costs\n\n" + "Containers were dearer than in the year before. " * 20)
    cli("add", "long.md", "note.txt")
    estimates = json_of(cli("enrich", "--summaries", "--dry-run", "--json"))
    assert [(one["source"], one["calls"]) for one in estimates] == [("long.md", 1), ("note.txt", 0)]
    assert estimates[0]["output_tokens"] == 80 and server.calls == []
    reports = json_of(cli("enrich", "--summaries", "--json"))
    assert [(r["outcome"], r["summaries"], r["usage"]["calls"]) for r in reports] == [("added", 1, 1), ("added", 0, 0)]
    assert [r["outcome"] for r in json_of(cli("enrich", "--summaries", "--json"))] == ["unchanged"] * 2
    assert len(server.calls) == 1 and json_of(cli("enrich", "--summaries", "--dry-run", "--json")) == []
    assert cli("enrich", "--summaries", "--dry-run").stdout == "nothing is left to ask a model\n"
    assert json_of(cli("add", "long.md", "--json"))[0]["outcome"] == "unchanged"


def test_summaries_need_a_model_and_are_a_step_of_their_own(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("note.txt").write_text(NOTE)
    cli("add", "note.txt")
    monkeypatch.delenv("CLIQUERAG_MODEL", raising=False)
    for given, said in (
        (("--summaries",), "none is set"),
        (("--summaries", "--dry-run"), "none is set"),
        (("--summaries", "--figures"), "two steps"),
        (("--dry-run",), "--dry-run is for --summaries"),
    ):
        done = cli("enrich", *given)
        assert done.returncode and said in done.stderr


def test_a_report_of_no_certain_company_costs_one_call(cli: Run, server: OpenAIServer, tmp_path: Path) -> None:
    server.script = [say('{"company": "Acme Inc."}')]
    year = "Annual Report 2023\n\n" + "The year went as was expected of it at its beginning. " * 500
    (tmp_path / "17.txt").write_text(f"{year}\n\nRevenue of Acme Inc. was $340 million. Gamma Ltd. and Beta Corp. too.")
    report = json_of(cli("add", "17.txt", "--json"))[0]
    assert report["metadata"]["companies"] == ["Acme Inc."]
    assert (report["metadata"]["how"]["companies"], report["usage"]["calls"]) == ("language model", 1)
    assert len(server.calls) == 1
    server.script = [fail(500, "no")]
    (tmp_path / "18.txt").write_text(f"{year}\n\nRevenue of Delta Inc. was $1 million. Gamma Ltd. and Beta Corp. too.")
    report = json_of(cli("add", "18.txt", "--json"))[0]
    assert (report["outcome"], report["metadata"]["companies"]) == ("added", [])


def test_dry_run_counts_calls_and_sends_none(cli: Run, server: OpenAIServer) -> None:
    estimate = json_of(cli("add", "note.txt", "--extractor", "llm", "--dry-run", "--json"))[0]
    assert estimate["calls"] == 1 and estimate["input_tokens"] > 0
    assert server.calls == []


def test_a_refused_key_is_one_line_without_the_key(cli: Run, server: OpenAIServer) -> None:
    server.script = [fail(401, "Incorrect API key provided")]
    cli("add", "note.txt")
    done = cli("ask", "What was Acme's revenue in 2023?")
    assert done.returncode == 1
    assert "Traceback" not in done.stderr and "sk-secret" not in done.stderr + done.stdout


def test_one_budget_for_all_processes_of_a_command(
    cli: Run, server: OpenAIServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text("[test-model]\ninput = 1000\noutput = 0\n")  # a tenth of a cent a token: a call is dear
    monkeypatch.setenv("CLIQUERAG_PRICES", str(prices))
    server.script = [say(json.dumps(TRIPLES))]
    folder = tmp_path / "notes"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.txt").write_text(f"Note {number}. {NOTE}")
    add = ("--extractor", "llm", "--json")
    price = json_of(cli("add", "note.txt", *add, "--max-cost", "100"))[0]["usage"]["cost"]
    server.script = [_slowly(json.dumps(TRIPLES))]  # so that both processes have something to do
    stopped = cli("add", str(folder), *add, "--workers", "2", "--max-cost", str(3.5 * price))
    assert stopped.returncode == 1 and "used up" in stopped.stderr and "--max-cost" in stopped.stderr
    assert 1 + 1 <= len(server.calls) <= 1 + 3, "two processes had a budget each"
    done = json_of(cli("add", str(folder), *add))
    assert len(done) == 5 and all(report["outcome"] in ("added", "unchanged") for report in done)
    assert len(server.calls) == 1 + 5, "an answer was paid for twice"


def _slowly(text: str) -> Behaviour:
    def behave(handler: Any, body: Any) -> None:
        time.sleep(0.5)
        say(text)(handler, body)

    return behave


def test_community_reports_are_announced_written_once_and_checked(cli: Run, server: OpenAIServer) -> None:
    claims = [{"text": "Gamma supplies Acme.", "notes": [1]}, {"text": "Acme pays $9 million.", "notes": [1]}]
    server.script = [say(json.dumps({"title": "Steel", "summary": "", "findings": claims}))]
    chain = (
        "In 2022 Gamma Ltd. sued Acme Inc. over late steel. In 2021 Acme Inc. acquired Delta Corp. for cash. "
        "Delta Corp. competes with Gamma Ltd. in Europe."
    )
    Path("note.txt").write_text(f"{NOTE}\n{chain}\n")
    cli("add", "note.txt")
    done = cli("graph", "communities", "--reports", "--json")
    assert "1 reports to write: 1 calls" in done.stderr
    (community,) = json_of(done)["communities"]
    assert (community["title"], [f["text"] for f in community["findings"]]) == ("Steel", ["Gamma supplies Acme."])
    assert community["findings"][0]["places"][0]["document"] == "note.txt"
    assert json_of(cli("graph", "communities", "--json"))["communities"] == [community]
    assert len(server.calls) == 1


def test_the_limits_of_a_call_are_settings(cli: Run, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIQUERAG_TIMEOUT", "0.5")
    server.script = [stall(20)]
    began = time.monotonic()
    checked = cli("doctor")
    assert time.monotonic() - began < 10
    assert "no whole answer in 0.5 seconds" in checked.stdout
    monkeypatch.setenv("CLIQUERAG_TIMEOUT", "20")
    monkeypatch.setenv("CLIQUERAG_MAX_REPLY_MB", "0.1")
    monkeypatch.setenv("CLIQUERAG_EMBEDDER", f"endpoint:m@{server.url}")
    server.script = [endless(" ", "application/json")]
    assert cli("doctor").stdout.count("larger than 0.1 MB") == 2
    monkeypatch.setenv("CLIQUERAG_MAX_REPLY_MB", "0")
    refused = cli("add", "note.txt")
    assert refused.returncode == 2 and "max_reply_mb must be above 0" in refused.stderr


def test_calls_at_once_are_a_setting(server: OpenAIServer, monkeypatch: pytest.MonkeyPatch) -> None:
    from cliquerag.components import make_language_model
    from cliquerag.core.errors import UsageError
    from cliquerag.settings import Settings

    answer = AtOnce(say("yes"), 0.05)
    server.script = [answer]
    model = make_language_model(Settings(model="m", base_url=server.url, concurrency=2))
    assert model is not None
    assert len(list(model.replies([[Message("user", str(i))] for i in range(6)]))) == 6
    assert answer.most == 2
    with pytest.raises(UsageError, match="concurrency must be at least 1"):
        make_language_model(Settings(model="m", base_url=server.url, concurrency=0))


def test_the_limits_are_the_same_with_and_without_settings() -> None:
    from cliquerag.components import make_limits
    from cliquerag.models.address import Limits
    from cliquerag.models.chat import CONCURRENCY
    from cliquerag.settings import Settings

    assert make_limits(Settings()) == Limits()
    assert Settings().concurrency == CONCURRENCY


def test_credentials_of_addresses_are_printed_nowhere(
    cli: Run, server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = server.url.replace("://", "://ann:hidden-word@")
    cli("add", "note.txt")
    monkeypatch.setenv("OPENAI_BASE_URL", secret)
    monkeypatch.setenv("CLIQUERAG_BASE_URL", secret)
    monkeypatch.setenv("CLIQUERAG_MODEL", f"m@{secret}")
    monkeypatch.setenv("CLIQUERAG_EMBEDDER", f"endpoint:m@{secret}")
    monkeypatch.setenv("CLIQUERAG_RERANK", f"endpoint:m@{secret}")
    server.script = [fail(400, f"odd request to {secret}")]
    for command in ("doctor", "config", "config --json", "status --json", "ask revenue? --json", "add note.txt"):
        done = cli(*command.split())
        assert "hidden-word" not in done.stdout + done.stderr, command
        assert "sk-secret" not in done.stdout + done.stderr, command
    assert {call.authorization for call in server.calls} == {"Basic YW5uOmhpZGRlbi13b3Jk"}


@pytest.mark.parametrize("url", ["neo4j://ann:hidden-word@127.0.0.1:9", "oracle://ann:hidden-word@host/db"])
def test_credentials_of_a_workspace_are_printed_nowhere(cli: Run, monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("CLIQUERAG_WORKSPACE", url)
    for command in (["doctor"], ["config"], ["status"], ["docs"]):
        done = cli(*command, "--json")
        assert "hidden-word" not in done.stdout + done.stderr, command


def test_the_dry_run_says_how_far_its_answers_may_be_off(cli: Run, server: OpenAIServer, tmp_path: Path) -> None:
    """A sentence about "we" is answered as one with a name is; of a folder the sum is surer than a document."""
    (tmp_path / "named.txt").write_text(NOTE * 3)
    (tmp_path / "own.txt").write_text("Acme Inc. report. We deliver steel. Our plants are in Ohio.\n")
    (tmp_path / "none.txt").write_text("Acme Inc. report. They deliver steel. All plants are in Ohio.\n")
    asked = ("add", "named.txt", "own.txt", "none.txt", "--extractor", "llm", "--dry-run")
    named, own, none = json_of(cli(*asked, "--json"))
    assert own["output_tokens"] > none["output_tokens"] > 0 and server.calls == []
    assert named["output_spread"] == spread_of(named["output_tokens"])
    last = cli(*asked).stdout.splitlines()[-1].split()
    spreads = [one["output_spread"] for one in (named, own, none)]
    assert last[0] == "all" and "±" in last
    assert max(spreads) <= int(last[last.index("±") + 1]) < sum(spreads)
