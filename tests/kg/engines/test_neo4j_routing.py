"""Reads go to followers, writes to the leader, and what one process wrote another one sees.

A Community server is a cluster of one: it speaks routing, and names itself as every member. That members differ is made
up here: the server is real, and so is the driver, but the addresses of its followers lead through forwarders.
"""

from __future__ import annotations

import multiprocessing
import os
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest
from cliquerag.core.errors import StoreError
from cliquerag.kg.engines.neo4j import connection, server
from cliquerag.kg.engines.neo4j.connection import SharedBookmarks
from neo4j import GraphDatabase
from neo4j._routing import RoutingTable
from neo4j.addressing import Address
from support.store_conformance import COAL, STEEL
from support.stores import open_store

pytestmark = pytest.mark.timeout(300)
_PROCESSES = multiprocessing.get_context("fork")


class Forwarder:
    """A TCP port that leads to the server; keeps what clients send."""

    def __init__(self, port: int) -> None:
        self._to = port
        self.sent = b""
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(("localhost", 0))
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            upstream = socket.create_connection(("localhost", self._to))
            self._open += [client, upstream]
            threading.Thread(target=self._copy, args=(client, upstream, True), daemon=True).start()
            threading.Thread(target=self._copy, args=(upstream, client, False), daemon=True).start()

    def _copy(self, one: socket.socket, other: socket.socket, kept: bool) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if kept:
                    self.sent += data
                other.sendall(data)
        for end in (one, other):
            end.close()

    def stop(self) -> None:
        """As a member that dies: no new connections, and the open ones break."""
        for opened in (self._listening, *self._open):
            with suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)
            opened.close()


@pytest.fixture
def members(running, monkeypatch, tmp_path):
    """A leader and two followers in front of the one server, whose answer about its members is rewritten."""
    monkeypatch.setenv(server.PASSWORD_VARIABLE, running.password)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    leader, *followers = (Forwarder(running.bolt_port) for _ in range(3))
    parse = RoutingTable.parse_routing_info

    def told(*, database, servers, ttl):
        table = parse(database=database, servers=servers, ttl=ttl)
        living = [one for one in followers if one._listening.fileno() >= 0]
        readers = [Address(("localhost", one.port)) for one in living]
        return RoutingTable(
            database=table.database,
            routers=list(table.routers),
            readers=readers,
            writers=[Address(("localhost", leader.port))],
            ttl=ttl,
        )

    monkeypatch.setattr(RoutingTable, "parse_routing_info", told)
    with GraphDatabase.driver(running.bolt, auth=(server.USER, running.password)) as plain:
        plain.execute_query("MATCH (n) DETACH DELETE n")
    yield leader, followers
    for one in (leader, *followers):
        one.stop()


def url_of(running) -> str:
    return running.bolt.replace("bolt", "neo4j")


def test_reads_go_to_followers_and_writes_to_the_leader(running, members):
    leader, followers = members
    store = open_store(url_of(running))
    store.put(STEEL)
    store.wait_for_indexes()
    for one in (leader, *followers):
        one.sent = b""
    assert store.nearest(STEEL.vectors[0], 3) and store.matching(["steel"], 3) and store.documents()
    assert list(store.all_relations()) and store.counts()["documents"] == 1
    assert leader.sent == b"" and any(one.sent for one in followers)
    for one in followers:
        one.sent = b""
    store.put(COAL)
    assert b"CREATE" in leader.sent and not any(b"CREATE" in one.sent for one in followers)
    store.close()


def test_a_follower_that_dies_is_left_for_another(running, members):
    """In the middle of many reads: none of them fails."""
    _, followers = members
    store = open_store(url_of(running))
    store.put(STEEL)
    for number in range(12):
        if number == 4:
            busiest = max(followers, key=lambda one: len(one.sent))
            busiest.stop()
        assert [record.source for record in store.documents()] == [STEEL.document.source]
        assert store.text(STEEL.document.source) == STEEL.document.text
    store.close()


def _write(url: str) -> None:
    store = open_store(url)
    store.put(COAL)
    store.close()


def test_another_process_sees_what_was_written(running, members, tmp_path):
    """Its next read carries the bookmark of the write, so that a follower that lags waits."""
    _, followers = members
    store = open_store(url_of(running))
    store.put(STEEL)
    writer = _PROCESSES.Process(target=_write, args=(url_of(running),))
    writer.start()
    writer.join(120)
    assert writer.exitcode == 0
    left = next(path for path in (tmp_path / "cache").rglob("*.txt") if path.stem == str(writer.pid))
    (written,) = left.read_text(encoding="utf-8").split()
    assert left.stat().st_mode & 0o077 == 0, "nobody else reads them"
    for one in followers:
        one.sent = b""
    assert len(store.documents()) == 2
    assert any(written.encode() in one.sent for one in followers)
    store.close()


def test_a_bookmark_that_no_member_reaches_is_forgotten(running, members, tmp_path, monkeypatch):
    """As after a restore from an older backup: the server says that it did not get there, and is asked anew."""
    from neo4j.exceptions import TransientError

    store = open_store(url_of(running))
    store.put(STEEL)
    run, asked = connection._rows, []

    def never_there(cursor):
        asked.append(cursor)
        if len(asked) == 1:
            error = TransientError("not up to the requested version")
            error._neo4j_code = "Neo.TransientError.Transaction.BookmarkTimeout"
            raise error
        return run(cursor)

    assert list((tmp_path / "cache").rglob("*.txt"))
    monkeypatch.setattr(connection, "_rows", never_there)
    assert store.version() == 1 and len(asked) == 2
    assert not list((tmp_path / "cache").rglob("*.txt"))
    store.close()


def test_bookmarks_are_of_the_last_write_of_each_process_and_recent(tmp_path):
    shared = SharedBookmarks(tmp_path / "bookmarks")
    assert shared.get().raw_values == frozenset()
    shared.keep(["one"])
    shared.keep(["two"])
    other = tmp_path / "bookmarks" / "1.txt"
    other.write_text("three", encoding="utf-8")
    assert shared.get().raw_values == {"two", "three"}
    long_ago = time.time() - 3600
    os.utime(other, (long_ago, long_ago))
    assert shared.get().raw_values == {"two"}
    shared.keep(["four"])
    assert not other.exists() and shared.get().raw_values == {"four"}
    shared.forget()
    assert shared.get().raw_values == frozenset()


def test_a_cache_that_cannot_be_written_stops_no_write(tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    shared = SharedBookmarks(Path(tmp_path / "file" / "bookmarks"))
    shared.keep(["one"])
    assert shared.get().raw_values == frozenset()


def test_a_user_who_may_only_read(running, monkeypatch):
    """Only the Enterprise edition has such users: the error is made up, what is said of it is not."""
    from neo4j.exceptions import Forbidden

    monkeypatch.setenv(server.PASSWORD_VARIABLE, running.password)
    graph = connection.Graph(running.bolt)
    error = Forbidden("Create node is not allowed")
    error._neo4j_code = "Neo.ClientError.Security.Forbidden"

    def refused(_tx):
        raise error

    with pytest.raises(StoreError, match="may not do that") as found:
        graph.write(refused)
    assert "may write" in str(found.value.hint)
    graph.close()
