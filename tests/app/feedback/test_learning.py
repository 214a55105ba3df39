"""Weights and policies from the log: learned, shown, counted in a search, taken back; flags and trials."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from cliquerag import Workspace
from cliquerag.core.errors import UsageError
from cliquerag.feedback.learning import impressions_of, teach
from cliquerag.feedback.log import Event, FeedbackLog, current_weights
from cliquerag.feedback.measures import uses_of
from cliquerag.feedback.steering import (
    Steering,
    flags_of,
    ordered_by_policy,
    place_of_session,
    read_flags,
    swapped_neighbours,
    team_draft,
    trial_of,
)
from cliquerag.retrieval.search.evidence import Evidence
from cliquerag.settings import Settings

from tests.app.conftest import Run, json_of

FLAGS = flags_of(Settings(), "s").values
TEXT = ["Acme Inc. annual report 2023", "Acme Inc. acquired Beta Corp. in May 2023 for $40 million."]


def note(log: FeedbackLog, number: int, shares: list[dict[str, float]], opened: int | None, **steered: Any) -> None:
    """An answer that showed passages with these shares, one of which was opened."""
    name = f"answer{number:06}"
    shown = [
        {"kind": "chunk", "id": f"c{at}", "source": f"d{at}", "page": 1, "start": 0, "end": 9, "shares": own}
        for at, own in enumerate(shares)
    ]
    data = {
        "question": f"What about thing {number}?",
        "searched for": f"What about thing {number}?",
        "steered": {"flags": FLAGS, "weights": "filings", "learned": 0, **steered},
        "found": [f"chunk:c{at}" for at in range(len(shares))],
        "shown": shown,
        "cited": [{"number": at + 1, "source": f"d{at}", "page": 1, "start": 0, "end": 9} for at in range(len(shares))],
    }
    log.append(Event("answered", name, f"session {number // 3}", data))
    if opened is not None:
        place = {"source": f"d{opened}", "page": 1, "start": 0, "end": 9}
        log.append(Event("opened", name, f"session {number // 3}", {"question": "q", **place}))


def fill(log: FeedbackLog, count: int, told_by: str, seed: int = 0) -> None:
    """Answers in which the passage with the highest share ``told_by`` is opened."""
    drawn = random.Random(seed)
    for number in range(count):
        shares = [
            {"words": drawn.random(), "dense": drawn.random() * 0.25, "home": drawn.random() * 0.1} for _ in range(8)
        ]
        shares.sort(key=lambda own: -sum(own.values()))
        note(log, number, shares, max(range(8), key=lambda at: shares[at][told_by]))


def test_weights_are_learned_shown_and_taken_back(cli: Run, private: Path) -> None:
    with Workspace("sqlite:///cliquerag.db", feedback="on") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
        fill(workspace.feedback.log, 300, told_by="dense")
    (tried,) = json_of(cli("feedback", "learn", "--dry-run", "--json"))
    assert tried["accepted"] and json_of(cli("feedback", "report", "--json"))["events"].get("weights") is None
    said = cli("feedback", "learn").stdout
    assert "filings: Accepted: gain +" in said and "dense" in said
    with Workspace("sqlite:///cliquerag.db") as workspace:
        learned = current_weights(workspace.feedback.log)["filings"]
        ranking = workspace.ask("Whom did Acme acquire?").trace
        assert ranking["steered"]["learned"] > 0 and learned["dense"] > learned["words"]
    assert json_of(cli("feedback", "learn", "--undo", "--json")) == {"undone": True}
    with Workspace("sqlite:///cliquerag.db") as workspace:
        assert current_weights(workspace.feedback.log) == {}
    assert json_of(cli("feedback", "learn", "--undo", "--json")) == {"undone": False}


def test_what_was_ranked_by_learned_weights_is_learned_from_as_shipped() -> None:
    log = FeedbackLog(None)
    log.append(Event("weights", "", data={"learned": {"filings": {"words": 2.0, "dense": 3.0}}, "report": {}}))
    note(log, 1, [{"words": 1.0, "dense": 0.3}, {"words": 0.5, "dense": 0.15}], 0, learned=1)
    shown = impressions_of(log)["filings"]
    assert shown.shares[0, 0, :2].tolist() == pytest.approx([1.0, 0.2])


def test_few_answers_and_noise_change_nothing(private: Path) -> None:
    log = FeedbackLog(None)
    fill(log, 20, told_by="dense")
    (few,) = teach(log)
    assert not few.is_accepted and "Too few" in few.said and current_weights(log) == {}
    log = FeedbackLog(None)
    drawn = random.Random(3)
    for number in range(200):
        shares = [{"words": drawn.random(), "dense": drawn.random() * 0.25} for _ in range(8)]
        shares.sort(key=lambda own: -sum(own.values()))
        note(log, number, shares, drawn.randrange(8))
    (noise,) = teach(log)
    assert not noise.is_accepted and "does not leave out harm" in noise.said and current_weights(log) == {}


def test_pinned_mixed_and_swapped_answers_are_read_as_they_were() -> None:
    log = FeedbackLog(None)
    note(log, 1, [{"words": 1.0, "pin": 3.0}, {"words": 0.5}], 0)
    note(log, 2, [{"words": 1.0}, {"words": 0.5}], 0, mixed="graph_leg", teams=["with", "without"])
    assert impressions_of(log) == {}
    note(log, 3, [{"words": 0.5}, {"words": 1.0}, {"words": 0.2}], 0, swapped=[0])
    shown = impressions_of(log)["filings"]
    assert shown.shares[0, :, 0].tolist() == [1.0, 0.5, 0.2] and shown.rank.tolist() == [[2, 1, 3]]
    assert shown.opened.tolist() == [[0.0, 1.0, 0.0]]


def test_the_policy_counts_only_where_its_flag_is_on(private: Path) -> None:
    with Workspace("sqlite:///acme.db", feedback="on") as workspace:
        log = workspace.feedback.log
        fill(log, 300, told_by="dense")
        (taught,) = teach(log, "reinforce")
        assert taught.policy is not None and taught.lesson is None
        weights = {"words": -1.0, "repeat": -0.2}
        found = [
            Evidence("chunk", "a", 1.0, "a", "a", why={"words": 1.0}),
            Evidence("relation", "r", 1.0, "r", "r", why={"words": 9.0}),
            Evidence("chunk", "b", 0.5, "b", "b", why={"words": 0.5}),
            Evidence("chunk", "p", 0.4, "p", "p", why={"words": 0.4, "pin": 3.0}),
        ]
        assert [item.id for item in ordered_by_policy(found, weights)] == ["b", "r", "a", "p"]
        assert ordered_by_policy(found, {}) == found
        assert not flags_of(workspace.settings, "s")["policy"]


# --- flags


def test_flags_are_read_and_refused() -> None:
    rules = read_flags("graph_leg=off, pins, multi_query=12.5%, reranker=interleave")
    assert rules["graph_leg"].share == 0 and rules["pins"].share == 1 and rules["multi_query"].share == 0.125
    assert rules["reranker"].is_mixed
    for wrong in (
        "nothing=on",
        "pins=maybe",
        "pins=200%",
        "multi_query=interleave",
        "pins=interleave,learned=interleave",
    ):
        with pytest.raises(UsageError):
            read_flags(wrong)
    with pytest.raises(UsageError, match="flags"):
        _ = Workspace("sqlite://", embedder="none", flags="nothing=on").feedback


def test_a_share_of_sessions_is_stable_and_as_large_as_said() -> None:
    settings = Settings(flags="graph_leg=30%")
    on = [flags_of(settings, f"session {number}")["graph_leg"] for number in range(2000)]
    assert on == [flags_of(settings, f"session {number}")["graph_leg"] for number in range(2000)]
    assert 0.27 < sum(on) / 2000 < 0.33
    pairs = [(place_of_session("pins", str(n)) < 0.5, place_of_session("learned", str(n)) < 0.5) for n in range(2000)]
    assert 0.45 < sum(one == other for one, other in pairs) / 2000 < 0.55, "flags are tried independently"


def test_a_flag_changes_the_search(private: Path) -> None:
    with Workspace("sqlite:///acme.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.", period="FY2023")
    question = "Whom did Acme acquire in 2023?"
    with Workspace("sqlite:///acme.db") as workspace:
        assert "relation" in {item.kind for item in workspace.search(question, mode="graph")}
        assert workspace.search(question)[0].why["years"] > 0
    with Workspace("sqlite:///acme.db", flags="graph_leg=off, metadata_weights=off") as workspace:
        found = workspace.search(question, mode="graph")
        assert {item.kind for item in found} == {"chunk"} and not found[0].why.get("years")


def test_the_menu_is_searched_where_its_flag_is_on(private: Path) -> None:
    with Workspace("sqlite:///acme.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.", period="FY2023")
    question = "Whom did Acme acquire in 2023?"
    with Workspace("sqlite:///acme.db", flags="menu=on") as workspace:
        by_flag = workspace.search(question)
        assert by_flag == workspace.search(question, mode="menu") != workspace.search(question, mode="graph")


def test_team_draft_is_fair_and_the_same_in_a_replay() -> None:
    first, second = list("abcdef"), list("fedcba")
    starts = 0
    for number in range(400):
        mixed, teams = team_draft(first, second, seed=str(number), key=str)
        assert sorted(mixed) == first and teams.count("with") == teams.count("without") == 3
        assert (mixed, teams) == team_draft(first, second, seed=str(number), key=str)
        starts += teams[0] == "with"
    assert 160 < starts < 240


def test_neighbours_change_places_for_one_pair_in_twenty() -> None:
    found = [Evidence("chunk", str(at), 1.0, "d", str(at)) for at in range(12)]
    swapped = 0
    for number in range(500):
        shown, places = swapped_neighbours(found, str(number))
        swapped += len(places)
        assert sorted(item.id for item in shown) == sorted(item.id for item in found)
        for at in places:
            assert shown[at] is found[at + 1] and shown[at + 1] is found[at]
    assert 0.04 < swapped / (500 * 9) < 0.06


# --- trials


def test_interleaving_finds_the_better_ranking() -> None:
    log = FeedbackLog(None)
    drawn = random.Random(0)
    for number in range(200):
        teams = ["with", "without", "without", "with"]
        place = drawn.choice([0, 3]) if drawn.random() < 0.7 else drawn.choice([1, 2])
        note(log, number, [{"words": 1.0}] * 4, place, mixed="graph_leg", teams=teams)
    found = trial_of("graph_leg", uses_of(log))
    assert found.mixed and found.mixed.low > 0 and found.mixed.won + found.mixed.lost == 200
    assert found.said == "With graph_leg: what it finds is opened more." and not found.is_thin


def test_sessions_with_and_without_a_flag_are_compared() -> None:
    log = FeedbackLog(None)
    drawn = random.Random(0)
    for number in range(900):
        is_on = place_of_session("reranker", f"session {number // 3}") < 0.5
        opened = 0 if drawn.random() < (0.6 if is_on else 0.3) else None
        note(log, number, [{"words": 1.0}] * 3, opened, flags={**FLAGS, "reranker": is_on})
    found = trial_of("reranker", uses_of(log))
    clicks = next(row for row in found.by_sessions if row.name == "citation click rate")
    assert clicks.low > 0.15 and clicks.said == "more" and "citation click rate more" in found.said
    nothing = trial_of("graph_leg", uses_of(log))
    assert "was not tried" in nothing.said


def test_a_trial_of_a_few_sessions_says_so(cli: Run, private: Path) -> None:
    with Workspace("sqlite:///cliquerag.db", feedback="on") as workspace:
        for number in range(12):
            flags = {**FLAGS, "graph_leg": number % 2 == 0}
            note(workspace.feedback.log, number, [{"words": 1.0}] * 3, 0, flags=flags)
    done = cli("feedback", "ab", "graph_leg")
    assert done.returncode == 0 and "Too few to tell" in done.stdout
    assert json_of(cli("feedback", "ab", "graph_leg", "--json"))["is_thin"]
    assert cli("feedback", "ab", "nothing").returncode == 2


def test_interleaved_and_swapped_answers_are_replayed(cli: Run, private: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLIQUERAG_FEEDBACK", "on")
    monkeypatch.setenv("CLIQUERAG_FLAGS", "graph_leg=interleave, swaps=on")
    with Workspace("sqlite:///cliquerag.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.", period="FY2023")
        answer = workspace.ask("Whom did Acme acquire in 2023?")
        assert answer.trace["steered"]["mixed"] == "graph_leg" and set(answer.trace["steered"]["teams"]) <= {
            "with",
            "without",
        }
    monkeypatch.delenv("CLIQUERAG_FLAGS")
    assert json_of(cli("feedback", "replay", answer.trace["answer id"], "--json"))["is_same"]


def test_steering_without_pins_and_flags_searches_as_ever(private: Path) -> None:
    with Workspace("sqlite:///acme.db") as workspace:
        workspace.add_text(TEXT, source="acme.txt", company="Acme Inc.")
        plain = workspace.search("Whom did Acme acquire?")
        assert workspace.components.feedback.steering(_options()) is None
    with Workspace("sqlite:///acme.db", feedback="on") as workspace:
        assert isinstance(workspace.feedback.steering(_options()), Steering)
        assert workspace.search("Whom did Acme acquire?") == plain


def _options() -> Any:
    from cliquerag.querying import QueryOptions

    return QueryOptions()
