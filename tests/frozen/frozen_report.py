"""The numbers in a report's tables, and how many figures and rows it has, before the rebuilding.

``python tests/frozen/frozen_report.py`` writes ``report.json`` anew. Words may change, and what
sentences say is tested where they are made; numbers in tables may not.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))
from report_subjects import subject

import slp_core as slp
from slp_core.report.parts import made_report

FILE = Path(__file__).with_name("report.json")
SUBJECTS = {
    f"{name} {method}": (name, method)
    for name, method in (
        ("airline", "constraint_slp"),
        ("restaurant", "deep_slp"),
        ("iris", "constraint_slp"),
        ("toy_abc", "deep_slp"),
    )
}
SECONDS = re.compile(r'(?:<td class="number">[^<]*</td>){2}(?=<td>[^<]*</td></tr>)')  # of fitting
NUMBER = re.compile(r"(?<![\w.#-])[-−]?\d[\d,]*(?:\.\d+)?%?")


def numbers(name: str, method: str) -> dict[str, int]:
    """How often each number stands in a report's tables; how many figures and rows it has."""
    dataset = slp.load_dataset(name)
    X = slp.load_encoder(dataset.default_encoder).encode(dataset)
    page = made_report(subject(dataset, X, method))
    body = " ".join(re.findall(r"<tbody>.*?</tbody>", page, flags=re.DOTALL))
    body = SECONDS.sub("", body)
    found = Counter(NUMBER.findall(re.sub(r"<[^>]*>", " ", body)))
    return {"figures": page.count("<figure"), "rows": page.count("<tr"), **found}


if __name__ == "__main__":
    made = {title: numbers(*of) for title, of in SUBJECTS.items()}
    FILE.write_text(json.dumps(made, ensure_ascii=False) + "\n", encoding="utf-8")
