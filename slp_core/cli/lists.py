"""``datasets``, ``encoders`` and ``methods``: lists of what is available."""

from __future__ import annotations

import argparse

from slp_core.cli.arguments import Commands
from slp_core.cli.printing import note, print_table


def add(commands: Commands) -> None:
    for name, what, command in (
        ("datasets", "list the bundled datasets", datasets),
        ("encoders", "list the encoders", encoders),
        ("methods", "list the methods", methods),
    ):
        commands.add_parser(name, help=what).set_defaults(command=command)


def datasets(options: argparse.Namespace) -> int:
    from slp_core.data import list_datasets

    print_table(
        ("name", "kind", "classes", "group", "title", "what it is"),
        (
            (info.name, info.kind, str(info.n_classes), info.group, info.title, info.description)
            for info in list_datasets()
        ),
    )
    return 0


def encoders(options: argparse.Namespace) -> int:
    from slp_core.encoders import list_encoders
    from slp_core.encoders.registry import hub_encoders

    print_table(
        ("name", "kinds", "title", "what it is"),
        (
            (info.name, " ".join(info.kinds), info.title, info.description)
            for info in (*list_encoders(), *hub_encoders())
        ),
    )
    note("Encoders with hf: are downloaded once from the Hugging Face hub. Any other BERT-like")
    note("model is named hf:FOLDER or hf:HUB-ID, as in hf:bert-base-uncased;")
    note("a folder that meta-train has written, meta:FOLDER.")
    return 0


def methods(options: argparse.Namespace) -> int:
    from slp_core.methods.table import METHODS

    print_table(
        ("name", "reads", "title", "what it does"),
        ((method.name, method.reads, method.title, method.sentence) for method in METHODS.values()),
    )
    note("Those that read vectors are fitted on an encoder's; those that read texts train it.")
    return 0
