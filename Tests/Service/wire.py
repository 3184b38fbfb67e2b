"""HTTP/1.1 over a plain socket, so that a test sees each byte and each answer."""

import json
import socket


class Closed(ConnectionError):
    """The other side ended the connection before an answer was complete."""


class Answer:
    def __init__(self, status: int, headers: list, body: bytes):
        self.status, self.headers, self.body = status, headers, body

    def header(self, name: str):
        """The header's value; None where there is none. Only challenges may come several times (RFC 9110 section 11.6.1)."""
        values = [value for key, value in self.headers if key == name.lower()]
        assert len(values) <= 1 or name.lower() == "www-authenticate", f"{name} came {len(values)} times"
        return ", ".join(values) if values else None

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def code(self):
        """The refusal's number in the catalogue; None where the answer is no problem document."""
        return self.json.get("code") if self.header("content-type") == "application/problem+json" else None

    def __repr__(self):
        return f"{self.status} {self.body[:600].decode(errors='replace')}"


class Connection:
    def __init__(self, address: tuple, timeout: float = 20):
        self.address = address
        self.socket = socket.create_connection(address, timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")

    def close(self):
        self.stream.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def send(self, data: bytes):
        self.socket.sendall(data)

    def line(self) -> bytes:
        line = self.stream.readline(65536)
        if not line.endswith(b"\n"):
            raise Closed(f"the connection ended after {line!r}")
        assert line.endswith(b"\r\n"), f"a line of an answer ends without CR: {line!r}"
        return line[:-2]

    def exactly(self, count: int) -> bytes:
        data = self.stream.read(count)
        if len(data) != count:
            raise Closed(f"the connection ended after {len(data)} of {count} bytes")
        return data

    def read(self, method: str = "GET") -> Answer:
        """One answer. Raises Closed where the connection ends first."""
        version, status, *_ = self.line().split(b" ", 2)
        assert version == b"HTTP/1.1", version
        headers = []
        while line := self.line():
            name, _, value = line.decode("ascii").partition(":")
            headers.append((name.lower(), value.strip()))
        answer = Answer(int(status), headers, b"")
        if answer.status == 100:
            return self.read(method)
        length = answer.header("content-length")
        if method == "HEAD" or answer.status in (204, 304):
            assert length in (None, "0") or method == "HEAD"
        elif answer.header("transfer-encoding") == "chunked":
            assert length is None, "an answer has both lengths"
            parts = []
            while size := int(self.line().split(b";")[0], 16):
                parts.append(self.exactly(size))
                assert self.line() == b""
            while self.line():
                pass
            answer.body = b"".join(parts)
        else:
            assert length is not None, f"an answer without a length: {answer}"
            answer.body = self.exactly(int(length))
        return answer

    def request(self, method: str, target: str, headers=(), body: bytes | None = None) -> Answer:
        self.send(message(self.address, method, target, headers, body))
        return self.read(method)

    def ended(self) -> bool:
        """Whether the other side says nothing more and ends the connection."""
        try:
            return self.stream.read(1) == b""
        except ConnectionError:
            return True

    def rest(self) -> bytes:
        """All that comes until the other side ends the connection."""
        data = b""
        try:
            while part := self.stream.read(65536):
                data += part
        except ConnectionError:
            pass
        return data


def message(address, method: str, target: str, headers=(), body: bytes | None = None) -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {target} HTTP/1.1", f"Host: {address[0]}:{address[1]}"]
    lines += [f"{name}: {value}" for name, value in headers]
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")
