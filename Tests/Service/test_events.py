"""Waiting for something new, and event streams, from outside."""

import json
import threading
import time

import wire
from daemon import PATIENCE, run_cli

NEWS = [{"lng": "en", "subject": "News", "message": "Read me"}]


class Stream:
    """A person's event stream: its events, one after the other."""

    def __init__(self, person, headers=(), patience=PATIENCE):
        person.get("/v1/devices")
        self.connection = person.daemon.connect(patience)
        self.connection.send(wire.message(
            person.daemon.address, "GET", "/v1/events", person.headers("GET", "/v1/events") + list(headers)))
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
        while b"retry:" not in self.text:
            self.text += self.piece()
        return self

    def event(self) -> dict:
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
                return json.loads(lines[b"data"]) | {"event": lines[b"event"].decode(), "mark": lines[b"id"].decode()}

    def end(self):
        """Returns once the service has ended it."""
        while self.piece():
            pass
        self.connection.close()


def tell(world, user="alice") -> str:
    return world.operator.call("POST", "/v1/notifications", {"user": user, "body": NEWS}, expect=201).json["id"]


def test_a_stream_tells_what_is_made_and_what_ends_and_nothing_of_others(own):
    before = tell(own)
    stream = Stream(own.alice).begin()
    assert stream.headers["content-type"] == "text/event-stream" and stream.headers["cache-control"] == "no-store"
    assert stream.event()["id"] == before
    tell(own, "bob")
    made = tell(own)
    first = stream.event()
    assert (first["event"], first["id"], first["status"]) == ("notification", made, "PENDING")
    own.alice.call("POST", f"/v1/notifications/{made}/dismiss", expect=200)
    last = stream.event()
    assert (last["id"], last["status"]) == (made, "DISMISSED")
    stream.connection.close()
    # Somebody who comes again.
    missed = tell(own)
    again = Stream(own.alice, [("Last-Event-ID", str(int(last["mark"]) + 1))]).begin()
    assert again.event()["id"] == missed
    again.connection.close()


def test_d4_a_stream_ends_with_its_session_at_once(own):
    stream = Stream(own.alice).begin()
    other = Stream(own.bob).begin()
    device = own.alice.get("/v1/devices")["devices"][0]["id"]
    own.operator.call("POST", f"/v1/users/alice/devices/{device}/block", expect=200)
    stream.end()
    # What was not alice's goes on.
    made = tell(own, "bob")
    assert other.event()["id"] == made
    other.connection.close()


def test_another_process_on_the_store_is_heard_too(own):
    stream = Stream(own.alice).begin()
    run_cli("users", "lock", "alice", "--store", own.daemon.data)
    stream.end()


def test_a_stop_ends_streams_and_waits(own):
    # Nobody watches who did so in another test: the courier, the stream, and who waits are three.
    assert own.daemon.stop() == 0
    own.daemon.start()
    stream = Stream(own.alice).begin()
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(own.bob.call("GET", "/v1/notifications", headers=[("Prefer", "wait=60")])))
    waiting.start()
    limit = time.monotonic() + PATIENCE
    while b"countersign_watches 3" not in own.daemon.get("/metrics").body:
        assert time.monotonic() < limit
        time.sleep(0.02)
    assert own.daemon.stop() == 0
    stream.end()
    waiting.join()
    assert answers[0].status == 200 and answers[0].header("preference-applied") == "wait"
    own.daemon.start()


def test_a_wait_is_answered_when_something_comes_over_one_connection(own):
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(own.alice.call("GET", "/v1/notifications", headers=[("Prefer", "wait=60")])))
    waiting.start()
    limit = time.monotonic() + PATIENCE
    while b"countersign_watches 2" not in own.daemon.get("/metrics").body:
        assert time.monotonic() < limit
        time.sleep(0.02)
    made = tell(own)
    waiting.join()
    assert [entry["id"] for entry in answers[0].json["notifications"]] == [made]
