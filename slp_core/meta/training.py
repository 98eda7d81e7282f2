"""The outer loop: draw tasks, average their gradients, step, validate, keep the best."""

from __future__ import annotations

import copy
import json
import math
import os
import platform
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from pickle import UnpicklingError
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import nn

from slp_core.encoders.checkpoint import chosen_device
from slp_core.encoders.meta_checkpoint import FORMAT
from slp_core.encoders.minilm import WEIGHTS_SHA256
from slp_core.encoders.registry import load_encoder
from slp_core.encoders.trainable import TrainableLayers
from slp_core.errors import Cancelled, EncoderError, SLPError
from slp_core.meta import leopard
from slp_core.meta.card import (
    TITLES,
    code_version,
    describe,
    described,
    gained,
    validated,
    write_card,
    write_weights,
)
from slp_core.meta.episodes import (
    TRAINING,
    Source,
    draw_episode,
    draw_tasks,
    make_tasks,
    read_sources,
)
from slp_core.meta.folder import claimed
from slp_core.meta.outer import TaskGradient, task_gradient
from slp_core.meta.settings import MetaSettings
from slp_core.meta.validation import ValidationSet, read_validation
from slp_core.methods.leopard import HEAD_RATES, RATES, LeopardNetworks
from slp_core.progress import Progress

STATE_FILE, LOG_FILE = "state.pt", "log.jsonl"
_KEPT = ("step", "best_step", "seconds", "curve", "best")


Report: TypeAlias = Callable[[Progress, float, dict[str, Any], dict[str, Any]], None]
"""Of outer steps: how far, the loss of the last, and points of the curve: the last and the best."""


def meta_train(
    data: Path,
    out: Path,
    settings: MetaSettings,
    *,
    title: str | None = None,
    device: str = "cpu",
    progress: Report = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
    resumed: Callable[[int], None] = lambda step: None,
) -> Path:
    """Meta-train an encoder, resuming a stopped run; the best validated weights go to `out`."""
    device = chosen_device(device)
    training, validation = read_sources(data, TRAINING), read_validation(data)
    run = _Run(settings, device, training, validation, out)
    with claimed(out, STATE_FILE):
        if run.begin():
            resumed(run.step)
        run.go_on(progress, cancelled)
        run.finish(title)
    return out


class _Run:
    """A run, whose state is saved at every validation."""

    def __init__(
        self,
        settings: MetaSettings,
        device: str,
        training: tuple[Source, ...],
        validation: tuple[Source, ...],
        out: Path,
    ) -> None:
        self.settings = settings
        self.device = device
        self.out = out
        self.tasks = make_tasks(training, settings.shots, settings.max_classes)
        self.layers = TrainableLayers(settings.encoder, settings.n_trainable, device)
        if self.layers.by_chunk:
            raise EncoderError(
                f"Meta-training does not work with chunks: leave '+chunks' out of "
                f"{settings.encoder!r}. The trained encoder can use them."
            )
        self.networks: LeopardNetworks | None = None
        self.trained: nn.Module = self.layers
        self.gradient = partial(task_gradient, self.layers)
        rates = [settings.encoder_rate] * settings.n_trainable + [settings.head_rate]
        if settings.method == "leopard":
            d, rng = self.layers.hidden_size, np.random.default_rng(settings.seed)
            temperature = settings.temperature if settings.head_start == "prototypes" else None
            self.networks = LeopardNetworks.start(d, rng, temperature).to(device)
            self.trained = nn.ModuleList([self.layers, self.networks])
            self.gradient = partial(leopard.task_gradient, self.layers, self.networks)
            own = settings.n_trainable - settings.n_agnostic  # layers of each task
            rates = [settings.encoder_rate] * own + [settings.head_rate] * HEAD_RATES
        self.base = [parameter.detach().clone() for parameter in self.layers.parameters()]
        self.averaged: Any = copy.deepcopy(self.trained)
        self.log_rates = torch.tensor(rates, dtype=torch.float64).log().requires_grad_()
        self.optimisers = [
            torch.optim.AdamW(self.trained.parameters(), lr=settings.outer_rate, amsgrad=True),
            torch.optim.Adam([self.log_rates], lr=settings.rate_of_rates),
        ]
        # A saved state must have the same.
        of_data = [(source.name, source.sha256) for source in (*training, *validation)]
        self.identity = json.dumps([asdict(settings), self.layers.origin, device, of_data])
        self.training, self.validation = training, validation
        self.step, self.best_step, self.seconds = 0, 0, 0.0
        self.curve: list[dict[str, Any]] = []
        self.best: dict[str, torch.Tensor] = {}  # weights

    def begin(self) -> bool:
        """Load the saved state, or validate the initial encoder; True if loaded."""
        resumed = self._load()
        self.sets = [
            ValidationSet.of(source, self.layers, self.settings.max_tokens)
            for source in self.validation
        ]
        if not resumed:
            self._validate(float("nan"))
        return resumed

    def go_on(self, progress: Report, cancelled: Callable[[], bool]) -> None:
        settings = self.settings
        began, first = time.monotonic() - self.seconds, self.step
        here = time.monotonic()
        while self.step < settings.steps and not self._out_of_patience():
            if cancelled():
                raise Cancelled
            loss = self._step(self.step)
            self.step += 1
            if self.step % settings.validate_every == 0 or self.step == settings.steps:
                self.seconds = time.monotonic() - began
                self._validate(loss)
            pace = (time.monotonic() - here) / (self.step - first)
            state = Progress(self.step, settings.steps, pace * (settings.steps - self.step))
            progress(state, loss, self.curve[-1], self._best())

    def finish(self, title: str | None) -> None:
        """Write the checkpoint of the best weights, which needs no state any more."""
        self.trained.load_state_dict(self.best)
        beside: dict[str, torch.Tensor] = {}
        if self.networks is not None:
            rates = torch.tensor(self._best()["inner_rates"])
            beside = self.networks.state_dict() | {RATES: rates}
        write_weights(self.out, self.layers, beside)
        write_card(self.out, self._card(title))
        (self.out / STATE_FILE).unlink()

    def _card(self, title: str | None) -> dict[str, Any]:
        """What the checkpoint is, and how it was made."""
        settings, first, best = self.settings, self.curve[0]["validation"], self._best()
        base = load_encoder(settings.encoder).info.title
        by = "nearest centroid"
        if settings.method == "leopard":
            by = f"LEOPARD's own classifiers, each after {settings.inner_steps} inner steps"
        # A task of two sources is counted with the first: so the counts add up to the tasks.
        n_tasks = Counter(task.sources[0] for task in self.tasks)
        return {
            "format": FORMAT,
            "title": f"{title or TITLES[settings.method]} on {base}",
            "description": describe(
                base, settings, len(self.tasks), gained(first, best["validation"])
            ),
            "method": settings.method,
            "encoder": settings.encoder,
            "layer": self.layers.n_frozen + settings.n_trainable,
            "base_sha256": WEIGHTS_SHA256,
            "settings": asdict(settings),
            "best_step": self.best_step,
            "validation": {
                "accuracy": best["validation"],
                "before": first,
                "sets": best["sets"],
                "how": (
                    f"{validated(by)}; chosen as the best of {len(self.curve)} validations, so "
                    "slightly optimistic"
                ),
            },
            "inner_rates": best["inner_rates"],
            "curve": self.curve,
            "data": [
                *(described(each, "training", n_tasks[each.name]) for each in self.training),
                *(described(each, "validation", 0) for each in self.validation),
            ],
            "minutes": round(self.seconds / 60, 1),
            "machine": f"{platform.machine()}, {_named(self.device)}, torch {torch.__version__}",
            "code_version": code_version(),
        }

    def rates(self) -> list[float] | None:
        learnt = self.settings.learns_rates
        return self.log_rates.detach().exp().tolist() if learnt else None

    def _step(self, step: int) -> float:
        settings = self.settings
        rng = np.random.default_rng([settings.seed, step])
        found: list[TaskGradient] = []
        for task in draw_tasks(self.tasks, settings.tasks_per_step, rng):
            examples = draw_episode(task, settings.shots, rng)
            n = len(examples) // 2
            if not settings.uses_query:
                examples = examples.take(range(n))
            with torch.autocast(self.device, torch.bfloat16, enabled=settings.bf16):
                states = self.layers.lower_states(examples, settings.max_tokens)
                support, query = states[:n], states[n:]
                found.append(self.gradient(support, query, settings, rng, self.rates()))
        for i, parameter in enumerate(self.trained.parameters()):
            parameter.grad = torch.stack([task.layers[i] for task in found]).mean(dim=0)
        outer, of_rates = self.optimisers
        outer.param_groups[0]["lr"] = _cosine(settings, step)
        outer.step()
        self._pull(settings.pull * outer.param_groups[0]["lr"])
        with torch.no_grad():
            pairs = zip(self.averaged.parameters(), self.trained.parameters(), strict=True)
            for mean, parameter in pairs:
                mean.lerp_(parameter, 1 - settings.averaging)
        if settings.learns_rates:
            by_task = torch.tensor([task.log_rates for task in found], dtype=torch.float64)
            self.log_rates.grad = by_task.mean(dim=0)
            of_rates.step()
        return float(np.mean([task.loss for task in found]))

    @torch.no_grad()
    def _pull(self, share: float) -> None:
        """Move the layers towards the base's weights: decoupled L2-SP (Li et al., 2018)."""
        for parameter, base in zip(self.layers.parameters(), self.base, strict=True):
            parameter.lerp_(base, share)

    def _accuracy(self, each: ValidationSet) -> float:
        """Accuracy of the class means or, for LEOPARD, of its classifiers."""
        if self.networks is None:
            return each.accuracy(self.averaged)
        layers, networks = self.averaged
        predict = partial(leopard.predictions, layers, networks, self.settings, self.rates() or ())
        return each.accuracy_of(predict)

    def _validate(self, loss: float) -> None:
        sets = {each.name: self._accuracy(each) for each in self.sets}
        mean = float(np.mean(list(sets.values())))
        better = not self.curve or mean > self._best()["validation"]
        point = {
            "step": self.step,
            "loss": None if math.isnan(loss) else loss,
            "validation": mean,
            "sets": sets,
            "outer_rate": _cosine(self.settings, self.step),
            "inner_rates": self.rates(),
            "seconds": round(self.seconds, 1),
        }
        self.curve.append(point)
        if better:
            self.best, self.best_step = _copied(self.averaged), self.step
        self._save()

    def _best(self) -> dict[str, Any]:
        return next(p for p in self.curve if p["step"] == self.best_step)

    def _out_of_patience(self) -> bool:
        # Counted to the last validation.
        validated: int = self.curve[-1]["step"]
        return validated - self.best_step >= self.settings.patience

    def _save(self) -> None:
        state = {name: getattr(self, name) for name in ("identity", *_KEPT)} | {
            "layers": _copied(self.trained),
            "averaged": _copied(self.averaged),
            "log_rates": self.log_rates.detach(),
            "optimisers": [optimiser.state_dict() for optimiser in self.optimisers],
        }
        unfinished = self.out / f"{STATE_FILE}.part"
        torch.save(state, unfinished)
        os.replace(unfinished, self.out / STATE_FILE)
        # Rewritten: steps after the last saved state are repeated.
        lines = "".join(json.dumps(point) + "\n" for point in self.curve)
        (self.out / LOG_FILE).write_text(lines, encoding="utf-8")

    def _load(self) -> bool:
        path = self.out / STATE_FILE
        if not path.exists():
            return False
        try:
            state = torch.load(path, weights_only=True)
            if state["identity"] != self.identity:
                raise SLPError(
                    f"{path} belongs to a run with other settings, data, encoder or version: use "
                    "the same to continue, name another folder, or remove it."
                )
            for name in _KEPT:
                setattr(self, name, state[name])
            self.trained.load_state_dict(state["layers"])
            self.averaged.load_state_dict(state["averaged"])
            with torch.no_grad():
                self.log_rates.copy_(state["log_rates"])
            for optimiser, values in zip(self.optimisers, state["optimisers"], strict=True):
                optimiser.load_state_dict(values)
        except (
            RuntimeError, EOFError, UnpicklingError, AttributeError, KeyError, TypeError
        ) as error:  # fmt: skip
            raise SLPError(f"{path} is damaged: remove it to restart the run.") from error
        return True


def _named(device: str) -> str:
    return f"{device} ({torch.cuda.get_device_name()})" if device == "cuda" else device


def _cosine(settings: MetaSettings, step: int) -> float:
    # CosineAnnealingLR cannot start at any step, as a resumed run does.
    share = (1 + math.cos(math.pi * step / settings.steps)) / 2
    return settings.final_outer_rate + (settings.outer_rate - settings.final_outer_rate) * share


def _copied(layers: nn.Module) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().cpu().clone() for name, tensor in layers.state_dict().items()}
