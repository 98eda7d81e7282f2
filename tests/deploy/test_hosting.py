"""What goes to a hosting service is whole, and its settings are of one piece."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.deploy
ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text()


def test_compose_replicas_are_where_nginx_looks_for_them():
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    nginx = (DEPLOY / "nginx.conf").read_text()
    replicas = [each for name, each in compose["services"].items() if name != "nginx"]
    ports = [each["environment"]["STREAMLIT_SERVER_PORT"] for each in replicas]
    assert sorted(set(re.findall(r"server 127\.0\.0\.1:(\d+)", nginx))) == ports
    for k, each in enumerate(replicas, 1):
        letters = each["environment"]["SLP_ROOM_LETTERS"]
        assert f'"~*^[{letters}]" slp_rooms_{k};' in nginx
    assert all(each["read_only"] and each["network_mode"] == "service:nginx" for each in replicas)
    for volume in compose["services"]["nginx"]["volumes"][1:]:
        assert volume.split(":")[1] in nginx


def test_the_manifests_pods_run_as_the_containers_user():
    deployment, service, policy, ingress = yaml.safe_load_all(
        (DEPLOY / "kubernetes.yaml").read_text()
    )
    pod = deployment["spec"]["template"]["spec"]
    (user,) = re.findall(r"^USER (\d+)$", CONTAINER, re.M)
    assert pod["securityContext"]["runAsUser"] == int(user)
    (container,) = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"]
    (port,) = re.findall(r"STREAMLIT_SERVER_PORT=(\d+)", CONTAINER)
    assert container["ports"][0]["containerPort"] == int(port)
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert service["spec"]["selector"] == policy["spec"]["podSelector"]["matchLabels"] == labels
    *_, path = ingress["spec"]["rules"][0]["http"]["paths"]
    assert path["backend"]["service"]["name"] == service["metadata"]["name"]


def test_a_space_holds_what_its_container_is_built_from(tmp_path):
    space = tmp_path / "space"
    subprocess.run([ROOT / "tools/make_space.sh", space], check=True, timeout=60)
    dockerfile = (space / "Dockerfile").read_text()
    for line in re.findall(r"^COPY (?!--)(.*)", dockerfile, re.M):
        assert all((space / name).exists() for name in line.split()[:-1]), line
    settings = yaml.safe_load((space / "README.md").read_text().split("---\n")[1])
    assert settings["sdk"] == "docker"
    assert f"STREAMLIT_SERVER_PORT={settings['app_port']}" in dockerfile
    assert "8501" not in dockerfile
    assert re.search(r"^USER 1000$", dockerfile, re.M)  # Spaces run as no other
    assert {f.name for f in space.iterdir()} == {
        "Dockerfile", "README.md", "LICENSE", "pyproject.toml", "app.py", ".streamlit", "slp_core",
        "pages", "sample_data", "checkpoints", "deploy",
    }  # fmt: skip


@pytest.fixture
def community_cloud(tmp_path):
    """The address of what the service starts: `streamlit run` in the repository, with one file."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [Path(sys.executable).with_name("streamlit"), "run", "deploy/community_cloud.py",
         f"--server.port={port}", "--server.headless=true"],
        cwd=ROOT, stdout=(tmp_path / "log").open("w"), stderr=subprocess.STDOUT,
        env={name: x for name, x in os.environ.items() if not name.startswith("SLP_")}
        | {"SLP_CACHE_DIR": str(tmp_path)},
    )  # fmt: skip
    yield f"127.0.0.2:{port}"  # an address that a server for this computer alone does not have
    server.terminate()
    server.wait(60)


def test_community_cloud_serves_everybody_a_public_app(community_cloud):
    from playwright.sync_api import sync_playwright

    from tools.chromium import chromium

    for _ in range(300):
        try:
            urllib.request.urlopen(f"http://{community_cloud}/_stcore/health", timeout=2)
            break
        except OSError:
            time.sleep(0.2)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(90_000)
        page.goto(f"http://{community_cloud}/compare")
        page.wait_for_selector(".js-plotly-plot .main-svg")
        page.get_by_role("button", name="Upload a dataset").click()
        page.get_by_text("This public server accepts at most 20,000 rows").wait_for()
        browser.close()


def test_the_development_container_makes_what_the_makefile_has():
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    target = re.search(r"^make \.venv/(\S+) ", container["postCreateCommand"])[1]
    assert f"$(VENV)/{target}:" in (ROOT / "Makefile").read_text()
