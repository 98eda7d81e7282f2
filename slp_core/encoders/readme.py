"""The README of an exported encoder: its card, and how to load it elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from slp_core.encoders.cards import EncoderCard, card_of
from slp_core.encoders.minilm import N_LAYERS, WIDTH
from slp_core.encoders.text import data_text, origin_text, training_texts
from slp_core.encoders.transformer import TransformerEncoder
from slp_core.markdown import literal, unmarked

_HEAD = """---
base_model: sentence-transformers/all-MiniLM-L6-v2
library_name: sentence-transformers
pipeline_tag: sentence-similarity
tags: [sentence-transformers, feature-extraction]
---
"""
_USE = """## Use

```python
from sentence_transformers import SentenceTransformer

vectors = SentenceTransformer("FOLDER").encode(["A text.", "Another one."])
```

```python
from transformers import AutoModel, AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("FOLDER")
tokens = tokenizer(["A text."], padding=True, truncation=True, return_tensors="pt")
states = AutoModel.from_pretrained("FOLDER")(**tokens).last_hidden_state
```

SLP Explorer reads it as the encoder `hf:FOLDER`.
"""
_DATA_COLUMNS = ("title", "licence", "rows", "use", "tasks")


def readme(encoder: TransformerEncoder, layer: int, limit: int, tuned: bool) -> str:
    """Markdown, with the front matter of a model card."""
    card = card_of(encoder)
    parts = [_HEAD, f"# {literal(card.info.title)}\n", f"{literal(card.info.description)}\n"]
    if tuned:
        parts.append("These weights were trained further after that; no figure here is theirs.\n")
    parts += [_USE, _vectors(encoder, layer, limit)]
    if card.meta is not None:
        figures = map(_plain, training_texts(card))
        parts += ["## Training\n", how_it_was_made(card, card.meta), "## Figures\n", *figures]
    return "\n".join(parts)


def _vectors(encoder: TransformerEncoder, layer: int, limit: int) -> str:
    pooled = {
        "mean": "the mean over its tokens, special ones included,",
        "max": "the largest number over its tokens, special ones included, in each dimension,",
        "cls": "the first token's state",
    }[encoder.usage.pooling]
    length = "scaled to length 1" if encoder.normalisation == "l2" else "not scaled"
    return (
        "## Vectors\n\n"
        f"{WIDTH} numbers: of hidden layer {layer} of the {N_LAYERS} of "
        f"all-MiniLM-L6-v2, {pooled} {length}. The layers above are left out. Of longer texts, "
        f"the first {limit} tokens are read. The model's pooler is all-MiniLM-L6-v2's own, and no "
        "part of these vectors.\n\n"
        "Pairs of texts are read as the tokenizer joins them. SLP Explorer can also take the mean "
        "of a mention's own tokens within its text, which is no part of this folder.\n"
    )


def how_it_was_made(card: EncoderCard, meta: dict[str, Any]) -> str:
    """The settings, the data and the machine of meta-training, as Markdown."""
    parts = []
    if meta["settings"]:
        parts.append(_table(("setting", "value"), meta["settings"].items()))
    if data := meta["data"]:
        parts.append(_plain(data_text(card)))
        rows = ([each.get(column, "") for column in _DATA_COLUMNS] for each in data)
        parts.append(_table(_DATA_COLUMNS, rows))
    if meta.get("data_note"):
        parts.append(f"{literal(str(meta['data_note']))}\n")
    parts.append(_plain(origin_text(card)))
    return "\n".join(filter(None, parts))


def _plain(text: str) -> str:
    """A sentence as a paragraph of a file."""
    return f"{literal(unmarked(text))}\n" if text else ""


def _table(header: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> str:
    lines = [header, ["---"] * len(header)]
    cells = [*lines, *([_cell(value) for value in row] for row in rows)]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def _cell(value: Any) -> str:
    # Behind the table's bar: nothing in it begins a line, as the number of a list would.
    return literal(f"|{value}")[1:].replace("|", "\\|")
