"""What a public server refuses, in words."""

from __future__ import annotations

from slp_core.facts import Facts, fact


def upload_limit_facts(rows: int, classes: int) -> Facts:
    """What a public server takes of an upload."""
    template = "On this public server an upload has at most {rows:,} rows and {classes:,} classes."
    return (fact("limit.upload", template, rows=rows, classes=classes),)


def size_limit_facts(rows: int, classes: int, most_rows: int, most_classes: int) -> Facts:
    """What of a dataset is more than a public server takes; nothing where nothing is."""
    many = "The data have {n:,} "
    most = ", and this public server takes at most {most:,}: leave some out, or run the app on "
    most += "your own computer."
    if rows > most_rows:
        return (fact("limit.rows", many + "rows" + most, n=rows, most=most_rows),)
    if classes > most_classes:
        return (fact("limit.classes", many + "classes" + most, n=classes, most=most_classes),)
    return ()


def passages_limit_facts(n: int, most: int) -> Facts:
    """Why a public server reads no n characters in chunks; nothing where it does."""
    if n <= most:
        return ()
    template = (
        "This public server reads at most {most:,} characters in chunks, and these texts have "
        "{n:,}: choose an encoder that reads their beginnings, or run the app on your own computer."
    )
    return (fact("limit.passages", template, most=most, n=n),)


def training_limit_facts(classes: int, shots: int, most: int) -> Facts:
    """Why a public server trains no encoder on so many texts; nothing where it does."""
    if (n := classes * shots) <= most:
        return ()
    template = (
        "This public server trains an encoder on at most {most:,} texts, and {shots:,} shots of "
        "{classes:,} classes are {n:,}: choose fewer shots, or run the app on your own computer."
    )
    return (fact("limit.training", template, most=most, shots=shots, classes=classes, n=n),)
