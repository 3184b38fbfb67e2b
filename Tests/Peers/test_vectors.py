"""Vectors/statements, against the command and against the second implementation."""

import json
import pathlib
import subprocess
import sys

import pytest

import statement
from conftest import ROOT

FOLDER = ROOT / "Vectors" / "statements"
FILES = ["valid", "text", "header", "claims", "signature", "policy", "result"]
FORMAT = {"empty", "too-long", "not-compact", "not-base64url", "header", "type", "algorithm", "key-id", "claims", "claim-set",
          "level-and-type"}


def vectors(name: str):
    file = json.loads((FOLDER / f"{name}.json").read_text())
    for test in file["tests"]:
        text = bytes.fromhex(test["bytes"]) if "bytes" in test else test["statement"].encode()
        yield file, test, text


def test_vectors_are_what_the_second_implementation_writes():
    made = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("make_vectors.py"), "--check"], capture_output=True)
    assert made.returncode == 0, made.stdout


@pytest.mark.parametrize("name", FILES)
def test_the_second_implementation_decodes_by_the_page(name):
    for _, test, text in vectors(name):
        if text.startswith(b"{"):
            continue
        reason = test.get("reason", "")
        try:
            statement.decode(text)
            code = None
        except statement.Refusal as refusal:
            code = refusal.code
        expected = reason if reason in FORMAT or reason.startswith("claim-") else None
        assert code == expected, test["name"]


@pytest.mark.parametrize("name", FILES)
def test_the_command_gives_each_its_one_verdict(name, countersign, tmp_path):
    for file, test, text in vectors(name):
        trust = file["trust"][test.get("trust", "jwks")]
        (tmp_path / "trust").write_text(trust["text"])
        (tmp_path / "statement").write_bytes(text)
        result = countersign.run(
            "verify", "--json", "--trust", tmp_path / "trust", *(["--root", trust["root"]] if "root" in trust else []),
            *options(test.get("options", {})), tmp_path / "statement", status=None,
        )
        exit_status = {"valid": 0, "invalid": 1, "indeterminate": 3}[test["verdict"]]
        assert result.returncode == exit_status, (test["name"], result.stdout, result.stderr)
        if text.count(b"\n") <= text.endswith(b"\n"):
            verdict = json.loads(result.stdout)
            assert (verdict["verdict"], verdict.get("reason")) == (test["verdict"], test.get("reason")), test["name"]


def options(policy: dict):
    for name, value in policy.items():
        if value is True:
            yield f"--{name}"
        elif isinstance(value, list):
            yield f"--{name}={','.join(value)}"
        else:
            yield f"--{name}={value}"
