"""What waits to be sent to a browser, and the page that comes of it."""

from hypothesis import given
from hypothesis import strategies as st
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shell.outbox import Outbox


def drawn(path, part, block=False):
    message = ForwardMsg()
    message.metadata.delta_path[:] = path
    message.delta.fragment_id = part
    if block:
        message.delta.add_block.allow_empty = True
    else:
        message.delta.new_element.markdown.body = "drawn"
    return message


def test_a_part_that_runs_again_takes_nothing_from_the_parts_within_it_and_beside_it():
    queue = Outbox()
    page = [
        drawn([0, 0], "bar", block=True),
        drawn([0, 0, 0], "bar"),
        drawn([0, 0, 1], "within"),
        drawn([0, 1], ""),
    ]
    again = [drawn([0, 0], "bar", block=True), drawn([0, 0, 0], "bar")]
    for message in page:
        queue.enqueue(message)
    queue.clear(True, ["bar"])
    for message in again:
        queue.enqueue(message)
    assert queue.flush() == page + again  # and what is new stands behind the beginning of its run
    queue.enqueue(page[0])
    queue.clear(True)
    assert queue.is_empty()  # the whole page draws it anew


def test_what_the_browser_has_asked_for_reaches_it_though_the_page_runs_anew():
    queue, asked = Outbox(), ForwardMsg()
    asked.file_urls_response.response_id = "of a file that was chosen"
    queue.enqueue(drawn([0, 0], ""))
    queue.enqueue(asked)
    queue.clear(True)
    assert queue.flush() == [asked]
    queue.enqueue(asked)
    queue.clear()  # the tab was closed
    assert queue.is_empty()


class Shown:
    """What a browser shows of a page, drawn by Streamlit's rules (its ``AppRoot``)."""

    def __init__(self):
        self.kind, self.children = "page", []

    def take(self, message):
        *parents, place = message.metadata.delta_path
        block = self
        for parent in parents:
            block = block.children[parent]
        assert place <= len(block.children), "Bad delta path index"
        old = block.children[place] if place < len(block.children) else None
        new = Shown()
        new.kind = message.delta.WhichOneof("type")
        if new.kind == "add_block":
            new.kind = message.delta.add_block.WhichOneof("type")
            if old is not None and old.kind == new.kind:
                new.children = old.children
        elif new.kind == "new_transient":
            new.children = [old]
        else:
            new.kind = message.delta.new_element.markdown.body
        block.children[place:] = [new, *block.children[place + 1 :]]

    def tree(self):
        return self.kind, [child and child.tree() for child in self.children]


@st.composite
def programs(draw):
    """What a page draws, some of it twice in one place, and when what was drawn is sent."""
    written = {(): 0}  # children that were drawn, by block
    steps = []
    for number in range(draw(st.integers(1, 40))):
        parent = draw(st.sampled_from(sorted(written)))
        place = (*parent, draw(st.integers(0, written[parent])))
        message = ForwardMsg()
        message.metadata.delta_path[:] = place
        kind = draw(st.sampled_from(["element", "vertical", "form", "transient"]))
        if kind == "element":
            message.delta.new_element.markdown.body = f"{number}"
        elif kind == "transient":
            message.delta.new_transient.SetInParent()
        else:
            getattr(message.delta.add_block, kind).SetInParent()
        for gone in [path for path in written if path[: len(place)] == place]:
            del written[gone]
        if kind in ("vertical", "form"):
            written[place] = 0
        written[parent] = max(written[parent], place[-1] + 1)
        steps.append((message, draw(st.integers(0, 3)) == 0))
    return steps


@given(steps=programs())
def test_what_waits_to_be_sent_shows_the_same_page_as_what_does_not(steps):
    at_once, waited, queue = Shown(), Shown(), Outbox()
    for message, sent in steps:
        at_once.take(message)
        queue.enqueue(message)
        if sent:
            for each in queue.flush():
                waited.take(each)
    for each in queue.flush():
        waited.take(each)
    assert waited.tree() == at_once.tree()
