"""The README's example runs as it stands."""

import re
from pathlib import Path

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
