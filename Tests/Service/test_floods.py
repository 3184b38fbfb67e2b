"""Too much, too many, too slow (attacks A3 and A4)."""

import gzip
import socket
import time

import pytest
import wire

from daemon import PATIENCE, more_descriptors

HEAD = b"POST /v1/verifications HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
MEGABYTE = 1 << 20


def cut_off(connection, parts, seconds: float = 25) -> bool:
    """Sends parts until the other side has had enough; whether that came in time. What a refused peer still sends is thrown away for a
    moment, so that it can read why, so the bytes that are taken say little."""
    limit = time.monotonic() + seconds
    try:
        for part in parts:
            connection.send(part)
            if time.monotonic() > limit:
                return False
    except (ConnectionError, TimeoutError):
        pass
    return True


def status(connection):
    """What it says, if it says something before it ends the connection."""
    data = connection.rest()
    return int(data[9:12]) if data.startswith(b"HTTP/1.1 ") else None


def forever(part: bytes):
    while True:
        yield part


def test_a3_a_length_of_a_gigabyte_is_refused_before_it_comes(shared):
    with shared.daemon.connect() as connection:
        connection.send(HEAD + b"Content-Length: 1000000000\r\n\r\n")
        answer = connection.read()
        assert (answer.status, answer.code) == (413, 1806)


@pytest.mark.parametrize("kind", ["a length", "one chunk", "small chunks", "large chunks"])
def test_a3_a_body_without_end_is_cut_off_and_costs_no_memory(shared, kind):
    before = shared.daemon.resident()
    with shared.daemon.connect() as connection:
        block = b" " * 65536
        start, parts = {
            "a length": (b"Content-Length: 1000000000\r\n\r\n", forever(block)),
            "one chunk": (b"Transfer-Encoding: chunked\r\n\r\n40000000\r\n", forever(block)),
            "small chunks": (b"Transfer-Encoding: chunked\r\n\r\n", forever(b"1\r\n \r\n" * 4096)),
            "large chunks": (b"Transfer-Encoding: chunked\r\n\r\n", forever(b"10000\r\n" + block + b"\r\n")),
        }[kind]
        connection.send(HEAD + start)
        assert cut_off(connection, parts)
        assert status(connection) in (413, 400, 408, None)
    assert shared.daemon.resident() - before < 20 * MEGABYTE
    assert shared.daemon.alive()


@pytest.mark.parametrize("kind", ["many headers", "one long value", "one long name", "a long target", "no line end", "trailers"])
def test_a3_headers_without_end_are_cut_off_and_cost_no_memory(shared, kind):
    before = shared.daemon.resident()
    with shared.daemon.connect() as connection:
        line = b"A: " + b"b" * 60 + b"\r\n"
        start, parts = {
            "many headers": (b"GET /healthz HTTP/1.1\r\nHost: a\r\n", iter([line * 1000] * 100)),
            "one long value": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nA: ", forever(b"b" * 65536)),
            "one long name": (b"GET /healthz HTTP/1.1\r\nHost: a\r\n", forever(b"b" * 65536)),
            "a long target": (b"GET /", forever(b"a" * 65536)),
            "no line end": (b"", forever(b"A" * 65536)),
            "trailers": (HEAD + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", forever(line * 1000)),
        }[kind]
        connection.send(start)
        assert cut_off(connection, parts)
        assert status(connection) in (431, 414, 413, 400, None)
    assert shared.daemon.resident() - before < 20 * MEGABYTE
    assert shared.daemon.alive()


def test_a3_headers_a_little_too_large_get_their_own_status(shared):
    answer = None
    with shared.daemon.connect() as connection:
        connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\n" + b"A: " + b"b" * 40_000 + b"\r\n\r\n")
        answer = connection.read()
    assert (answer.status, answer.code) == (431, 1807)


def test_a3_a_body_a_little_too_large_gets_its_own_status_chunked_too(shared):
    body = b'{"statement":"' + b"a" * (40 * MEGABYTE) + b'"}'
    for head in (b"Content-Length: %d\r\n\r\n" % len(body), b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body)):
        with shared.daemon.connect() as connection:
            connection.send(HEAD + head)
            cut_off(connection, (body[at:at + 65536] for at in range(0, len(body), 65536)))
            assert status(connection) in (413, None)


def test_a3_a_gzip_bomb_is_not_unpacked(shared):
    body = gzip.compress(b" " * (64 * MEGABYTE))
    before = shared.daemon.resident()
    answer = shared.daemon.request(
        "POST", "/v1/verifications", [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], body)
    assert answer.status == 415
    assert shared.daemon.resident() - before < 20 * MEGABYTE


def test_a4_a_thousand_slow_connections_of_three_kinds_keep_nobody_out(services):
    if not more_descriptors(4096):
        pytest.skip("this process may not open so many connections")
    own = services.started()
    daemon = own.daemon
    before, open_before = daemon.resident(), daemon.connections()
    slow = []
    try:
        for number in range(1000):
            try:
                connection = socket.create_connection(daemon.address, 5)
            except OSError:
                break
            connection.setblocking(True)
            connection.settimeout(5)
            slow.append(connection)
            kind = number % 3
            try:
                if kind == 0:
                    connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nA: ")
                elif kind == 1:
                    connection.send(HEAD + b"Content-Length: 1000\r\n\r\n{")
                else:
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    connection.send(b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 3)
            except OSError:
                pass
        began = time.monotonic()
        while daemon.connections() < open_before + 900:
            assert time.monotonic() - began < PATIENCE, f"{daemon.connections() - open_before} of 1,000 connections were accepted"
            time.sleep(0.01)
        while daemon.connections() > open_before + 20:
            assert time.monotonic() - began < PATIENCE, f"{daemon.connections() - open_before} slow connections stay open"
            # Whether it is answered at all; how soon, on a quiet machine, is in the benchmarks.
            assert daemon.get("/healthz").status == 200
            own.shop.sign("alice", "in the flood")
            for number, connection in enumerate(slow):
                if number % 3 < 2:
                    try:
                        connection.send(b" ")
                    except OSError:
                        pass
            time.sleep(0.5)
    finally:
        for connection in slow:
            connection.close()
    assert daemon.resident() - before < 200 * MEGABYTE
    own.alice.sign()


def test_a4_whoever_sends_slowly_takes_no_place_from_those_who_are_answered(services):
    own = services.started("--requests", "16")
    slow = [socket.create_connection(own.daemon.address, 5) for _ in range(60)]
    try:
        for connection in slow:
            connection.sendall(HEAD + b"Content-Length: 1000\r\n\r\n{")
        for _ in range(20):
            assert own.daemon.get("/.well-known/jwks.json").status == 200
        own.alice.sign()
    finally:
        for connection in slow:
            connection.close()


def test_a3_very_many_members_cost_no_more_than_their_number(shared):
    def cost(count):
        body = b"{" + b",".join(b'"%x":1' % number for number in range(count)) + b"}"
        before = shared.daemon.processor_seconds()
        for _ in range(90_000 // count):
            answer = shared.daemon.request("POST", "/v1/verifications", [("Content-Type", "application/json")], body)
            assert answer.status == 400
        return shared.daemon.processor_seconds() - before

    cost(9_000)
    # Ten times as many at once, as many in all: the same work, where it grows with the number; ten times, where with its square.
    assert cost(90_000) < 4 * cost(9_000) + 0.1


def test_a4_more_connections_than_there_are_places_for_do_not_stop_the_service(services):
    if not more_descriptors(4096):
        pytest.skip("this process may not open so many connections")
    own = services.started()
    idle = []
    try:
        for _ in range(2500):
            try:
                idle.append(socket.create_connection(own.daemon.address, 2))
            except OSError:
                break
        assert own.daemon.process.poll() is None
    finally:
        for connection in idle:
            connection.close()
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        try:
            if own.daemon.get("/healthz").status == 200:
                break
        except OSError:
            pass
    own.alice.sign()


def test_memory_is_flat_over_many_requests(services):
    """Fifteen thousand requests of three kinds, many to a write; the first third warms up."""
    own = services.started()
    token = ("Authorization", f"Bearer {own.shop.token}")
    bad = wire.message(own.daemon.address, "POST", "/v1/signings", [token, ("Content-Type", "application/json")], b'{"payload":')
    requests = [
        wire.message(own.daemon.address, "GET", "/v1/statements?count=1", [token]), bad,
        wire.message(own.daemon.address, "GET", "/v1/nothing"),
    ]
    sizes = []
    with own.daemon.connect(60) as connection:
        for _ in range(500):
            connection.send(b"".join(requests[number % 3] for number in range(30)))
            statuses = {connection.read().status for _ in range(30)}
            assert statuses == {200, 400, 404}
            sizes.append(own.daemon.resident())
    assert max(sizes[300:]) - max(sizes[:200]) < 16 * MEGABYTE, [size >> 20 for size in sizes[::25]]
