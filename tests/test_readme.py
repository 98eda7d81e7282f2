"""What the README and docs/ tell people to type works as it stands."""

import re
import shlex
from pathlib import Path

import pytest
from PIL import Image

import slp_core
from research import __main__ as research
from slp_core.cli import parser
from slp_core.encoders import load_encoder
from slp_core.methods.table import get_method

README = Path(__file__).resolve().parents[1] / "README.md"
PYTHON = README.parent / "docs/python.md"
MOST_BYTES = 3_000_000
DOCUMENTS = [
    *sorted((README.parent / "docs").glob("*.md")),
    *(README.parent / "research").glob("*.md"),
]
TOPS = ("", "slp_core", "pages", "research", "deploy")
# What a reader is to make, or has
EXAMPLES = {
    "sample_data/NAME.jsonl", "NAME.md", "page.py", "README.md", "card.json", "log.jsonl",
    "NAME_eval.json", "NAME_train_DRAW_SHOTS.json", "disaster_train_0_16.json",
    "/etc/nginx/conf.d/slp-explorer.conf",
}  # fmt: skip


def test_the_library_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", PYTHON.read_text(), re.DOTALL)
    exec(compile(example, "python.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "('negative', 'neutral', 'positive')" in printed
    assert float(printed.split("accuracy:")[1]) > 0.3


def test_the_readme_is_one_screen_with_a_moving_picture():
    text = README.read_text()
    assert len(text.splitlines()) <= 35
    assert len(text.split()) <= 260
    (picture,) = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)
    assert (README.parent / picture).stat().st_size <= MOST_BYTES
    with Image.open(README.parent / picture) as film:
        assert film.n_frames > 10


def test_the_version_is_the_same_wherever_it_is_told():
    version = slp_core.__version__
    assert f"\nversion: {version}\n" in (README.parent / "CITATION.cff").read_text()
    assert f"\n## {version}, " in (README.parent / "CHANGELOG.md").read_text()
    assert f"slp-explorer:{version}\n" in (README.parent / "deploy/kubernetes.yaml").read_text()


def test_everything_that_the_readme_points_to_is_there():
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text()):
        assert (README.parent / path).exists(), path


@pytest.mark.parametrize("document", [README, README.parent / "CONTRIBUTING.md", *DOCUMENTS])
def test_every_file_that_a_document_names_is_there(document):
    """Those of the library and of the app may stand without the name of that folder."""
    named = re.findall(
        r"`([\w./-]+\.(?:py|md|json|csv|gz|conf|lock|toml|txt))`", document.read_text()
    )
    for name in set(named) - EXAMPLES:
        places = (README.parent / top / name for top in TOPS)
        assert any(place.exists() for place in places), f"{document.name}: {name}"


def test_documents_are_short():
    assert sum(len(d.read_text().split()) for d in (README.parent / "docs").rglob("*.md")) <= 9_000


@pytest.mark.parametrize("document", [README, *DOCUMENTS])
def test_commands_are_ones_that_the_command_line_takes(document):
    blocks = re.findall(r"```\w*\n(.*?)```", document.read_text(), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    commands = [line for line in lines if line.startswith("python -m slp_core ")]
    assert commands or document != PYTHON
    for line in lines:
        if line.startswith("python -m research "):
            research.parser().parse_args(shlex.split(line.replace("...", ""), comments=True)[3:])
    for command in commands:
        options = parser().parse_args(shlex.split(command, comments=True)[3:])
        if options.command.__name__ == "evaluate":
            for name in options.methods:
                get_method(name)
            for name in options.encoder:
                load_encoder(name)
