"""The collector of garbage while much is made that is kept."""

from __future__ import annotations

import gc

from cliquerag.core.process import collector_at_rest


def test_what_is_kept_for_good_is_old_when_the_collector_goes_on() -> None:
    gc.collect()
    with collector_at_rest(for_good=True):
        assert not gc.isenabled()
        kept = [[] for _ in range(5000)]
    young = gc.get_count()[0]
    assert gc.isenabled() and young < len(kept) and gc.get_freeze_count() == 0
    assert any(found is kept for found in gc.get_objects(generation=2))


def test_what_somebody_has_put_aside_stays_there() -> None:
    gc.freeze()
    try:
        with collector_at_rest(for_good=True):
            pass
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
