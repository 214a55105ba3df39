"""What is done with lists everywhere: leave out, keep, group, take the first."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence, Sized
from itertools import chain, zip_longest
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)
D = TypeVar("D")
K = TypeVar("K", bound=Hashable)

_NONE: Any = object()
"""What fills up a shorter ranking."""


class Holder(Protocol[T_contra]):
    """What can be asked whether it holds something: a set, a dictionary, a set of stems."""

    def __contains__(self, item: T_contra, /) -> bool: ...


def without(items: Iterable[T], left_out: Holder[T]) -> list[T]:
    """The items but those that are left out, in their order.

    >>> without(["the", "net", "income"], {"the", "a"})
    ['net', 'income']
    """
    return [item for item in items if item not in left_out]


def among(items: Iterable[T], allowed: Holder[T]) -> list[T]:
    """The items that are allowed, in their order.

    >>> among(["10-Q", "8-K"], {"10-K", "10-Q"})
    ['10-Q']
    """
    return [item for item in items if item in allowed]


def grouped(items: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Key -> its items; keys and items in the order in which they come.

    >>> grouped(["apple", "bean", "avocado"], key=lambda word: word[0])
    {'a': ['apple', 'avocado'], 'b': ['bean']}
    """
    groups: defaultdict[K, list[T]] = defaultdict(list)
    for item in items:
        groups[key(item)].append(item)
    return dict(groups)


def runs(items: Iterable[T], belongs: Callable[[list[T], T], bool]) -> list[list[T]]:
    """The items in runs: one joins the run before it where ``belongs(run, item)``, else it starts the next.

    >>> runs([1, 2, 3, 7, 8], lambda run, item: item - run[-1] < 2)
    [[1, 2, 3], [7, 8]]
    """
    found: list[list[T]] = []
    for item in items:
        if found and belongs(found[-1], item):
            found[-1].append(item)
        else:
            found.append([item])
    return found


def in_turn(rankings: Iterable[Sequence[T]]) -> Iterator[T]:
    """The first of each ranking, then the second of each.

    >>> list(in_turn([["a", "b"], ["c"]]))
    ['a', 'c', 'b']
    """
    rounds = chain.from_iterable(zip_longest(*rankings, fillvalue=_NONE))
    return (item for item in rounds if item is not _NONE)


def first(items: Iterable[T], default: D) -> T | D:
    """The first item; ``default`` where there is none.

    >>> first(["a", "b"], ""), first([], "")
    ('a', '')
    """
    return next(iter(items), default)


def last(items: Iterable[T], default: D) -> T | D:
    """The last item; ``default`` where there is none.

    >>> last(["a", "b"], ""), last([], "")
    ('b', '')
    """
    found = deque(items, maxlen=1)
    return found[0] if found else default


def overlaps_one(start: int, end: int, places: Iterable[tuple[int, int]]) -> bool:
    """True where a stretch of a text shares something with one of these places.

    >>> overlaps_one(2, 5, [(0, 2), (4, 9)]), overlaps_one(2, 5, [(0, 2), (5, 9)])
    (True, False)
    """
    return any(start < last and first < end for first, last in places)


def share(part: Sized, whole: Sized, none: float = 0.0) -> float:
    """The share of a whole that its part is, by their numbers; ``none`` of an empty whole.

    >>> share({"net"}, {"net", "income"}), share({}, {}, none=1.0)
    (0.5, 1.0)
    """
    return len(part) / len(whole) if whole else none
