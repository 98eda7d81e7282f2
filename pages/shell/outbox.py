"""What a tab's runs have drawn and the browser has not been sent yet, in an order that it can draw.

While something waits to be sent, Streamlit writes what is drawn again in a place over what was
drawn there first, and drops what a part has drawn when it runs again. Both are right for one
element and wrong for what stands in blocks: the browser is told of elements in places that it has
not been told of, says "Bad delta path index", and shows nothing any more.

When the page runs anew, Streamlit drops with what was drawn what the browser has asked for itself
and waits for: without the address that a chosen file is to be sent to, its upload never begins.

A browser keeps large elements for a few runs, and one that it has is named rather than sent again.
Streamlit goes by what it had at the last click. Where the answer to the click before was still on
its way then, and made the browser drop an element, the browser is sent a name that means nothing to
it, says "Cached ForwardMsg MISS", and is cut off for good. What it has is a matter of what it was
sent, in which order: here that is followed to the message before the one that is sent.
"""

from __future__ import annotations

from streamlit import config
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_cache import create_reference_msg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

ANSWERS = ("file_urls_response", "backend_operation_response", "heartbeat_ack")


class Sent:
    """What a browser has of what it was sent: nothing that it does not have, by its own rules."""

    def __init__(self) -> None:
        self._runs = 0
        # By hash of an element: the run at which it was sent last, and the part that drew it
        self._kept: dict[str, tuple[int, str]] = {}

    def spare(self, msg: ForwardMsg) -> ForwardMsg:
        """What to send next for this message: itself, or the name of what the browser has."""
        if msg.WhichOneof("type") == "script_finished":
            self._age(msg)
        if not msg.metadata.cacheable:
            return msg
        known = msg.hash in self._kept
        self._kept[msg.hash] = self._runs, msg.delta.fragment_id
        return create_reference_msg(msg) if known else msg

    def _age(self, msg: ForwardMsg) -> None:
        """A browser leaves out runs that it did not wait for: it has the same or more."""
        if msg.script_finished == ForwardMsg.ScriptFinishedStatus.FINISHED_EARLY_FOR_RERUN:
            return
        self._runs += 1
        oldest = self._runs - config.get_option("global.maxCachedMessageAge")
        parts = msg.metadata.run.fragment_ids  # none of a run of the page
        self._kept = {
            key: (used, part)
            for key, (used, part) in self._kept.items()
            if used >= oldest or (parts and part not in parts)
        }


class Outbox(ForwardMsgQueue):
    """The messages of a tab that are still to be sent; sent late or at once, they show the same."""

    def __init__(self) -> None:
        super().__init__()
        self._sent = Sent()

    def flush(self) -> list[ForwardMsg]:
        """What is to be sent now."""
        return [self._sent.spare(msg) for msg in super().flush()]

    def begin_again(self) -> None:
        """Count on nothing that was sent before a connection broke off: some of it may be lost.

        What waits was drawn in places that the browser may know nothing of: the page is to be drawn
        anew.
        """
        self._sent = Sent()
        self.clear(True)

    def enqueue(self, msg: ForwardMsg) -> None:
        """Add a message, in place of one that it makes superfluous."""
        place = tuple(msg.metadata.delta_path)
        if place:
            # Only an element makes one superfluous, and none that stood in what was there before
            element = msg.delta.WhichOneof("type") not in ("add_block", "new_transient")
            for path in list(self._delta_index_map):
                if path[: len(place)] == place and (path != place or not element):
                    del self._delta_index_map[path]
        super().enqueue(msg)

    def clear(
        self,
        retain_lifecycle_msgs: bool = False,
        fragment_ids_this_run: list[str] | None = None,
    ) -> None:
        """Drop what a page had drawn and a new run of it will draw; a part's run drops nothing."""
        if fragment_ids_this_run:
            self._delta_index_map = {}  # else new elements would count as old ones
            return
        answers = [msg for msg in self._queue if msg.WhichOneof("type") in ANSWERS]
        super().clear(retain_lifecycle_msgs)
        if retain_lifecycle_msgs:
            self._queue += answers
