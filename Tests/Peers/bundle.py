"""A second implementation of the bundle, written from docs/bundle.md alone. `check` says why a bundle is refused, but for the
signatures: it takes what each statement's own verdict is from whoever asks.
"""

import hashlib
import json

from cryptography.hazmat.primitives.asymmetric import ec, ed25519

import statement

MAX_BYTES = 245_760
MAX_STATEMENTS = 64
MAX_KEYS = 64
SHARED = ("iss", "aud", "payload", "reason", "auth_level", "request", "template", "quorum")
MEMBERS = {"EC": ("crv", "x", "y"), "OKP": ("crv", "x"), "RSA": ("e", "n")}
HISTORY_TYPE = "countersign-keys+jwt"


class Refusal(Exception):
    """Why a bundle does not hold: a reason code of docs/bundle.md, and the place of a statement."""

    def __init__(self, code: str, place: int | None = None):
        super().__init__(code)
        self.code, self.place = code, place


def text(statements: list, keys=None) -> bytes:
    """The bundle of statements that are in their order already."""
    return statement.canonical({"bundle": 1, "statements": statements, "evidence": [], "keys": keys or {"keys": []}})


def make(statements: list, keys=None) -> bytes:
    """The bundle of statements in any order."""
    return text(sorted(statements, key=lambda line: statement.decode(line.encode())[1]["sub"]), keys)


def read(data: bytes) -> list:
    """The statements of a bundle, as read from a file."""
    data = data.removesuffix(b"\n")
    if len(data) > MAX_BYTES:
        raise Refusal("too-long")
    try:
        value = json.loads(data.decode(), object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise Refusal("bundle") from None
    if not isinstance(value, statement.Pairs) or not value or value[0][0] != "bundle" or type(value[0][1]) is not int:
        raise Refusal("bundle")
    if value[0][1] != 1:
        raise Refusal("bundle-version")
    if [name for name, _ in value] != ["bundle", "statements", "evidence", "keys"]:
        raise Refusal("bundle")
    _, statements, evidence, keys = (member for _, member in value)
    if type(statements) is not list or not all(type(line) is str for line in statements) or type(evidence) is not list:
        raise Refusal("bundle")
    if not 1 <= len(statements) <= MAX_STATEMENTS:
        raise Refusal("bundle-statements")
    if evidence:
        raise Refusal("bundle-evidence")
    try:
        if text(statements, plain_keys(keys)) != data:
            raise Refusal("bundle")
    except UnicodeEncodeError:
        raise Refusal("bundle") from None
    return statements


def once(pairs: list) -> statement.Pairs:
    """The members of an object, none of them twice."""
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError
    return statement.Pairs(pairs)


def plain_keys(keys):
    """The member `keys` as it must be."""
    if type(keys) is str:
        check_history(keys)
        return keys
    if not isinstance(keys, statement.Pairs) or [name for name, _ in keys] != ["keys"] or type(keys[0][1]) is not list:
        raise Refusal("bundle-keys")
    plain = [plain_key(key) for key in keys[0][1]]
    if len(plain) > MAX_KEYS or len({key["kid"] for key in plain}) != len(plain):
        raise Refusal("bundle-keys")
    return {"keys": plain}


def plain_key(pairs) -> dict:
    key = dict(pairs) if isinstance(pairs, statement.Pairs) else {}
    numbers = MEMBERS.get(key.get("kty"), ())
    if not numbers or [name for name, _ in pairs] != sorted({"alg", "kid", "kty", "use", *numbers}):
        raise Refusal("bundle-keys")
    if not all(type(value) is str for value in key.values()) or key["use"] != "sig":
        raise Refusal("bundle-keys")
    components = {name: key[name] for name in sorted({"kty", *numbers})}
    digest = hashlib.sha256(statement.canonical(components)).digest()
    if key["kid"] != statement.base64url(digest).decode():
        raise Refusal("bundle-keys")
    try:
        check_numbers(key)
    except (ValueError, statement.Refusal):
        raise Refusal("bundle-keys") from None
    return key


def check_numbers(key: dict):
    """Whether the numbers make a key that statements may be signed by; a ValueError where they do not."""
    data = {name: statement.decode_base64url(key[name].encode()) for name in MEMBERS[key["kty"]] if name != "crv"}
    number = {name: int.from_bytes(value, "big") for name, value in data.items()}
    match key["kty"], key["alg"], key.get("crv"):
        case "EC", "ES256", "P-256":
            ec.EllipticCurvePublicNumbers(number["x"], number["y"], ec.SECP256R1()).public_key()
        case "EC", "ES384", "P-384":
            ec.EllipticCurvePublicNumbers(number["x"], number["y"], ec.SECP384R1()).public_key()
        case "OKP", "EdDSA", "Ed25519":
            ed25519.Ed25519PublicKey.from_public_bytes(data["x"])
        case "RSA", "PS256" | "RS256", None if number["e"] == 65537 and 2048 <= number["n"].bit_length() <= 4096:
            pass
        case _:
            raise ValueError


def check_history(history: str):
    """The form of the JWS and its header; nobody trusts what it says."""
    parts = history.encode().split(b".")
    if len(parts) != 3 or not all(statement.ALPHABET.fullmatch(part) for part in parts):
        raise Refusal("bundle-keys")
    try:
        head = dict(statement.pairs_of([statement.decode_base64url(part) for part in parts][0], "header"))
    except statement.Refusal:
        raise Refusal("bundle-keys") from None
    plain = statement.header(head.get("alg"), head.get("kid")) | {"typ": HISTORY_TYPE}
    data = statement.decode_base64url(parts[0])
    if statement.canonical(plain) != data or plain["alg"] not in statement.ALGORITHMS or type(plain["kid"]) is not str:
        raise Refusal("bundle-keys")


def check(data: bytes, verdict, require: int | None = None) -> list:
    """Checks a bundle; `verdict` gives a statement's own (verdict, reason). Returns the claims."""
    statements = read(data)
    verdicts = [verdict(line) for line in statements]
    for place, (kind, reason) in enumerate(verdicts, 1):
        if kind == "invalid":
            raise Refusal(reason, place)
    claims = [statement.decode(line.encode())[1] for line in statements]
    check_agreement(claims)
    check_number(claims, require)
    for place, (kind, reason) in enumerate(verdicts, 1):
        if kind == "indeterminate":
            raise Refusal(reason, place)
    return claims


def check_agreement(claims: list):
    for name, code in (("sub", "same-signer"), ("jti", "same-id")):
        for place, one in enumerate(claims, 1):
            if one[name] in [other[name] for other in claims[: place - 1]]:
                raise Refusal(code, place)
    for place, one in enumerate(claims, 1):
        for name in SHARED:
            if one.get(name) != claims[0].get(name):
                raise Refusal(f"unequal-{name}", place)
    for place in range(1, len(claims)):
        if claims[place]["sub"] < claims[place - 1]["sub"]:
            raise Refusal("order", place + 1)


def check_number(claims: list, require: int | None):
    quorum = claims[0].get("quorum")
    required, asked = map(int, quorum.split("/")) if quorum else (0, len(claims))
    if not quorum and require is None:
        raise Refusal("quorum-missing")
    if len(claims) < max(required, require or 1):
        raise Refusal("quorum-not-met")
    if len(claims) > asked:
        raise Refusal("quorum-exceeded")
