"""What the tests make reports of."""

import numpy as np

import slp_core as slp
from slp_core.data import Examples, FewShotDataset
from slp_core.evaluation.draws import arrays_of
from slp_core.explain import predict_query_set, read_point
from slp_core.figures.map.assemble import map_of, map_points
from slp_core.lines import class_means
from slp_core.methods.table import METHODS
from slp_core.report.subject import COMPARED, ReportSubject
from slp_core.views import decision_landscape
from slp_core.views.text import quality_text

HOSTILE = [
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "$x$ `[a](b:c)` {{7*7}}",
]


def hostile(names=HOSTILE):
    """Classes and a card that would like to be markup, numbers that are a heap for each class."""
    rng = np.random.default_rng(0)
    k, d = len(names), len(names) + 1
    y = np.repeat(np.arange(k), 12)
    X = rng.normal(size=(12 * k, d)) + 3 * np.eye(d)[y]
    labels = np.array([names[k] for k in y])
    card = "# <b>Card</b>\n\n[link](javascript:alert(3)) ![i](http://example.org/i.png) <i>x</i>\n"
    examples = Examples("numeric", features=X)
    classes = tuple(sorted(names))
    return FewShotDataset("hostile", "<u>Data</u>", examples, labels, classes, "raw", card), X


def subject(dataset, X, method="constraint_slp", shots=4, compared=COMPARED, **more):
    """With vectors of the dataset, which all that is compared goes by."""
    episode, table = dataset.draw(shots, 0), METHODS[method]
    arrays = arrays_of(episode, X)
    model = table.make().fit(arrays.X_support, arrays.y_support)
    centroids = class_means(X[episode.support], episode.y_support, len(dataset.classes))
    predictions = predict_query_set(
        model, table.title, X[episode.query], episode.y_query, centroids
    )
    projection = slp.fit_projection(X)
    landscape = decision_landscape(model, projection, grid=60)
    predicted = model.predict_proba(X[episode.support]).argmax(axis=1)
    data = map_of(
        model, projection, landscape, dataset.classes, centroids,
        map_points(projection, episode.support, episode.y_support, predicted),
        map_points(projection, episode.query, predictions.true, predictions.predicted),
        [dataset.describe(row) for row in range(len(dataset))],
    )  # fmt: skip
    row = int(episode.query[0])
    reading = read_point(model, X[row], centroids, int(dataset.y[row]))
    return ReportSubject(
        dataset, "<s>encoder</s>", X, shots, 0, table.base, dict(table.fixed), model, predictions,
        centroids, data, quality_text(projection.kept), reading, row,
        "2020-01-01", versions={"numpy": "2"}, compared=compared, **more,
    )  # fmt: skip
