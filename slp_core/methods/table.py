"""The table of methods: names, options and estimators; a new one needs an entry here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from slp_core.encoders.choice import EncoderChoice
from slp_core.errors import SLPError
from slp_core.methods.options import (
    DISTANCE,
    HYPERPARAMETERS,
    LINES,
    LOSS_SCALING,
    MANY_CLASSES,
    PRESET,
    SEED,
    TRAIN_ON,
    Choice,
    Option,
)
from slp_core.own_parts import check_part, described, failed, installed_parts
from slp_core.sentences import listed

if TYPE_CHECKING:
    from slp_core.methods.protocols import Classifier, HasProbabilities


class Effort(NamedTuple):
    """A parameter that decides how long fitting takes, with a value for interactive use."""

    parameter: str
    value: int
    unit: str


@dataclass(frozen=True)
class Method:
    """A classifier that is chosen and evaluated by name."""

    name: str  # on the command line and in results
    title: str
    estimator: str | type  # "module:Class" in this folder, imported when first used; or a class
    sentence: str
    fixed: Mapping[str, Any] = field(default_factory=dict)  # parameters that define it
    variant_of: str = ""  # the method that it is with other parameters
    main: tuple[Choice, ...] = ()  # options shown first
    more: tuple[Choice, ...] = ()  # further options
    training: tuple[Option, ...] = ()  # options on the Train page
    stochastic: bool = False  # whether the seed matters; other methods run with seed 0 only
    reads: Literal["vectors", "texts"] = "vectors"  # embeddings, or texts with an encoder to train
    paper: str | None = None  # the same system in the paper
    # By the beginning of the encoder's name, where that decides it.
    paper_with: tuple[tuple[str, str | None], ...] = ()
    package: str = ""  # optional dependency
    lighter: Effort | None = None  # for interactive use
    reads_whole: bool = False  # takes no encoder with chunks
    needs_meta: str = ""  # the method of meta-training that its encoders need
    from_package: str = ""  # that registered it

    @property
    def estimator_class(self) -> Any:
        if isinstance(self.estimator, type):
            return self.estimator
        module, _, name = self.estimator.partition(":")
        return getattr(import_module(f"slp_core.methods.{module}"), name)

    def make(self, seed: int = 0, encoder: str = "", **options: Any) -> Classifier:
        """An unfitted classifier; only stochastic methods use the seed."""
        parameters: dict[str, Any] = {"random_state": seed} if self.stochastic else {}
        if self.reads == "texts":
            parameters["encoder"] = encoder
        classifier: Classifier = self.estimator_class(**(parameters | dict(self.fixed) | options))
        return classifier

    def make_lighter(self, encoder: str) -> Classifier:
        assert self.lighter is not None
        return self.make(encoder=encoder, **{self.lighter.parameter: self.lighter.value})

    @property
    def effort(self) -> str:
        """Its title with the effort of interactive use."""
        return f"{self.title} {self.lighter.value} {self.lighter.unit}" if self.lighter else ""

    @property
    def lighter_name(self) -> str:
        """Its name with the effort of interactive use: ``lora_epochs_10``."""
        return f"{self.name}_{self.lighter.parameter}_{self.lighter.value}" if self.lighter else ""

    @property
    def missing(self) -> bool:
        return bool(self.package) and find_spec(self.package) is None

    @property
    def base(self) -> Method:
        """The method that it is a variant of, or itself."""
        return METHODS[self.variant_of] if self.variant_of else self

    @property
    def parameters(self) -> frozenset[str]:
        return frozenset(option.parameter for option in (*self.base.main, *self.base.more))

    def labelled(self, options: Mapping[str, Any]) -> dict[str, str]:
        """Options and their values in the words of the sidebar."""
        known = (each for each in (*self.base.main, *self.base.more) if each.parameter in options)
        return {each.label.lower(): each.called(options[each.parameter]) for each in known}

    def opening(self, n_classes: int) -> dict[str, Any]:
        """Its parameters that do not open with their first value on so many classes."""
        options = (option for option in self.base.more if option.with_many_classes)
        many = n_classes > MANY_CLASSES
        return {each.parameter: each.choices[each.opening(n_classes)] for each in options if many}

    def like(self, options: Mapping[str, Any], n_classes: int) -> dict[str, Any]:
        """Its own of some other method's options, beside those that it opens with."""
        own = {name: value for name, value in options.items() if name in self.parameters}
        return self.opening(n_classes) | own | dict(self.fixed)

    @property
    def choices(self) -> dict[str, str]:
        """Labels of the choices that define it, by short name."""
        return {
            option.short_name: label
            for option in self.base.main
            for label, value in option.choices.items()
            if value == self.fixed.get(option.parameter)
        }

    def counterpart(self, encoder: str) -> str | None:
        """The same system in the paper, given an encoder."""
        choice = EncoderChoice.of(encoder)
        for beginning, system in self.paper_with:
            if choice.combine is None and choice.name.startswith(beginning):
                return system
        return self.paper

    def seeds(self, n_seeds: int) -> range:
        return range(n_seeds if self.stochastic else 1)


METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method(
            "constraint_slp",
            "constraintSLP",
            "constraint_slp:ConstraintSLPClassifier",
            "Constant soft labels, found by linear programming.",
            fixed={"distance": "euclidean"},
            main=(DISTANCE,),
            more=LINES,
            paper="constraintSLP",
        ),
        Method(
            "constraint_slp_along_line",
            "constraintSLP, projected onto the line",
            "constraint_slp:ConstraintSLPClassifier",
            "The same soft labels, with distances projected onto the line.",
            fixed={"distance": "along_line"},
            variant_of="constraint_slp",
            paper="constraintSLP",
        ),
        # deterministic: heads start at the centroids and take full-batch steps
        Method(
            "deep_slp",
            "DeepSLP",
            "deep_slp:DeepSLPClassifier",
            "Soft labels that depend on the example, learnt by gradient descent.",
            fixed={"preset": "prototype"},
            main=(PRESET,),
            more=(LOSS_SCALING, TRAIN_ON, SEED, *LINES),
            training=HYPERPARAMETERS,
            paper="DeepSLP",
        ),
        Method(
            "deep_slp_paper",
            "DeepSLP, as in the paper",
            "deep_slp:DeepSLPClassifier",
            "The same from random heads, in minibatches, at the paper's learning rates.",
            fixed={"preset": "paper"},
            variant_of="deep_slp",
            stochastic=True,
            paper="DeepSLP",
        ),
        # ProtoNet's prototypes are class means, under its own or another encoder
        Method(
            "nearest_centroid",
            "Nearest centroid",
            "baselines:NearestCentroidClassifier",
            "The class whose mean is nearest.",
            paper="ProtoNet (low-resource)",
            paper_with=(
                ("protonet", "ProtoNet (high-resource)"),
                ("metaslp", None),
                ("reptile", None),
            ),
        ),
        Method(
            "one_nn",
            "1-nearest neighbour",
            "baselines:OneNearestNeighbourClassifier",
            "The class of the nearest support example.",
        ),
        Method(
            "logistic_regression",
            "Logistic regression",
            "baselines:LogisticRegressionClassifier",
            "A linear classifier with an L2 penalty.",
        ),
        Method(
            "meta_slp",
            "MetaSLP",
            "meta_slp:MetaSLPClassifier",
            "DeepSLP with a copy of the encoder's top layers tuned for each line.",
            reads="texts",
            paper_with=(
                ("metaslp-reptile", "MetaSLP-Reptile"),
                ("metaslp-fomaml", "MetaSLP-FOMAML"),
                ("metaslp-mean", "MetaSLP-Reptile"),  # means of both; the paper's better one
            ),
            lighter=Effort("steps", 5, "steps per line"),
        ),
        Method(
            "lora",
            "LoRA",
            "fine_tuned:LoRAClassifier",
            "Low-rank changes to the encoder's layers, and a linear head.",
            stochastic=True,
            reads="texts",
            paper="LoRA-BERT",
            package="peft",
            lighter=Effort("epochs", 10, "epochs"),
        ),
        Method(
            "fine_tuned",
            "Fine-tuned encoder",
            "fine_tuned:FineTunedClassifier",
            "The encoder's layers and a linear head, trained together.",
            stochastic=True,
            reads="texts",
            paper="BERT fine-tuned",
            paper_with=(("reptile", "Reptile"),),
            lighter=Effort("epochs", 10, "epochs"),
        ),
        Method(
            "proto_net",
            "ProtoNet",
            "proto_net:ProtoNetClassifier",
            "The nearest class mean, with an encoder trained for it.",
            stochastic=True,
            reads="texts",
            paper="ProtoNet (low-resource)",
            lighter=Effort("steps", 10, "steps"),
        ),
        # not in the paper
        Method(
            "setfit",
            "SetFit",
            "setfit:SetFitClassifier",
            "The encoder trained on pairs of examples, then a logistic regression.",
            stochastic=True,
            reads="texts",
            package="setfit",
            reads_whole=True,
            lighter=Effort("max_steps", 20, "steps at most"),
        ),
        # deterministic: generated start, full-batch steps
        Method(
            "leopard",
            "LEOPARD",
            "leopard:LeopardClassifier",
            "A softmax generated from the support set, then adapted with the encoder's top layers.",
            reads="texts",
            paper="LEOPARD",
            lighter=Effort("steps", 5, "steps"),
            needs_meta="leopard",
        ),
    )
}


def get_method(name: str) -> Method:
    """The method of a name, or an SLPError that lists all names."""
    try:
        return METHODS[name]
    except KeyError:
        raise SLPError(f"There is no method '{name}': choose from {', '.join(METHODS)}.") from None


def methods_that_read(reads: Literal["vectors", "texts"], variants: bool = True) -> list[Method]:
    """The methods on embeddings, or those that train the encoder, with or without variants."""
    return [
        method
        for method in METHODS.values()
        if method.reads == reads and (variants or not method.variant_of)
    ]


def add_method(name: str, estimator: object, package: str, title: str = "") -> None:
    """Add a classifier on embeddings that another package or a program has."""
    check_part("method", name, estimator, METHODS)
    if not isinstance(estimator, type):
        raise SLPError(f"A method is a class of classifiers, not {estimator!r}.")
    lacking = [each for each in ("fit", "predict", "predict_proba") if not hasattr(estimator, each)]
    if lacking:
        raise SLPError(f"{estimator.__name__} has no {listed(lacking)}.")
    own, sentence = described(estimator, name)
    METHODS[name] = Method(name, title or own, estimator, sentence, from_package=package)


def fit_own(method: Method, X: Any, y: Any) -> HasProbabilities:
    """Fit a method of another package, whose faults are said in one sentence."""
    try:
        model = method.make().fit(X, y)
        shape, needed = np.shape(model.predict_proba(X)), (len(X), len(model.classes_))
        if shape != needed:
            raise SLPError(f"predict_proba has the shape {shape}, and {needed} is needed")
    except Exception as error:
        told = failed("method", method.name, method.from_package, error)
        raise SLPError(told) from error
    return model


installed_parts("method", add_method)
