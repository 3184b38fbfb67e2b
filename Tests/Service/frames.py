"""HTTP/2 by hand (RFC 9113), for what no well-behaved library sends."""

import datetime
import ipaddress
import socket
import ssl
import struct

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 3, 4, 6, 7, 8, 9
END_STREAM, END_HEADERS, ACK = 1, 4, 1


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name: bytes, value: bytes) -> bytes:
    """A header field that goes into no table (RFC 7541 6.2.2)."""
    return b"\0" + text(name) + text(value)


def text(value: bytes) -> bytes:
    """A string as it is (RFC 7541 5.2), its length in seven bits and as many bytes more as it needs (5.1)."""
    if len(value) < 127:
        return bytes([len(value)]) + value
    rest, more = len(value) - 127, []
    while rest >= 128:
        more.append(rest % 128 | 128)
        rest //= 128
    return bytes([127, *more, rest]) + value


def get(path: bytes, authority: bytes) -> bytes:
    """The header block of a GET over https."""
    return b"\x82\x87" + literal(b":path", path) + literal(b":authority", authority)


def read_frame(stream):
    """(kind, flags, stream, payload), or None at the end."""
    head = stream.read(9)
    if len(head) < 9:
        return None
    length = int.from_bytes(head[:3], "big")
    return head[3], head[4], int.from_bytes(head[5:9], "big") & 0x7FFFFFFF, stream.read(length)


def certificate(folder, name="localhost"):
    """A certificate for this machine by nobody but itself: the paths of chain and key, and its serial number."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder().subject_name(subject).issuer_name(subject).public_key(key.public_key())
        .serial_number(x509.random_serial_number()).not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1)).add_extension(
            x509.SubjectAlternativeName([x509.DNSName(name), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), False)
        .sign(key, hashes.SHA256())
    )
    chain, private = folder / "chain.pem", folder / "key.pem"
    chain.write_bytes(made.public_bytes(Encoding.PEM))
    private.touch(0o600)
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return chain, private, made.serial_number


def secure(address, protocols=("http/1.1",), **limits) -> ssl.SSLSocket:
    """A TLS connection that believes any certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols))
    for name, value in limits.items():
        setattr(context, name, value)
    return context.wrap_socket(socket.create_connection(address, 20), server_hostname="localhost")


def serial(connection: ssl.SSLSocket) -> int:
    return x509.load_der_x509_certificate(connection.getpeercert(binary_form=True)).serial_number
