"""The recipes of docs/verify-elsewhere.md, run as they stand there."""

import os
import re
import shutil
import subprocess
import sys

import pytest

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


def test_every_recipe_is_run():
    assert set(RECIPES) == set(COMMANDS)


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
    command, file = COMMANDS[recipe]
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
