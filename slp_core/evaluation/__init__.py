"""Evaluation: the paper's protocol, carried out on any task, and its figures beside ours."""

from slp_core.evaluation.paper import PAPER_ENCODER, paper_results, paper_systems
from slp_core.evaluation.protocol import (
    METHODS,
    Method,
    Run,
    Task,
    find_tasks,
    get_method,
    plan_runs,
)
from slp_core.evaluation.report import compare, markdown_report, summarise
from slp_core.evaluation.results import COLUMNS, ResultsFile, Scores, read_results
from slp_core.evaluation.runner import Outcome, evaluate, judge

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
    "get_method",
    "judge",
    "markdown_report",
    "paper_results",
    "paper_systems",
    "plan_runs",
    "read_results",
    "summarise",
]
