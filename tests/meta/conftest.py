from tests.meta.meta_fixtures import (  # noqa: F401
    change_weights,
    data,
    few_sample_texts,
    more_data,
    small,
)
