"""What a tab's runs have drawn and the browser has not been sent yet, in an order that it can draw.

While something waits to be sent, Streamlit writes what is drawn again in a place over what was
drawn there first, and drops what a part has drawn when it runs again. Both are right for one
element and wrong for what stands in blocks: the browser is told of elements in places that it has
not been told of, says "Bad delta path index", and shows nothing any more.

When the page runs anew, Streamlit drops with what was drawn what the browser has asked for itself
and waits for: without the address that a chosen file is to be sent to, its upload never begins.
"""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

ANSWERS = ("file_urls_response", "backend_operation_response", "heartbeat_ack")


class Outbox(ForwardMsgQueue):
    """The messages of a tab that are still to be sent; sent late or at once, they show the same."""

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
