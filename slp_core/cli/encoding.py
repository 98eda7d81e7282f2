"""``encode`` and ``export-encoder``: the embeddings of a dataset, and the encoder itself."""

from __future__ import annotations

import argparse

from slp_core.cli.arguments import (
    DATA_HELP,
    Commands,
    add_encoder_options,
    add_normalisation,
    given_path,
    with_options,
)
from slp_core.cli.printing import ProgressLine, fetch, note
from slp_core.errors import SLPError
from slp_core.markdown import unmarked


def add(commands: Commands) -> None:
    one = commands.add_parser(
        "encode",
        help="write a dataset's embeddings as a NumPy file",
        description="Write the embeddings of one dataset: float32, one row an example.",
    )
    one.add_argument("--data", required=True, metavar="DATA", help=DATA_HELP)
    one.add_argument("--encoder", metavar="NAME", help="see `encoders`; default: the dataset's own")
    add_encoder_options(one)
    one.add_argument("--out", required=True, type=given_path, metavar="FILE.npy")
    one.set_defaults(command=encode)
    other = commands.add_parser(
        "export-encoder",
        help="write an encoder as a folder that other programs load",
        description="Write an encoder as a standard folder: sentence_transformers's "
        "SentenceTransformer gives the same vectors from it, transformers's AutoModel the hidden "
        "states. README.md says how it was made.",
    )
    other.add_argument("name", metavar="NAME", help="see `encoders`; or meta:FOLDER")
    other.add_argument("folder", type=given_path, metavar="FOLDER", help="not there yet, or empty")
    add_normalisation(other)
    other.set_defaults(command=export_encoder)


def encode(options: argparse.Namespace) -> int:
    import numpy as np

    from slp_core.encoders import load_encoder
    from slp_core.evaluation.protocol import find_tasks
    from slp_core.evaluation.results import file_to_write, replacing

    tasks = find_tasks([options.data])
    if len(tasks) > 1:
        raise SLPError(
            f"{options.data} holds {len(tasks)} tasks, and one file takes the embeddings of one: "
            "name a single task folder."
        )
    task = tasks[0]
    dataset = task.load()
    name = with_options(options.encoder or dataset.default_encoder, options)
    fetch(name)
    encoder = load_encoder(name, normalisation=options.normalisation)
    progress = ProgressLine()
    out = file_to_write(options.out)  # what cannot be written is said before it is computed
    with replacing(out) as file:
        embeddings = encoder.encode(
            dataset, progress=lambda state: progress(f"{task.name}: encoding", state)
        )
        progress.end()
        np.save(file, embeddings)
    for remark in dataset.warnings:
        note(unmarked(remark))
    if encoder.by_draw:
        how = (
            "Columns are standardised by all rows here"
            if dataset.kind == "numeric"
            else "The two encoders are weighted as where nothing is known of the classes here"
        )
        note(f"{how}; `evaluate` does it by each draw's support set.")
    if encoder.n_truncated:
        note(f"{encoder.n_truncated} texts are longer than the token limit and were cut.")
    n, d = embeddings.shape
    print(f"{options.out}: {n} rows of {d} numbers (float32), in the order of the dataset's rows")
    return 0


def export_encoder(options: argparse.Namespace) -> int:
    from slp_core.encoders import load_encoder
    from slp_core.encoders.export import export_encoder

    encoder = load_encoder(options.name, normalisation=options.normalisation)
    export_encoder(encoder, options.folder)
    print(f"{options.folder}: {encoder.info.title}; here it is --encoder hf:{options.folder}")
    return 0
