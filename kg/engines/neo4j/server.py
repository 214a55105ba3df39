"""A real Neo4j server without Docker: ``python -m cliquerag.kg.engines.neo4j.server start|stop|status|import``.

Maven fetches the pinned jars of Neo4j Community and its Browser; their sums are checked; Java runs them on free ports,
with a data folder and a password of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from ....core.errors import CliqueRAGError
from ....core.records import dataclass
from ....core.rules import load_rules

VERSION = "5.26.30"
"""The long-term support release that ``docker-compose.neo4j.yml`` names too."""

BROWSER_VERSION = "5.24.0"
USER = "neo4j"
PASSWORD_VARIABLE = "NEO4J_PASSWORD"
FOLDER = Path(".neo4j")
HEAP_MIB = 1024
_OPTIONS, _QUICK = "JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1"
"""Java's quick compiler alone, unless the variable says otherwise: a young server costs what the thorough one works.
Two cores, load 20 to 27: the first 120 documents take 18 instead of 47 s of a processor, 164 instead of 48 relations a
second, and a question over everything after them 33 instead of 85 ms."""
_START_SECONDS = 120.0
_OPENED = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent", "java.lang")
_DEPENDENCIES = (
    ("org.neo4j", "neo4j", VERSION),
    ("org.neo4j.app", "neo4j-server", VERSION),
    ("org.neo4j.client", "neo4j-browser", BROWSER_VERSION),
)


class ServerError(CliqueRAGError):
    """The server cannot be fetched, started or reached."""


@dataclass(frozen=True, slots=True)
class Server:
    """A running server; ``password`` is that of user "neo4j"."""

    folder: str
    pid: int
    bolt_port: int
    http_port: int
    password: str

    @property
    def bolt(self) -> str:
        """The address for :func:`kg.engines.open_store`."""
        return f"bolt://localhost:{self.bolt_port}"

    @property
    def browser(self) -> str:
        """The address of Neo4j Browser."""
        return f"http://localhost:{self.http_port}/browser/"


def missing_tools() -> str:
    """What this machine lacks to run a server, in words; "" where nothing is missing."""
    lacking = [name for name, program in (("Java 17 or 21", "java"), ("Maven", "mvn")) if shutil.which(program) is None]
    return " and ".join(lacking)


def fetch(jars: Path) -> None:
    """Bring all jars of the pinned versions into a folder and check their sums; does nothing when they are there."""
    wanted: Mapping[str, str] = load_rules(__package__, "jars.toml")["sha256"]
    if not all((jars / name).is_file() for name in wanted):
        _download(jars)
    wrong = [name for name, checksum in wanted.items() if _checksum(jars / name) != checksum]
    extra = {path.name for path in jars.glob("*.jar")} - wanted.keys()
    if wrong or extra:
        raise ServerError(
            f"these jars are not the pinned ones: {', '.join([*wrong, *sorted(extra)])}",
            where=str(jars),
            hint="Remove the folder and try again",
        )


def jar_folder() -> Path:
    """Where the jars are kept for all workspaces of a user."""
    from platformdirs import user_cache_path

    return user_cache_path("cliquerag") / "neo4j" / VERSION


def start(
    folder: Path = FOLDER,
    *,
    password: str = "",
    bolt_port: int = 0,
    http_port: int = 0,
    heap: int = HEAP_MIB,
    settings: Mapping[str, str] | None = None,
) -> Server:
    """Start a server on free or given ports and wait until it answers; a running one is returned as it is.

    ``heap`` is its memory in MiB; ``settings`` are lines of its configuration that come on top of ours.
    """
    folder = folder.absolute()
    running = find(folder)
    if running:
        return running
    if lacking := missing_tools():
        raise ServerError(f"{lacking} must be installed to run Neo4j", hint="Or use docker-compose.neo4j.yml")
    jars = jar_folder()
    fetch(jars)
    password = password or os.environ.get(PASSWORD_VARIABLE) or _kept_password(folder) or secrets.token_urlsafe(12)
    bolt_port, http_port = bolt_port or _free_port(), http_port or _free_port()
    _configure(folder, bolt_port, http_port, settings or {})
    if not (folder / "data" / "dbms").exists():
        _administer(folder, jars, 256, "dbms", "set-initial-password", password)
    pid = _launch(folder, jars, heap)
    server = Server(str(folder), pid, bolt_port, http_port, password)
    _keep(folder, server)
    _wait(server)
    return server


def stop(folder: Path = FOLDER) -> bool:
    """Stop the server of a folder by its process id and wait for its end. False if none was running."""
    server = find(folder)
    if server is None:
        return False
    os.kill(server.pid, signal.SIGTERM)
    patience = time.monotonic() + _START_SECONDS
    while _alive(server.pid) and time.monotonic() < patience:
        time.sleep(0.1)
    return True


def import_files(files: Path, folder: Path = FOLDER, *, heap: int = HEAP_MIB) -> None:
    """Load the CSV files of :mod:`.bulk` into the empty database of a server that is not running."""
    folder = folder.absolute()
    if find(folder):
        raise ServerError("the server is running", where=str(folder), hint="Stop it; files go into an empty database")
    jars = jar_folder()
    fetch(jars)
    _configure(folder, _free_port(), _free_port(), {})
    _administer(folder, jars, heap, "database", "import", "full", "neo4j", f"@{(files / 'import.args').absolute()}")


def find(folder: Path = FOLDER) -> Server | None:
    """The running server of a folder."""
    kept = folder / "server.json"
    if not kept.is_file():
        return None
    server = Server(**json.loads(kept.read_text(encoding="utf-8")))
    return server if _alive(server.pid) else None


def _download(jars: Path) -> None:
    jars.mkdir(parents=True, exist_ok=True)
    pom = jars.parent / "pom.xml"
    pom.write_text(_pom(), encoding="utf-8")
    goal = ("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={jars}")
    done = subprocess.run(("mvn", "-q", "-B", "-f", str(pom), *goal), capture_output=True, text=True, check=False)
    if done.returncode:
        raise ServerError(f"Maven could not fetch Neo4j: {(done.stdout + done.stderr).strip()[-500:]}")


def _pom() -> str:
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
        for group, name, version in _DEPENDENCIES
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>local</groupId>'
        "<artifactId>neo4j-jars</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>{dependencies}</dependencies></project>\n"
    )


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _configure(folder: Path, bolt_port: int, http_port: int, more: Mapping[str, str]) -> None:
    """The advertised address is where drivers and the Browser are sent: without it, to the default port."""
    settings = {
        "server.bolt.listen_address": f"localhost:{bolt_port}",
        "server.bolt.advertised_address": f"localhost:{bolt_port}",
        "server.http.listen_address": f"localhost:{http_port}",
        "server.http.advertised_address": f"localhost:{http_port}",
        "server.directories.data": folder / "data",
        "server.directories.logs": folder / "logs",
        "server.memory.pagecache.size": "256m",
        "dbms.usage_report.enabled": "false",
        "db.tx_log.rotation.retention_policy": "keep_none",
        # Pieces of a full-text index that are put together at a time, 2 by default: each write adds one.
        "internal.dbms.index.lucene.merge_factor": "10",
        **more,
    }
    for name in ("conf", "data", "logs"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    lines = "".join(f"{name}={value}\n" for name, value in settings.items())
    (folder / "conf" / "neo4j.conf").write_text(lines, encoding="utf-8")


def _java(jars: Path, heap: int, program: str, *arguments: str) -> list[str]:
    opens = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPENED]
    return ["java", f"-Xmx{heap}m", *opens, "-cp", f"{jars}/*", program, *arguments]


def _administer(folder: Path, jars: Path, heap: int, *arguments: str) -> None:
    """Run neo4j-admin on the server's folder.

    The class that the script ``neo4j-admin`` starts would start this one in a second machine of Java, with a heap that
    it chooses itself.
    """
    command = _java(jars, heap, "org.neo4j.cli.AdminTool", *arguments)
    places = {"NEO4J_HOME": str(folder), "NEO4J_CONF": str(folder / "conf")}
    done = subprocess.run(
        command, env={**os.environ, **places}, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode:
        what = f"neo4j-admin {' '.join(arguments[:2])} failed: {(done.stdout + done.stderr).strip()[-500:]}"
        raise ServerError(what, where=str(folder))


def _launch(folder: Path, jars: Path, heap: int) -> int:
    """Detached, in a session of its own, so that the server outlives this command."""
    places = (f"--home-dir={folder}", f"--config-dir={folder / 'conf'}")
    command = _java(jars, heap, "org.neo4j.server.CommunityEntryPoint", *places)
    environment = {_OPTIONS: _QUICK, **os.environ}
    with (folder / "logs" / "console.log").open("ab") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, env=environment,
            start_new_session=True,
        )  # fmt: skip
    return process.pid


def _wait(server: Server) -> None:
    patience = time.monotonic() + _START_SECONDS
    while time.monotonic() < patience:
        if not _alive(server.pid):
            break
        if _speaks_bolt(server.bolt_port) and _accepts(server.http_port):
            return
        time.sleep(0.2)
    log = Path(server.folder) / "logs" / "console.log"
    last = log.read_text(encoding="utf-8", errors="replace")[-800:] if log.is_file() else ""
    raise ServerError(f"Neo4j did not start: {last.strip()}", where=server.folder)


def _speaks_bolt(port: int) -> bool:
    """The port is open before the server can talk: ask for version 5 of its protocol."""
    try:
        with socket.create_connection(("localhost", port), timeout=2) as connection:
            connection.sendall(bytes.fromhex("6060b017 00000005") + bytes(12))
            return len(connection.recv(4)) == 4
    except OSError:
        return False


def _accepts(port: int) -> bool:
    try:
        with socket.create_connection(("localhost", port), timeout=2):
            return True
    except OSError:
        return False


def _alive(pid: int) -> bool:
    """True for a process that runs; one that has ended but was not waited for is dead."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return int(probe.getsockname()[1])


def _keep(folder: Path, server: Server) -> None:
    kept = folder / "server.json"
    kept.touch(mode=0o600)
    kept.write_text(json.dumps(asdict(server)), encoding="utf-8")


def _kept_password(folder: Path) -> str:
    kept = folder / "server.json"
    return str(json.loads(kept.read_text(encoding="utf-8"))["password"]) if kept.is_file() else ""


def main(arguments: Sequence[str]) -> int:
    """The command line; prints the addresses."""
    action, folder = arguments[0] if arguments else "", Path(arguments[1]) if len(arguments) > 1 else FOLDER
    if action == "start":
        server = start(folder)
        print(f"Bolt     {server.bolt}\nBrowser  {server.browser}\nUser     {USER}")
        print(f"Password in {Path(server.folder) / 'server.json'}; export it as {PASSWORD_VARIABLE}")
    elif action == "stop":
        print("stopped" if stop(folder) else "no server was running")
    elif action == "import":
        import_files(Path(arguments[2]), folder)
        print(f"loaded; `start {folder}` runs it")
    elif action == "status":
        running = find(folder)
        print(f"running at {running.bolt}" if running else "no server is running")
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except CliqueRAGError as error:
        sys.exit(str(error))
