"""The client's types of the wire are those of the OpenAPI description."""

from __future__ import annotations

from tools.wire import FILE, wire_types


def test_the_types_of_the_wire_are_up_to_date() -> None:
    """`python tools/wire.py` writes them anew after a change of the server's models."""
    assert FILE.read_text("utf-8") == wire_types()
