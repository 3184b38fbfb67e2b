"""A second implementation of the statement, written from docs/statement.md alone, with Python's own JSON.

It shares no code and no author's habits with the first, so where both agree the page is probably clear. It is slow and made to
be read beside the page. `decode` raises `Refusal` with the page's reason code; it checks the format only, not the signature.
"""

import base64
import json
import re

MAX_BYTES = 16_384
TYPE = "countersign+jwt"
ALGORITHMS = ("ES256", "EdDSA", "ES384", "PS256", "RS256")
METHODS = ("pwd", "pin", "fpt", "face", "hwk", "swk", "user", "mfa", "idv", "idv-test")
MATRIX = ((0, 0), (1, 0), (4, 1))
RESERVED = ("request", "notification", "template", "batch", "evidence", "quorum")
ORDER = (
    "iss", "sub", "aud", "iat", "jti", "payload", "reason", "auth_level", "authenticator_type", "acr", "amr",
    "auth_time", "device", "ceremony", *RESERVED,
)
REQUIRED = (
    "iss", "sub", "iat", "jti", "payload", "reason", "auth_level", "authenticator_type", "acr", "ceremony",
)
INTEGERS = ("iat", "auth_level", "authenticator_type", "auth_time")

ALPHABET = re.compile(rb"[A-Za-z0-9_-]+")
THUMBPRINT = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]")
NAME = re.compile(r"[a-z0-9][a-z0-9._@-]{0,63}")
UUID4 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
QUORUM = re.compile(r"([1-9][0-9]?)/([1-9][0-9]{0,3})")
VISIBLE = re.compile(r"[!-~]{1,255}")


class Refusal(Exception):
    """Why a text is not a statement: a reason code of docs/statement.md."""

    @property
    def code(self) -> str:
        return self.args[0]


def base64url(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def canonical(value) -> bytes:
    """RFC 8785 for what statements hold: strings, integers, lists, and objects in the order given."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def header(algorithm: str, key_id: str) -> dict:
    return {"alg": algorithm, "kid": key_id, "typ": TYPE}


def signing_input(header: dict, claims: dict) -> bytes:
    """The bytes that are signed. The claims may come in any order; the page's is used."""
    ordered = {name: claims[name] for name in ORDER if name in claims}
    assert len(ordered) == len(claims)
    return base64url(canonical(header)) + b"." + base64url(canonical(ordered))


def decode(text: bytes):
    """The header, the claims, the signature and the signed bytes of a statement, as read from a file."""
    text = text.removesuffix(b"\n")
    if not text:
        raise Refusal("empty")
    if len(text) > MAX_BYTES:
        raise Refusal("too-long")
    parts = text.split(b".")
    if len(parts) != 3 or not all(ALPHABET.fullmatch(part) for part in parts):
        raise Refusal("not-compact")
    header_bytes, claims_bytes, signature = map(decode_base64url, parts)
    header = decode_header(header_bytes)
    claims = decode_claims(claims_bytes)
    return header, claims, signature, parts[0] + b"." + parts[1]


def decode_base64url(part: bytes) -> bytes:
    if len(part) % 4 == 1:
        raise Refusal("not-base64url")
    data = base64.urlsafe_b64decode(part + b"=" * (-len(part) % 4))
    if base64url(data) != part:
        raise Refusal("not-base64url")
    return data


def pairs_of(data: bytes, refusal: str) -> list:
    """The members of a JSON object in their order, repeated ones included."""

    def refuse(_):
        raise Refusal(refusal)

    try:
        # An inner object becomes None, which is of no type that a claim may have.
        depth_one = json.loads(
            data.decode("utf-8"), object_pairs_hook=Pairs, parse_float=refuse, parse_constant=refuse
        )
    except (ValueError, RecursionError):
        raise Refusal(refusal) from None
    if not isinstance(depth_one, Pairs):
        raise Refusal(refusal)
    return list(depth_one)


class Pairs(list):
    """The members of an object."""


def decode_header(data: bytes) -> dict:
    pairs = pairs_of(data, "header")
    if [name for name, _ in pairs] != ["alg", "kid", "typ"] or not all(type(value) is str for _, value in pairs):
        raise Refusal("header")
    header = dict(pairs)
    if header["alg"] not in ALGORITHMS:
        raise Refusal("algorithm")
    if not THUMBPRINT.fullmatch(header["kid"]):
        raise Refusal("key-id")
    if header["typ"] != TYPE:
        raise Refusal("type")
    same_text(header, data, "header")
    return header


def decode_claims(data: bytes) -> dict:
    pairs = pairs_of(data, "claims")
    names = [name for name, _ in pairs]
    claims = dict(pairs)
    if names != [name for name in ORDER if name in claims] or not all(name in claims for name in REQUIRED):
        raise Refusal("claim-set")
    for name, value in pairs:
        check_type(name, value)
    for name, value in pairs:
        check_claim(name, value)
    if (claims["auth_level"], claims["authenticator_type"]) not in MATRIX:
        raise Refusal("level-and-type")
    check_pairs(claims)
    same_text(claims, data, "claims")
    return claims


def same_text(value: dict, data: bytes, refusal: str):
    try:
        same = canonical(value) == data
    except UnicodeEncodeError:
        same = False
    if not same:
        raise Refusal(refusal)


def check_type(name: str, value):
    if name in INTEGERS:
        right = type(value) is int
    elif name == "amr":
        right = type(value) is list and all(type(method) is str for method in value)
    else:
        right = type(value) is str
    if not right:
        raise Refusal("claims")


def check_claim(name: str, value):
    """The value of a claim by itself."""
    if name in ("iss", "aud"):
        right = VISIBLE.fullmatch(value)
    elif name == "sub":
        right = NAME.fullmatch(value)
    elif name in ("jti", "ceremony", "device"):
        right = UUID4.fullmatch(value)
    elif name in ("iat", "auth_time"):
        right = 0 <= value < 2**53
    elif name == "payload":
        right = is_text(value, 4096, newline_and_tab=True)
    elif name == "reason":
        right = is_text(value, 1024)
    elif name == "auth_level":
        right = value in (0, 1, 4)
    elif name == "authenticator_type":
        right = value in (0, 1)
    elif name == "acr":
        right = value.startswith("urn:countersign:level:")
    elif name == "amr":
        right = value and all(method in METHODS for method in value) and len(set(value)) == len(value)
    elif name == "quorum":
        match = QUORUM.fullmatch(value)
        right = match and int(match[1]) <= min(16, int(match[2]))
    else:
        right = is_text(value, 255)
    if not right:
        raise Refusal(f"claim-{name}")


def check_pairs(claims: dict):
    """What one claim says about another."""
    level, methods = claims["auth_level"], claims.get("amr", [])
    if claims["acr"] != f"urn:countersign:level:{level}":
        raise Refusal("claim-acr")
    for name in ("amr", "auth_time"):
        if level == 0 and name in claims:
            raise Refusal(f"claim-{name}")
        if level > 0 and name not in claims:
            raise Refusal("claim-set")
    if (level == 4) != ("idv" in methods or "idv-test" in methods):
        raise Refusal("claim-amr")
    if "quorum" in claims and "request" not in claims:
        raise Refusal("claim-set")
    if claims.get("auth_time", 0) > claims["iat"]:
        raise Refusal("claim-auth_time")


def is_text(text: str, limit: int, newline_and_tab: bool = False) -> bool:
    if any(0xD800 <= ord(scalar) <= 0xDFFF for scalar in text):
        raise Refusal("claims")
    return 1 <= len(text.encode()) <= limit and not any(
        is_refused(ord(scalar)) and not (newline_and_tab and scalar in "\n\t") for scalar in text
    )


def is_refused(scalar: int) -> bool:
    return (
        scalar < 0x20
        or 0x7F <= scalar < 0xA0
        or scalar == 0x061C
        or 0x200E <= scalar <= 0x200F
        or 0x2028 <= scalar <= 0x202E
        or 0x2066 <= scalar <= 0x2069
        or 0xFDD0 <= scalar <= 0xFDEF
        or scalar & 0xFFFE == 0xFFFE
    )
