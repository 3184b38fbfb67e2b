"""Waiting for something new, and event streams, from outside."""

import socket
import threading
import time

import wire
from daemon import PATIENCE, run_cli
from parties import new_id
from streams import Stream
from test_requests import accept, ask, poll, question

NEWS = [{"lng": "en", "subject": "News", "message": "Read me"}]


def tell(world, user="alice") -> str:
    return world.operator.call("POST", "/v1/notifications", {"user": user, "body": NEWS}, expect=201).json["id"]


def test_a_stream_tells_what_is_made_and_what_ends_and_nothing_of_others(own):
    before = tell(own)
    stream = Stream(own.alice).begin()
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
    again = Stream(own.alice, headers=[("Last-Event-ID", str(int(last["mark"]) + 1))]).begin()
    assert again.event()["id"] == missed
    again.connection.close()


def listen(service, request) -> Stream:
    return Stream(service, f"/v1/requests/{request}").begin()


def test_whoever_asked_several_is_told_of_each_signature_and_of_the_bundle_as_if_they_had_polled(own):
    carol = own.operator.person("carol")
    asked = ask(own.shop, users=["alice", "bob", "carol"], required=2).json["id"]
    streams = [listen(own.shop, asked) for _ in range(2)]
    for stream in streams:
        begun = stream.event()
        assert (begun["event"], begun["id"], begun["status"], begun["signed"]) == ("request", asked, "pending", 0)
        assert begun["quorum"] == "2/3" and begun["users"] == ["alice", "bob", "carol"] and "bundle" not in begun
    # Whoever listens has not polled.
    assert poll(own.shop, asked).code == 1722
    accept(carol, asked)
    for stream in streams:
        told = stream.event()
        assert (told["status"], told["signed"], told["declined"]) == ("pending", 1, 0)
    accept(own.alice, asked)
    done = poll(own.shop, asked).json
    for stream in streams:
        told = stream.event()
        assert (told.pop("event"), told.pop("mark")) == ("request", "") and told == done and told["bundle"]
        stream.end()
    late = listen(own.shop, asked)
    assert late.event()["bundle"] == done["bundle"]
    late.end()


def test_what_is_declined_or_cancelled_ends_the_stream_with_the_problem_of_a_poll(own):
    for end in ["declined", "cancelled"]:
        asked = ask(own.bank).json["id"]
        stream = listen(own.bank, asked)
        assert stream.event()["status"] == "pending"
        if end == "declined":
            note = question(own.alice, asked)["id"]
            own.alice.call("POST", f"/v1/notifications/{note}/answer", {"action": "Reject"}, expect=200)
        else:
            own.bank.call("DELETE", f"/v1/requests/{asked}", expect=204)
        told, polled = stream.event(), poll(own.bank, asked).json
        assert (told.pop("event"), told.pop("mark"), told["error"]) == ("problem", "", "access_denied")
        assert told.pop("requestID") == stream.headers["x-request-id"] and polled.pop("requestID")
        assert told == polled
        stream.end()


def test_n4_nobody_listens_to_what_another_asked(shared):
    asked = ask(shared.shop, user="nobody-here").json["id"]
    accept_events = [("Accept", "text/event-stream")]
    for target in [asked, new_id(), "x"]:
        answer = shared.bank.call("GET", f"/v1/requests/{target}", headers=accept_events)
        assert answer.status == 404 and answer.code == 1720
    for person in [shared.alice, shared.operator]:
        assert person.call("GET", f"/v1/requests/{asked}", headers=accept_events).status == 403
    shared.shop.call("DELETE", f"/v1/requests/{asked}", expect=204)


def test_n2_h11_what_nobody_answers_is_told_to_both_sides_when_its_time_comes(own):
    """Nobody looks: device and service only listen."""
    person = Stream(own.alice).begin()
    began = time.time()
    asked = ask(own.shop, expires_in=10).json["id"]
    service = listen(own.shop, asked)
    assert service.event()["status"] == "pending"
    made = person.event()
    over = person.event()
    assert (made["id"], made["status"], over["id"], over["status"]) == (over["id"], "PENDING", over["id"], "EXPIRED")
    assert over["at"] == made["at"] + 10_000
    told = service.event()
    assert (told["event"], told["error"], told["code"]) == ("problem", "expired_token", 1724)
    service.end()
    assert time.time() - began >= 10, "not before its time"
    assert poll(own.shop, asked).status == 410
    person.connection.close()


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
    # Nobody watches who did so in another test: the courier, the streams, and who waits are four.
    assert own.daemon.stop() == 0
    own.daemon.start()
    stream = Stream(own.alice).begin()
    own.shop.log_in()
    service = listen(own.shop, ask(own.shop, user="nobody-here").json["id"])
    answers = []
    waiting = threading.Thread(
        target=lambda: answers.append(own.bob.call("GET", "/v1/notifications", headers=[("Prefer", "wait=60")])))
    waiting.start()
    limit = time.monotonic() + PATIENCE
    while b"countersign_watches 4" not in own.daemon.get("/metrics").body:
        assert time.monotonic() < limit
        time.sleep(0.02)
    assert own.daemon.stop() == 0
    stream.end()
    assert service.event()["status"] == "pending"
    service.end()
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


def watched(daemon, count: int):
    limit = time.monotonic() + PATIENCE
    while b"countersign_watches %d\n" % count not in daemon.get("/metrics").body:
        assert time.monotonic() < limit
        time.sleep(0.02)


def test_a4_nobody_waits_for_a_client_that_has_gone_or_says_no_more(own):
    path = "/v1/notifications"
    own.bob.get(path)

    def left(leave) -> float:
        """After how many seconds of the sixty that were asked for nothing is kept for whoever left."""
        with own.daemon.connect() as connection:
            headers = [*own.bob.headers("GET", path), ("Prefer", "wait=60")]
            connection.send(wire.message(own.daemon.address, "GET", path, headers))
            watched(own.daemon, 2)
            begin = time.monotonic()
            leave(connection)
            watched(own.daemon, 1)
            return time.monotonic() - begin

    def says_no_more(connection):
        connection.socket.shutdown(socket.SHUT_WR)
        assert connection.read().json == {"notifications": []}

    # Where the machine stops for so long, once more.
    for leave in (says_no_more, wire.Connection.close):
        assert any(left(leave) < 30 for _ in range(3))


def test_a4_a_stream_ends_with_whoever_says_no_more(own):
    def ends() -> bool:
        stream = Stream(own.alice).begin()
        stream.connection.socket.shutdown(socket.SHUT_WR)
        # Shorter than the pause between two signs of life, of which there would be one after the other.
        stream.connection.socket.settimeout(10)
        try:
            while stream.connection.socket.recv(65536):
                pass
            return True
        except TimeoutError:
            return False
        finally:
            stream.connection.close()

    # Where the machine stops for so long, once more.
    assert any(ends() for _ in range(3))
    watched(own.daemon, 1)
