"""What was used last, kept up to a number of bytes: the one cache of what is read again and again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Item = TypeVar("Item")


class Recent(Generic[Key, Item]):
    """Items by key; what was used longest ago is dropped where all together are larger than ``most`` bytes.

    ``size`` estimates the bytes of an item. The newest one is kept whatever its size. Safe to share between threads:
    two that ask for what is missing may both make it, and the second one is kept.

    >>> texts: Recent[int, str] = Recent(most=10, size=len)
    >>> [texts.made(page, lambda: "words") for page in (1, 2, 1, 3)]
    ['words', 'words', 'words', 'words']
    >>> [page in texts for page in (1, 2, 3)]
    [True, False, True]
    """

    def __init__(self, most: int, size: Callable[[Item], int]) -> None:
        self._most = most
        self._size = size
        self._lock = threading.Lock()
        self._items: OrderedDict[Key, tuple[Item, int]] = OrderedDict()
        self.bytes = 0
        """Of all items that are kept, as estimated."""

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Key) -> Item | None:
        """The item of this key, which counts as used; None where none is kept."""
        with self._lock:
            kept = self._items.get(key)
            if kept is None:
                return None
            self._items.move_to_end(key)
            return kept[0]

    def keep(self, key: Key, item: Item) -> None:
        """Keep an item, in place of an older one of this key."""
        size = self._size(item)
        with self._lock:
            before = self._items.pop(key, None)
            self.bytes += size - (before[1] if before is not None else 0)
            self._items[key] = (item, size)
            while self.bytes > self._most and len(self._items) > 1:
                _, (_, dropped) = self._items.popitem(last=False)
                self.bytes -= dropped

    def made(self, key: Key, make: Callable[[], Item]) -> Item:
        """The item of this key, made where it is not kept."""
        with self._lock:
            kept = self._items.get(key)
            if kept is not None:
                self._items.move_to_end(key)
                return kept[0]
        item = make()
        self.keep(key, item)
        return item

    def read(self, keys: Iterable[Key], missing: Callable[[list[Key]], Mapping[Key, Item]]) -> dict[Key, Item]:
        """The items of these keys, those that are not kept read together; what ``missing`` does not give is left out.

        >>> lengths: Recent[str, int] = Recent(most=100, size=lambda _: 1)
        >>> lengths.read(["net", "cash"], lambda words: {word: len(word) for word in words})
        {'net': 3, 'cash': 4}
        """
        wanted = list(dict.fromkeys(keys))
        found: dict[Key, Item] = {}
        for key in wanted:
            item = self.get(key)
            if item is not None:
                found[key] = item
        unread = [key for key in wanted if key not in found]
        for key, item in missing(unread).items() if unread else ():
            self.keep(key, item)
            found[key] = item
        return found

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._items.clear()
            self.bytes = 0
