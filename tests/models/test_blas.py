"""numpy's own threads are held back while ours run, and given back afterwards."""

from __future__ import annotations

import threading

import pytest
from cliquerag.models import blas


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    state = {"threads": 8}
    monkeypatch.setattr(blas, "_controls", lambda: (lambda: state["threads"], lambda n: state.update(threads=n)))
    return state


def test_one_inside_and_as_before_outside(threads: dict[str, int]) -> None:
    with blas.one_thread():
        assert threads["threads"] == 1
        with blas.one_thread():
            assert threads["threads"] == 1
        assert threads["threads"] == 1
    assert threads["threads"] == 8


def test_the_last_one_out_restores(threads: dict[str, int]) -> None:
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()
    seen: list[int] = []

    def first() -> None:
        with blas.one_thread():
            first_in.set()
            second_in.wait(5)
        first_out.set()

    thread = threading.Thread(target=first)
    thread.start()
    first_in.wait(5)
    with blas.one_thread():
        second_in.set()
        first_out.wait(5)
        seen.append(threads["threads"])
    thread.join()
    assert (seen, threads["threads"]) == ([1], 8)


def test_an_error_inside_restores(threads: dict[str, int]) -> None:
    with pytest.raises(ValueError), blas.one_thread():
        raise ValueError
    assert threads["threads"] == 8


def test_a_library_without_controls_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blas, "_controls", lambda: None)
    assert not blas.controllable()
    with blas.one_thread():
        pass


def test_the_installed_library_obeys() -> None:
    blas._controls.cache_clear()
    if not blas.controllable():
        pytest.skip("numpy stands on another library than OpenBLAS here")
    controls = blas._controls()
    assert controls is not None
    with blas.one_thread():
        assert controls[0]() == 1
