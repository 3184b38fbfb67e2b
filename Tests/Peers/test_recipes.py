"""The recipes of docs/verify-elsewhere.md, run as they stand there."""

import os
import re
import shutil
import subprocess
import sys

import pytest

import bundle
import statement
from conftest import ALGORITHMS, ROOT
from make_vectors import CLAIMS
from peerkey import PeerKey

PAGE = (ROOT / "docs" / "verify-elsewhere.md").read_text()
SECTIONS = PAGE.split("\n## ")[1:]
RECIPES = {section.split("\n")[0]: re.search(r"^```\w+\n(.*?)^```", section, re.M | re.S)[1] for section in SECTIONS}
COMMANDS = {
    "Python with PyJWT": [sys.executable, "verify.py"],
    "Python with joserfc": [sys.executable, "verify.py"],
    "Python with cryptography alone": [sys.executable, "verify.py"],
    "Shell with openssl alone": ["sh", "verify.sh"],
    "Shell with jose": ["sh", "verify.sh"],
    "Node": ["node", "verify.mjs"],
}
BUNDLES = {
    "A bundle in Python with PyJWT": [sys.executable, "verify.py"],
    "A bundle in Python with joserfc": [sys.executable, "verify.py"],
}


def test_every_recipe_is_run():
    assert set(RECIPES) == {*COMMANDS, *BUNDLES}


class Signer:
    """A key of a peer, beside another key of the same algorithm, and what it signs."""

    def __init__(self, algorithm: str, folder):
        self.key, self.other, self.folder = PeerKey.generate(algorithm), PeerKey.generate(algorithm), folder
        import json
        (folder / "trust.json").write_text(json.dumps({"keys": [self.other.jwk, self.key.jwk]}))
        (folder / "trust.pem").write_bytes(self.other.public_pem() + self.key.public_pem())

    def sign(self, key=None, header=None, **change) -> bytes:
        message = statement.signing_input(
            statement.header(self.key.algorithm, self.key.kid) | (header or {}), CLAIMS | change
        )
        return message + b"." + statement.base64url((key or self.key).sign(message)) + b"\n"


@pytest.fixture(scope="module")
def signers(tmp_path_factory) -> dict:
    return {algorithm: Signer(algorithm, tmp_path_factory.mktemp("signer")) for algorithm in ALGORITHMS}


def run(recipe: str, algorithm: str, folder, text: bytes, tmp_path) -> subprocess.CompletedProcess:
    command, file = (COMMANDS | BUNDLES)[recipe]
    if not shutil.which(command):
        pytest.skip(f"{command} is not there")
    (tmp_path / file).write_text(RECIPES[recipe])
    (tmp_path / "statement").write_bytes(text)
    openssl = "openssl" in recipe
    trust = folder / ("trust.pem" if openssl else "trust.json")
    arguments = [command, file, trust, "statement", *([algorithm] if openssl else [])]
    return subprocess.run(arguments, cwd=tmp_path, capture_output=True, env=os.environ, timeout=60, check=False)


@pytest.fixture(params=[(recipe, algorithm) for recipe in COMMANDS for algorithm in ALGORITHMS
                        if (recipe, algorithm) != ("Shell with jose", "EdDSA")], ids=lambda pair: " ".join(pair))
def pair(request):
    return request.param


def test_a_good_statement_is_accepted_and_shown(pair, signers, tmp_path):
    recipe, algorithm = pair
    result = run(recipe, algorithm, signers[algorithm].folder, signers[algorithm].sign(), tmp_path)
    assert result.returncode == 0, result.stderr
    assert CLAIMS["payload"].encode() in result.stdout


def test_forgeries_are_refused(pair, signers, tmp_path):
    recipe, algorithm = pair
    signer = signers[algorithm]
    good = signer.sign()
    head, claims, signature = good.split(b".")
    middle = len(claims) // 2
    forged = {
        "changed claims": head + b"." + claims[:middle] + (b"B" if claims[middle:middle + 1] == b"A" else b"A") + claims[middle + 1:]
        + b"." + signature,
        "another signature": head + b"." + claims + b"." + signer.sign(payload="another").split(b".")[2],
        "signed by a stranger": signer.sign(key=PeerKey.generate(algorithm)),
        "a cut signature": good[:-5] + b"\n",
        "another typ": signer.sign(header={"typ": "JWT"}),
        "no signature": head + b"." + claims + b".\n",
        "alg none": statement.signing_input({"alg": "none", "kid": signer.key.kid, "typ": "countersign+jwt"}, CLAIMS) + b".\n",
    }
    for name, text in forged.items():
        result = run(recipe, algorithm, signer.folder, text, tmp_path)
        assert result.returncode != 0, name
        assert CLAIMS["payload"].encode() not in result.stdout, name


def test_the_recipes_take_what_the_command_exports(pair, stores, tmp_path):
    recipe, algorithm = pair
    store = stores[algorithm]
    result = run(recipe, algorithm, store.folder, store.statement.encode() + b"\n", tmp_path)
    assert result.returncode == 0, result.stderr


PEOPLE = {"alice": "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11", "bob": "1c9f8b9d-6f8e-4d64-8e1f-1f7c208f3b22", "carol": "2d0a9cae-7a9f-4e75-9f20-208d319a4c33"}


def part(signer: Signer, name: str, key=None, **change) -> str:
    """What one person signed for a request that needs two of three."""
    own = {"sub": name, "jti": PEOPLE[name], "request": "r-1", "quorum": "2/3"}
    return signer.sign(key, **own | change).decode().removesuffix("\n")


@pytest.fixture(params=BUNDLES)
def recipe(request):
    return request.param


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_a_good_bundle_is_accepted_and_shown(recipe, algorithm, signers, countersign, tmp_path):
    signer = signers[algorithm]
    text = bundle.text([part(signer, "alice"), part(signer, "bob")], {"keys": [signer.key.jwk]}) + b"\n"
    countersign.run("verify", "--trust", signer.folder / "trust.json", input=text)
    result = run(recipe, algorithm, signer.folder, text, tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout.decode() == f"{CLAIMS['payload']} signed by alice bob\n"


def test_bundles_that_are_none_are_refused(recipe, signers, countersign, tmp_path):
    signer, stranger = signers["ES256"], PeerKey.generate("ES256")
    alice, bob = part(signer, "alice"), part(signer, "bob")
    good = bundle.text([alice, bob])
    alien = stranger.jwk
    for name, text in {
        "one of two": bundle.text([alice]), "nobody": bundle.text([]), "the same statement twice": bundle.text([alice, alice]),
        "the same person twice": bundle.text([alice, part(signer, "alice", jti=PEOPLE["carol"])]),
        "the same id twice": bundle.text([alice, part(signer, "bob", jti=PEOPLE["alice"])]),
        "another payload": bundle.text([alice, part(signer, "bob", payload="Pay 6.00 EUR to Bob")]),
        "another request": bundle.text([alice, part(signer, "bob", request="r-2")]), "a lower number": bundle.text([alice, part(signer, "bob", quorum="1/3")]),
        "an audience": bundle.text([part(signer, each, aud="x") for each in ("alice", "bob")]),
        "a wrong signature": good.replace(bob[-12:-4].encode(), b"AAAAAAAA"), "a stranger": bundle.text([alice, part(signer, "bob", stranger)]),
        "a foreign key that came along": bundle.text([alice, foreign(stranger)], {"keys": [alien]}), "evidence": good.replace(b"[],", b"[1],"),
        "version 2": good.replace(b":1,", b":2,", 1),
    }.items():
        command = countersign.run("verify", "--trust", signer.folder / "trust.json", input=text, status=None)
        assert command.returncode == (3 if "foreign" in name else 1), (name, command.stdout)
        result = run(recipe, "ES256", signer.folder, text, tmp_path)
        assert result.returncode != 0, name
        assert CLAIMS["payload"].encode() not in result.stdout, name


def foreign(key: PeerKey) -> str:
    """A statement by another key, which it names."""
    own = {"sub": "bob", "jti": PEOPLE["bob"], "request": "r-1", "quorum": "2/3"}
    message = statement.signing_input(statement.header(key.algorithm, key.kid), CLAIMS | own)
    return (message + b"." + statement.base64url(key.sign(message))).decode()
