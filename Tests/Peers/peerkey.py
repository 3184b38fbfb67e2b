"""Keys that Python's `cryptography` makes and signs with. Signatures are deterministic, so that vectors can be made again."""

import base64
import hashlib
import json

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from statement import base64url

CURVES = {"ES256": ("P-256", ec.SECP256R1(), hashes.SHA256(), 32), "ES384": ("P-384", ec.SECP384R1(), hashes.SHA384(), 48)}
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


def number(value: int, length: int | None = None) -> str:
    """A number as JWK has it: big-endian, of the given length or as short as it goes."""
    return base64url(value.to_bytes(length or (value.bit_length() + 7) // 8, "big")).decode()


class PeerKey:
    def __init__(self, algorithm: str, private):
        self.algorithm, self.private = algorithm, private

    @classmethod
    def generate(cls, algorithm: str, bits: int = 2048) -> "PeerKey":
        if algorithm in CURVES:
            return cls(algorithm, ec.generate_private_key(CURVES[algorithm][1]))
        if algorithm == "EdDSA":
            return cls(algorithm, ed25519.Ed25519PrivateKey.generate())
        return cls(algorithm, rsa.generate_private_key(65537, bits))

    @classmethod
    def load(cls, algorithm: str, pkcs8: str) -> "PeerKey":
        return cls(algorithm, serialization.load_der_private_key(base64.b64decode(pkcs8), None, unsafe_skip_rsa_key_validation=True))

    def pkcs8(self) -> str:
        return base64.b64encode(self.der()).decode()

    def der(self, encoding=serialization.Encoding.DER) -> bytes:
        return self.private.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())

    def pem(self) -> bytes:
        return self.der(serialization.Encoding.PEM)

    def public_pem(self) -> bytes:
        return self.private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def components(self) -> dict:
        """The members that the thumbprint covers (RFC 7638 section 3.2, RFC 8037 section 2), in their order."""
        public = self.private.public_key()
        if self.algorithm in CURVES:
            curve, _, _, length = CURVES[self.algorithm]
            point = public.public_numbers()
            return {"crv": curve, "kty": "EC", "x": number(point.x, length), "y": number(point.y, length)}
        if self.algorithm == "EdDSA":
            return {"crv": "Ed25519", "kty": "OKP", "x": base64url(public.public_bytes_raw()).decode()}
        numbers = public.public_numbers()
        return {"e": number(numbers.e), "kty": "RSA", "n": number(numbers.n)}

    @property
    def kid(self) -> str:
        text = json.dumps(self.components(), separators=(",", ":"))
        return base64url(hashlib.sha256(text.encode()).digest()).decode()

    @property
    def jwk(self) -> dict:
        """The public key with its purpose, members in RFC 8785 order."""
        return dict(sorted((self.components() | {"alg": self.algorithm, "kid": self.kid, "use": "sig"}).items()))

    def sign(self, message: bytes) -> bytes:
        if self.algorithm in CURVES:
            _, _, digest, length = CURVES[self.algorithm]
            der = self.private.sign(message, ec.ECDSA(digest, deterministic_signing=True))
            return b"".join(part.to_bytes(length, "big") for part in decode_dss_signature(der))
        if self.algorithm == "EdDSA":
            return self.private.sign(message)
        if self.algorithm == "RS256":
            return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())
        return self.sign_pss(message)

    def sign_pss(self, message: bytes, salt_length: int = 32, mask_hash: str = "sha256") -> bytes:
        """RSASSA-PSS (RFC 8017 sections 8.1.1, 9.1.1) with a salt that follows from the message."""
        numbers = self.private.private_numbers()
        modulus = numbers.public_numbers.n
        bits = modulus.bit_length() - 1
        length = (bits + 7) // 8
        salt = hashlib.sha512(b"salt" + message).digest()[:salt_length]
        digest = hashlib.sha256(bytes(8) + hashlib.sha256(message).digest() + salt).digest()
        block = bytes(length - len(salt) - 32 - 2) + b"\x01" + salt
        mask = b"".join(
            hashlib.new(mask_hash, digest + counter.to_bytes(4, "big")).digest() for counter in range(len(block) // 20 + 1)
        )
        masked = bytearray(a ^ b for a, b in zip(block, mask))
        masked[0] &= 0xFF >> (8 * length - bits)
        encoded = int.from_bytes(bytes(masked) + digest + b"\xbc", "big")
        return pow(encoded, numbers.d, modulus).to_bytes((modulus.bit_length() + 7) // 8, "big")
