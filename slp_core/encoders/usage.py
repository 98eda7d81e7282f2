"""Pooling, normalisation and token limit from a folder of sentence-transformers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, get_args

from slp_core.allowed import COUNT
from slp_core.encoders.base import Normalisation
from slp_core.encoders.tokens import Pooling
from slp_core.entries import read_entries
from slp_core.errors import EncoderError, SLPError

NO_LIMIT = 1_000_000  # tokens; transformers writes 1e30

_MODULES, _PROMPTS = "modules.json", "config_sentence_transformers.json"
_LIMITS = "sentence_*_config.json"  # bert's; in older folders that of another architecture
SETTINGS = (_MODULES, _PROMPTS, _LIMITS)
"""The files read here, besides the pooling's."""
_OLD_MODE = re.compile(r"pooling_mode_(.+?)(_tokens?)?")  # each true or false


@dataclass(frozen=True)
class Usage:
    """A model's default settings."""

    pooling: Pooling = "mean"
    normalisation: Normalisation = "l2"
    max_tokens: int = 256
    lower_case: bool = False
    model: str = ""  # its folder
    prefix: str = ""  # before every text


def read_usage(folder: Path) -> Usage:
    """Settings from a folder's ``modules.json`` and the files it names; defaults without it."""
    path = folder / _MODULES
    if not path.is_file():
        return Usage()
    modules = _modules(path)
    kinds = [kind for kind, _ in modules]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        raise EncoderError(
            f"{path} lists the modules {', '.join(kinds) or 'none'}, and only Transformer, Pooling "
            "and Normalize, in this order, are supported: choose another model."
        )
    model = modules[0][1]
    limits = sorted((folder / model).glob(_LIMITS))
    settings = _read(limits[0], {"max_seq_length?": COUNT}) if limits else {}
    limit = settings.get("max_seq_length")
    return Usage(
        _pooling(folder / modules[1][1] / "config.json"),
        "l2" if "Normalize" in kinds else "none",
        NO_LIMIT if limit is None else limit,
        bool(settings.get("do_lower_case")),
        model,
        _prompt(folder / _PROMPTS),
    )


def _modules(path: Path) -> list[tuple[str, str]]:
    """Kind and folder of each module."""
    found = []
    for number, each in enumerate(_read(path, [{"type": str, "path": str}]), 1):
        if ".." in PurePosixPath(each["path"]).parts or each["path"][:1] == "/":
            raise EncoderError(f"{path}: entry {number} has no path within the folder.")
        package, _, kind = each["type"].rpartition(".")
        own = package.split(".")[0] == "sentence_transformers"
        found.append((kind if own else each["type"], each["path"]))
    return found


def _pooling(path: Path) -> Pooling:
    settings = _read(path, dict)
    mode = settings.get("pooling_mode")
    if mode is None:
        old = [_OLD_MODE.fullmatch(name) for name, chosen in settings.items() if chosen]
        modes = [found[1] for found in old if found] or ["mean"]
    else:
        modes = mode if isinstance(mode, list) else [mode]
    for pooling in get_args(Pooling):
        if modes == [pooling]:
            return pooling
    raise EncoderError(
        f"{path}: pooling {' with '.join(map(str, modes))!r} is not supported: choose a model with "
        f"one of {', '.join(get_args(Pooling))}."
    )


def _prompt(path: Path) -> str:
    """What the model puts before every text."""
    settings = _read(path, dict) if path.is_file() else {}
    prompts = settings.get("prompts")
    prompt = prompts.get(settings.get("default_prompt_name")) if isinstance(prompts, dict) else ""
    return prompt if isinstance(prompt, str) else ""


def _read(path: Path, entries: Any) -> Any:
    try:
        return read_entries(path.read_bytes(), entries)
    except (OSError, SLPError) as error:
        why = str(error).rstrip(".")
        raise EncoderError(f"{path} cannot be read ({why}): fetch the model again.") from error
