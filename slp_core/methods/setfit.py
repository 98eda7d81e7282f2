"""SetFit (Tunstall et al., 2022): an interface to its package with the bundled weights."""

from __future__ import annotations

import logging
import random
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sklearn.utils.validation import check_is_fitted

from slp_core.allowed import Count, Seed
from slp_core.data.examples import Examples
from slp_core.encoders.base import as_examples
from slp_core.encoders.export import can_be_exported, export_encoder
from slp_core.encoders.minilm import MAX_TOKENS
from slp_core.encoders.registry import load_encoder
from slp_core.errors import EncoderError, SLPError, missing
from slp_core.methods.baselines import LogisticRegressionClassifier
from slp_core.methods.protocols import Parameters
from slp_core.methods.text_classifier import TextEstimator
from slp_core.methods.validation import classes_of_texts

_ONE_AT_A_TIME = threading.Lock()  # what the trainer changes of the process


@dataclass(kw_only=True, eq=False, repr=False)
class SetFitClassifier(TextEstimator):
    """SetFit on the bundled MiniLM, or on a meta-trained encoder; pairs become one text.

    The encoder has no chunks, and a text 512 tokens at most.
    """

    epochs: Count = 1  # over the pairs of support examples, as many of one class as of two
    max_steps: Count | None = None  # ends training before the epochs do
    batch_size: Count = 16  # pairs per step
    random_state: Seed = 0

    def fit(self, X: Examples | Sequence[str], y: Any) -> SetFitClassifier:
        """Train on n texts and their labels (n,); if this fails, the model does not change."""
        self._check_parameters()
        try:
            from setfit import SetFitModel
        except ImportError:
            raise missing("SetFit", "setfit", "extra") from None

        rows = as_examples(X)
        classes, codes = classes_of_texts(y, len(rows))
        texts, labels = plain_texts(rows), codes.tolist()
        with _exclusive_global_rng():
            model = SetFitModel(
                model_body=sentence_transformer(self.encoder, self.max_tokens),
                model_head=LogisticRegressionClassifier(),
                labels=None,
            )
            if len(classes) > 1:
                self._train(model, texts, labels)
            else:
                model.fit(texts, labels, num_epochs=1)
                self._step_done(0, 0)
        self.classes_, self.model_ = classes, model
        return self

    def _train(self, model: Any, texts: list[str], labels: list[int]) -> None:
        from datasets import Dataset
        from setfit import Trainer, TrainingArguments
        from setfit.sampler import ContrastiveDataset
        from transformers.trainer_callback import PrinterCallback, ProgressCallback

        pairs = ContrastiveDataset(texts, labels, multilabel=False)
        # In the package max_steps overrides the epochs.
        steps = self.epochs * -(-len(pairs) // self.batch_size)
        steps = min(steps, self.max_steps or steps)
        with tempfile.TemporaryDirectory() as folder:
            arguments = TrainingArguments(
                output_dir=folder,
                batch_size=self.batch_size,
                max_steps=steps,
                seed=self.random_state,
                save_strategy="no",
                logging_strategy="no",
                report_to="none",
                show_progress_bar=False,
            )
            rows = Dataset.from_dict({"text": texts, "label": labels})
            trainer = Trainer(model=model, args=arguments, train_dataset=rows)
            for callback in (PrinterCallback, ProgressCallback):
                trainer.remove_callback(callback)
            trainer.add_callback(_at_each_step(self._step_done))
            trainer.train()

    def predict_proba(self, X: Examples | Sequence[str]) -> np.ndarray:
        """(m, K) the head's probabilities."""
        check_is_fitted(self)
        probabilities = self.model_.predict_proba(plain_texts(X), show_progress_bar=False)
        return np.asarray(probabilities, dtype=np.float64)

    def parameter_count(self) -> Parameters:
        """The encoder, with its word embeddings, and the head."""
        body = sum(
            p.numel()
            for name, p in self.model_.model_body.named_parameters()
            if p.requires_grad and ".pooler." not in name  # not used by means
        )
        head = self.model_.model_head.coef_.size + self.model_.model_head.intercept_.size
        description = f"the encoder with its word embeddings, and a head: {body:,} + {head:,}"
        return Parameters(body + head, body + head, description)


def _at_each_step(step_done: Callable[[int, int], None]) -> Any:
    """A callback of the package's trainer that reports progress and may raise."""
    from transformers import TrainerCallback

    class AtEachStep(TrainerCallback):
        def on_step_begin(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            step_done(state.global_step, state.max_steps)

        def on_train_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:
            step_done(state.max_steps, state.max_steps)

    return AtEachStep()


def sentence_transformer(encoder: str, max_tokens: int) -> Any:
    """A bundled or meta-trained encoder as a `sentence_transformers.SentenceTransformer`."""
    from sentence_transformers import SentenceTransformer

    loaded = load_encoder(encoder)
    if loaded.chunks:
        raise SLPError(f"SetFit does not work with chunks, as in {encoder!r}: choose 'minilm-l4'.")
    if not can_be_exported(loaded):
        raise SLPError(
            f"SetFit trains MiniLM, and {encoder!r} has no trainable layers of it: choose "
            "'minilm-l4', 'minilm-l6' or a meta-trained encoder."
        )
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        written = export_encoder(loaded, Path(folder) / "encoder")
        model = SentenceTransformer(str(written), device="cpu", local_files_only=True)
    model.max_seq_length = min(max_tokens, MAX_TOKENS)
    return model


def plain_texts(X: Examples | Sequence[str]) -> list[str]:
    rows = as_examples(X)
    if rows.texts is None:
        raise SLPError("SetFit needs texts, and the data is a table of numbers.")
    if not len(rows):
        raise EncoderError("There are no rows to encode.")
    second: Sequence[str] = [""] * len(rows)
    if rows.pairs is not None:
        second = rows.pairs
    elif rows.spans is not None:
        second = [text[a:b] for text, (a, b) in zip(rows.texts, rows.spans, strict=True)]
    texts = (f"{a} [SEP] {b}" if b else a for a, b in zip(rows.texts, second, strict=True))
    # Tokenizers refuse lone surrogates.
    return [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]


@contextmanager
def _exclusive_global_rng() -> Iterator[None]:
    """Exclusive use of the global random generators, without output; restored afterwards."""
    from datasets.utils import logging as datasets_logging
    from huggingface_hub import utils as hub
    from transformers.utils import logging as transformers_logging

    log = logging.getLogger("setfit")
    with _ONE_AT_A_TIME, ExitStack() as afterwards:
        afterwards.callback(random.setstate, random.getstate())
        afterwards.callback(torch.set_rng_state, torch.get_rng_state())
        # the generator that the packages use
        afterwards.callback(np.random.set_state, np.random.get_state())  # noqa: NPY002
        afterwards.callback(log.setLevel, log.level)
        log.setLevel(logging.WARNING)
        # The hub's first, so restored last: transformers' switches turn it too.
        hidden = hub.are_progress_bars_disabled()
        afterwards.callback(hub.disable_progress_bars if hidden else hub.enable_progress_bars)
        hub.disable_progress_bars()
        for package in (datasets_logging, transformers_logging):
            if package.is_progress_bar_enabled():
                afterwards.callback(package.enable_progress_bar)
                package.disable_progress_bar()
        yield
