"""Embeddings of any server that speaks OpenAI's protocol (``POST {url}/embeddings``)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from ..kg.embedding import Purpose, Vectors
from ..temporal.errors import Forbidden, HithertoError, Invalid, Unavailable

if TYPE_CHECKING:
    import httpx

MAX_CHARACTERS: Final = 8_000
"""Texts are sent up to here: every server's limit is in tokens, and most take 8,192."""

_AGAIN: Final = frozenset({408, 409, 429, 500, 502, 503, 504})
_LONGEST_WAIT_S: Final = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIEmbedder:
    """``url`` as servers' manuals give it, such as ``https://api.openai.com/v1`` or ``http://localhost:11434/v1``;
    ``dimension`` is how many numbers the model's vectors have. Needs the extra ``llm``.

    ``batch`` texts are sent at a time, each request tried ``tries`` times: what a busy or failing server is given
    between is ``wait_s``, twice as much each time, or what it asks for, up to 20 s.
    """

    url: str
    model: str
    dimension: int
    key: str | None = field(default=None, repr=False)
    batch: int = 128
    timeout_s: float = 30.0
    tries: int = 4
    wait_s: float = 0.5

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise Invalid(
                "an embedder's url must begin with http:// or https:// and name a server", code="bad_url"
            )
        if parts.username or parts.password or parts.query or parts.fragment:
            raise Invalid("an embedder's url must hold no user, password or query; give key=", code="bad_url")
        if not self.model.strip() or self.dimension < 1:
            raise Invalid("name the embedder's model, and how many numbers its vectors have (dimension=)")
        if self.batch < 1 or self.tries < 1 or not (self.timeout_s > 0 and self.wait_s >= 0):
            raise Invalid(
                "an embedder needs batch= and tries= of at least 1, timeout_s= above 0 and wait_s= from 0"
            )
        if self.key is not None and not (self.key.isascii() and self.key.isprintable()):
            raise Invalid("the embedder's key holds characters that cannot be sent; is there a line end in it?")

    @property
    def name(self) -> str:
        """Without the server: the same model elsewhere gives the same vectors."""
        return f"openai:{self.model}"

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:  # noqa: ARG002 - one space for both
        """Unit rows of shape ``(len(texts), dimension)``. Texts are sent up to ``MAX_CHARACTERS``.

        Raises ``Unavailable`` (no answer after all tries), ``Forbidden`` (the key), ``Invalid`` (the model, the
        texts, vectors of another dimension). No message holds the key.
        """
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        async with self._client() as client:
            starts = range(0, len(texts), self.batch)
            parts = [await self._embed(client, texts[first : first + self.batch]) for first in starts]
        rows = np.concatenate(parts)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return rows

    def _client(self) -> httpx.AsyncClient:
        try:
            import httpx
        except ImportError as error:
            raise Unavailable('embeddings by a server need httpx; pip install "hitherto[llm]"') from error
        headers = {} if self.key is None else {"Authorization": f"Bearer {self.key}"}
        return httpx.AsyncClient(headers=headers, timeout=self.timeout_s)

    async def _embed(self, client: httpx.AsyncClient, texts: Sequence[str]) -> Vectors:
        # Servers refuse empty texts, and a lone surrogate is no UTF-8.
        sent = [t[:MAX_CHARACTERS].encode("utf-8", "replace").decode() or " " for t in texts]
        answer = await self._ask(client, {"model": self.model, "input": sent, "encoding_format": "float"})
        try:
            listed = sorted(answer.json()["data"], key=lambda row: int(row["index"]))
            rows: Vectors = np.array([row["embedding"] for row in listed], dtype=np.float32)
            numbers = [row["index"] for row in listed]
        except (ValueError, KeyError, TypeError) as error:
            raise Unavailable(f"{self._where} answered with what are no embeddings; check its url") from error
        if rows.shape != (len(texts), self.dimension) or numbers != list(range(len(texts))):
            raise Invalid(
                f"{self._where} gave vectors of shape {rows.shape} for {len(texts)} texts, not of "
                f"dimension={self.dimension}",
                code="shape",
            )
        if not np.isfinite(rows).all():
            raise Unavailable(f"{self._where} gave vectors that hold no finite numbers")
        return rows

    async def _ask(self, client: httpx.AsyncClient, body: dict[str, object]) -> httpx.Response:
        import httpx

        failure: HithertoError
        for attempt in range(1, self.tries + 1):
            wait_s = self.wait_s * 2 ** (attempt - 1)
            try:
                answer = await client.post(f"{self.url.rstrip('/')}/embeddings", json=body)
            except httpx.HTTPError as error:
                failure = Unavailable(f"{self._where} does not answer ({type(error).__name__})")
            else:
                if answer.is_success:
                    return answer
                failure = self._refusal(answer)
                if answer.status_code not in _AGAIN:
                    raise failure
                wait_s = max(wait_s, _seconds(answer.headers.get("Retry-After")))
            if attempt < self.tries:
                await asyncio.sleep(min(wait_s, _LONGEST_WAIT_S))
        raise failure

    @property
    def _where(self) -> str:
        return f"the embedding server at {urlsplit(self.url).netloc}"

    def _refusal(self, answer: httpx.Response) -> HithertoError:
        status = answer.status_code
        if status in (401, 403):
            return Forbidden(f"{self._where} refuses the key (status {status}); give another key=")
        if status in _AGAIN or status >= 500:
            return Unavailable(f"{self._where} answered with status {status}; try again later")
        reason = " ".join(answer.text.split())
        if self.key:
            reason = reason.replace(self.key, "...")
        return Invalid(f"{self._where} does not take this of {self.model} (status {status}): {reason[:200]}")


def _seconds(text: str | None) -> float:
    """What a Retry-After header asks for; a date counts as nothing."""
    return float(text) if text and text.isascii() and text.isdigit() else 0.0
