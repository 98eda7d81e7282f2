"""Counters for an operator, as Prometheus reads them: sessions, jobs, memory, time of start."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

PATH = "/metrics"
TOKEN = "SLP_METRICS_TOKEN"  # the name of the variable that holds it
_FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")


async def counters(request: Request) -> Response:
    """Answer this machine, and whoever brings the token; for all others there is no such page."""
    if not _may_read(request):
        return PlainTextResponse("Not Found", status_code=404)
    return Response(await run_in_threadpool(_text), media_type="text/plain; version=0.0.4")


def _may_read(request: Request) -> bool:
    """By token where one is set; else from this machine, and through no proxy on it."""
    if token := os.environ.get(TOKEN):
        given = request.headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {token}".encode())
    if request.client is None or any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ip_address(request.client.host).is_loopback
    except ValueError:  # a socket's name
        return False


def _text() -> bytes:
    # Imported when somebody asks: the first page needs none of it.
    from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest

    registry = CollectorRegistry()
    ProcessCollector(registry=registry)  # memory, processor time, open files, time of start
    registry.register(_Explorer())
    return generate_latest(registry)


class _Explorer:
    """What only the app knows, counted when it is asked for."""

    def collect(self) -> Iterator[Any]:
        """Yield every family of counters."""
        from prometheus_client.core import GaugeMetricFamily
        from streamlit.runtime import get_instance
        from streamlit.runtime.stats import ACTIVE_SESSIONS_FAMILY, GaugeStat

        import slp_core
        from pages.session.jobs import job_pool
        from pages.session.uploads import upload_store

        version = GaugeMetricFamily("slp_info", "Version that runs.", labels=["version"])
        version.add_metric([slp_core.__version__], 1)
        yield version
        active = get_instance().stats_mgr.get_stats([ACTIVE_SESSIONS_FAMILY])
        stats = active.get(ACTIVE_SESSIONS_FAMILY, ())
        sessions = sum(stat.value for stat in stats if isinstance(stat, GaugeStat))
        yield GaugeMetricFamily("slp_sessions", "Open browser tabs.", value=sessions)
        jobs = job_pool()
        waiting = jobs.waiting
        begun = max(0, len(jobs.running) - waiting)
        yield GaugeMetricFamily("slp_jobs_running", "Jobs under way.", value=begun)
        yield GaugeMetricFamily("slp_jobs_waiting", "Jobs in line.", value=waiting)
        yield GaugeMetricFamily(
            "slp_upload_bytes", "Uploads that are kept.", value=upload_store().total_bytes()
        )
