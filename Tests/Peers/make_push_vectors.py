#!/usr/bin/env python3
"""Writes Vectors/push/challenges.json by docs/push.md alone; with --check, says whether it is what it would write.

The keys are those of Vectors/statements: public test material, for nothing else.
"""

import json
import pathlib
import sys

from make_vectors import load_keys
from statement import base64url, canonical

FILE = pathlib.Path(__file__).resolve().parents[2] / "Vectors" / "push" / "challenges.json"
NOW = 1_767_225_700
ISSUER = "https://sign.example"
DEVICE = "3f2b8c4e-9d1a-4e7b-8a6c-2b1d0f9e8c7a"
CLAIMS = {
    "iss": ISSUER, "aud": DEVICE, "iat": NOW - 10, "exp": NOW + 290, "jti": "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11",
    "notification": "5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70", "matter": "message",
}
TYPE = "countersign-push+jwt"
SIGNING = ("ES256", "EdDSA", "ES384", "PS256", "RS256")


class Challenges:
    def __init__(self):
        self.keys = load_keys()
        self.jwks = json.dumps({"keys": [self.keys[name].jwk for name in SIGNING]})
        self.tests = []

    def add(self, name: str, push: str, result: str = "good", skew: int | None = None):
        assert name not in [test["name"] for test in self.tests], name
        test = {"name": name, "push": push} | ({} if skew is None else {"skew": skew}) | {"result": result}
        self.tests.append(test)

    def signed(self, change=None, key="ES256", kind=TYPE, head=None, payload: bytes | None = None) -> str:
        """A challenge; None takes a claim away."""
        key = self.keys[key]
        claims = {name: value for name, value in (CLAIMS | (change or {})).items() if value is not None}
        header = {"alg": key.algorithm, "kid": key.kid, "typ": kind} if head is None else head
        message = base64url(canonical(header)) + b"." + base64url(canonical(claims) if payload is None else payload)
        return (message + b"." + base64url(key.sign(message))).decode()

    def make(self) -> str:
        for name in SIGNING:
            self.add(f"signed with {name}", self.signed(key=name))
        good = self.signed()
        for matter in ("request", "activation", "what-nobody-knows-yet", "m" * 32):
            self.add(f"about: {matter}", self.signed({"matter": matter}))
        self.add("in a push service's message", json.dumps({"aps": {"alert": "New"}, "countersign": good}))
        self.add("in a message that begins with white space", " \n" + json.dumps({"countersign": good}))
        self.add("for another device: whose it is, the caller says", self.signed({"aud": CLAIMS["jti"]}))
        self.add("the longest issuer's neighbour: another service", self.signed({"iss": "i" * 255}), "untrusted")

        self.times()
        self.foreign(good)
        self.malformed(good)
        self.untrusted(good)
        document = {
            "about": "Push challenges, and the one result that each has for a device: docs/push.md.", "now": NOW, "issuer": ISSUER,
            "keys": self.jwks, "tests": self.tests,
        }
        return json.dumps(document, indent=1) + "\n"

    def times(self):
        for skew in (None, 0, 60, -5):
            name, allowed = f"skew {'as usual' if skew is None else skew}", 300 if skew is None else max(skew, 0)
            over, early = NOW - allowed, NOW + allowed
            self.add(f"{name}: over a second ago", self.signed({"iat": over - 9, "exp": over - 1}), "expired", skew)
            self.add(f"{name}: over now", self.signed({"iat": over - 9, "exp": over}), "expired", skew)
            self.add(f"{name}: a second before it is over", self.signed({"iat": over - 9, "exp": over + 1}), "good", skew)
            self.add(f"{name}: just signed", self.signed({"iat": early, "exp": early + 9}), "good", skew)
            self.add(f"{name}: signed a second too late", self.signed({"iat": early + 1, "exp": early + 9}), "early", skew)
        self.add("a skew beyond all times", self.signed({"iat": 0, "exp": 1}), "good", 9_223_372_036_854_775_807)
        self.add("the greatest times", self.signed({"exp": 9_007_199_254_740_991}))

    def foreign(self, good: str):
        add = lambda name, push: self.add(name, push, "foreign")
        add("nothing", "")
        add("a word", "hello")
        add("somebody else's message", '{"aps":{"alert":"New"}}')
        add("a message that is no JSON", '{"countersign":')
        add("a message with the member twice", f'{{"countersign":"{good}","countersign":"{good}"}}')
        add("a number for the challenge", '{"countersign":1}')
        add("a list", f'["{good}"]')
        for kind in ("countersign+jwt", "JWT", "COUNTERSIGN-PUSH+JWT", "application/countersign-push+jwt", "okta-pushbind+jwt", ""):
            add(f"the typ '{kind}'", self.signed(kind=kind))
        add("no typ", self.signed(head={"alg": "ES256", "kid": self.keys["ES256"].kid}))
        add("a typ that is no text", self.signed(head={"alg": "ES256", "kid": self.keys["ES256"].kid, "typ": [TYPE]}))
        add("a header that is no base64url", "!" + good)
        add("longer than anything that is looked at", json.dumps({"countersign": good, "pad": "x" * 16_384}))

    def malformed(self, good: str):
        add = lambda name, push: self.add(name, push, "malformed")
        head, claims, signature = good.split(".")
        kid = self.keys["ES256"].kid
        add("cut after the header", head + ".")
        add("cut in the payload", f"{head}.{claims[:-3]}")
        add("without a signature", f"{head}.{claims}.")
        add("four parts", good + ".x")
        add("a line feed after it", good + "\n")
        add("padding", good + "=")
        add("too long", self.signed({"matter": "m" * 4_096}))
        for name, header in {
            "alg none": {"alg": "none", "kid": kid, "typ": TYPE}, "a MAC": {"alg": "HS256", "kid": kid, "typ": TYPE},
            "no kid": {"alg": "ES256", "typ": TYPE}, "another order": {"typ": TYPE, "alg": "ES256", "kid": kid},
            "one member more": {"alg": "ES256", "kid": kid, "typ": TYPE, "x": 1},
            "a key of its own": {"alg": "ES256", "jwk": self.keys["stranger"].jwk, "kid": kid, "typ": TYPE},
            "crit": {"alg": "ES256", "crit": ["x"], "kid": kid, "typ": TYPE},
        }.items():
            add(f"header: {name}", self.signed(head=header))
        for name in CLAIMS:
            add(f"no {name}", self.signed({name: None}))
        for name, change in {
            "one claim more": {"sub": "alice"}, "an empty issuer": {"iss": ""}, "an issuer with a space": {"iss": "a b"},
            "a long issuer": {"iss": "i" * 256}, "an audience that is a list": {"aud": [DEVICE]}, "an audience in upper case": {"aud": DEVICE.upper()},
            "an audience that is no UUID": {"aud": "phone"}, "a time as text": {"iat": str(NOW)}, "a fraction": {"exp": NOW + 0.5},
            "a negative time": {"iat": -1}, "a time beyond 2^53": {"exp": 2**53}, "over as it begins": {"exp": NOW - 10}, "over before it begins": {"exp": NOW - 11},
            "an id of another version": {"jti": "0b8e7a8c-5e7d-1c53-9d0e-0e6b1f7f2a11"}, "a notification that is no UUID": {"notification": "1"},
            "an empty matter": {"matter": ""}, "a matter in upper case": {"matter": "Message"}, "a long matter": {"matter": "m" * 33}, "a matter that is a number": {"matter": 1},
        }.items():
            add(name, self.signed(change))
        text = canonical(CLAIMS)
        for name, payload in {
            "white space": text.replace(b",", b", "), "an escaped letter": text.replace(b"message", b"messag\\u0065"), "a claim twice": text[:-1] + b',"matter":"message"}',
            "another order": canonical(dict(reversed(CLAIMS.items()))), "a list": b"[]", "a byte order mark": b"\xef\xbb\xbf" + text, "text after": text + b" ",
        }.items():
            add(f"payload: {name}", self.signed(payload=payload))

    def untrusted(self, good: str):
        add = lambda name, push: self.add(name, push, "untrusted")
        head, claims, signature = good.split(".")
        other = self.signed({"matter": "request"}).split(".")
        add("a key that the service has not", self.signed(key="stranger"))
        add("a key that is too weak", self.signed(key="weak"))
        add("another service", self.signed({"iss": "https://other.example"}))
        add("the signature of another", f"{head}.{claims}.{other[2]}")
        add("other claims under the signature", f"{head}.{other[1]}.{signature}")
        add("an empty-handed signature", f"{head}.{claims}.{'A' * len(signature)}")
        add("a stranger's signature under a known kid", self.signed(
            key="stranger", head={"alg": "ES256", "kid": self.keys["ES256"].kid, "typ": TYPE}))
        add("the algorithm of another key", self.signed(key="ES384", head={"alg": "ES256", "kid": self.keys["ES384"].kid, "typ": TYPE}))
        add("forged, and over: it is not called expired", self.signed({"iat": 1, "exp": 2}, key="stranger"))


def main() -> int:
    text = Challenges().make()
    if "--check" in sys.argv:
        is_stale = not FILE.exists() or FILE.read_text() != text
        print("stale" if is_stale else "as written")
        return is_stale
    FILE.parent.mkdir(parents=True, exist_ok=True)
    FILE.write_text(text)
    print(text.count('"name"'), "vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
