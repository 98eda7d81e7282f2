"""Few-shot datasets: read, check, sample, and draw support sets from them."""

from slp_core.data.catalogue import DatasetInfo, list_datasets, load_dataset
from slp_core.data.dataset import Episode, FewShotDataset
from slp_core.data.examples import Examples, Kind
from slp_core.data.leopard import read_leopard
from slp_core.data.read import TablePreview, preview_table, read_dataset
from slp_core.data.toys import make_toy

__all__ = [
    "DatasetInfo",
    "Episode",
    "Examples",
    "FewShotDataset",
    "Kind",
    "TablePreview",
    "list_datasets",
    "load_dataset",
    "make_toy",
    "preview_table",
    "read_dataset",
    "read_leopard",
]
