"""What the app says of work in progress, of links and of its limits."""

import pytest

from pages.session.text import (
    chunks_limit_text,
    encoding_text,
    failure_text,
    is_granted,
    job_text,
    method_set_text,
    missing_text,
    own_classes_text,
    projection_text,
    refused_row_text,
    refused_text,
    size_limit_text,
    training_limit_text,
    truncated_text,
    unknown_text,
    upload_limit_text,
)
from slp_core.errors import Cancelled, SLPError

HOME = "or run the app on your own computer."


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
        (
            missing_text("Their *s*", "Airline tweets", 5.0),
            "The link asks for the dataset “Their \\*s\\*”, which is not here. An upload opens "
            "only in the browser it was uploaded from, and is deleted 5 minutes after the last tab "
            "was closed or when the server restarts. **This is “Airline tweets”.**",
        ),
        (encoding_text(1, "Mini*LM*"), "Encoding 1 example with Mini\\*LM\\*"),
        (projection_text(5_000), "Computing the projection of 5,000 examples"),
        (job_text("Training $x$", None, None), "Training \\$x\\$ …"),
        (job_text("Training", 0.5, None), "Training: 50%"),
        (job_text("Training", 0.5, 0.2), "Training: 50%, about 1 s left"),
        (job_text("Training", 0.5, 89.9), "Training: 50%, about 90 s left"),
        (job_text("Training", 0.5, 200.0), "Training: 50%, about 3 min left"),
        (job_text("Training", 0.5, 9.0, before=0), "Training: queued (number 1)"),
        (failure_text("*", Cancelled()), "\\* was cancelled. It can be continued."),
        (failure_text("Training", SLPError("No $x$.")), "No \\$x\\$."),
        (failure_text("Training", RuntimeError("odd")), "Training failed: odd."),
        (failure_text("Training", RuntimeError()), "Training failed: RuntimeError."),
        (
            method_set_text("1-NN", "DeepSLP"),
            "The row you selected on Compare was predicted by DeepSLP, so the sidebar now shows "
            "that method. Before, it was 1-NN.",
        ),
        (refused_text("shots", ["16"], 16), ""),
        (
            refused_text("shots", ["<b>"], 16),
            "The link asks for “shots” = “\\<b>”, which is not available here. Using “16” instead.",
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
            refused_text("epoch", ["500"], 0, "the last"),
            "The link asks for “epoch” = “500”, which is not available here. Using “the last” "
            "instead.",
        ),
        (
            unknown_text("*no*", []),
            "The link asks for “\\*no\\*” = “nothing”. There is no such setting.",
        ),
        (
            refused_row_text("99", 9),
            "The link asks for example “99”. These data have examples 0 to 8.",
        ),
        (
            upload_limit_text(20_000, 50),
            "This public server accepts at most 20,000 rows and 50 classes.",
        ),
        (size_limit_text(9, 9, 9, 9), ""),
        (
            size_limit_text(10, 9, 9, 9),
            f"The dataset has 10 rows, and this public server accepts at most 9: remove some, "
            f"{HOME}",
        ),
        (
            size_limit_text(9, 10, 9, 9),
            f"The dataset has 10 classes, and this public server accepts at most 9: remove some, "
            f"{HOME}",
        ),
        (
            own_classes_text(200),
            "With 200 classes, each line trains on its own classes only, as in the authors' code. "
            "Training each on all of them can take minutes: it is under *More options*.",
        ),
        (chunks_limit_text(9, 9), ""),
        (
            chunks_limit_text(1_000, 9),
            "This public server reads at most 9 characters in chunks, and the texts have 1,000: "
            f"switch off *Long texts in chunks*, {HOME}",
        ),
        (training_limit_text(4, 4, 16), ""),
        (
            training_limit_text(4, 5, 16),
            "This public server trains an encoder on at most 16 texts, and 5 shots of 4 classes "
            f"make 20: choose fewer shots, {HOME}",
        ),
    ],
)
def test_texts(text, expected):
    assert text == expected


@pytest.mark.parametrize(
    ("requested", "value", "granted"),
    [
        (["16"], 16, True), (["60"], 60.0, True), (["1e2"], 100, True), (["nan"], 0.5, False),
        (["FALSE"], False, True), (["true"], False, False), ([""], None, True), ([""], "", True),
        (["b", "a"], ["a", "b"], True), (["a"], ["a", "b"], False), (["3", "16"], 16, True),
        ([""], [], True), (["x"], None, False),
    ],
)  # fmt: skip
def test_a_link_is_granted_where_a_widget_would_write_it(requested, value, granted):
    assert is_granted(requested, value) is granted
