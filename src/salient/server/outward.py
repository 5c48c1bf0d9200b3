"""Requests to addresses that people have named: never into the house, no further than asked, and not for long."""

from __future__ import annotations

import asyncio
import ipaddress
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx

SECONDS = 10.0
USUAL_PORTS = {"http": 80, "https": 443}


class NotOutside(Exception):
    """An address that only this machine, or its network, can reach."""


async def post_outside(address: str, body: bytes | str, headers: Mapping[str, str], inside: bool = False) -> int:
    """Send something by POST; the status of the answer, of which nothing else is read.

    The name is looked up once and the connection made to what was found, so that it cannot lead elsewhere later.
    """
    import httpx  # only where something is sent: it takes a while to load

    url = httpx.URL(address)
    place = await _place(url, inside)
    more = {"Host": url.netloc.decode("ascii"), **headers}
    async with asyncio.timeout(SECONDS), httpx.AsyncClient(follow_redirects=False, trust_env=False) as client:
        pinned = url.copy_with(host=place)
        extensions: dict[str, Any] = {"sni_hostname": url.host}
        async with client.stream("POST", pinned, content=body, headers=more, extensions=extensions) as answer:
            return answer.status_code


async def _place(url: httpx.URL, inside: bool) -> str:
    """The address of a host; NotOutside if it, or another of the same name, is not public."""
    port = url.port or USUAL_PORTS[url.scheme]
    async with asyncio.timeout(SECONDS):
        found = await asyncio.get_running_loop().getaddrinfo(url.host, port)
    places = [str(place[0]) for *_, place in found]
    if not inside and not all(ipaddress.ip_address(each).is_global for each in places):
        raise NotOutside(url.host)
    return places[0]
