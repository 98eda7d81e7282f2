"""What the README and docs/ tell people to type works as it stands."""

import re
import shlex
from pathlib import Path

import pytest

from research import __main__ as research
from slp_core.cli import parser
from slp_core.encoders import load_encoder
from slp_core.methods.table import get_method

README = Path(__file__).resolve().parents[1] / "README.md"


def test_the_library_example_runs(capsys):
    (example,) = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    exec(compile(example, "README.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "('negative', 'neutral', 'positive')" in printed
    assert float(printed.split("right:")[1]) > 0.3


def test_everything_that_the_readme_points_to_is_there():
    for path in re.findall(r"\]\((?!http)([^)#]+)\)", README.read_text()):
        assert (README.parent / path).exists(), path


DOCUMENTS = [
    *sorted((README.parent / "docs").glob("*.md")),
    *(README.parent / "research").glob("*.md"),
]


@pytest.mark.parametrize("document", [README, *DOCUMENTS])
def test_commands_are_ones_that_the_command_line_takes(document):
    blocks = re.findall(r"```\w*\n(.*?)```", document.read_text(), re.DOTALL)
    lines = "\n".join(blocks).replace("\\\n", " ").splitlines()
    commands = [line for line in lines if line.startswith("python -m slp_core ")]
    assert commands or document != README
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
