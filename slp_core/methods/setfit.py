"""SetFit (Tunstall et al., 2022), what many would use today: contrastive pairs, then a linear head.

The package ``setfit`` does it; here it is given the bundled weights and scikit-learn's manners.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from slp_core.data.examples import Examples
from slp_core.encoders.base import as_examples
from slp_core.errors import Cancelled, EncoderError, SLPError
from slp_core.methods.base import PredictionMixin
from slp_core.methods.baselines import LogisticRegressionClassifier
from slp_core.methods.global_rng import own_generators
from slp_core.methods.labels import classes_of_texts
from slp_core.methods.parameters import Parameters
from slp_core.methods.validation import CALLED, COUNT, SEED, TOKENS, Checked, Constraints
from slp_core.progress import Progress


class SetFitClassifier(Checked, PredictionMixin, BaseEstimator):
    """SetFit on the bundled MiniLM, or on a meta-trained encoder.

    Pairs are read as one text, and so is a mention behind its sentence, the tokenizer's separator
    between the two: the package knows texts alone.

    Parameters
    ----------
    encoder : str
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`, but none that reads in chunks.
    epochs : int
        Over the pairs of support examples, of one class or of two, as many of the ones as of the
        others: n_k examples of class k give 2 max(Σ n_k (n_k + 1) / 2, Σ n_j n_k) of them.
    max_steps : int, optional
        Training ends there, be the epochs over or not; by default the epochs end it, as in the
        package.
    batch_size : int
        Pairs a step.
    max_tokens : int
        Texts are cut there, or at the 512 that MiniLM reads.
    random_state : int
    progress, cancelled : callable, optional
        As in :class:`~slp_core.methods.meta_slp.MetaSLPClassifier`.

    Attributes
    ----------
    classes_ : (K,) array
    model_ : setfit.SetFitModel
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "encoder": [str],
        "epochs": [COUNT],
        "max_steps": [COUNT, None],
        "batch_size": [COUNT],
        "max_tokens": [TOKENS],
        "random_state": [SEED],
        "progress": CALLED,
        "cancelled": CALLED,
    }

    def __init__(
        self,
        *,
        encoder: str = "minilm-l4",
        epochs: int = 1,
        max_steps: int | None = None,
        batch_size: int = 16,
        max_tokens: int = 128,
        random_state: int = 0,
        progress: Callable[[Progress], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> None:
        self.encoder = encoder
        self.epochs = epochs
        self.max_steps = max_steps
        self.batch_size = batch_size
        self.max_tokens = max_tokens
        self.random_state = random_state
        self.progress = progress
        self.cancelled = cancelled

    def fit(self, X: Examples | Sequence[str], y: Any) -> SetFitClassifier:
        """Train on n texts and their labels (n,); where that fails, the model stays as it was.

        Of one class there are no pairs to train on, and it is every answer.

        Raises
        ------
        ValueError
            A parameter is none that it can be, rows are no texts, labels are none of classes or
            not one for each row, the package ``setfit`` is missing, or the encoder has no layers
            that can be trained here or reads in chunks.
        Cancelled
            ``cancelled`` answered True.
        """
        self._check_parameters()
        try:
            from setfit import SetFitModel
        except ImportError:
            raise SLPError(
                "SetFit needs the package setfit: pip install -r requirements-extra.txt."
            ) from None

        rows = as_examples(X)
        classes, codes = classes_of_texts(y, len(rows))
        texts, labels = plain_texts(rows), codes.tolist()
        with own_generators():
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
        """Train the encoder on pairs, then the head."""
        from datasets import Dataset
        from setfit import Trainer, TrainingArguments
        from setfit.sampler import ContrastiveDataset
        from transformers.trainer_callback import PrinterCallback, ProgressCallback

        pairs = ContrastiveDataset(texts, labels, multilabel=False)
        # The package has a number of steps override the epochs, so it is given the smaller.
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

    def _step_done(self, done: int, total: int) -> None:
        if self.cancelled is not None and self.cancelled():
            raise Cancelled
        if self.progress is not None:
            self.progress(Progress(done, total, None))

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
            if p.requires_grad and ".pooler." not in name  # vectors are means: nothing reaches it
        )
        head = self.model_.model_head.coef_.size + self.model_.model_head.intercept_.size
        said = f"the encoder with its word embeddings, and a head: {body:,} + {head:,}"
        return Parameters(body + head, body + head, said)


def _at_each_step(step_done: Callable[[int, int], None]) -> Any:
    """What the package's trainer calls: it tells how far it is, and is stopped by an exception."""
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

    from slp_core.encoders.minilm import (
        MAX_TOKENS,
        N_LAYERS,
        MiniLMCheckpoint,
        check_weights,
        model_folder,
    )
    from slp_core.encoders.registry import load_encoder, trainable_part

    loaded = load_encoder(encoder)
    if loaded.chunks:
        raise SLPError(
            f"SetFit reads whole texts, and {encoder!r} reads them in chunks: choose 'minilm-l4'."
        )
    part = trainable_part(loaded)
    if part is None:
        raise SLPError(
            f"SetFit trains MiniLM, and {encoder!r} has no layers of it to train here: choose "
            "'minilm-l4', 'minilm-l6' or a meta-trained encoder."
        )
    assert isinstance(part.checkpoint, MiniLMCheckpoint)
    check_weights(model_folder())
    model = SentenceTransformer(str(model_folder()), device="cpu", local_files_only=True)
    model.max_seq_length = min(max_tokens, MAX_TOKENS)
    bert: Any = model[0].auto_model
    bert.encoder.layer = bert.encoder.layer[: N_LAYERS if part.layer is None else part.layer]
    bert.load_state_dict(part.checkpoint.changes(), strict=False)
    return model


def plain_texts(X: Examples | Sequence[str]) -> list[str]:
    """Each row as one string."""
    rows = as_examples(X)
    if rows.texts is None:
        raise SLPError("A table of numbers has no texts: SetFit reads texts.")
    if not len(rows):
        raise EncoderError("There are no rows to encode.")
    second: Sequence[str] = [""] * len(rows)
    if rows.pairs is not None:
        second = rows.pairs
    elif rows.spans is not None:
        second = [text[a:b] for text, (a, b) in zip(rows.texts, rows.spans, strict=True)]
    texts = (f"{a} [SEP] {b}" if b else a for a, b in zip(rows.texts, second, strict=True))
    # Lone surrogates, which no tokenizer takes, are replaced.
    return [text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for text in texts]
