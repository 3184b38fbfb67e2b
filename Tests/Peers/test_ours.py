"""Statements that the command signed, verified by others who have nothing but the exported JWKS or PEM."""

import json
import shutil
import subprocess

import jwt
import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from joserfc import jws
from joserfc.jwk import KeySet

import statement


def parts(store):
    header, claims, signature, signed = statement.decode(store.statement.encode())
    assert header["alg"] == store.algorithm
    assert (claims["payload"], claims["sub"], claims["reason"]) == (store.payload, "alice", "Invoice 17")
    return header, claims, signature, signed


def test_the_second_implementation_reads_it(store):
    header, claims, _, signed = parts(store)
    assert statement.signing_input(header, claims) == signed


def test_pyjwt_with_the_jwks(store):
    keys = jwt.PyJWKSet.from_dict(json.loads(store.jwks.read_text()))
    key = keys[jwt.get_unverified_header(store.statement)["kid"]]
    assert jwt.decode(store.statement, key.key, algorithms=[store.algorithm])["payload"] == store.payload


def test_pyjwt_refuses_a_changed_one(store):
    header, claims, signature = store.statement.split(".")
    changed = ".".join([header, claims[:-2] + ("A" if claims[-2] != "A" else "B") + claims[-1], signature])
    key = jwt.PyJWKSet.from_dict(json.loads(store.jwks.read_text())).keys[0]
    with pytest.raises(jwt.InvalidTokenError):
        jwt.decode(changed, key.key, algorithms=[store.algorithm])


def test_joserfc_with_the_jwks(store):
    keys = KeySet.import_key_set(json.loads(store.jwks.read_text()))
    token = jws.deserialize_compact(store.statement, keys, algorithms=[store.algorithm])
    assert json.loads(token.payload)["payload"] == store.payload


def test_joserfc_finds_the_same_thumbprint(store):
    for key in KeySet.import_key_set(json.loads(store.jwks.read_text())).keys:
        assert key.thumbprint() == key.kid


def test_cryptography_with_the_pem(store):
    _, _, signature, signed = parts(store)
    key = serialization.load_pem_public_key(store.pem.read_bytes())
    if store.algorithm.startswith("ES"):
        half = len(signature) // 2
        r, s = int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")
        digest = hashes.SHA256() if store.algorithm == "ES256" else hashes.SHA384()
        key.verify(encode_dss_signature(r, s), signed, ec.ECDSA(digest))
    elif store.algorithm == "EdDSA":
        key.verify(signature, signed)
    elif store.algorithm == "PS256":
        key.verify(signature, signed, padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())
    else:
        key.verify(signature, signed, padding.PKCS1v15(), hashes.SHA256())


def test_openssl_with_the_pem(store, tmp_path):
    _, _, signature, signed = parts(store)
    if store.algorithm.startswith("ES"):
        half = len(signature) // 2
        signature = encode_dss_signature(int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big"))
    (tmp_path / "signature").write_bytes(signature)
    (tmp_path / "signed").write_bytes(signed)
    if store.algorithm == "EdDSA":
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", store.pem, "-rawin", "-in", "signed", "-sigfile", "signature"]
    else:
        command = ["openssl", "dgst", "-sha384" if store.algorithm == "ES384" else "-sha256", "-verify", store.pem, "-signature", "signature"]
        if store.algorithm == "PS256":
            command += ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32"]
        command.append("signed")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode == 0
    (tmp_path / "signed").write_bytes(signed + b"A")
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, check=False).returncode != 0


def test_jose_with_the_jwks(store):
    if store.algorithm == "EdDSA":
        pytest.skip("jose of Debian 12 has no EdDSA")
    if not shutil.which("jose"):
        pytest.skip("jose is not there")
    verified = subprocess.run(
        ["jose", "jws", "ver", "-i", store.statement, "-k", store.jwks, "-O-"], capture_output=True, check=True
    )
    assert json.loads(verified.stdout)["payload"] == store.payload


def test_the_exported_jwks_is_strict_and_public(store):
    exported = json.loads(store.jwks.read_text())
    assert list(exported) == ["keys"]
    for key in exported["keys"]:
        assert list(key) == sorted(key)
        assert key["use"] == "sig" and key["alg"] == store.algorithm
        assert not set(key) & {"d", "p", "q", "dp", "dq", "qi", "k"}
