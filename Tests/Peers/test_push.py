"""Vectors/push, as PyJWT reads them: what a service signs any library verifies, and what it refuses we refuse too."""

import json
import pathlib
import subprocess
import sys

import jwt
import pytest

from conftest import ALGORITHMS
from make_push_vectors import DEVICE, FILE, ISSUER, TYPE

DOCUMENT = json.loads(FILE.read_text())
KEYS = {key["kid"]: jwt.PyJWK(key) for key in json.loads(DOCUMENT["keys"])["keys"]}
ERRORS = {"expired": jwt.ExpiredSignatureError, "early": jwt.ImmatureSignatureError}


@pytest.fixture(autouse=True)
def at_the_time_of_the_vectors(monkeypatch):
    import datetime

    import jwt.api_jwt

    class Then(datetime.datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(DOCUMENT["now"], tz)

    monkeypatch.setattr(jwt.api_jwt, "datetime", Then)


def text(test: dict) -> str:
    push = test["push"]
    return json.loads(push)["countersign"] if push.lstrip().startswith("{") else push


def read(test: dict) -> dict:
    """The claims of a challenge, by PyJWT and the key set alone."""
    challenge = text(test)
    header = jwt.get_unverified_header(challenge)
    assert header["typ"] == TYPE
    key = KEYS[header["kid"]]
    audience = jwt.decode(challenge, options={"verify_signature": False})["aud"]
    skew = min(max(test.get("skew", 300), 0), 10**12)
    return jwt.decode(challenge, key.key, algorithms=[key.algorithm_name], audience=audience, issuer=ISSUER, leeway=skew,
                      options={"require": ["iss", "aud", "iat", "exp", "jti"]})


def vectors(*results: str) -> list:
    return [pytest.param(test, id=test["name"]) for test in DOCUMENT["tests"] if test["result"] in results]


def test_vectors_are_what_the_second_implementation_writes():
    made = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("make_push_vectors.py"), "--check"], capture_output=True)
    assert made.returncode == 0, made.stdout


def test_every_algorithm_is_there():
    assert {f"signed with {name}" for name in ALGORITHMS} <= {test["name"] for test in DOCUMENT["tests"]}


@pytest.mark.parametrize("test", vectors("good"))
def test_pyjwt_reads_the_good_ones(test):
    claims = read(test)
    assert list(claims) == ["iss", "aud", "iat", "exp", "jti", "notification", "matter"]
    assert claims["aud"] == DEVICE or "another device" in test["name"]


@pytest.mark.parametrize("test", vectors("expired", "early"))
def test_pyjwt_refuses_them_at_the_same_second(test):
    with pytest.raises(ERRORS[test["result"]]):
        read(test)


@pytest.mark.parametrize("test", vectors("untrusted"))
def test_pyjwt_refuses_what_is_not_the_services(test):
    with pytest.raises((jwt.InvalidTokenError, KeyError)):
        read(test)
