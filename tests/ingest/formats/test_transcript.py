"""Calls: speakers with role and firm, remarks and questions, in the forms that providers use."""

from __future__ import annotations

import pytest
from cliquerag.ingest.document import Document
from cliquerag.ingest.formats.speakers import Person, listed_people, person_of, split_turns
from cliquerag.ingest.formats.transcript import is_transcript, offices_told, spoken_turns, turns_with_questions
from cliquerag.ingest.read import read_text

SPEECH = "We sold more pumps in every region and margins held up well, as we had said they would in spring. "
CALL = f"""Acme Corp (NYSE: ACME) Q3 2023 Earnings Call

Call Participants
Jane Doe -- Chief Executive Officer
Tom Lee -- Goldman Sachs -- Analyst

Operator

Good morning, and welcome to the Acme Corp third quarter 2023 earnings call. Jane Doe, please go ahead.

Jane Doe -- Chief Executive Officer

{SPEECH * 2}

Some statements are forward-looking statements; actual results may differ materially from those we describe today.

Operator

We will now begin the question-and-answer session. Our first question comes from Tom Lee with Goldman Sachs.

Tom Lee -- Goldman Sachs -- Analyst

{SPEECH} What about prices next year?

Jane Doe -- Chief Executive Officer

Prices will rise by about three percent. {SPEECH}

Operator

This concludes the call.
"""


@pytest.fixture(scope="module")
def call() -> Document:
    return read_text(CALL, source="call.txt")


def test_the_text_stays_and_is_known_as_a_call(call: Document) -> None:
    assert call.text == CALL
    assert call.metadata.kind == "earnings call"
    assert call.metadata.companies == ("Acme Corp",)
    assert call.metadata.period is not None and call.metadata.period.label.startswith("Q3")


def test_each_segment_has_its_speaker_and_part(call: Document) -> None:
    said = [(s.speaker, s.part, s.kind) for s in call.segments if s.speaker]
    assert said == [
        ("Operator", "remarks", "paragraph"),
        ("Jane Doe, Chief Executive Officer", "remarks", "paragraph"),
        ("Jane Doe, Chief Executive Officer", "remarks", "disclaimer"),
        ("Operator", "question", "paragraph"),
        ("Tom Lee, Analyst, Goldman Sachs", "question", "paragraph"),
        ("Jane Doe, Chief Executive Officer", "answer", "paragraph"),
        ("Operator", "remarks", "paragraph"),
    ]


def test_labels_are_no_speech(call: Document) -> None:
    answer = next(s for s in call.segments if s.part == "answer")
    assert CALL[answer.start : answer.end].startswith("Prices will rise")


@pytest.mark.parametrize(
    ("label", "person"),
    [
        ("Jane Doe - CFO", Person("Jane Doe", "CFO")),
        ("Jane Doe, Acme, Inc. - CFO [3]", Person("Jane Doe", "CFO", "Acme, Inc.")),
        ("Jane Doe (Chief Financial Officer): Thank you.", Person("Jane Doe", "Chief Financial Officer")),
        ("Jane Doe:", Person("Jane Doe")),
        ("[Jane Doe]: Thank you.", Person("Jane Doe")),
        ("OPERATOR:", Person("Operator")),
        ("Speaker 12: Thank you.", Person("Speaker 12")),
        ("张三（董事长）：谢谢大家。", Person("张三", "董事长")),
    ],
)
def test_forms_of_labels(label: str, person: Person) -> None:
    turns = split_turns(f"{label}\n{SPEECH}\n")
    assert [turn.person for turn in turns] == [person]


def test_a_role_on_the_line_below_the_name() -> None:
    text = f"Jane Doe\nChief Financial Officer, Acme, Inc.\n{SPEECH}\n"
    (turn,) = split_turns(text)
    assert turn.person == Person("Jane Doe", "Chief Financial Officer", "Acme, Inc.")
    assert text[turn.start : turn.end].strip() == SPEECH.strip()


@pytest.mark.parametrize(
    "line", ["Note: see below", "Total revenue: 5", "https://acme.com", "Net sales - Asia - rose", "Item 1: x"]
)
def test_lines_that_name_no_speaker(line: str) -> None:
    assert split_turns(line) == []


def test_participants_are_known_by_name() -> None:
    people = listed_people("Call Participants\n• Jane Doe - CFO\nTom Lee, Goldman Sachs, Analyst\nNet sales - 5\n")
    assert people == {"Jane Doe": Person("Jane Doe", "CFO"), "Tom Lee": person_of("Tom Lee", "Goldman Sachs, Analyst")}


def test_nameless_speakers_are_named_by_who_introduces_them() -> None:
    turns = [
        ("0", "Good day. I will now turn the call over to Mary Major, Vice President of Investor Relations. Go ahead."),
        ("1", f"{SPEECH} I will hand over to our Chief Executive Officer, Jane Doe. Jane?"),
        ("2", SPEECH * 3),
        (
            "0",
            "We now take questions. Please press star one. Our first question is from Tom Lee with Goldman Sachs.",
        ),
        ("3", f"{SPEECH} What about prices?"),
        ("2", SPEECH),
    ]
    document = read_text("\n\n".join(f"Speaker {n}: {said}" for n, said in turns), source="call")
    assert [(s.speaker, s.part) for s in document.segments] == [
        ("Speaker 0", "remarks"),
        ("Mary Major, Vice President of Investor Relations", "remarks"),
        ("Jane Doe, Chief Executive Officer", "remarks"),
        ("Speaker 0", "question"),
        ("Tom Lee, Analyst, Goldman Sachs", "question"),
        ("Jane Doe, Chief Executive Officer", "answer"),
    ]


def test_reports_with_colons_are_no_calls() -> None:
    lines = [f"Region {n}: {SPEECH}\nOperating income: {n}\nNote: unaudited" for n in range(9)]
    assert not is_transcript("\n".join(lines))


def test_a_name_alone_opens_a_turn_where_the_participants_are_listed_with_their_roles() -> None:
    text = (
        "Company Participants\nJane Doe - Chief Executive Officer\nTom Lee - Chief Financial Officer\n\n"
        "Operator\nWelcome.\n\nJane Doe\nThank you. Sales rose.\n\nTom Lee\nMargins fell."
    )
    turns = [(turn.person.label, text[turn.start : turn.end].strip()) for turn in split_turns(text)]
    assert turns == [
        ("Operator", "Welcome."),
        ("Jane Doe, Chief Executive Officer", "Thank you. Sales rose."),
        ("Tom Lee, Chief Financial Officer", "Margins fell."),
    ]


def test_a_book_with_a_few_labels_is_no_conversation() -> None:
    chapter = "The year went as was expected of it at its beginning. " * 400
    book = "".join(f"Target: 5 % of sales\n{chapter}\nStrategy: to grow\n{chapter}\n" for _ in range(4))
    assert not is_transcript(book)


ALONE = f"""Prepared Remarks:

Operator
Good morning, and welcome to the Acme Corp call. [Operator Instructions]
I would like to turn the call over to Kim Vale. Please go ahead.

Kim Vale
Thank you. {SPEECH}

Earl C. "Duke" Austin, Jr.
Thanks, Kim. {SPEECH}

And we are glad of it.

Questions and Answers:

Operator
Our first question today is coming from Tom Lee from Goldman Sachs. Your line is now live.

Tom Lee
{SPEECH} What about prices next year?

[Technical Issues]

Earl C. "Duke" Austin, Jr.
Prices will rise. {SPEECH}

Tom Lee
Thanks, Duke.

Operator
This concludes the call.

Duration: 50 minutes
"""


def test_names_alone_above_what_is_said_and_for_whom_those_work_who_ask():
    call = read_text(ALONE, source="call.txt")
    speakers = list(dict.fromkeys(segment.speaker for segment in call.segments if segment.speaker))
    assert speakers == ["Operator", "Kim Vale", 'Earl C. "Duke" Austin, Jr.', "Tom Lee, Analyst, Goldman Sachs"]
    said = {segment.speaker: segment.part for segment in call.segments if segment.speaker}
    assert said["Tom Lee, Analyst, Goldman Sachs"] == "question"


def test_a_heading_above_a_paragraph_is_no_speaker_without_an_operator():
    text = "Capital Allocation\nWe spent it all.\n\nCapital Allocation\nWe will spend more.\n\n"
    assert split_turns(text) == []


@pytest.mark.parametrize(
    ("said", "held"),
    [
        (
            "With me are Acme Corp. President and CEO, Jane Doe; Treasurer, Tom D'Arcy; and Vice President, Ann Lee.",
            {"Jane Doe": "CEO, President", "Tom D'Arcy": "Treasurer", "Ann Lee": "Vice President"},
        ),
        (
            "Jane Doe, Acme's CEO, Tom Lee, our CFO, and others. Now to our host, Vice President of Sales, Al Roe.",
            {"Jane Doe": "CEO", "Tom Lee": "CFO", "Al Roe": "Vice President of Sales"},
        ),
        ("We met Jane Doe in Ohio, and the board chose a new chief executive officer in June.", {}),
    ],
)
def test_offices_are_told_before_or_behind_names(said: str, held: dict[str, str]) -> None:
    assert {person.name: person.role for person in offices_told(said)} == held


_NUMBERED = f"""Speaker 0: Welcome to the call. With us are Jane Doe, our CEO, and Tom Lee, our CFO. Over to Jane.

Speaker 1: Thank you. {SPEECH} I will turn the call over to Tom.

Speaker 2: Thanks, Jane. {SPEECH}

Speaker 0: We will now begin the question-and-answer session. Our first question comes from Ann Roe of Citi.

Speaker 3: Maybe just talk about the pumps in the north and what the river did to them.

Speaker 2: The pumps stood still for a week in the north. {SPEECH}

Speaker 3: Thank you.
"""


def test_who_is_only_numbered_is_known_by_the_given_name() -> None:
    labels = list(dict.fromkeys(turn.person.label for turn in spoken_turns(_NUMBERED)))
    assert labels == ["Speaker 0", "Jane Doe, CEO", "Tom Lee, CFO", "Ann Roe, Analyst, Citi"]


def test_an_answer_is_known_with_its_question() -> None:
    ((turn, question),) = [told for told in turns_with_questions(_NUMBERED) if told[1]]
    said = _NUMBERED[turn.start : turn.end]
    assert said.startswith("The pumps stood still") and question.startswith("Maybe just talk")
    assert turns_with_questions("Acme sold more pumps. What about prices?") == []


def test_blanks_at_the_ends_of_lines_change_no_speaker() -> None:
    text = ALONE
    names = [turn.person.name for turn in spoken_turns(text)]
    for changed in (text.replace("\n", " \n"), text.replace("\n", "\r\n"), text.replace("\n", "\n ")):
        assert [turn.person.name for turn in spoken_turns(changed)] == names


_READ_OUT = """Speaker 0: Welcome to the second quarter 2021 call of Acme. I turn it over to your host, Laura Gray.

Speaker 1: Thank you. With me is Jane Roe, our CEO, who will answer the questions that you have sent to us.

Speaker 2: Good morning. The quarter was a good one, and we have sold more pumps than in any other quarter.

Speaker 1: We now begin the question and answer session. Our first question is from Tom Lee from Citi.

Speaker 2: Thank you, Tom. We expect margins to go up by a point, since copper has become cheaper in the spring.

Speaker 1: Ann Kim from Barclays asks, how do you see demand for pumps in the north?

Speaker 2: Thank you, Ann. Demand has been strong in all of the months of this year, and so it was in July.
"""


def test_a_host_who_reads_questions_out_is_told_from_who_asks_them() -> None:
    """Who has spoken before is not the one whose question is announced, though they speak next."""
    told = [(turn.person.label, turn.part) for turn in spoken_turns(_READ_OUT)]
    assert told[1][0] == "Laura Gray" and ("Ann Kim, Analyst, Barclays", "question") in told
    answers = {label for label, part in told if part == "answer"}
    assert not any("Tom Lee" in label for label, _ in told) and len(answers) == 1


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Jane Doe", "Delta Air is looking for more capacity, which helped. Does that answer your question?"),
        ("Speaker 2", "As David Kim asks in his note, are margins up? They are, as we have said."),
        ("Speaker 3", "To your first question, Delta Air is looking for more capacity. Does that answer it?"),
        ("Operator", "As David Kim asked earlier, what is next? We move on to the pumps."),
        ("Operator", "Delta Air is looking for more. So we heard. We end here. Are there other questions?"),
    ],
)
def test_who_speaks_of_what_others_ask_stays_who_they_are(label: str, said: str) -> None:
    """Only who leads through a call reads out questions of others, and puts the question at once."""
    text = _READ_OUT.replace("Speaker 2: Thank you, Tom.", f"{label}: {said} Thank you, Tom.")
    text = text.replace("is Jane Roe, our CEO, who", "is Jane Doe, our CEO, who")
    names = {turn.person.name for turn in spoken_turns(text)}
    assert not any("Delta" in name or "David" in name for name in names)


def test_who_gives_remarks_and_opens_the_questions_is_no_host() -> None:
    asked = "Speaker 1: Thanks. Delta Air is looking for more capacity. Does that answer your question?"
    text = _READ_OUT.replace("Speaker 1: Ann Kim from Barclays asks,", f"{asked}\n\nSpeaker 3: Yes,")
    long = text.replace("Speaker 1: Thank you.", f"Speaker 1: {SPEECH * 12}")
    assert any("Delta" in turn.person.name for turn in spoken_turns(text))
    assert not any("Delta" in turn.person.name for turn in spoken_turns(long))
