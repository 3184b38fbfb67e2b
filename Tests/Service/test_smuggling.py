"""Requests as raw bytes that two readers may take differently (attack A5): refused, and never two answers to one."""

import re
import socket
import time

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
    "a host that is none": b"GET /healthz HTTP/1.1\r\nHost:\r\n\r\n",
    "a list of hosts": b"GET /healthz HTTP/1.1\r\nHost: a, b\r\n\r\n",
    "a user in the host": b"GET /healthz HTTP/1.1\r\nHost: u@a\r\n\r\n",
    "a path in the host": b"GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n",
    "a space before the host's colon": b"GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n",
    "a coding with a parameter": HEAD + b"Transfer-Encoding: chunked;a=b\r\n\r\n" + CHUNKS,
    "a coding with junk behind it": HEAD + b"Transfer-Encoding: chunked junk\r\n\r\n" + CHUNKS,
    "another coding before chunked": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n" + CHUNKS,
    "a list of nothing and chunked": HEAD + b"Transfer-Encoding: ,chunked\r\n\r\n" + CHUNKS,
    "an empty coding": HEAD + b"Transfer-Encoding:\r\n\r\n" + CHUNKS,
    "no coding and a length": HEAD + b"Transfer-Encoding: identity\r\n" + LENGTH + b"\r\n" + BODY,
    "a space behind a chunk's size": HEAD + CHUNKED + b"\r\n11 \r\n" + BODY + b"\r\n0\r\n\r\n",
    "a space before a chunk's size": HEAD + CHUNKED + b"\r\n 11\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a chunk's size with an underscore": HEAD + CHUNKED + b"\r\n1_1\r\n" + BODY + b"\r\n0\r\n\r\n",
    "a line break in the quotes of an extension": HEAD + CHUNKED + b'\r\n11;a="b\r\n"\r\n' + BODY + b"\r\n0\r\n\r\n",
    "LF alone behind a chunk's size": HEAD + CHUNKED + b"\r\n11\n" + BODY + b"\r\n0\r\n\r\n",
    "LF alone behind a chunk": HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"\n0\r\n\r\n",
    "a length behind the body": HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"\r\n0\r\nContent-Length: 5\r\n\r\n",
    "a coding behind the body": HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"\r\n0\r\n" + CHUNKED + b"\r\n",
    "LF alone behind the first line": b"GET /healthz HTTP/1.1\nHost: a\r\n\r\n",
    "LF alone at the end of the header": b"GET /healthz HTTP/1.1\r\nHost: a\r\n\n",
    "CR alone behind the first line": b"GET /healthz HTTP/1.1\rHost: a\r\n\r\n",
    "two CRs behind the first line": b"GET /healthz HTTP/1.1\r\r\nHost: a\r\n\r\n",
    "a folded first line": b"GET /healthz HTTP/1.1\r\n Host: a\r\nHost: a\r\n\r\n",
    "tabs in the first line": b"GET\t/healthz\tHTTP/1.1\r\nHost: a\r\n\r\n",
    "a space at the end of the first line": b"GET /healthz HTTP/1.1 \r\nHost: a\r\n\r\n",
    "DEL in a value": HEAD + LENGTH + b"A: b\x7fc\r\n\r\n" + BODY,
    "a name beyond ASCII": HEAD + LENGTH + b"\xe9: a\r\n\r\n" + BODY,
    "a target beyond ASCII": "GET /é HTTP/1.1\r\nHost: a\r\n\r\n".encode(),
    "a target that is an authority": b"GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method in small letters": b"get /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method in mixed letters": b"Get /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "a method that nobody knows": b"BREW /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
    "HTTP/0.9": b"GET /healthz\r\n\r\n",
    "HTTP/1.0 without a host": b"GET /healthz HTTP/1.0\r\n\r\n",
    "HTTP/1.2": b"GET /healthz HTTP/1.2\r\nHost: a\r\n\r\n",
    "HTTP/2.0": b"GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n",
    "the protocol in small letters": b"GET /healthz http/1.1\r\nHost: a\r\n\r\n",
    "the preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64,
    "noise": bytes(range(256)) * 8,
}

def answers(connection, *data: bytes) -> list:
    """Sends all of it, as far as it is taken, and that this is all; the status lines of what comes."""
    try:
        for part in data:
            connection.send(part)
        connection.socket.shutdown(socket.SHUT_WR)
    except OSError:
        pass
    return status_lines(connection)


def status_lines(connection) -> list:
    """Those of all that comes until the service ends the connection, wherever in it they are: a body ends without a line."""
    return re.findall(rb"HTTP/1\.[01] [0-9]{3} [A-Za-z ]+", connection.rest())


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


def test_a5_nothing_behind_a_request_that_ends_the_connection_is_done(shared):
    """RFC 9112 section 9.6: whoever sent it would not learn of it."""
    def done() -> bytes:
        figures = shared.daemon.get("/metrics").body
        return re.findall(rb'countersign_requests_total\{method="POST",route="/v1/verifications",.*', figures)

    before = done()
    for bad in (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"):
        with shared.daemon.connect() as connection:
            assert len(answers(connection, bad + (HEAD + LENGTH + b"\r\n" + BODY) * 5)) == 1
    assert done() == before


@pytest.mark.parametrize("framing", ["a length", "chunks"])
def test_a_request_that_comes_byte_by_byte_is_one_request(shared, framing):
    data = {"a length": HEAD + LENGTH + b"\r\n" + BODY, "chunks": HEAD + CHUNKED + b"\r\n" + CHUNKS}[framing]
    with shared.daemon.connect() as connection:
        for at in range(len(data)):
            connection.send(data[at:at + 1])
        assert connection.read().status == 200
        connection.send(SECOND)
        assert connection.read().status == 200


@pytest.mark.parametrize("more, statuses", [
    (b"", []), (SECOND[:20], []), (HEAD + LENGTH + b"\r\n" + BODY[:5], [400]),
], ids=["nothing more", "half a header", "half a body"])
def test_who_sends_no_more_gets_the_whole_answers_to_what_was_asked(shared, more, statuses):
    """More of them than the sockets hold, so that some wait for a peer who reads only later."""
    with shared.daemon.connect() as connection:
        connection.send(b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 30 + more)
        connection.socket.shutdown(socket.SHUT_WR)
        time.sleep(0.5)
        assert [connection.read().status for _ in range(30 + len(statuses))] == [200] * 30 + statuses
        assert connection.ended()


def get(target: bytes, more: bytes = b"", method: bytes = b"GET", version: bytes = b"HTTP/1.1") -> bytes:
    return method + b" " + target + b" " + version + b"\r\nHost: a\r\n" + more + b"\r\n"


# Requests that have one meaning, and their statuses; where the connection does not end, the next request is answered as well.
ONE = {
    "the address of this host": (get(b"http://a/healthz"), [200]),
    "the address of another host": (get(b"http://elsewhere.example/healthz"), [200]),
    "the address of another host's session": (get(b"http://elsewhere.example/v1/sessions"), [401]),
    "the service itself": (get(b"*", method=b"OPTIONS"), [404]),
    "a target that is a star": (get(b"*"), [404]),
    "OPTIONS": (get(b"/healthz", method=b"OPTIONS"), [405]),
    "TRACE": (get(b"/healthz", method=b"TRACE"), [405]),
    "another method in a header": (
        get(b"/healthz", b"X-HTTP-Method-Override: GET\r\nContent-Length: 0\r\n", method=b"POST"), [405]),
    "up": (get(b"/v1/../healthz"), [404]),
    "up, escaped": (get(b"/v1/%2e%2e/healthz"), [404]),
    "up, escaped twice": (get(b"/v1/%252e%252e/healthz"), [404]),
    "an escaped slash": (get(b"/v1%2fsessions"), [404]),
    "an escaped slash in capitals": (get(b"/v1%2Fsessions"), [404]),
    "two slashes at the front": (get(b"//healthz"), [404]),
    "two slashes": (get(b"/v1//sessions"), [404]),
    "a slash at the end": (get(b"/healthz/"), [404]),
    "a dot": (get(b"/./healthz"), [404]),
    "a backslash": (get(b"/v1\\sessions"), [404]),
    "an escaped NUL": (get(b"/healthz%00"), [404]),
    "an escaped letter": (get(b"/%68ealthz"), [404]),
    "a parameter of the path": (get(b"/healthz;a=b"), [404]),
    "a fragment": (get(b"/healthz#a"), [404]),
    "capitals": (get(b"/HEALTHZ"), [404]),
    "a long path": (get(b"/" + b"a" * 5000), [404]),
    "an empty query": (get(b"/healthz?"), [200]),
    "a query that nobody knows": (get(b"/healthz?a=b"), [400]),
    "lines before the request": (b"\r\n\r\n" + get(b"/healthz"), [200]),
    "a value beyond ASCII": (get(b"/healthz", b"A: \xe9\xff\r\n"), [200]),
    "a coding in capitals": (HEAD + b"Transfer-Encoding: CHUNKED\r\n\r\n" + CHUNKS, [200]),
    "a header that only looks like a coding": (HEAD + b"Transfer_Encoding: chunked\r\n" + LENGTH + b"\r\n" + BODY, [200]),
    "a length that is named as the connection's own": (HEAD + b"Connection: content-length\r\n" + LENGTH + b"\r\n" + BODY, [200]),
    "an extension of a chunk": (HEAD + CHUNKED + b"\r\n11;a=b\r\n" + BODY + b"\r\n0\r\n\r\n", [200]),
    "a huge extension of a chunk": (HEAD + CHUNKED + b"\r\n11;" + b"a" * (4 << 20) + b"\r\n" + BODY + b"\r\n0\r\n\r\n", [200]),
    "zeros before a chunk's size": (HEAD + CHUNKED + b"\r\n00011\r\n" + BODY + b"\r\n0\r\n\r\n", [200]),
    "a header behind the body": (HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"\r\n0\r\nA: b\r\n\r\n", [200]),
    "a token behind the body": (
        b"POST /v1/signings HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n" + CHUNKED
        + b"\r\n2\r\n{}\r\n0\r\nAuthorization: Bearer a\r\n\r\n", [401]),
    "a body that is announced": (HEAD + b"Expect: 100-continue\r\n" + LENGTH + b"\r\n" + BODY, [100, 200]),
    "a body that is announced in capitals": (HEAD + b"Expect: 100-CONTINUE\r\n" + LENGTH + b"\r\n" + BODY, [100, 200]),
    "something else that is announced": (HEAD + b"Expect: 200-ok\r\n" + LENGTH + b"\r\n" + BODY, [200]),
}

# Those after which the connection ends.
LAST = {
    "an upgrade to TLS": (get(b"/healthz", b"Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n"), [200]),
    "an upgrade to WebSocket": (get(
        b"/healthz", b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"), [200]),
    "an upgrade to HTTP/2": (get(
        b"/healthz", b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"), [200]),
    "a proxy is asked for a tunnel": (get(b"a:80", method=b"CONNECT"), [404]),
    "HTTP/1.0": (get(b"/healthz", version=b"HTTP/1.0"), [200]),
    "HTTP/1.0 that would stay": (get(b"/healthz", b"Connection: keep-alive\r\n", version=b"HTTP/1.0"), [200]),
    "HTTP/1.0 in chunks": (HEAD.replace(b"HTTP/1.1", b"HTTP/1.0") + CHUNKED + b"\r\n" + CHUNKS, [200]),
    "the client ends the connection": (get(b"/healthz", b"Connection: close\r\n"), [200]),
    "a very long path": (get(b"/" + b"a" * 20_000), [431]),
    "a long header behind the body": (
        HEAD + CHUNKED + b"\r\n11\r\n" + BODY + b"\r\n0\r\nA: " + b"b" * 100_000 + b"\r\n\r\n", [431]),
    "a hundred and one headers": (get(b"/healthz", b"A: b\r\n" * 101), [431]),
    "a body of a GET": (get(b"/healthz", b"Content-Length: 3\r\n") + b"abc", [400]),
    "a body of a HEAD": (get(b"/healthz", b"Content-Length: 3\r\n", method=b"HEAD") + b"abc", [400]),
}


@pytest.mark.parametrize("name", ONE | LAST)
def test_a5_a_request_of_one_meaning_has_one_answer(shared, name):
    data, statuses = (ONE | LAST)[name]
    with shared.daemon.connect() as connection:
        try:
            connection.send(data + get(b"/healthz", b"Connection: close\r\n"))
        except OSError:
            pass
        lines = status_lines(connection)
    assert [int(line.split()[1]) for line in lines] == statuses + ([200] if name in ONE else [])
