"""The key by which push services know this server, made from the server's own key."""

from __future__ import annotations

import base64
import hmac
from functools import cache

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@cache
def vapid_key(server_key: bytes) -> Vapid02:
    """The key pair."""
    number = int.from_bytes(hmac.digest(server_key, b"vapid", "sha512"), "big") % (ORDER - 1) + 1
    return Vapid02(private_key=ec.derive_private_key(number, ec.SECP256R1()))


def public_key(server_key: bytes) -> str:
    """The public half, as browsers take it."""
    raw = vapid_key(server_key).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
