"""Requests as raw bytes that two readers may take differently (attack A5): refused, and never two answers to one."""

import socket

import pytest

PATH = b"/v1/verifications"
BODY = b'{"statement":"a"}'
HEAD = b"POST /v1/verifications HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
SECOND = b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)

# Bytes of which the whole is one request, or none.
BAD = {
    "both lengths": HEAD + LENGTH + CHUNKED + b"\r\n" + CHUNKS,
    "both lengths, the other way round": HEAD + CHUNKED + LENGTH + b"\r\n" + CHUNKS,
    "both lengths, and a request in the body": HEAD + CHUNKED + b"Content-Length: 4\r\n\r\n0\r\n\r\n" + SECOND,
    "two lengths": HEAD + LENGTH + b"Content-Length: 3\r\n\r\n" + BODY,
    "two equal lengths": HEAD + LENGTH + LENGTH + b"\r\n" + BODY,
    "a list of lengths": HEAD + b"Content-Length: 17, 17\r\n\r\n" + BODY,
    "a negative length": HEAD + b"Content-Length: -1\r\n\r\n" + BODY,
    "a signed length": HEAD + b"Content-Length: +17\r\n\r\n" + BODY,
    "a length in hexadecimal": HEAD + b"Content-Length: 0x11\r\n\r\n" + BODY,
    "a length with text": HEAD + b"Content-Length: 17a\r\n\r\n" + BODY,
    "an empty length": HEAD + b"Content-Length:\r\n\r\n" + BODY,
    "a length beyond 64 bits": HEAD + b"Content-Length: 18446744073709551633\r\n\r\n" + BODY,
    "an unknown coding": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS,
    "chunked not last": HEAD + b"Transfer-Encoding: chunked, identity\r\n\r\n" + CHUNKS,
    "chunked twice": HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n" + CHUNKS,
    "two codings": HEAD + CHUNKED + b"Transfer-Encoding: identity\r\n\r\n" + CHUNKS,
    "a coding with a vertical tab": HEAD + b"Transfer-Encoding: \x0bchunked\r\n\r\n" + CHUNKS,
    "a coding and a space before the colon": HEAD + b"Transfer-Encoding : chunked\r\n\r\n" + CHUNKS,
    "a space before the colon": HEAD + LENGTH + b"A : b\r\n\r\n" + BODY,
    "a folded header": HEAD + LENGTH + b"A: b\r\n c\r\n\r\n" + BODY,
    "a folded length": HEAD + b"Content-Length:\r\n 17\r\n\r\n" + BODY,
    "NUL in a name": HEAD + LENGTH + b"A\0b: c\r\n\r\n" + BODY,
    "NUL in a value": HEAD + LENGTH + b"A: b\0c\r\n\r\n" + BODY,
    "a control in a value": HEAD + LENGTH + b"A: b\x07c\r\n\r\n" + BODY,
    "CR alone in a value": HEAD + LENGTH + b"A: b\rC: d\r\n\r\n" + BODY,
    "a name with a space": HEAD + LENGTH + b"A b: c\r\n\r\n" + BODY,
    "an empty name": HEAD + LENGTH + b": c\r\n\r\n" + BODY,
    "a line without a colon": HEAD + LENGTH + b"abc\r\n\r\n" + BODY,
    "a chunk of no number": HEAD + CHUNKED + b"\r\nzz\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a negative chunk": HEAD + CHUNKED + b"\r\n-1\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a chunk in 0x": HEAD + CHUNKED + b"\r\n0x11\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a chunk beyond 64 bits": HEAD + CHUNKED + b"\r\n10000000000000011\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a chunk without its end": HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"xx0\r\n\r\n",
    "another version": b"GET /healthz HTTP/9.9\r\nHost: a\r\n\r\n",
    "a version of another protocol": b"GET /healthz HTCPCP/1.0\r\nHost: a\r\n\r\n",
    "no method": b" /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "a control in the target": b"GET /heal\x01thz HTTP/1.1\r\nHost: a\r\n\r\n",
    "NUL in the target": b"GET /heal\0thz HTTP/1.1\r\nHost: a\r\n\r\n",
    "no host": b"GET /healthz HTTP/1.1\r\n\r\n",
    "two hosts": b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64,
    "noise": bytes(range(256)) * 8,
}

def answers(connection, *data: bytes) -> list:
    """Sends all of it, as far as it is taken; the status lines of all that comes until the service ends the connection."""
    try:
        for part in data:
            connection.send(part)
        connection.socket.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    return [part for part in connection.rest().split(b"\r\n") if part.startswith(b"HTTP/1.")]


@pytest.mark.parametrize("name", BAD)
def test_a5_what_is_ambiguous_is_refused_and_the_connection_ends(shared, name):
    with shared.daemon.connect() as connection:
        lines = answers(connection, BAD[name], SECOND)
    assert lines == [b"HTTP/1.1 400 Bad Request"]
    assert shared.daemon.alive()


@pytest.mark.parametrize("name", ["bare LF throughout", "bare LF in the headers", "LF in a chunk's line"])
def test_a5_a_bare_line_feed_never_makes_two_requests_of_one(shared, name):
    data = {
        "bare LF throughout": (HEAD + LENGTH).replace(b"\r\n", b"\n") + b"\n" + BODY,
        "bare LF in the headers": HEAD + b"A: b\nContent-Length: 0\r\n" + LENGTH + b"\r\n" + BODY,
        "LF in a chunk's line": HEAD + CHUNKED + b"\r\n11;a\nb\r\n" + BODY + b"\r\n0\r\n\r\n",
    }[name]
    with shared.daemon.connect() as connection:
        lines = answers(connection, data)
    assert len(lines) <= 1 and all(not line.startswith(b"HTTP/1.1 5") for line in lines), lines


def test_a5_requests_in_one_write_are_answered_in_their_order(shared):
    with shared.daemon.connect() as connection:
        one = HEAD + LENGTH + b"\r\n" + BODY
        connection.send(one + SECOND + HEAD + CHUNKED + b"\r\n" + CHUNKS + b"GET /v1/nothing HTTP/1.1\r\nHost: a\r\n\r\n")
        assert [connection.read().status for _ in range(4)] == [200, 200, 200, 404]


def test_a5_thirty_requests_in_one_write_have_thirty_answers(shared):
    with shared.daemon.connect() as connection:
        connection.send(SECOND * 30)
        assert [connection.read().status for _ in range(30)] == [200] * 30


def test_a4_thousands_of_requests_in_one_write_are_not_all_read_ahead(shared):
    with shared.daemon.connect() as connection:
        lines = answers(connection, SECOND * 5000)
    assert lines and set(lines) <= {b"HTTP/1.1 200 OK", b"HTTP/1.1 429 Too Many Requests"}, set(lines)
    assert lines.count(b"HTTP/1.1 429 Too Many Requests") <= 1


def test_a5_a_request_in_the_body_of_a_refused_one_is_not_a_request(shared):
    inner = b"DELETE /v1/signings HTTP/1.1\r\nHost: a\r\n\r\n"
    data = b"POST /v1/nothing HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(inner) + inner
    with shared.daemon.connect() as connection:
        assert len(answers(connection, data)) == 1


def test_a5_a_body_where_none_belongs_is_not_the_next_request(shared):
    data = b"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(SECOND) + SECOND
    with shared.daemon.connect() as connection:
        assert len(answers(connection, data)) == 1


def test_a5_an_upgrade_is_not_followed(shared):
    for upgrade in (b"h2c", b"websocket", b"TLS/1.0"):
        with shared.daemon.connect() as connection:
            connection.send(b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: " + upgrade + b"\r\n\r\n")
            assert connection.read().status in (200, 400, 426)


def test_a5_the_prior_knowledge_preface_of_http_2_is_no_crash(shared):
    with shared.daemon.connect() as connection:
        answers(connection, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0")
    assert shared.daemon.alive()
