"""Vectors/bundles, against the command and against the second implementation; and bundles that others make and check."""

import json
import pathlib
import subprocess
import sys

import pytest

import bundle
from conftest import ROOT
from make_bundle_vectors import Bundles
from test_vectors import options

FOLDER = ROOT / "Vectors" / "bundles"
FILES = ["valid", "form", "members", "together"]
KINDS = {"valid": "valid"} | dict.fromkeys(["unknown-key", "unusable-key", "history-expired", "key-compromised"], "indeterminate")


def vectors(name: str):
    file = json.loads((FOLDER / f"{name}.json").read_text())
    for test in file["tests"]:
        yield file, test, bytes.fromhex(test["bytes"]) if "bytes" in test else test["bundle"].encode()


def own(reason: str) -> tuple:
    """A statement's own verdict and reason."""
    return KINDS.get(reason, "invalid"), None if reason == "valid" else reason


def test_vectors_are_what_the_second_implementation_writes():
    made = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("make_bundle_vectors.py"), "--check"], capture_output=True)
    assert made.returncode == 0, made.stdout


@pytest.mark.parametrize("name", FILES)
def test_the_second_implementation_checks_by_the_page(name):
    for _, test, text in vectors(name):
        verdicts = iter(test.get("statements", ["valid"] * 64))
        policy = test.get("options", {})
        require = 1 if policy.get("any-quorum") else policy.get("require")
        if policy.get("any-quorum") and test["verdict"] == "valid":
            continue  # not its business: it counts
        try:
            bundle.check(text, lambda _: own(next(verdicts)), require)
            found = (None, None)
        except bundle.Refusal as refusal:
            found = (refusal.code, refusal.place)
        assert found == (test.get("reason"), test.get("place")), test["name"]


@pytest.mark.parametrize("name", FILES)
def test_the_command_gives_each_its_one_verdict(name, countersign, tmp_path):
    for file, test, text in vectors(name):
        trust = file["trust"][test.get("trust", "jwks")]
        (tmp_path / "trust").write_text(trust["text"])
        (tmp_path / "bundle").write_bytes(text)
        arguments = ["--trust", tmp_path / "trust", *(["--root", trust["root"]] if "root" in trust else []), *options(test.get("options", {}))]
        result = countersign.run("verify", "--json", *arguments, tmp_path / "bundle", status=None)
        exit_status = {"valid": 0, "invalid": 1, "indeterminate": 3}[test["verdict"]]
        assert result.returncode == exit_status, (test["name"], result.stdout, result.stderr)
        is_line = b"\n" not in text.removesuffix(b"\n")
        if is_line or test["name"].startswith("printed"):
            check(json.loads(result.stdout), test)
        if is_line and text[:1] == b"{":
            # As one line of many, too.
            result = countersign.run("verify", "--json", "--lines", *arguments, status=None, input=text)
            assert result.returncode == exit_status
            check(json.loads(result.stdout), test)


def check(verdict: dict, test: dict):
    found = (verdict["verdict"], verdict.get("reason"), verdict.get("place"))
    assert found == (test["verdict"], test.get("reason"), test.get("place")), test["name"]
    assert verdict["bundle"] == 1
    if "statements" in test:
        assert [(each["verdict"], each.get("reason")) for each in verdict["statements"]] == [own(reason) for reason in test["statements"]], test["name"]
    shown = ["claims" in each for each in verdict["statements"]]
    assert all(shown) if test["verdict"] == "valid" else not any(shown), test["name"]


@pytest.mark.parametrize("size,reason", [(bundle.MAX_BYTES, "not-compact"), (bundle.MAX_BYTES + 1, "too-long"), (300_000, "too-long")])
def test_the_limit_is_exact(size, reason, countersign, tmp_path):
    frame = len(bundle.text([""]))
    text = bundle.text(["A" * (size - frame)])
    assert len(text) == size
    (tmp_path / "trust").write_text(Bundles().jwks["text"])
    result = countersign.run("verify", "--json", "--trust", tmp_path / "trust", "-", status=1, input=text)
    # A statement of that length is too long itself.
    expected = "too-long" if reason == "not-compact" else reason
    verdict = json.loads(result.stdout)
    assert (verdict["reason"], verdict.get("place")) == (expected, 1 if reason == "not-compact" else None)


def test_the_command_makes_the_bundle_that_the_second_implementation_makes(countersign, tmp_path):
    made = Bundles()
    statements = [made.person(name) for name in ("carol", "alice", "bob")]
    keys = json.loads(made.jwks["text"])
    (tmp_path / "keys").write_text(made.jwks["text"])
    lines = "".join(f"{line}\n" for line in statements).encode()
    assert countersign.run("bundle", input=lines).stdout == bundle.make(statements) + b"\n"
    with_keys = countersign.run("bundle", "--keys", tmp_path / "keys", input=lines).stdout
    assert with_keys == bundle.make(statements, keys) + b"\n"
    result = countersign.run("verify", "--json", "--trust", tmp_path / "keys", input=with_keys)
    assert [each["claims"]["sub"] for each in json.loads(result.stdout)["statements"]] == ["alice", "bob", "carol"]
