"""The OpenAPI description: what every route can refuse is said once, when somebody asks, and not at every start."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI

from salient.server.models import Trouble

STATUSES = (400, 401, 403, 404, 409, 413, 422, 429, 503, 507)
VALIDATION = ("HTTPValidationError", "ValidationError")  # what FastAPI thinks that we answer
TROUBLE = {"schema": {"$ref": "#/components/schemas/Trouble"}}
REFUSALS = {
    str(status): {"description": HTTPStatus(status).phrase, "content": {"application/json": TROUBLE}}
    for status in STATUSES
}


class DescribedApp(FastAPI):
    """An application whose every route can refuse in the same ways."""

    def openapi(self) -> dict[str, Any]:
        """The description of all routes."""
        described = super().openapi()
        schemas = described["components"]["schemas"]
        schemas["Trouble"] = Trouble.model_json_schema()
        for name in VALIDATION:
            schemas.pop(name, None)
        for path, methods in described["paths"].items():
            if path.startswith("/api/"):
                for route in methods.values():
                    route["responses"] |= REFUSALS
        return described
