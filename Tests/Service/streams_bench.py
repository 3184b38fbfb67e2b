"""Thousands of open event streams on one daemon, from a process of its own: how much memory each takes, and how soon each hears what happens.

Half of them are of one person, the others of nine. Fails where a stream does not open or does not hear, or where one takes more than 64 KiB.
"""

import pathlib
import selectors
import socket
import sys
import tempfile
import time

import wire
from daemon import PATIENCE, Daemon, more_descriptors
from parties import Operator
from services import CHEAP, LIMITS

LIMIT = 64 * 1024


class Stream:
    """One stream: what has come of it so far."""

    def __init__(self, daemon: Daemon, person):
        self.socket = socket.create_connection(daemon.address, PATIENCE)
        self.socket.sendall(wire.message(daemon.address, "GET", "/v1/events", person.headers("GET", "/v1/events")))
        self.socket.setblocking(False)
        self.data = b""


def read_until(streams: list, mark: bytes) -> float:
    """Reads until all have the mark; the seconds that it took. Raises where one ends before."""
    begin = time.perf_counter()
    waiting = selectors.EpollSelector()
    missing = 0
    for stream in streams:
        if mark not in stream.data:
            waiting.register(stream.socket, selectors.EVENT_READ, stream)
            missing += 1
    while missing:
        events = waiting.select(PATIENCE)
        assert events, f"{missing} of {len(streams)} streams say nothing"
        for key, _ in events:
            piece = key.fileobj.recv(65536)
            assert piece, f"a stream ended after {key.data.data[:400]!r}"
            key.data.data += piece
            if mark in key.data.data:
                waiting.unregister(key.fileobj)
                missing -= 1
    waiting.close()
    return time.perf_counter() - begin


def main(count: int) -> int:
    assert more_descriptors(count + 200), "too few descriptors"
    with tempfile.TemporaryDirectory() as folder:
        room = str(count + 100)
        daemon = Daemon(
            pathlib.Path(folder), *LIMITS, "--connections", room, "--watches", room, "--watches-per-user", room).start()
        operator = Operator(daemon)
        operator.set("password-hash", CHEAP)
        people = [operator.person() for _ in range(10)]
        for person in people:
            person.get("/v1/devices")
        before = daemon.resident()
        streams: dict = {person.name: [] for person in people}
        begin = time.perf_counter()
        for index in range(count):
            person = people[0] if index < count // 2 else people[1 + index % 9]
            if index % 500 == 0:
                # A new nonce, before the last one is too old.
                for each in people:
                    each.get("/v1/devices")
            streams[person.name].append(Stream(daemon, person))
        everyone = [stream for each in streams.values() for stream in each]
        read_until(everyone, b"retry: ")
        opened = time.perf_counter() - begin
        each = (daemon.resident() - before) / count
        print(f"{count:,} streams open after {opened:.1f} s: {before / 2**20:.0f} MiB before, {each / 1024:.1f} KiB for each stream")
        body = [{"lng": "en", "subject": "News", "message": "Read me"}]
        first = streams[people[0].name]
        for stream in first:
            stream.data = b""
        operator.call("POST", "/v1/notifications", {"user": people[0].name, "body": body}, expect=201)
        heard = read_until(first, b"event: notification")
        print(f"{len(first):,} streams of one person heard of a notification within {heard * 1000:.0f} ms")
        for stream in everyone:
            stream.socket.close()
        begin = time.perf_counter()
        while daemon.connections() > 1:
            assert time.perf_counter() - begin < PATIENCE, "streams stay open that nobody reads"
            time.sleep(0.05)
        print(f"all gone after {time.perf_counter() - begin:.1f} s, {daemon.resident() / 2**20:.0f} MiB")
        assert daemon.stop() == 0
    return 0 if each <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5_000))
