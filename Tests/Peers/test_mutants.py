"""Mutants of good statements (V21): ours must accept nothing that the second implementation and `cryptography` refuse."""

import json
import os
import random

import statement
from make_vectors import CLAIMS
from peerkey import PeerKey

COUNT = int(os.environ.get("COUNTERSIGN_MUTANTS", "20000"))
INTERESTING = [
    b".", b"=", b"A", b"-", b"_", b"+", b"/", b" ", b"\r", b"\0", b"\xff", b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\u0000",
    b"null", b"true", b"-0", b"1e9", b"99999999999999999999", b'"alg":"none"', b'"sub":"mallory",', b"\xef\xbb\xbf", b"\xc2\xa0",
]


def mutated(text: bytes, chance: random.Random) -> bytes:
    """One to three changes: in the text itself, or inside a decoded part that is then encoded again."""
    inside = chance.random() < 0.6
    parts = text.split(b".")
    which = chance.randrange(3)
    data = bytearray(statement.decode_base64url(parts[which]) if inside else text)
    for _ in range(chance.choice([1, 1, 1, 2, 3])):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(5):
            case 0:
                data[at:at + 1] = bytes([chance.randrange(256)])
            case 1:
                del data[at:at + chance.choice([1, 1, 2, 8, 64])]
            case 2:
                data[at:at] = chance.choice(INTERESTING)
            case 3:
                data[at:at] = data[at:at + chance.choice([1, 4, 16, 64])]
            case 4 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
    if inside:
        parts[which] = statement.base64url(bytes(data))
        return b".".join(parts)
    return bytes(data)


def test_no_mutant_is_accepted_that_the_reference_refuses(countersign, tmp_path):
    chance = random.Random(20260101)
    keys = [PeerKey.generate("ES256"), PeerKey.generate("EdDSA")]
    by_kid = {key.kid: key for key in keys}
    good = []
    for key in keys:
        signed = statement.signing_input(statement.header(key.algorithm, key.kid), CLAIMS | {"payload": 'é "\n'})
        good.append(signed + b"." + statement.base64url(key.sign(signed)))
    lines = []
    while len(lines) < COUNT:
        text = mutated(chance.choice(good), chance)
        # Signed again by the same key, so that the format decides and not the signature.
        if chance.random() < 0.5 and text.count(b".") == 2:
            signed = text.rsplit(b".", 1)[0]
            text = signed + b"." + statement.base64url(chance.choice(keys).sign(signed))
        if b"\n" not in text and not text.startswith(b"{"):
            lines.append(text)

    (tmp_path / "trust.json").write_text(json.dumps({"keys": [key.jwk for key in keys]}))
    verdicts = countersign.verdicts(b"\n".join(lines) + b"\n", "--trust", tmp_path / "trust.json", "--any-audience")
    assert len(verdicts) == len(lines)
    accepted = 0
    for text, (verdict, code) in zip(lines, verdicts):
        expected = reference(text, by_kid)
        assert (verdict == "valid") == (expected == "valid"), (text, verdict, code, expected)
        accepted += verdict == "valid"
    assert accepted > 0, "mutants that change nothing must be among them"


def reference(text: bytes, keys: dict) -> str:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

    try:
        header, claims, signature, signed = statement.decode(text)
    except statement.Refusal as refusal:
        return refusal.code
    key = keys.get(header["kid"])
    if key is None:
        return "unknown-key"
    if header["alg"] != key.algorithm or len(signature) != 64:
        return "signature"
    public = key.private.public_key()
    try:
        if key.algorithm == "EdDSA":
            public.verify(signature, signed)
        else:
            r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
            public.verify(encode_dss_signature(r, s), signed, ec.ECDSA(hashes.SHA256()))
    except (InvalidSignature, ValueError):
        return "signature"
    return "valid" if claims["auth_level"] >= 1 and claims["iat"] <= 4_000_000_000 else "policy"
