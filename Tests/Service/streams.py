"""Event streams, as a client without a library for them reads them."""

import json

import wire
from daemon import PATIENCE


class Stream:
    """Somebody's event stream: its events, one after the other."""

    def __init__(self, party, path="/v1/events", headers=(), patience=PATIENCE):
        # For the newest nonce, whether or not they may.
        party.call("GET", "/v1/sessions")
        self.connection = party.daemon.connect(patience)
        self.connection.send(wire.message(
            party.daemon.address, "GET", path, [*party.headers("GET", path), ("Accept", "text/event-stream"), *headers]))
        self.status = self.connection.line().split(b" ")[1]
        self.headers = {}
        while line := self.connection.line():
            name, _, value = line.decode("ascii").partition(": ")
            self.headers[name.lower()] = value
        self.text = b""

    def piece(self) -> bytes:
        """One chunk; nothing at the end."""
        size = int(self.connection.line(), 16)
        data = self.connection.exactly(size)
        assert self.connection.line() == b""
        return data

    def begin(self) -> "Stream":
        assert self.status == b"200", self.status
        assert self.headers["content-type"] == "text/event-stream" and self.headers["cache-control"] == "no-store"
        while b"retry:" not in self.text:
            self.text += self.piece()
        return self

    def event(self) -> dict:
        """The members of the next event, with its name as `event`, and its id, if any, as `mark`."""
        while True:
            block, found, rest = self.text.partition(b"\n\n")
            if not found:
                piece = self.piece()
                assert piece, "the stream ended"
                self.text += piece
                continue
            self.text = rest
            lines = dict(line.split(b": ", 1) for line in block.splitlines() if b": " in line)
            if b"data" in lines:
                return json.loads(lines[b"data"]) | {"event": lines[b"event"].decode(), "mark": lines.get(b"id", b"").decode()}

    def end(self):
        """Returns once the service has ended it."""
        while self.piece():
            pass
        self.connection.close()
