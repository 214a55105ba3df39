"""What was used last is kept up to a number of bytes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from cliquerag.core.recent import Recent


def _kept(recent: Recent[int, str]) -> list[int]:
    return [key for key in range(10) if key in recent]


def test_what_was_used_longest_ago_goes_first() -> None:
    recent: Recent[int, str] = Recent(10, len)
    for key in (1, 2):
        recent.keep(key, "words")
    assert recent.get(1) == "words"
    recent.keep(3, "words")
    assert _kept(recent) == [1, 3]
    assert recent.bytes == 10


def test_what_is_larger_than_all_room_is_kept_alone() -> None:
    recent: Recent[int, str] = Recent(10, len)
    recent.keep(1, "words")
    recent.keep(2, "words " * 10)
    assert _kept(recent) == [2]
    recent.keep(3, "words")
    assert _kept(recent) == [3]
    assert recent.bytes == 5


def test_an_item_takes_the_place_of_an_older_one() -> None:
    recent: Recent[int, str] = Recent(10, len)
    recent.keep(1, "words")
    recent.keep(1, "word")
    assert (recent.get(1), recent.bytes, len(recent)) == ("word", 4, 1)


def test_an_item_is_made_once() -> None:
    recent: Recent[int, list[int]] = Recent(10, len)
    assert recent.made(1, list) is recent.made(1, list)
    recent.clear()
    assert (1 in recent, recent.bytes, recent.get(1)) == (False, 0, None)


def test_threads_share_it() -> None:
    recent: Recent[int, str] = Recent(50, len)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda number: recent.made(number % 13, lambda: "words"), range(2_000)))
    assert set(found) == {"words"}
    assert recent.bytes == 5 * len(recent) == 50
