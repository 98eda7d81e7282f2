"""Evaluation: the paper's protocol on any task, and published results."""

from slp_core.evaluation.paper import (
    PAPER_ENCODER,
    compare,
    paper_results,
    paper_systems,
    summarise,
)
from slp_core.evaluation.protocol import (
    Run,
    Task,
    find_tasks,
    plan_runs,
)
from slp_core.evaluation.report import markdown_report
from slp_core.evaluation.results import COLUMNS, ResultsFile, Scores, read_results
from slp_core.evaluation.runner import Outcome, evaluate, fit_and_score
from slp_core.methods.table import METHODS, Method, get_method

__all__ = [
    "COLUMNS",
    "METHODS",
    "PAPER_ENCODER",
    "Method",
    "Outcome",
    "ResultsFile",
    "Run",
    "Scores",
    "Task",
    "compare",
    "evaluate",
    "find_tasks",
    "fit_and_score",
    "get_method",
    "markdown_report",
    "paper_results",
    "paper_systems",
    "plan_runs",
    "read_results",
    "summarise",
]
