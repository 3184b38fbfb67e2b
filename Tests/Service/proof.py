"""A key pair of a device or an operator, and its proofs of possession (RFC 9449)."""

import base64
import hashlib
import json
import time
import uuid

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def compact(value) -> bytes:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


class Key:
    """An ES256 key pair, or an Ed25519 one."""

    def __init__(self, algorithm: str = "ES256"):
        self.algorithm = algorithm
        if algorithm == "ES256":
            self.private = ec.generate_private_key(ec.SECP256R1())
            numbers = self.private.public_key().public_numbers()
            x, y = (base64url(number.to_bytes(32, "big")) for number in (numbers.x, numbers.y))
            self.jwk = {"kty": "EC", "crv": "P-256", "x": x, "y": y}
            members = {"crv": "P-256", "kty": "EC", "x": x, "y": y}
        else:
            self.private = ed25519.Ed25519PrivateKey.generate()
            raw = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
            self.jwk = {"kty": "OKP", "crv": "Ed25519", "x": base64url(raw)}
            members = {"crv": "Ed25519", "kty": "OKP", "x": base64url(raw)}
        self.thumbprint = base64url(hashlib.sha256(compact(members)).digest())

    def sign(self, data: bytes) -> bytes:
        if self.algorithm == "EdDSA":
            return self.private.sign(data)
        r, s = utils.decode_dss_signature(self.private.sign(data, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")

    def jwt(self, header: dict, claims: dict) -> str:
        signed = f"{base64url(compact(header))}.{base64url(compact(claims))}"
        return f"{signed}.{base64url(self.sign(signed.encode()))}"

    def proof(self, method: str, url: str, token: str | None = None, nonce: str | None = None, header=(), claims=()) -> str:
        """A DPoP proof. `header` and `claims` change members, or leave out those that are None."""
        head = {"typ": "dpop+jwt", "alg": self.algorithm, "jwk": self.jwk} | dict(header)
        body = {"jti": str(uuid.uuid4()), "htm": method, "htu": url, "iat": int(time.time())}
        if token is not None:
            body["ath"] = base64url(hashlib.sha256(token.encode()).digest())
        if nonce is not None:
            body["nonce"] = nonce
        body |= dict(claims)
        return self.jwt(
            {name: value for name, value in head.items() if value is not None},
            {name: value for name, value in body.items() if value is not None},
        )

    def assertion(self, client: str, audience: str, claims=()) -> str:
        """What a relying service proves itself with at the token endpoint (RFC 7523)."""
        now = int(time.time())
        body = {"iss": client, "sub": client, "aud": audience, "exp": now + 60, "iat": now, "jti": str(uuid.uuid4())}
        body |= dict(claims)
        header = {"alg": self.algorithm, "typ": "JWT"}
        return self.jwt(header, {name: value for name, value in body.items() if value is not None})
