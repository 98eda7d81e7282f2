"""The upload panel, run without a browser: a file comes in, and arrives on the page."""

from dataclasses import replace
from io import BytesIO

from driving import open_page, press, said, shown, until, widget
from openpyxl import Workbook
from streamlit.util import calc_hash

from pages.session import available_encoders, reading, settings
from pages.session.files import WORKSPACE
from slp_core import read_dataset
from slp_core.methods.table import METHODS

ROWS = "\n".join(
    ["Äußerung,Gefühl", *(f"{how} Tag {i},{how}" for i in range(6) for how in ("guter", "böser"))]
)


def panel(name="tage.csv", content=ROWS):
    app = open_page(encoder="TF-IDF and SVD", folded=True)
    next(b for b in app.button if b.label == "Upload a dataset").click().run()
    content = content.encode() if isinstance(content, str) else content
    app.file_uploader(key="upload").upload(name, content, "text/csv").run()
    return app


def test_a_file_that_is_used_is_what_the_page_shows():
    app = panel()
    assert "12 examples, 2 classes" in shown(app)  # the class is found by its values
    assert app.selectbox(key="tage.csv label").value == "Gefühl"
    press(app, "Use this dataset")
    text = shown(app)
    assert "**Tage**" in text  # the status bar
    assert "Upload a few-shot dataset" not in text
    assert widget(app.selectbox, "dataset").value == "Tage"


def test_of_a_few_rows_those_draws_are_offered_and_averaged_that_differ():
    app = panel(content="Text,Class\ngood day,good\nfine day,good\nbad day,bad\nawful day,bad")
    app.session_state["draw"] = 4  # as a link may ask for: it chooses the rows of draw 0
    press(app, "Use this dataset")
    text = shown(app)
    assert widget(app.selectbox, "draw").options == ["0", "1", "2", "6"]  # of 4 that there can be
    assert widget(app.selectbox, "draw").value == 0
    assert "support set 0" in text
    until(app, lambda: "all 4: " in said(app))
    assert "Only 4 of 10 random support sets differ" in text
    widget(app.selectbox, "draw").set_value(2)
    press(app, "Resample")
    assert app.session_state["draw"] == 6


def test_the_panel_outlives_a_rerun_and_closes_when_told_or_left():
    app = panel()
    app.run()  # as when a job ends
    assert "Upload a few-shot dataset" in said(app)
    press(app, "Close")
    assert "Upload a few-shot dataset" not in shown(app)
    press(app, "Upload a dataset")
    app._page_hash = calc_hash("soft_labels")  # as by a link in the sidebar
    assert "Upload a few-shot dataset" not in said(app.run())
    press(app, "Upload a dataset")
    assert "Upload a few-shot dataset" in said(app)


def test_many_texts_open_in_8_bits_and_say_so(monkeypatch):
    monkeypatch.setattr(available_encoders, "MANY", 11)
    app = open_page(folded=True)
    next(b for b in app.button if b.label == "Upload a dataset").click().run()
    app.file_uploader(key="upload").upload("tage.csv", ROWS.encode(), "text/csv").run()
    press(app, "Use this dataset")
    assert widget(app.selectbox, "encoder").value == "MiniLM, layer 4, 8-bit"
    assert available_encoders.MANY_TEXTS in said(app)
    monkeypatch.undo()  # so that the sample data are few
    widget(app.selectbox, "dataset").set_value("Airline tweets").run()
    assert widget(app.selectbox, "encoder").value == "MiniLM, layer 4"
    assert available_encoders.MANY_TEXTS not in said(app)


def test_with_many_classes_a_line_trains_on_its_own_unless_all_are_asked_for():
    rows = (f"{i // 2}.{i % 2},{i // 2 * 7 % 11}.5,kind {i // 2}" for i in range(102))
    app = open_page("train", folded=True)
    next(b for b in app.button if b.label == "Upload a dataset").click().run()
    content = "\n".join(["width,height,kind", *rows]).encode()
    app.file_uploader(key="upload").upload("kinds.csv", content, "text/csv").run()
    press(app, "Use this dataset")
    assert "With 51 classes, each line trains on its own classes only" in said(app)
    assert widget(app.selectbox, "train_on").value == "its own classes"
    workspace, deep = app.session_state[WORKSPACE], METHODS["deep_slp"]
    assert workspace.options["train_on"] == "line"
    centroid = workspace.with_method(METHODS["nearest_centroid"])
    assert "train_on" not in centroid.options
    assert centroid.with_method(deep).options["train_on"] == "line"
    every = replace(workspace, options=dict(workspace.options, train_on="all"))
    assert every.with_method(deep).options["train_on"] == "all"
    assert deep.opening(50) == {}


def test_a_file_is_read_once_however_often_the_panel_is_touched(monkeypatch):
    asked = []
    read = reading.read_apart
    monkeypatch.setattr(
        reading,
        "read_apart",
        lambda function, *args, **options: (
            asked.append(function.__name__) or read(function, *args, **options)
        ),
    )
    app = panel()
    app.selectbox(key="tage.csv label").set_value("Äußerung").run()
    app.run()
    assert asked == ["look_at", "read_uploaded", "read_uploaded"]


def test_a_wrong_file_is_told_and_the_panel_stays():
    app = panel()
    for name, content, told in (
        ("vectors.npz", "PK", "vectors.npz holds NumPy arrays: save them as a CSV"),
        ("empty.csv", "", "empty.csv"),
        ("rows.csv", "text,label\nup,a\ndown,\n", "one class only"),
        ("one.csv", "answers\nup\ndown\n", "one column only"),
        ("weather.csv", "text,label\nwarm,up\ncold,up,wet\nwet,down\n", "row 3"),
        ("some.csv", "text,words\na b,x\nc d,y\n", "under Class"),
    ):
        app.file_uploader(key="upload").upload(name, content.encode(), "text/csv").run()
        (error,) = app.error
        assert told in error.value
        assert "Upload a few-shot dataset" in said(app)


def test_numbers_and_rows_are_read_as_somebody_says_who_has_looked():
    rows = [f"{700 + i};{i};A\n1.{800 + i};{i};B" for i in range(6)]
    app = panel("sales.csv", "\n".join(["Umsatz;Tag;Klasse", *rows, "5;5;None", "6;;A", "7;1;C"]))
    text = shown(app)
    assert "1.800 is read as 1800" in text
    assert "1 row with an empty cell in sales.csv is left out: row 15" in text
    assert "14 examples, 4 classes" in text  # "None" and "C" have one row each
    assert "Not every class has 2 shots" not in text
    app.selectbox(key="sales.csv decimal").set_value("point").run()
    app.multiselect(key="sales.csv features").set_value(["Umsatz"]).run()
    assert "1.800 is read as" not in shown(app)
    app.checkbox(key="sales.csv first row").check().run()
    assert "column 1" in app.selectbox(key="sales.csv False False label").options


def test_a_phrase_is_found_whatever_its_column_is_called():
    rows = [f"the wind of day {i} was {how},day {i},{how}" for i in range(6) for how in "ab"]
    app = panel("days.csv", "\n".join(["Satz,Ausdruck,Art", *rows]))
    app.segmented_control(key="days.csv kind").set_value("a phrase inside a text").run()
    assert app.selectbox(key="days.csv mention").value == "Ausdruck"
    assert "12 examples, 2 classes" in shown(app)


def test_letters_that_were_read_in_a_wrong_encoding_are_mended_when_asked():
    app = panel("tage.csv", ROWS.encode().decode("latin-1"))
    assert "bÃ¶ser" in shown(app)
    app.checkbox(key="tage.csv mend").check().run()
    text = shown(app)
    assert "“böser”" in text
    assert "Ã¶" not in text


def test_every_sheet_of_a_workbook_has_a_title_of_its_own():
    book, file = Workbook(), BytesIO()
    book.active.title = "may_1"
    for sheet in (book.active, book.create_sheet("june")):
        for row in ROWS.splitlines():
            sheet.append(row.split(","))
    book.save(file)
    for sheet, title in (("may_1", "Tage may 1"), ("june", "Tage june")):
        app = panel("tage.xlsx", file.getvalue())
        next(s for s in app.selectbox if s.label == "Sheet").set_value(sheet).run()
        press(app, "Use this dataset")
        assert widget(app.selectbox, "dataset").value == title


def test_a_wrong_sheet_leaves_the_others_to_choose_from():
    book, file = Workbook(), BytesIO()
    book.active.title = "sums"
    book.active.append(["total", "total"])
    june = book.create_sheet("june")
    for row in ROWS.splitlines():
        june.append(row.split(","))
    book.save(file)
    app = panel("tage.xlsx", file.getvalue())
    assert "2 classes" in shown(app)  # of the sheet with rows
    next(s for s in app.selectbox if s.label == "Sheet").set_value("sums").run()
    assert "(sheet 'sums') has two columns named 'total'" in app.error[0].value
    next(s for s in app.selectbox if s.label == "Sheet").set_value("june").run()
    assert "2 classes" in shown(app)


def test_explain_stands_a_method_beside_the_predictions_of_the_file():
    rows = [f"{i % 2 + i / 40},{i % 3},{'ab'[i % 2]},{'abba'[i % 4]}" for i in range(40)]
    content = "\n".join(["heat,wind,y_true,y_pred", *rows]).encode()
    app = open_page("explain", unfolded=[settings.fold("confusion").key])
    next(b for b in app.button if b.label == "Upload a dataset").click().run()
    app.file_uploader(key="upload").upload("days.csv", content, "text/csv").run()
    assert "in days.csv holds predictions: the confusion matrix on Explain" in shown(app)
    press(app, "Use this dataset")
    dataset = read_dataset(BytesIO(content), "days.csv")
    query = dataset.draw(16, 0).query
    n = int((dataset.predicted == dataset.y)[query].sum())
    assert f"The file's classifier: {n} of 8 correct." in said(app)
