"""Endpoints behind TLS that is not what it should be: said at once, and why."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from cliquerag.components import make_embedder, make_language_model
from cliquerag.core.errors import ModelError
from cliquerag.models.address import Limits
from cliquerag.models.language import Message
from cliquerag.models.reranker import load_reranker
from cliquerag.settings import Settings

pytestmark = pytest.mark.skipif(not shutil.which("openssl"), reason="certificates are made with openssl")
LIMIT = 300.0
Call = Callable[[str], object]


class _Quiet(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, int]]:
    """A server whose certificate nobody signed, and one without TLS."""
    folder = tmp_path_factory.mktemp("tls")
    made = [folder / "key.pem", folder / "certificate.pem"]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-keyout", made[0], "-out", made[1]], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made[1], made[0])
    servers = {name: ThreadingHTTPServer(("127.0.0.1", 0), _Quiet) for name in ("self-signed", "plain")}
    servers["self-signed"].socket = context.wrap_socket(servers["self-signed"].socket, server_side=True)
    for server in servers.values():
        threading.Thread(target=server.serve_forever, daemon=True).start()
    yield {name: server.server_port for name, server in servers.items()}
    for server in servers.values():
        server.shutdown()


def _chat(url: str) -> object:
    model = make_language_model(Settings(model="m", base_url=url, timeout=LIMIT))
    assert model is not None
    return model.reply([Message("user", "x")])


def _embed(url: str) -> object:
    embedder = make_embedder(Settings(embedder=f"endpoint:m@{url}", timeout=LIMIT))
    assert embedder is not None
    return embedder.embed(["x"])


def _rerank(url: str) -> object:
    reranker = load_reranker(f"endpoint:m@{url}", Limits(timeout=LIMIT))
    assert reranker is not None
    return reranker.scores("x", ["y"])


@pytest.mark.parametrize("call", [_chat, _embed, _rerank])
@pytest.mark.parametrize(
    ("server", "told"), [("self-signed", r"certificate is not trusted \(self.signed"), ("plain", "no TLS there")]
)
def test_tls_that_is_not_right_is_said_at_once(
    ports: dict[str, int],
    server: str,
    told: str,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """It was asked again until the time was over, and the certificate was not spoken of."""
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody-at-all")
    monkeypatch.setenv("CLIQUERAG_CACHE", str(tmp_path))
    began = time.monotonic()
    with pytest.raises(ModelError, match=told):
        call(f"https://127.0.0.1:{ports[server]}/v1")
    assert time.monotonic() - began < LIMIT / 3
