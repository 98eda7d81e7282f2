"""What a server is set up from fits the app, and itself."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

import slp_core

ROOT = Path(__file__).resolve().parents[1]
LOCK = (ROOT / "deploy/requirements.lock").read_text()
NGINX = (ROOT / "deploy/nginx.conf").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
UNIT = ROOT / "deploy/slp-explorer@.service"
CONTAINER = (ROOT / "deploy/Containerfile").read_text()
# Variables that Streamlit itself reads
STREAMLITS = {f"STREAMLIT_SERVER_{name}" for name in ("COOKIE_SECRET", "BASE_URL_PATH", "PORT")}
GUIDES = [(ROOT / "docs" / name).read_text() for name in ("deploy.md", "commands.md")]


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def locked():
    """Every package of the lock with its version and the number of its hashes."""
    entries = re.findall(r"^([\w.-]+)==([^\s;]+)[^\n]*((?:\n    --hash=\S+(?: \\)?)+)", LOCK, re.M)
    return {plain(name): (version, hashes.count("sha256:")) for name, version, hashes in entries}


def test_the_lock_has_every_requirement_at_its_version_with_hashes_and_names_no_host():
    packages = locked()
    assert set(packages) == {plain(name) for name in re.findall(r"^([\w.-]+)==", LOCK, re.M)}
    assert all(n_hashes for _, n_hashes in packages.values())
    for line in (ROOT / "requirements.txt").read_text().splitlines():
        wanted = Requirement(line)
        assert packages[plain(wanted.name)][0] in wanted.specifier, f"{line}: run `make lock`"
    assert "://" not in LOCK


def wanted(lines):
    return {plain(Requirement(line).name): Requirement(line).specifier for line in lines}


@pytest.mark.parametrize(
    ("file", "extras"), [("requirements.txt", [None, "app"]), ("requirements-extra.txt", ["extra"])]
)
def test_pins_are_of_all_dependencies_and_within_their_ranges(file, extras):
    project = PROJECT["project"]
    of = {None: project["dependencies"], **project["optional-dependencies"]}
    ranges = wanted(line for extra in extras for line in of[extra])
    lines = [line for line in (ROOT / file).read_text().splitlines() if line[0] not in "#-"]
    pins = wanted(lines)
    assert pins.keys() == ranges.keys()
    for name, pin in pins.items():
        versions = [each.version for each in pin if each.operator in ("==", ">=")]
        assert versions
        assert all(version in ranges[name] for version in versions), name


def test_streamlit_is_tested_at_both_ends_of_its_range():
    makefile, needed = (ROOT / "Makefile").read_text(), (ROOT / "requirements.txt").read_text()
    (wanted,) = (line for line in needed.splitlines() if line.startswith("streamlit"))
    first, last = re.search(r"^STREAMLITS := (\S+) (\S+)$", makefile, re.M).groups()
    assert f">={first}" in wanted
    assert last in Requirement(wanted).specifier
    assert f"streamlit=={last}\n" in (ROOT / "requirements-dev.txt").read_text()


def test_every_locked_package_has_its_licence_listed():
    table = (ROOT / "docs/licences.md").read_text()
    listed = {plain(name) for name in re.findall(r"^\| ([\w.-]+) ", table, re.M)}
    cuda = {name for name in locked() if name.startswith(("nvidia-", "cuda-"))} | {"triton"}
    elsewhere = {"httpx2-jsfetch"}  # for another platform, and in no environment of ours
    assert not set(locked()) - listed - cuda - elsewhere, "run `make licences`"


def test_nginx_takes_uploads_of_the_apps_own_size_and_sticks_to_its_cookie():
    from pages.session.browser import COOKIE

    with (ROOT / ".streamlit/config.toml").open("rb") as file:
        settings = tomllib.load(file)
    megabytes = int(re.search(r"client_max_body_size (\d+)m;", NGINX)[1])
    assert 0 < megabytes - settings["server"]["maxUploadSize"] <= 2  # and what is around the file
    assert f"$cookie_{COOKIE} " in NGINX
    assert settings["browser"]["gatherUsageStats"] is False
    assert settings["server"]["enableXsrfProtection"] is True
    assert settings["server"]["address"] == "localhost"


def test_the_container_copies_what_the_wheel_is_built_from():
    built_from = {*WHEEL["only-include"], *WHEEL["force-include"], "pyproject.toml"}
    copied = {
        word for line in re.findall(r"^COPY (?!--)(.*)", CONTAINER, re.M) for word in line.split()
    }
    assert built_from <= copied
    assert re.search(r"^USER \d+$", CONTAINER, re.M)


def test_public_mode_and_logs_are_the_guides_defaults():
    for text in (CONTAINER, UNIT.read_text()):
        assert "SLP_PUBLIC=1" in text
        assert "SLP_LOG=json" in text


def test_variables_of_the_guides_are_the_codes_own():
    code = "".join(
        file.read_text() for top in ("slp_core", "pages") for file in (ROOT / top).rglob("*.py")
    )
    for name in set(re.findall(r"(?:SLP|STREAMLIT)_[A-Z_]+", "".join(GUIDES))):
        if name in STREAMLITS:
            continue
        assert f'"{name}"' in code or name in ("SLP_PUBLIC", "SLP_CACHE_DIR"), name


def test_the_reference_has_every_public_name_and_is_built_without_a_warning(tmp_path):
    text = (ROOT / "docs/reference/library.md").read_text()
    assert sorted(re.findall(r"^::: slp_core\.(\w+)$", text, re.M)) == sorted(slp_core.__all__)
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path)],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    page = (tmp_path / "reference/library.html").read_text()
    assert all(f'id="slp_core.{name}"' in page for name in slp_core.__all__)
    assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="https?://', page)
