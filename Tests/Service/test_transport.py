"""TLS, HTTP/2 and what stands before the service: certificates that change, frames that no library sends, forwarded addresses."""

import json
import signal
import socket
import ssl
import subprocess
import time

import pytest

import frames
import wire
from services import LIMITS, Services, with_people
from daemon import PATIENCE, Daemon
from parties import Operator
from test_events import watched

MEGABYTE = 1 << 20


class SecureDaemon(Daemon):
    """The same over TLS."""

    def __init__(self, folder, *options: str):
        self.chain, self.private, self.serial = frames.certificate(folder)
        super().__init__(folder, "--tls-certificate", str(self.chain), "--tls-key", str(self.private), *LIMITS, *options)
        self.origin = self.origin.replace("http:", "https:")

    def connect(self, timeout: float = 20):
        made = wire.Connection.__new__(wire.Connection)
        made.address = self.address
        made.socket = frames.secure(self.address)
        made.stream = made.socket.makefile("rb")
        return made


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    services = Services(tmp_path_factory)
    daemon = SecureDaemon(tmp_path_factory.mktemp("tls"))
    services.daemons.append(daemon)
    yield with_people(daemon.start())
    services.end()


def http2(daemon):
    """A connection that has agreed on HTTP/2 and has said the first words."""
    connection = frames.secure(daemon.address, ("h2",))
    assert connection.selected_alpn_protocol() == "h2"
    connection.sendall(frames.PREFACE + frames.frame(frames.SETTINGS, 0, 0))
    return connection


def authority(daemon) -> bytes:
    return f"127.0.0.1:{daemon.address[1]}".encode()


def test_everything_works_over_tls_and_the_issuer_is_its_origin(secure):
    result = secure.alice.sign()
    metadata = secure.daemon.get("/.well-known/oauth-authorization-server").json
    assert metadata["issuer"] == secure.daemon.origin or metadata["issuer"].startswith("urn:uuid:")
    assert metadata["token_endpoint"].startswith("https://")
    assert result["dataPayload"]
    secure.shop.sign("alice")


def test_old_versions_of_tls_are_refused(secure):
    with pytest.raises((ssl.SSLError, OSError)):
        frames.secure(secure.daemon.address, maximum_version=ssl.TLSVersion.TLSv1_1)
    with frames.secure(secure.daemon.address, minimum_version=ssl.TLSVersion.TLSv1_3) as connection:
        assert connection.version() == "TLSv1.3"


def test_plain_text_on_the_port_of_tls_gets_nothing(secure):
    with socket.create_connection(secure.daemon.address, 20) as connection:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        assert not connection.makefile("rb").read().startswith(b"HTTP")


def test_http_2_answers_many_streams_of_one_connection(secure):
    with http2(secure.daemon) as connection:
        for number in range(50):
            block = frames.get(b"/healthz", authority(secure.daemon))
            connection.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 2 * number + 1, block))
        stream, ended = connection.makefile("rb"), set()
        while len(ended) < 50:
            kind, flags, number, payload = frames.read_frame(stream)
            assert kind not in (frames.GOAWAY, frames.RST_STREAM), payload
            if kind == frames.SETTINGS and not flags & frames.ACK:
                connection.sendall(frames.frame(frames.SETTINGS, frames.ACK, 0))
            if kind == frames.HEADERS:
                assert payload[0] == 0x88, "status 200 is the eighth of the static table"
            if flags & frames.END_STREAM and kind in (frames.HEADERS, frames.DATA):
                ended.add(number)


def flood(daemon, parts, limit=64 * MEGABYTE) -> int:
    """Sends frames until the service has had enough; the bytes that it took."""
    sent = 0
    connection = http2(daemon)
    try:
        connection.settimeout(10)
        for part in parts:
            connection.sendall(part)
            sent += len(part)
            if sent > limit:
                break
    except (OSError, ssl.SSLError):
        pass
    finally:
        connection.close()
    return sent


def test_a3_many_fields_are_too_many_over_http_2_too(secure):
    with http2(secure.daemon) as connection:
        block = frames.get(b"/healthz", authority(secure.daemon)) + b"".join(
            frames.literal(b"x-%d" % number, b"y") for number in range(200))
        connection.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 1, block))
        stream, body = connection.makefile("rb"), b""
        while True:
            kind, flags, _, payload = frames.read_frame(stream)
            body += payload if kind == frames.DATA else b""
            if kind in (frames.DATA, frames.HEADERS) and flags & frames.END_STREAM:
                break
    assert json.loads(body)["status"] == 431


def test_a4_streams_that_are_opened_and_reset_at_once_cost_little(secure):
    before = secure.daemon.resident()
    block = frames.get(b"/healthz", authority(secure.daemon))

    def parts():
        for number in range(0, 40_000, 100):
            yield b"".join(
                frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 2 * (number + one) + 1, block)
                + frames.frame(frames.RST_STREAM, 0, 2 * (number + one) + 1, b"\0\0\0\x08") for one in range(100))

    flood(secure.daemon, parts())
    assert secure.daemon.get("/healthz").status == 200
    assert secure.daemon.resident() - before < 60 * MEGABYTE
    secure.alice.sign()


@pytest.mark.parametrize("kind", ["continuations", "settings", "pings", "windows", "empty data"])
def test_a3_frames_without_end_are_cut_off_or_cost_no_memory(secure, kind):
    before = secure.daemon.resident()
    block = frames.get(b"/v1/verifications", authority(secure.daemon))
    field = frames.literal(b"a" * 100, b"b" * 100) * 70

    def parts():
        if kind == "continuations":
            yield frames.frame(frames.HEADERS, frames.END_STREAM, 1, block)
        elif kind == "empty data":
            yield frames.frame(frames.HEADERS, frames.END_HEADERS, 1, b"\x83" + block[1:])
        while True:
            yield {
                "continuations": frames.frame(frames.CONTINUATION, 0, 1, field),
                "settings": frames.frame(frames.SETTINGS, 0, 0) * 1000,
                "pings": frames.frame(frames.PING, 0, 0, b"12345678") * 1000,
                "windows": frames.frame(frames.WINDOW_UPDATE, 0, 0, b"\0\0\0\x01") * 1000,
                "empty data": frames.frame(frames.DATA, 0, 1) * 1000,
            }[kind]

    sent = flood(secure.daemon, parts(), (64 if kind == "continuations" else 4) * MEGABYTE)
    if kind == "continuations":
        assert sent < 32 * MEGABYTE
    assert secure.daemon.resident() - before < 60 * MEGABYTE
    assert secure.daemon.get("/healthz").status == 200


def test_a4_streams_that_read_nothing_hold_little_memory(secure):
    """Twenty connections ask for the longest text of the service on a hundred streams each, and open no window for it."""
    before = secure.daemon.resident()
    slow = []
    try:
        for _ in range(20):
            connection = frames.secure(secure.daemon.address, ("h2",))
            slow.append(connection)
            connection.sendall(frames.PREFACE + frames.frame(frames.SETTINGS, 0, 0, b"\0\4\0\0\0\0"))
            block = frames.get(b"/v1/openapi.json", authority(secure.daemon))
            connection.sendall(b"".join(
                frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 2 * number + 1, block) for number in range(100)))
        for _ in range(20):
            assert secure.daemon.get("/healthz").status == 200
            time.sleep(0.05)
        assert secure.daemon.resident() - before < 100 * MEGABYTE
    finally:
        for connection in slow:
            connection.close()
    secure.alice.sign()


BLOCKS = {
    "no path": b"\x82\x87",
    "two paths": lambda host: frames.get(b"/healthz", host) + frames.literal(b":path", b"/v1/sessions"),
    "an unknown pseudo-header": lambda host: frames.get(b"/healthz", host) + frames.literal(b":a", b"b"),
    "a pseudo-header after others": lambda host: b"\x82\x87" + frames.literal(b"a", b"b") + frames.literal(b":path", b"/healthz"),
    "a name in capitals": lambda host: frames.get(b"/healthz", host) + frames.literal(b"A", b"b"),
    "a line break in a value": lambda host: frames.get(b"/healthz", host) + frames.literal(b"a", b"b\r\nc: d"),
    "NUL in a value": lambda host: frames.get(b"/healthz", host) + frames.literal(b"a", b"b\0"),
    "a header of the connection": lambda host: frames.get(b"/healthz", host) + frames.literal(b"transfer-encoding", b"chunked"),
    "a path with a line break": lambda host: frames.get(b"/healthz HTTP/1.1\r\nA: b", host),
    "an empty path": lambda host: frames.get(b"", host),
    "a length that is not kept": lambda host: frames.get(b"/healthz", host) + frames.literal(b"content-length", b"5"),
    "noise": bytes(range(256)),
}


@pytest.mark.parametrize("name", BLOCKS)
def test_a5_malformed_header_blocks_are_refused(secure, name):
    block = BLOCKS[name]
    block = block(authority(secure.daemon)) if callable(block) else block
    with http2(secure.daemon) as connection:
        connection.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 1, block))
        connection.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 3, frames.get(
            b"/healthz", authority(secure.daemon))))
        stream, statuses = connection.makefile("rb"), []
        connection.settimeout(10)
        try:
            while found := frames.read_frame(stream):
                kind, flags, number, payload = found
                if kind == frames.HEADERS and number == 1:
                    statuses.append(payload[0])
                if kind in (frames.RST_STREAM, frames.GOAWAY) or (number == 3 and flags & frames.END_STREAM):
                    break
        except OSError:
            pass
    assert 0x88 not in statuses, "a malformed request was answered with 200"
    assert secure.daemon.get("/healthz").status == 200


def test_a_new_certificate_is_taken_on_a_signal_and_a_bad_one_is_not(secure):
    daemon = secure.daemon
    with frames.secure(daemon.address) as connection:
        assert frames.serial(connection) == daemon.serial
    _, _, new = frames.certificate(daemon.folder)

    def reloaded():
        with frames.secure(daemon.address) as connection:
            return frames.serial(connection) == new

    daemon.process.send_signal(signal.SIGHUP)
    limit = time.monotonic() + PATIENCE
    while not reloaded():
        assert time.monotonic() < limit, "the new certificate was not taken"
        time.sleep(0.02)
    daemon.chain.write_text("no certificate")
    before = len(daemon.said())
    daemon.process.send_signal(signal.SIGHUP)
    limit = time.monotonic() + PATIENCE
    while len(daemon.said()) == before:
        assert time.monotonic() < limit, "nothing was said about the bad certificate"
        time.sleep(0.02)
    assert reloaded()
    secure.alice.sign()


PROXY = ("--behind-proxy", "127.0.0.1/32", "--origin", "https://sign.example")


def guess(daemon, headers=()):
    """The status for a client's secret that is none."""
    form = ("Content-Type", "application/x-www-form-urlencoded")
    return daemon.request(
        "POST", "/v1/token", [("Authorization", "Basic c2hvcDp3cm9uZw=="), form, *headers], b"grant_type=client_credentials").status


@pytest.mark.parametrize("header", ["X-Forwarded-For: {}", "Forwarded: for={}"])
def test_a8_addresses_are_limited_and_forwarded_ones_believed_of_named_peers_only(services, header):
    """An address may try so many times a minute; headers of strangers bring no other address."""
    name, _, value = header.partition(": ")
    alone = services.new(limits=("--attempts-per-minute", "10")).start()
    statuses = [guess(alone, [(name, value.format(f"203.0.113.{number}"))]) for number in range(100)]
    assert 429 in statuses

    behind = services.new(limits=("--attempts-per-minute", "10", *PROXY)).start()
    for number in range(100):
        assert guess(behind, [(name, value.format(f"203.0.113.{number}"))]) == 401
    statuses = [guess(behind, [(name, value.format("203.0.113.99"))]) for _ in range(100)]
    assert 429 in statuses
    # What the client itself put in front does not help it: the last address is the one that the proxy saw.
    forged = [guess(behind, [(name, f"{value.format(f'198.51.100.{number}')}, {value.format('203.0.113.99')}")]) for number in range(5)]
    assert set(forged) == {429}
    # Nor does the header that the proxy does not write, and so passes on as it came.
    other = "Forwarded: for={}" if name == "X-Forwarded-For" else "X-Forwarded-For: {}"
    both = [guess(behind, [
        (name, value.format("203.0.113.98")), (other.partition(": ")[0], other.partition(": ")[2].format(f"198.51.100.{number}")),
    ]) for number in range(100)]
    assert 429 in both


@pytest.mark.parametrize("proxies", [(), PROXY])
def test_a8_figures_are_not_for_whom_a_proxy_of_this_machine_lets_through(services, proxies):
    daemon = services.new(*proxies).start()
    assert daemon.get("/metrics").status == 200
    for headers in (
        [("X-Forwarded-For", "203.0.113.1")], [("X-Forwarded-For", "127.0.0.1")], [("Forwarded", "for=_hidden")],
        [("X-Forwarded-For", "203.0.113.1"), ("Forwarded", "for=198.51.100.1")],
    ):
        assert daemon.get("/metrics", headers).status == 404


def test_an_address_that_is_not_of_this_machine_needs_tls_or_a_proxy(services):
    daemon = services.new()
    daemon.spawn(host="0.0.0.0")
    assert daemon.process.wait(10) not in (0, -4, -5, -6, -11)
    daemon.process = None


@pytest.mark.parametrize("options, words", [
    (("--behind-proxy", "127.0.0.1"), "behind-proxy needs origin"),
    (("--behind-proxy", "127.0.0.1", "--origin", "http://sign.example"), "must be https"),
    (("--origin", "http://sign.example"), "must be https"),
    (("--listen", "127.0.0.1:+80"), "is not an address and a port"),
    (("--log-level", "loud"), "critical"),
    (("--tls-certificate", "none.pem", "--tls-key", "none.key"), "none.pem cannot be read: No such file"),
    (("--tls-certificate", __file__, "--tls-key", __file__), f"{__file__} holds no certificate"),
])
def test_settings_that_make_no_sense_are_refused(services, options, words):
    daemon = services.new()
    for command in (["check-config"], []):
        found = subprocess.run(
            daemon.command(*command, "--data", daemon.data, *options), capture_output=True, text=True, timeout=20)
        assert (found.returncode, words in found.stderr) == (2, True), found.stderr
    assert not daemon.data.exists()


def test_w1_w4_what_a_file_of_settings_says_is_shown_escaped_and_no_path_is_cut(services):
    daemon = services.new()
    daemon.folder.mkdir(exist_ok=True)
    file = daemon.folder / "settings.json"
    evil, shown = "\u001b[31m\u202e\r\nx", r"\u{001B}[31m\u{202E}\u{000D}\nx"
    for content, words in (
        ({evil: "1"}, f"'{shown}' in "), ({"log-level": evil}, f"log-level '{shown}' is"), ({"data": f"{daemon.data}\0x"}, "'data' in "),
    ):
        file.write_text(json.dumps(content))
        found = subprocess.run(daemon.command("check-config", "--config", file), capture_output=True, timeout=120)
        said = found.stderr.decode()
        assert (found.returncode, words in said, said.count("\n")) == (2, True, 1), said
        assert not any(character in said for character in "\u001b\u202e\r\0"), said


def test_a_key_that_is_not_the_certificates_is_named(services):
    daemon = services.new()
    certificate, key, _ = frames.certificate(daemon.folder)
    other = daemon.folder / "other.key"
    subprocess.run(["openssl", "genpkey", "-algorithm", "RSA", "-out", other], check=True, capture_output=True)
    for file, status in ((key, 0), (other, 2)):
        found = subprocess.run(
            daemon.command("check-config", "--data", daemon.data, "--tls-certificate", certificate, "--tls-key", file),
            capture_output=True, text=True, timeout=20)
        assert found.returncode == status, found.stderr
    assert str(other) in found.stderr


def test_a_port_that_is_taken_is_named(shared, services):
    daemon = services.new()
    port = shared.daemon.address[1]
    found = subprocess.run(
        daemon.command("--data", daemon.data, "--listen", f"127.0.0.1:{port}"), capture_output=True, text=True, timeout=20)
    assert found.returncode == 9
    assert f"cannot listen on 127.0.0.1:{port}: Address already in use" in found.stderr


def test_an_operator_logs_in_by_the_printed_token_of_a_running_service(secure):
    """A lost operator's key: another token is made beside the running service."""
    daemon = secure.daemon
    made = subprocess.run(daemon.command("operator-token", "--data", daemon.data), capture_output=True, timeout=20)
    assert made.returncode == 0, made.stderr
    operator = Operator(daemon)
    assert operator.get("/v1/status")["users"] >= 2


def idle_connections(daemon):
    """Connections of HTTP/2 that ask nothing (any more) and answer no PING, and one of HTTP/1.1."""
    silent, quiet = http2(daemon), http2(daemon)
    block = frames.get(b"/healthz", authority(daemon))
    quiet.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 1, block))
    stream = quiet.makefile("rb")
    while True:
        kind, flags, number, _ = frames.read_frame(stream)
        if number == 1 and flags & frames.END_STREAM and kind in (frames.HEADERS, frames.DATA):
            break
    single = daemon.connect()
    assert single.request("GET", "/healthz").status == 200
    return [silent, quiet, single.socket]


def ended(connection) -> bool:
    """Whether the service ends the connection, whatever it says before: the socket's own limit is the longest that is waited."""
    connection.settimeout(120)
    try:
        while connection.recv(65536):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def test_a4_who_asks_nothing_over_http_2_and_answers_no_ping_is_not_kept(services, tmp_path):
    daemon = SecureDaemon(tmp_path, "--idle-seconds", "1", "--stop-seconds", "600")
    services.daemons.append(daemon)
    connections = idle_connections(daemon.start())
    # Half a header, which no stream comes of.
    half = http2(daemon)
    half.sendall(frames.frame(frames.HEADERS, 0, 1, frames.get(b"/healthz", authority(daemon))))
    assert [ended(connection) for connection in (*connections, half)] == [True] * 4
    assert daemon.get("/healthz").status == 200


def test_a_stop_does_not_wait_for_connections_that_ask_nothing(services, tmp_path):
    daemon = SecureDaemon(tmp_path, "--idle-seconds", "600", "--head-seconds", "600", "--stop-seconds", "600")
    services.daemons.append(daemon)
    connections = idle_connections(daemon.start())
    shaking = socket.create_connection(daemon.address, 120)
    assert daemon.get("/healthz").status == 200
    daemon.process.send_signal(signal.SIGTERM)
    assert daemon.process.wait(120) == 0
    assert [ended(connection) for connection in (*connections, shaking)] == [True] * 4


TEXT = b'{"statement":"a"}'
POST = b"POST /v1/verifications HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n" % len(TEXT)


def half_asked(daemon):
    """A connection over which a part of a body was sent that the service waits for."""
    connection = daemon.connect(PATIENCE)
    connection.send(POST)
    assert connection.line() == b"HTTP/1.1 100 Continue" and connection.line() == b""
    connection.send(TEXT[:5])
    return connection


def takes_no_more(daemon):
    """Waits until it takes no connections any more."""
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        try:
            socket.create_connection(daemon.address, 5).close()
        except ConnectionRefusedError:
            return
        except OSError:
            pass
        time.sleep(0.01)
    raise AssertionError("it still takes connections")


def test_a_stop_lets_a_request_end_whose_body_is_on_the_way(services):
    daemon = services.new("--stop-seconds", "600", "--body-seconds", "600").start()
    with half_asked(daemon) as connection:
        daemon.process.send_signal(signal.SIGTERM)
        takes_no_more(daemon)
        connection.send(TEXT[5:])
        assert connection.read().status == 200
        assert connection.ended()
    assert daemon.process.wait(PATIENCE) == 0


def half_asked_streams(daemon, count: int):
    """The same on streams of a connection of HTTP/2."""
    connection = http2(daemon)
    connection.settimeout(PATIENCE)
    block = b"\x83\x87" + b"".join(frames.literal(name, value) for name, value in [
        (b":path", b"/v1/verifications"), (b":authority", authority(daemon)), (b"content-type", b"application/json")])
    connection.sendall(b"".join(
        frames.frame(frames.HEADERS, frames.END_HEADERS, number, block) + frames.frame(frames.DATA, 0, number, TEXT[:5])
        for number in range(1, 2 * count, 2)))
    # The answer to it says that the frames before it were read.
    connection.sendall(frames.frame(frames.PING, 0, 0, b"12345678"))
    stream = connection.makefile("rb")
    while frames.read_frame(stream)[0] != frames.PING:
        pass
    return connection, stream


def test_a_stop_lets_the_streams_of_http_2_end_whose_bodies_are_on_the_way(services, tmp_path):
    daemon = SecureDaemon(tmp_path, "--stop-seconds", "600", "--body-seconds", "600")
    services.daemons.append(daemon)
    connection, stream = half_asked_streams(daemon.start(), 3)
    daemon.process.send_signal(signal.SIGTERM)
    goodbyes, ended = 0, set()
    while (found := frames.read_frame(stream)) is not None:
        kind, flags, number, payload = found
        assert kind != frames.RST_STREAM
        if kind == frames.PING:
            connection.sendall(frames.frame(frames.PING, frames.ACK, 0, payload))
        goodbyes += kind == frames.GOAWAY
        if kind == frames.GOAWAY and goodbyes == 2:
            # Longer than it waits for a peer that has nothing to say.
            time.sleep(1.5)
            connection.sendall(b"".join(frames.frame(frames.DATA, frames.END_STREAM, number, TEXT[5:]) for number in (1, 3, 5)))
        if kind == frames.HEADERS:
            assert payload[0] == 0x88, "status 200 is the eighth of the static table"
        if kind == frames.DATA and flags & frames.END_STREAM:
            ended.add(number)
    assert ended == {1, 3, 5}
    assert daemon.process.wait(PATIENCE) == 0


def test_a_stop_waits_no_longer_than_it_may_for_whoever_sends_or_reads_nothing(services, tmp_path):
    forever = ("--stop-seconds", "1", "--body-seconds", "600", "--write-seconds", "600")
    secure, plain = SecureDaemon(tmp_path, *forever), services.new(*forever)
    services.daemons.append(secure)
    for daemon in (secure, plain):
        daemon.start()
        connections = [half_asked(daemon), daemon.connect()]
        connections[1].send(b"GET /v1/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 30)
        if daemon is secure:
            connections += half_asked_streams(daemon, 3)
        # The daemon gives up itself, with another status, five seconds later.
        assert daemon.stop() == 0
        for connection in connections:
            connection.close()


def steady(daemon, path: bytes, steps: int) -> bytes:
    """The body of an answer of HTTP/2, by a client that takes a part of it every half second; what came where it was cut."""
    whole = len(daemon.get(path.decode()).body)
    body = b""
    with frames.secure(daemon.address, ("h2",)) as connection:
        # No window at first for what streams send, and more than enough for the connection.
        connection.sendall(frames.PREFACE + frames.frame(frames.SETTINGS, 0, 0, b"\0\4\0\0\0\0"))
        connection.sendall(frames.frame(frames.WINDOW_UPDATE, 0, 0, b"\0\x40\0\0"))
        connection.sendall(frames.frame(
            frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 1, frames.get(path, authority(daemon))))
        stream = connection.makefile("rb")
        for step in range(1, steps + 1):
            time.sleep(0.5)
            wanted = whole * step // steps
            connection.sendall(frames.frame(frames.WINDOW_UPDATE, 0, 1, (wanted - len(body)).to_bytes(4, "big")))
            while len(body) < wanted:
                found = frames.read_frame(stream)
                if found is None or found[0] in (frames.RST_STREAM, frames.GOAWAY):
                    return body
                if found[0] == frames.DATA:
                    body += found[3]
    return body


def test_a4_a_slow_but_steady_reader_of_http_2_gets_to_the_end(services, tmp_path):
    daemon = SecureDaemon(tmp_path, "--idle-seconds", "4", "--write-seconds", "4")
    services.daemons.append(daemon)
    daemon.start()
    whole = daemon.get("/v1/openapi.json").body
    # It takes eight seconds, twice what nobody may wait. Where the machine stops for as long, another one is tried.
    assert whole in (steady(daemon, b"/v1/openapi.json", 16) for _ in range(5))


def test_a4_nobody_waits_for_a_stream_of_http_2_that_was_reset(secure):
    path = "/v1/notifications"
    secure.bob.get(path)

    def left() -> float:
        """After how many seconds of the sixty that were asked for nothing is kept for whoever left."""
        with http2(secure.daemon) as connection:
            fields = [*secure.bob.headers("GET", path), ("Prefer", "wait=60")]
            block = frames.get(path.encode(), authority(secure.daemon)) + b"".join(
                frames.literal(name.lower().encode(), value.encode()) for name, value in fields)
            connection.sendall(frames.frame(frames.HEADERS, frames.END_STREAM | frames.END_HEADERS, 1, block))
            watched(secure.daemon, 2)
            begin = time.monotonic()
            connection.sendall(frames.frame(frames.RST_STREAM, 0, 1, b"\0\0\0\x08"))
            watched(secure.daemon, 1)
            return time.monotonic() - begin

    assert any(left() < 30 for _ in range(3))


def test_the_file_of_a_token_that_was_made_since_stays_when_the_one_before_is_used(services):
    daemon = services.new().start()
    path = daemon.data / "operator-token"
    first = path.read_text().strip()
    # As if another were made between the use of the first and the removal of its file.
    path.write_text(f"cso_{'A' * 43}\n")
    Operator(daemon, first)
    assert daemon.stop() == 0
    assert path.read_text() == f"cso_{'A' * 43}\n"

    made = subprocess.run(daemon.command("operator-token", "--data", daemon.data), capture_output=True, timeout=20)
    assert made.returncode == 0, made.stderr
    daemon.start()
    Operator(daemon)
    assert daemon.stop() == 0
    assert not path.exists()
    daemon.start()
