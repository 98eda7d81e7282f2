"""Few-shot datasets: read, check, sample, and draw support sets.

A file goes one way: `tables` takes its bytes and has the format's own reader (`delimited`,
`json_tables`, `parquet`, `workbook`) make a `Table` of them, with its header found by `table`;
`columns` guesses which column holds what; `read` makes the dataset, with the remarks of `checks`.
What is handed in to a server goes that way in a process of its own: `parsing`, asked by `look`.
"""

from slp_core.data.catalogue import DatasetInfo, list_datasets, load_dataset
from slp_core.data.dataset import Episode, FewShotDataset
from slp_core.data.examples import Examples, Kind
from slp_core.data.leopard import read_leopard
from slp_core.data.read import read_dataset
from slp_core.data.tables import read_table
from slp_core.data.toys import make_toy

__all__ = [
    "DatasetInfo",
    "Episode",
    "Examples",
    "FewShotDataset",
    "Kind",
    "list_datasets",
    "load_dataset",
    "make_toy",
    "read_dataset",
    "read_leopard",
    "read_table",
]
