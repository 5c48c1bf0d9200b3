"""Watching a server: health, readiness, metrics, and logs that name no secret."""

from __future__ import annotations

import json
import logging
import time
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import JSONResponse, PlainTextResponse
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from sqlalchemy import func, select

from salient.server.answers import Health
from salient.server.problems import RequestProblem
from salient.server.settings import is_loopback
from salient.server.table import GameTable
from salient.server.tables import JOBS, OUTBOX

router = APIRouter(tags=["operations"])


class Metrics:
    """What is counted, for Prometheus."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("salient_requests", "Requests answered", labels, registry=self.registry)
        self.seconds = Histogram("salient_request_seconds", "Time to answer", ("route",), registry=self.registry)
        self.games = Gauge("salient_games_in_memory", "Games in memory", registry=self.registry)
        self.sockets = Gauge("salient_sockets", "Open sockets", registry=self.registry)
        self.jobs = Gauge("salient_bot_jobs", "Games in which a bot is to move", registry=self.registry)
        self.letters = Gauge("salient_outbox", "Notifications to be sent", registry=self.registry)

    def answered(self, scope: Any, status: int, seconds: float) -> None:
        """Count a request under the pattern of its route, never under its address."""
        route = getattr(scope.get("route"), "path", "other")
        self.requests.labels(scope["method"], route, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self, table: GameTable) -> bytes:
        """Everything, as Prometheus reads it."""
        self.games.set(len(table.live))
        self.sockets.set(sum(len(listeners) for listeners in table.listeners.values()))
        with table.store.reading() as db:
            self.jobs.set(db.execute(select(func.count()).select_from(JOBS)).scalar_one())
            self.letters.set(db.execute(select(func.count()).select_from(OUTBOX)).scalar_one())
        return generate_latest(self.registry)


@router.get("/api/health", response_model=Health)
async def health() -> Response:
    """The process answers."""
    return JSONResponse({"ok": True})


@router.get("/api/ready", response_model=Health)
def ready(request: Request) -> Response:
    """The database answers too; 503 otherwise."""
    table: GameTable = request.app.state.table
    with table.store.reading() as db:
        db.execute(select(1))
    return JSONResponse({"ok": True})


@router.get("/metrics", response_class=PlainTextResponse)
def metrics(request: Request) -> Response:
    """For Prometheus on this machine only."""
    if not is_loopback(request.client.host if request.client else ""):
        raise RequestProblem(404, "not-found", "no-such-page")
    return PlainTextResponse(request.app.state.metrics.text(request.app.state.table))


# ---- logs ----------------------------------------------------------------------

access = logging.getLogger("salient.access")


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line = {"at": round(record.created, 3), "level": record.levelname, "from": record.name}
        line["message"] = record.getMessage()
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_as_json(level: int = logging.INFO) -> None:
    """Write all logs to the error stream, as JSON."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=level, handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)


def log_request(scope: Any, status: int, began: float) -> None:
    """One line a request: the pattern of the route, never tokens, queries or bodies."""
    route = getattr(scope.get("route"), "path", "other")
    fields = {"method": scope["method"], "route": route, "status": status}
    fields["ms"] = round((time.perf_counter() - began) * 1000, 1)
    access.info("request", extra={"fields": fields})
