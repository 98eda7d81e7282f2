"""The sizes beyond which a file is refused, so that one upload cannot take the app down."""

from typing import Final

MAX_FILE_BYTES: Final = 200 * 1024 * 1024
MAX_UNPACKED_BYTES: Final = 1024 * 1024 * 1024
"""What a compressed workbook may grow to."""
MAX_ROWS: Final = 200_000
MAX_COLUMNS: Final = 5_000
MAX_CELLS: Final = 10_000_000
MAX_CLASSES: Final = 200
MAX_TEXT_CHARACTERS: Final = 20_000
MAX_LABEL_CHARACTERS: Final = 200
MIN_CLASS_ROWS: Final = 2
"""One row to learn from and one to be judged on."""
IMBALANCE_RATIO: Final = 8
"""Largest class over smallest class, from which the imbalance is worth a warning."""
