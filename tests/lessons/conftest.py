"""Random problems are made where the library's results are checked on them too."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "facts"))
