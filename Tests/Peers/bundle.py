"""A second implementation of the bundle, written from docs/bundle.md alone. `check` says why a bundle is refused, but for the
signatures: it takes what each statement's own verdict is from whoever asks.
"""

import base64
import hashlib
import json

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
        value = json.loads(data.decode(), object_pairs_hook=statement.Pairs)
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
    return key


def check_history(history: str):
    try:
        head, _, _ = history.encode().split(b".")
        header = json.loads(base64.urlsafe_b64decode(head + b"=" * (-len(head) % 4)))
        if list(header) != ["alg", "kid", "typ"] or header["typ"] != HISTORY_TYPE:
            raise ValueError
    except ValueError:
        raise Refusal("bundle-keys") from None


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
    for place, one in enumerate(claims, 1):
        for name, code in (("sub", "same-signer"), ("jti", "same-id")):
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
