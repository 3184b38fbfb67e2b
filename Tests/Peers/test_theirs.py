"""Statements that other libraries signed over the canonical text of docs/statement.md: ours must accept each of them."""

import json
import shutil
import subprocess

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from joserfc import jws
from joserfc.jwk import ECKey, OKPKey, RSAKey

import statement
from conftest import ALGORITHMS
from make_vectors import CLAIMS
from peerkey import PeerKey

PAYLOADS = ["Pay 5.00 EUR to Bob", 'tab\tline\nquote" backslash\\ slash/ é \U0001f600 \u200b', "€" * 1365]


@pytest.fixture(scope="module")
def keys() -> dict:
    return {algorithm: PeerKey.generate(algorithm) for algorithm in ALGORITHMS}


@pytest.fixture(params=ALGORITHMS)
def key(request, keys) -> PeerKey:
    return keys[request.param]


def message(key: PeerKey, payload: str) -> bytes:
    return statement.signing_input(statement.header(key.algorithm, key.kid), CLAIMS | {"payload": payload})


def accept(countersign, tmp_path, key: PeerKey, payload: str, text: bytes):
    """Ours accepts the statement and shows exactly what was signed, by JWKS and by PEM."""
    assert text.rsplit(b".", 1)[0] == message(key, payload), "the peer did not sign the canonical text"
    (tmp_path / "trust.json").write_text(json.dumps({"keys": [key.jwk]}))
    (tmp_path / "trust.pem").write_bytes(key.public_pem())
    (tmp_path / "statement").write_bytes(text)
    rsa = ["--rsa-algorithm", key.algorithm] if key.algorithm in ("PS256", "RS256") else []
    for trust in (["--trust", tmp_path / "trust.json"], ["--trust", tmp_path / "trust.pem", *rsa]):
        shown = countersign.run("verify", "--raw", *trust, tmp_path / "statement")
        assert shown.stdout == payload.encode()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_signed_by_cryptography(countersign, tmp_path, key, payload):
    signed = message(key, payload)
    accept(countersign, tmp_path, key, payload, signed + b"." + statement.base64url(key.sign(signed)))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_signed_by_pyjwt(countersign, tmp_path, key, payload):
    """PyJWT's signature, over the text that it would not write in our order itself."""
    signed = message(key, payload)
    signature = jwt.get_algorithm_by_name(key.algorithm).sign(signed, key.private)
    accept(countersign, tmp_path, key, payload, signed + b"." + statement.base64url(signature))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_signed_by_joserfc(countersign, tmp_path, key, payload):
    kind = {"ES256": ECKey, "ES384": ECKey, "EdDSA": OKPKey}.get(key.algorithm, RSAKey)
    signer = kind.import_key(key.pem())
    header = statement.header(key.algorithm, key.kid)
    claims = {name: (CLAIMS | {"payload": payload})[name] for name in statement.ORDER if name in CLAIMS}
    text = jws.serialize_compact(header, statement.canonical(claims), signer, algorithms=[key.algorithm])
    accept(countersign, tmp_path, key, payload, text.encode())


@pytest.mark.parametrize("payload", PAYLOADS)
def test_signed_by_openssl(countersign, tmp_path, key, payload):
    signed = message(key, payload)
    (tmp_path / "key.pem").write_bytes(key.pem())
    (tmp_path / "signed").write_bytes(signed)
    digest = "-sha384" if key.algorithm == "ES384" else "-sha256"
    command = ["openssl", "dgst", digest, "-sign", "key.pem"]
    if key.algorithm == "PS256":
        command += ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:32", "-sigopt", "rsa_mgf1_md:sha256"]
    if key.algorithm == "EdDSA":
        command = ["openssl", "pkeyutl", "-sign", "-inkey", "key.pem", "-rawin", "-in"]
    signature = subprocess.run([*command, "signed"], cwd=tmp_path, capture_output=True, check=True).stdout
    if key.algorithm.startswith("ES"):
        size = 32 if key.algorithm == "ES256" else 48
        signature = b"".join(part.to_bytes(size, "big") for part in decode_dss_signature(signature))
    accept(countersign, tmp_path, key, payload, signed + b"." + statement.base64url(signature))


@pytest.mark.parametrize("payload", PAYLOADS)
def test_signed_by_jose(countersign, tmp_path, key, payload):
    if key.algorithm == "EdDSA":
        pytest.skip("jose of Debian 12 has no EdDSA")
    if not shutil.which("jose"):
        pytest.skip("jose is not there")
    # jose makes the key itself; its own thumbprint must be ours.
    made = subprocess.run(["jose", "jwk", "gen", "-i", json.dumps({"alg": key.algorithm})], capture_output=True, check=True)
    public = json.loads(subprocess.run(["jose", "jwk", "pub", "-i-"], input=made.stdout, capture_output=True, check=True).stdout)
    kid = subprocess.run(["jose", "jwk", "thp", "-i-"], input=made.stdout, capture_output=True, check=True).stdout.decode().strip()
    (tmp_path / "key.jwk").write_bytes(made.stdout)
    # jose would write the header in an order of its own: it takes the protected header as text that is already encoded.
    header = statement.base64url(statement.canonical(statement.header(key.algorithm, kid))).decode()
    claims = statement.canonical({name: (CLAIMS | {"payload": payload})[name] for name in statement.ORDER if name in CLAIMS})
    (tmp_path / "claims").write_bytes(claims)
    signed = subprocess.run(
        ["jose", "jws", "sig", "-I", "claims", "-k", "key.jwk", "-s", json.dumps({"protected": header}), "-c", "-o-"],
        cwd=tmp_path, capture_output=True, check=True,
    )
    (tmp_path / "trust.json").write_text(json.dumps({"keys": [public | {"kid": kid}]}))
    (tmp_path / "statement").write_bytes(signed.stdout)
    shown = countersign.run("verify", "--raw", "--trust", tmp_path / "trust.json", tmp_path / "statement")
    assert shown.stdout == payload.encode()


def test_many_of_many_keys(countersign, tmp_path, keys):
    """One file with the statements of all algorithms, in an order of their own, and a JWKS of all the keys."""
    lines = []
    for index in range(200):
        key = keys[ALGORITHMS[index % len(ALGORITHMS)]]
        signed = message(key, f"number {index}")
        lines.append(signed + b"." + statement.base64url(key.sign(signed)))
    (tmp_path / "trust.json").write_text(json.dumps({"keys": [key.jwk for key in keys.values()]}))
    (tmp_path / "lines").write_bytes(b"\n".join(lines) + b"\n")
    result = countersign.run("verify", "--json", "--trust", tmp_path / "trust.json", tmp_path / "lines")
    assert [json.loads(line)["claims"]["payload"] for line in result.stdout.splitlines()] == [f"number {index}" for index in range(200)]
