"""Running the server: it says that it is ready when it is, and why not when it is not."""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
import socket
import sys
import threading
import webbrowser
from collections import Counter
from multiprocessing.process import BaseProcess

import uvicorn

from salient.kernel.messages import SalientError
from salient.server.app import build_app
from salient.server.mapfiles import end_with_the_server
from salient.server.patience import PatientProtocol
from salient.server.problems import sentence
from salient.server.settings import Settings, is_loopback
from salient.server.watch import log_as_json

SOCKET_MESSAGE_LIMIT = 64 * 1024
SECONDS_TO_STOP = 10
SECONDS_TO_KEEP_ALIVE = 75  # longer than proxies and clients keep an idle connection, so that they close it
SECONDS_A_LOOK = 0.3
SWITCH_SECONDS = 0.001  # long answers let go of the interpreter this often


class Announced(uvicorn.Server):
    """A server that says when it can be reached."""

    def __init__(self, config: uvicorn.Config, address: str, open_browser: bool) -> None:
        super().__init__(config)
        self.address = address
        self.open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            print(f"Salient is ready at {self.address}  (Ctrl-C ends it; games are kept)", flush=True)
            if self.open_browser:
                threading.Timer(0.2, webbrowser.open, [self.address]).start()


def bound_socket(host: str, port: int) -> socket.socket:
    """The socket to listen on; SalientError with a sentence if the address cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family, backlog=1024)
    except OSError as error:
        cause = error.strerror or str(error)
        raise SalientError(sentence("port-taken", "en", host=host, port=port, cause=cause)) from error
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # an answer's second part does not wait 40 ms
    return listening


def config_of(settings: Settings) -> uvicorn.Config:
    """How uvicorn is to serve."""
    sys.setswitchinterval(SWITCH_SECONDS)
    behind_proxy = is_loopback(settings.host) or settings.proxies  # then all connections come from few addresses
    most = 0 if behind_proxy else settings.allowance.connections
    protocol = type("Protocol", (PatientProtocol,), {"most_per_address": most, "open": Counter()})
    return uvicorn.Config(
        build_app(settings),
        log_level="warning",
        access_log=False,
        http=protocol,
        ws_max_size=SOCKET_MESSAGE_LIMIT,
        timeout_graceful_shutdown=SECONDS_TO_STOP,
        timeout_keep_alive=SECONDS_TO_KEEP_ALIVE,
        forwarded_allow_ips=["127.0.0.1", "::1", *settings.proxies],
    )


def allow_many_descriptors() -> None:
    """Take as many open connections as the system gives."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def run(settings: Settings, port: int, open_browser: bool, workers: int = 1) -> None:
    """Serve until interrupted, in one process or in several on one PostgreSQL."""
    allow_many_descriptors()
    if not settings.local:
        log_as_json()
    listening = bound_socket(settings.host, port)
    shown = "localhost" if settings.host in ("127.0.0.1", "0.0.0.0", "::") else settings.host
    address = f"http://{shown}:{port}/"
    if workers == 1:
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how a person ends it
            Announced(config_of(settings), address, open_browser).run(sockets=[listening])
    elif not settings.url.startswith("postgresql"):
        raise SalientError(sentence("workers-need-postgresql", "en"))
    else:
        Workers(settings, listening, workers, address).run()


class Workers:
    """Several processes that serve one socket; one that dies is started again."""

    def __init__(self, settings: Settings, listening: socket.socket, count: int, address: str) -> None:
        self.settings = settings
        self.listening = listening
        self.address = address
        self.context = multiprocessing.get_context("spawn")
        self.processes = [self._start() for _ in range(count)]
        self.stopping = threading.Event()

    def _start(self) -> BaseProcess:
        process = self.context.Process(target=_serve_as_worker, args=(self.settings, self.listening))
        process.start()
        return process

    def run(self) -> None:
        """Look after the processes until interrupted."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.stopping.set())
        print(f"Salient is ready at {self.address}  ({len(self.processes)} processes)", flush=True)
        while not self.stopping.wait(SECONDS_A_LOOK):
            for place, process in enumerate(self.processes):
                if not process.is_alive():
                    process.join()
                    self.processes[place] = self._start()
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            process.join(SECONDS_TO_STOP)


def _serve_as_worker(settings: Settings, listening: socket.socket) -> None:
    if settings.worker_setup:
        settings.worker_setup()
    log_as_json()
    allow_many_descriptors()
    end_with_the_server()
    uvicorn.Server(config_of(settings)).run(sockets=[listening])
