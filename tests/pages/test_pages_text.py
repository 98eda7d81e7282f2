"""What the app says of work in progress, of links and of its limits."""

import pytest

from pages.session.text import (
    encoding_text,
    failure_text,
    job_text,
    method_set_text,
    refused_text,
    truncated_text,
    unknown_text,
)
from slp_core.errors import Cancelled, SLPError
from slp_core.progress import Progress


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (truncated_text(0, 9), ""),
        (
            truncated_text(2, 1_000),
            "Texts truncated because the encoder has a length limit: 2 of 1,000.",
        ),
        (
            truncated_text(1, 9, chunks_possible=True),
            "Texts truncated because the encoder has a length limit: 1 of 9. Switch on *Long texts "
            "in chunks* in the sidebar to read all of them.",
        ),
        (encoding_text(1, "Mini*LM*"), "Encoding 1 example with Mini\\*LM\\*"),
        (job_text("Training $x$", None), "Training \\$x\\$ …"),
        (job_text("Training", Progress(1, 2, None)), "Training: 50%"),
        (job_text("Training", Progress(1, 2, 0.2)), "Training: 50%, about 1 s left"),
        (job_text("Training", Progress(1, 2, 89.9)), "Training: 50%, about 90 s left"),
        (job_text("Training", Progress(1, 2, 200.0)), "Training: 50%, about 3 min left"),
        (job_text("Training", None, before=0), "Training: queued (number 1)"),
        (failure_text("*", Cancelled()), "\\* was cancelled. It can be continued."),
        (failure_text("Training", SLPError("No $x$.")), "No \\$x\\$."),
        (failure_text("Training", RuntimeError("odd")), "Training failed: odd."),
        (failure_text("Training", RuntimeError()), "Training failed: RuntimeError."),
        (
            method_set_text("1-NN", "DeepSLP"),
            "The row you selected on Compare was predicted by DeepSLP, so the sidebar now shows "
            "that method. Before, it was 1-NN.",
        ),
        (
            refused_text("shots", ["<b>"], 16),
            "The link asks for “shots” = “\\<b>”, which is not available here. Using “16” instead.",
        ),
        (
            refused_text("point", ["9999"], None, 308),
            "The link asks for “point” = “9999”, which is not available here: rows go from 0 to "
            "308.",
        ),
        (
            refused_text("layers", ["a", "b"], []),
            "The link asks for “layers” = “a, b”, which is not available here. Using “nothing” "
            "instead.",
        ),
        (
            refused_text("before", ["x"], None),
            "The link asks for “before” = “x”, which is not available here.",
        ),
        (
            refused_text("epoch", ["500"], "the last"),
            "The link asks for “epoch” = “500”, which is not available here. Using “the last” "
            "instead.",
        ),
        (
            unknown_text("*no*", []),
            "The link asks for “\\*no\\*” = “nothing”. There is no such setting.",
        ),
    ],
)
def test_texts(text, expected):
    assert text == expected
