"""What waits to be sent to a browser, and the page that comes of it."""

from hypothesis import given
from hypothesis import strategies as st
from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.shell.outbox import Outbox

FINISHED = ForwardMsg.ScriptFinishedStatus


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


class Kept:
    """What a browser keeps of the large elements it is sent, by Streamlit's rules."""

    def __init__(self):
        self.runs, self.elements = 0, {}  # by hash: run of the last use, and part

    def take(self, message, waits):
        """What an element is that was sent; a run's end counts where the browser waits for it."""
        name = message.ref_hash or message.hash
        if message.ref_hash or message.metadata.cacheable:
            element = self.elements[name][1] if message.ref_hash else message.delta
            self.elements[name] = (self.runs, element)
            return element
        if waits and message.script_finished != FINISHED.FINISHED_EARLY_FOR_RERUN:
            self.runs += 1
            parts, oldest = message.metadata.run.fragment_ids, self.runs - config.get_option(AGE)
            for name, (used, element) in list(self.elements.items()):
                if used < oldest and (not parts or element.fragment_id in parts):
                    del self.elements[name]
        return None


AGE = "global.maxCachedMessageAge"
PARTS = ["", "", "bar", "watch"]  # of page and parts; two elements are the page's


@st.composite
def visits(draw):
    """Elements that are drawn, and ends of runs that the browser waits for or does not."""
    steps = []
    for _ in range(draw(st.integers(1, 60))):
        message, number = ForwardMsg(), draw(st.integers(0, 2 * len(PARTS) - 1))
        if number < len(PARTS):
            message = drawn([number], PARTS[number])
            message.hash, message.metadata.cacheable = f"{number}", True
        else:
            ends = [FINISHED.FINISHED_SUCCESSFULLY, FINISHED.FINISHED_EARLY_FOR_RERUN]
            message.script_finished = draw(st.sampled_from(ends))
            message.metadata.run.fragment_ids[:] = filter(None, [PARTS[number - len(PARTS)]])
        steps.append((message, draw(st.booleans()), draw(st.integers(0, 9)) == 0))
    return steps


@given(steps=visits())
def test_a_browser_is_sent_no_name_that_means_nothing_to_it(steps):
    queue, browser = Outbox(), Kept()
    for message, waits, lost in steps:
        queue.enqueue(message)
        sent = queue.flush()
        if lost:
            queue.begin_again()
            continue
        for each in sent:
            shown = browser.take(each, waits)
            assert message.WhichOneof("type") != "delta" or shown == message.delta


@given(steps=visits())
def test_nothing_is_sent_again_that_a_browser_keeps(steps):
    queue, browser = Outbox(), Kept()
    for message, _, _ in steps:
        queue.enqueue(message)
        for each in queue.flush():
            kept = message.hash in browser.elements
            assert kept == bool(each.ref_hash)
            browser.take(each, waits=True)


def test_after_a_broken_connection_nothing_is_drawn_in_places_that_may_be_unknown():
    queue, asked = Outbox(), ForwardMsg()
    asked.file_urls_response.response_id = "of a file that was chosen"
    for message in (drawn([0], "", block=True), drawn([0, 0], ""), asked):
        queue.enqueue(message)
    queue.begin_again()
    assert queue.flush() == [asked]
