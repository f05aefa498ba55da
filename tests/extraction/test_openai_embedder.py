"""Against a real HTTP server on this machine that speaks the embeddings protocol."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from hitherto import Memory
from hitherto.extraction.openai_embedder import MAX_CHARACTERS, OpenAIEmbedder
from hitherto.kg.embedding import Purpose
from hitherto.temporal.errors import Forbidden, HithertoError, Invalid, Unavailable

KEY = "sk-very-secret-key"


@dataclass
class Server:
    """``failures`` are answered first, in turn, with their headers; then vectors of ``dimension`` numbers."""

    url: str = ""
    dimension: int = 3
    delay_s: float = 0.0
    failures: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    answer: bytes | None = None

    def respond(self, handler: BaseHTTPRequestHandler) -> None:
        body = json.loads(handler.rfile.read(int(handler.headers["Content-Length"])))
        self.asked.append(body)
        time.sleep(self.delay_s)
        if self.failures:
            status, headers = self.failures.pop(0)
            self.send(handler, status, {"error": {"message": f"no,\nnot with {KEY}"}}, headers)
        elif handler.headers["Authorization"] != f"Bearer {KEY}":
            self.send(handler, 401, {"error": {"message": f"wrong key {handler.headers['Authorization']}"}}, {})
        elif handler.path != "/v1/embeddings" or "" in body["input"]:
            self.send(handler, 400, {"error": {"message": "bad request"}}, {})
        else:
            rows = [{"index": i, "embedding": self.row(text)} for i, text in enumerate(body["input"])]
            self.send(handler, 200, {"data": rows[::-1]}, {})  # the protocol promises no order

    def row(self, text: str) -> list[float]:
        return [float(len(text)), *[1.0] * (self.dimension - 1)]

    def send(self, handler: BaseHTTPRequestHandler, status: int, body: object, headers: dict[str, str]) -> None:
        content = json.dumps(body).encode() if self.answer is None else self.answer
        handler.send_response(status)
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(content)


@pytest.fixture
def server() -> Iterator[Server]:
    told = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            told.respond(self)

        def log_message(self, format: str, *args: object) -> None:
            """Tests are quiet."""

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=httpd.serve_forever, args=(0.01,))
    thread.start()
    told.url = f"http://127.0.0.1:{httpd.server_address[1]}/v1"
    yield told
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def embedder(server: Server, **changes: Any) -> OpenAIEmbedder:
    settings: dict[str, Any] = {"url": server.url, "model": "m", "dimension": 3, "key": KEY}
    return OpenAIEmbedder(**settings | {"wait_s": 0.01, "batch": 4} | changes)


async def test_batches_come_back_in_order_as_unit_rows(server: Server) -> None:
    texts = ["a" * n for n in range(10)]
    rows = await embedder(server).embed(texts, Purpose.PASSAGE)
    assert [len(body["input"]) for body in server.asked] == [4, 4, 2]
    assert {body["model"] for body in server.asked} == {"m"}
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.allclose(rows[:, 0] / rows[:, 1], [1, *range(1, 10)], atol=1e-4)


async def test_odd_texts_are_sent_as_servers_take_them(server: Server) -> None:
    rows = await embedder(server).embed(["", "\ud800", "x" * 100_000], Purpose.QUERY)
    assert len(rows) == 3
    assert [len(text) for text in server.asked[0]["input"]] == [1, 1, MAX_CHARACTERS]
    assert (await embedder(server).embed([], Purpose.QUERY)).shape == (0, 3)


async def test_a_busy_server_is_asked_again(server: Server) -> None:
    server.failures = [(429, {"Retry-After": "1"}), (503, {}), (500, {})]
    began = time.monotonic()
    assert len(await embedder(server).embed(["a"], Purpose.QUERY)) == 1
    assert len(server.asked) == 4
    assert time.monotonic() - began > 1


async def test_it_gives_up_after_a_bounded_number_of_tries(server: Server) -> None:
    server.failures = [(503, {})] * 9
    with pytest.raises(Unavailable, match="status 503"):
        await embedder(server, tries=3).embed(["a"], Purpose.QUERY)
    assert len(server.asked) == 3


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, Forbidden), (403, Forbidden), (400, Invalid), (404, Invalid), (422, Invalid), (501, Unavailable)],
)
async def test_refusals_are_told_at_once_in_a_line_without_the_key(
    server: Server, status: int, kind: type[HithertoError], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.failures = [(status, {})]
    with pytest.raises(kind) as caught:
        await embedder(server).embed(["a"], Purpose.QUERY)
    assert len(server.asked) == 1
    assert str(status) in str(caught.value)
    assert "\n" not in str(caught.value)
    for told in (str(caught.value), caplog.text, repr(embedder(server))):
        assert KEY not in told


async def test_a_wrong_key_is_not_repeated(server: Server) -> None:
    with pytest.raises(Forbidden) as caught:
        await embedder(server, key="sk-wrong").embed(["a"], Purpose.QUERY)
    assert "sk-wrong" not in str(caught.value)


async def test_no_answer_in_time_and_no_server_at_all(server: Server) -> None:
    server.delay_s = 0.5
    with pytest.raises(Unavailable, match="ReadTimeout"):
        await embedder(server, timeout_s=0.05, tries=2).embed(["a"], Purpose.QUERY)
    with pytest.raises(Unavailable, match="ConnectError"):
        await embedder(server, url="http://127.0.0.1:1/v1", tries=2).embed(["a"], Purpose.QUERY)


async def test_vectors_of_another_dimension_are_refused(server: Server) -> None:
    server.dimension = 5
    with pytest.raises(Invalid, match="dimension=3"):
        await embedder(server).embed(["a"], Purpose.QUERY)


@pytest.mark.parametrize(
    "answer", [b"<html>", b"[]", b'{"data": [{}]}', b'{"data": [{"index": 0, "embedding": [NaN, 0, 1]}]}']
)
async def test_an_answer_that_is_none_is_told(server: Server, answer: bytes) -> None:
    server.answer = answer
    with pytest.raises(Unavailable):
        await embedder(server).embed(["a"], Purpose.QUERY)


@pytest.mark.parametrize(
    "wrong",
    [
        {"url": "api.openai.com"}, {"url": "ftp://x"}, {"url": "http://me:sk@host/v1"}, {"url": "http://h/?key=sk"},
        {"model": " "}, {"dimension": 0}, {"batch": 0}, {"tries": 0}, {"timeout_s": 0}, {"key": "sk\n"},
    ],
)  # fmt: skip
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    right: dict[str, Any] = {"url": "http://h/v1", "model": "m", "dimension": 3, "key": "k"}
    with pytest.raises(Invalid) as caught:
        OpenAIEmbedder(**right | wrong)
    assert "sk" not in str(caught.value).replace("asked", "")


async def test_a_memory_with_a_servers_embedder(server: Server) -> None:
    async with Memory.open(":memory:", tenant="t", embedder=embedder(server)) as memory:
        await memory.add("Alice works at TechCorp.", occurred_at="2024-01-01")
        assert (await memory.search("Where does Alice work?")).hits
