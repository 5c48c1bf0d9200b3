"""The garbage collector rests while somebody works undisturbed, and goes on when all are done."""

import gc
from threading import Event, Thread

import pytest

from salient.kernel.collector import collector_at_rest


def test_it_rests_inside_and_goes_on_afterwards() -> None:
    assert gc.isenabled()
    with collector_at_rest:
        assert not gc.isenabled()
        with collector_at_rest:
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_it_goes_on_after_an_error() -> None:
    with pytest.raises(ValueError, match="broken off"), collector_at_rest:
        raise ValueError("broken off")
    assert gc.isenabled()


def test_it_stays_at_rest_until_the_last_of_two_threads_is_done() -> None:
    began, may_end = Event(), Event()

    def work() -> None:
        with collector_at_rest:
            began.set()
            may_end.wait(10)

    other = Thread(target=work)
    with collector_at_rest:
        other.start()
        assert began.wait(10)
    assert not gc.isenabled()
    may_end.set()
    other.join()
    assert gc.isenabled()


def test_it_is_not_switched_on_for_who_has_switched_it_off() -> None:
    gc.disable()
    try:
        with collector_at_rest:
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
