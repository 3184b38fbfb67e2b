"""What the peer tests share: the binary, a store for each algorithm, and the closing line that `make test` reads."""

import json
import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALGORITHMS = ["ES256", "EdDSA", "ES384", "PS256", "RS256"]
PASSWORD = "a password of the peers"


class Countersign:
    """The command under test."""

    def __init__(self, binary: pathlib.Path):
        self.binary = str(binary)

    def run(self, *arguments, status=0, input=None, cwd=None) -> subprocess.CompletedProcess:
        environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
        result = subprocess.run(
            [self.binary, *map(str, arguments)], input=input, capture_output=True, cwd=cwd, env=environment, check=False
        )
        assert status is None or result.returncode == status, (arguments, result.returncode, result.stderr)
        return result

    def verdicts(self, lines: bytes, *arguments) -> list:
        """Verifies many statements, one a line; their verdicts as (verdict, reason or None)."""
        result = self.run("verify", "--json", *arguments, "-", status=None, input=lines)
        assert result.returncode in (0, 1, 3), result.stderr
        return [(row["verdict"], row.get("reason")) for row in map(json.loads, result.stdout.splitlines())]


@pytest.fixture(scope="session")
def countersign() -> Countersign:
    binary = pathlib.Path(os.environ.get("COUNTERSIGN", ROOT / ".build-static/release/countersign"))
    assert binary.exists(), "there is no binary; run 'make build' first"
    return Countersign(binary)


class Store:
    """A store whose key has one algorithm, and a statement that was signed in it."""

    def __init__(self, countersign: Countersign, folder: pathlib.Path, algorithm: str):
        self.folder, self.algorithm = folder, algorithm
        password = folder / "password"
        password.write_text(PASSWORD)
        password.chmod(0o600)
        at = ["--store", folder / "store"]
        countersign.run("init", *at, "--algorithm", algorithm)
        countersign.run("users", "add", "alice", *at, "--password-file", password)
        self.payload = 'Pay 5.00 EUR to Zoë\n\t"now" \\ \U0001f600'
        signed = countersign.run(
            "sign", *at, "--user", "alice", "--reason", "Invoice 17", "--password-file", password, self.payload
        )
        self.statement = signed.stdout.decode().removesuffix("\n")
        self.jwks = folder / "trust.json"
        self.pem = folder / "trust.pem"
        countersign.run("trust", "export", *at, "--jwks", "--out", self.jwks)
        countersign.run("trust", "export", *at, "--pem", "--out", self.pem)


@pytest.fixture(scope="session")
def stores(countersign, tmp_path_factory) -> dict:
    return {name: Store(countersign, tmp_path_factory.mktemp(name), name) for name in ALGORITHMS}


@pytest.fixture(params=ALGORITHMS)
def store(request, stores) -> Store:
    return stores[request.param]


def pytest_terminal_summary(terminalreporter):
    def count(*outcomes):
        return sum(len(terminalreporter.stats.get(outcome, [])) for outcome in outcomes)

    terminalreporter.write_line(f"{count('passed')} passed, {count('failed', 'error')} failed")
