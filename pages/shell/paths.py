"""Where the app's addresses begin: at the server's root, or below ``server.baseUrlPath``."""

from streamlit import config
from streamlit.url_util import make_url_path


def below(path: str) -> str:
    """A path of the app, such as ``/metrics``, as the server is asked for it."""
    return make_url_path(config.get_option("server.baseUrlPath") or "", path)
