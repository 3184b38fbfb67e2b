#!/usr/bin/env python3
"""Writes Vectors/statements/*.json, by the second implementation; with --check, says whether they are what it would write.

The private keys in keys.json are made for these vectors and are public: never use one of them for anything else.
"""

import copy
import json
import pathlib
import sys

from peerkey import P256_ORDER, PeerKey
from statement import base64url, canonical, header, signing_input

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Vectors" / "statements"
NOW = 1_767_225_700
SIGNED = 1_767_225_600
FAR = 4_102_444_800  # the year 2100
ISSUER = "urn:uuid:7e0f6d2e-98a8-4a3f-a6e2-0b1f5c1d2e3f"
DEVICE = "3f2b8c4e-9d1a-4e7b-8a6c-2b1d0f9e8c7a"
KEYS = {
    "ES256": "ES256", "EdDSA": "EdDSA", "ES384": "ES384", "PS256": "PS256", "RS256": "RS256",
    "stranger": "ES256", "weak": "RS256", "encrypting": "ES256", "root": "ES256",
    "active": "ES256", "retired": "ES256", "superseded": "ES256", "compromised": "EdDSA",
}
CLAIMS = {
    "iss": ISSUER, "sub": "alice", "iat": SIGNED, "jti": "0b8e7a8c-5e7d-4c53-9d0e-0e6b1f7f2a11",
    "payload": "Pay 5.00 EUR to Bob", "reason": "Invoice 17", "auth_level": 1, "authenticator_type": 0,
    "acr": "urn:countersign:level:1", "amr": ["pwd"], "auth_time": SIGNED,
    "ceremony": "5a1b5c0e-1d3c-4f6a-8b57-3f0c2d9e4a70",
}
LEVEL_4 = {"auth_level": 4, "authenticator_type": 1, "acr": "urn:countersign:level:4", "amr": ["idv"]}
LEVEL_0 = {"auth_level": 0, "acr": "urn:countersign:level:0", "amr": None, "auth_time": None}


def load_keys() -> dict:
    path = FOLDER / "keys.json"
    if not path.exists():
        made = {name: PeerKey.generate(algorithm, 1024 if name == "weak" else 2048) for name, algorithm in KEYS.items()}
        note = "Private keys of the vectors (PKCS#8, base64). They are public: never use one for anything else."
        path.write_text(json.dumps({"note": note, "keys": {name: key.pkcs8() for name, key in made.items()}}, indent=1) + "\n")
    stored = json.loads(path.read_text())["keys"]
    return {name: PeerKey.load(algorithm, stored[name]) for name, algorithm in KEYS.items()}


def compact(signed: bytes, signature: bytes) -> bytes:
    return signed + b"." + base64url(signature)


class Group:
    """One file: tests of one kind, each with a statement and the one verdict that is right."""

    def __init__(self, about: str, trust: dict):
        self.about, self.trust, self.tests = about, trust, []

    def add(self, name: str, text: bytes, reason: str | None = None, verdict: str | None = None, **more):
        assert name not in [test["name"] for test in self.tests], name
        test = {"name": name}
        try:
            test["statement"] = text.decode()
        except UnicodeDecodeError:
            test["bytes"] = text.hex()
        test["verdict"] = verdict or ("invalid" if reason else "valid")
        if reason:
            test["reason"] = reason
        self.tests.append(test | more)

    def text(self) -> str:
        return json.dumps({"about": self.about, "now": NOW, "trust": self.trust, "tests": self.tests}, indent=1) + "\n"


class Vectors:
    def __init__(self):
        self.keys = load_keys()
        self.key = self.keys["ES256"]
        self.jwks = {"text": json.dumps({"keys": [self.keys[name].jwk for name in ("ES256", "EdDSA", "ES384", "PS256", "RS256")]})}
        self.history = self.make_history()

    # Statements

    def signed(self, change: dict | None = None, key: PeerKey | None = None) -> bytes:
        """A statement with some claims changed; None takes a claim away."""
        key = key or self.key
        claims = {name: value for name, value in (CLAIMS | (change or {})).items() if value is not None}
        message = signing_input(header(key.algorithm, key.kid), claims)
        return compact(message, key.sign(message))

    def raw(self, claims: bytes | str, head: bytes | str | None = None, key: PeerKey | None = None) -> bytes:
        """A statement of given bytes, signed as they are."""
        key = key or self.key
        if head is None:
            head = canonical(header(key.algorithm, key.kid))
        parts = [part.encode() if isinstance(part, str) else part for part in (head, claims)]
        message = base64url(parts[0]) + b"." + base64url(parts[1])
        return compact(message, key.sign(message))

    def make_history(self, **change) -> dict:
        def entry(name, **more):
            return {"jwk": self.keys[name].jwk, "nbf": SIGNED - 1000} | more

        root = self.keys["root"]
        claims = {
            "iss": ISSUER, "iat": NOW - 10, "exp": FAR, "serial": 7, "root": root.jwk,
            "keys": [
                entry("active"),
                entry("retired", exp=SIGNED),
                entry("superseded", exp=SIGNED, revoked={"at": SIGNED, "reason": "superseded"}),
                entry("compromised", exp=NOW - 20, revoked={"at": NOW - 20, "reason": "compromised"}),
            ],
        } | change
        head = {"alg": root.algorithm, "kid": root.kid, "typ": "countersign-keys+jwt"}
        message = base64url(canonical(head)) + b"." + base64url(canonical(claims))
        return {"text": compact(message, root.sign(message)).decode(), "root": root.kid}

    # Files

    def valid(self) -> Group:
        group = Group("Statements that are valid under the options given.", {"jwks": self.jwks, "history": self.history})
        for name in ("ES256", "EdDSA", "ES384", "PS256", "RS256"):
            group.add(f"signed with {name}", self.signed(key=self.keys[name]))
        group.add("one line feed after it", self.signed() + b"\n")
        group.add("every optional claim", self.signed({
            "aud": "https://bank.example", "device": DEVICE, "request": "r-1", "notification": "n-1", "template": "t-1",
            "batch": "b-1", "evidence": "e-1", "quorum": "1/3"}), options={"audience": "https://bank.example"})
        group.add("one of several, where each is looked at alone", self.signed({"request": "r-1", "quorum": "16/9999"}), options={"any-quorum": True})
        group.add("any audience", self.signed({"aud": "x"}), options={"any-audience": True})
        group.add("level 0 where the policy allows it", self.signed(LEVEL_0), options={"min-level": 0})
        group.add("level 4", self.signed(LEVEL_4), options={"min-level": 4})
        group.add("level 4 by a test provider, where allowed", self.signed(LEVEL_4 | {"amr": ["idv-test"]}),
                  options={"allow-test-idv": True})
        group.add("several methods", self.signed({"amr": ["hwk", "user", "fpt", "mfa"], "device": DEVICE}),
                  options={"require-amr": ["hwk", "fpt"]})
        group.add("the longest texts", self.signed({"payload": "€" * 1365 + "x", "reason": "é" * 512}))
        group.add("the longest names", self.signed({"iss": "i" * 255, "sub": "a" * 64, "request": "é" * 127 + "x"}))
        group.add("every escape", self.signed({"payload": 'tab\tline\nquote" backslash\\ slash/'}))
        group.add("characters that are written as they are",
                  self.signed({"payload": "é e\u0301 \u200b \u2060 \ufeff \U0001f468\u200d\U0001f469 \U000e0041 \ue000"}))
        group.add("a blank payload: verifiers do not count", self.signed({"payload": " "}))
        group.add("501 characters: verifiers do not count", self.signed({"payload": "x" * 501}))
        group.add("the smallest name and times", self.signed({"sub": "0", "iat": 0, "auth_time": 0}))
        group.add("authenticated earlier", self.signed({"auth_time": SIGNED - 119}))
        r, s = (int.from_bytes(part, "big") for part in self.split(self.signed()))
        high = r.to_bytes(32, "big") + (P256_ORDER - s).to_bytes(32, "big")
        group.add("the other ECDSA signature (r, n-s)", compact(self.signed().rsplit(b".", 1)[0], high))
        digest = "sha256:" + "0" * 64 + " a file name.pdf"
        group.add("a document's digest", self.signed({"payload": digest}), options={"payload": digest})
        group.add("everything expected is so", self.signed(), options={
            "issuer": ISSUER, "reason": "Invoice 17", "payload": "Pay 5.00 EUR to Bob", "require-amr": ["pwd"],
            "algorithms": ["ES256", "EdDSA"]})
        for name in ("active", "retired", "superseded"):
            group.add(f"key history: {name} key", self.signed(key=self.keys[name]), trust="history")
        return group

    def split(self, statement: bytes) -> tuple:
        import base64
        signature = base64.urlsafe_b64decode(statement.rsplit(b".", 1)[1] + b"==")
        return signature[:32], signature[32:]

    def texts(self) -> Group:
        group = Group("The text: parts, alphabet, spelling, length.", {"jwks": self.jwks})
        good = self.signed()
        head, claims, signature = good.split(b".")
        group.add("nothing", b"", "empty")
        group.add("a line feed", b"\n", "empty")
        group.add("a letter", b"a", "not-compact")
        for name, text in {
            "two line feeds": good + b"\n\n", "CR LF": good + b"\r\n", "a space before": b" " + good,
            "a space after": good + b" ", "a line feed before": b"\n" + good, "a line feed inside": head + b".\n" + claims + b"." + signature,
            "Bearer": b"Bearer " + good, "a byte order mark": b"\xef\xbb\xbf" + good, "a zero byte after": good + b"\0",
            "two parts": head + b"." + claims, "four parts": good + b"." + signature, "five parts": good + b".." + signature,
            "no header": b"." + claims + b"." + signature, "no claims (detached)": head + b".." + signature,
            "no signature": head + b"." + claims + b".", "a dot at the end": good + b".", "dots only": b"..",
            "padding": good + b"=", "padding of the claims": head + b"." + claims + b"=." + signature,
            "a plus": head + b"." + claims[:-3] + b"+" + claims[-2:] + b"." + signature,
            "a slash": head + b"." + claims[:-3] + b"/" + claims[-2:] + b"." + signature,
            "percent": good.replace(b".", b"%2e"), "a full-width dot": good.replace(b".", "．".encode()),
            "a zero-width space": head + b"." + claims[:9] + "\u200b".encode() + claims[9:] + b"." + signature,
            "bytes that are no UTF-8": head + b"." + claims[:9] + b"\xff" + claims[9:] + b"." + signature,
            "JSON serialisation": json.dumps({"payload": claims.decode(), "protected": head.decode(), "signature": signature.decode()}).encode(),
            "two statements": good + good,
        }.items():
            # A JSON object could be a result; it lacks the members of one.
            group.add(name, text, "result" if text.startswith(b"{") else "not-compact")
        last = bytes([signature[-1]])
        alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        other = alphabet[alphabet.index(last) + 1:][:1]
        group.add("spare bits of the signature", good[:-1] + other, "not-base64url")
        group.add("one character less", good[:-1], "not-base64url")
        group.add("one character more", good + b"A", "not-base64url" if len(signature + b"A") % 4 == 1 else "signature")
        group.add("claims of length 1 modulo 4", head + b"." + claims + b"A" * ((5 - len(claims)) % 4 or 4) + b"." + signature,
                  "not-base64url")
        group.add("16,385 bytes", b"A" * (16_385 - len(good) + len(head)) + b"." + claims + b"." + signature, "too-long")
        return group

    def headers(self) -> Group:
        group = Group("The header.", {"jwks": self.jwks})
        kid = self.key.kid
        claims = canonical(CLAIMS)

        def add(name, head, reason):
            group.add(name, self.raw(claims, head if isinstance(head, (str, bytes)) else canonical(head)), reason)

        def with_(**change):
            return {name: value for name, value in ({"alg": "ES256", "kid": kid, "typ": "countersign+jwt"} | change).items()}

        for alg in ("none", "None", "NONE", "", "HS256", "HS384", "HS512", "ES512", "ES256K", "Ed25519", "Ed448", "RS384", "RS512",
                    "PS384", "PS512", "es256", "ES256 ", "RSA-OAEP", "A" * 300):
            add(f"alg {alg[:20]!r}", with_(alg=alg), "algorithm")
        for value in (None, [], ["ES256"], 256, True, {}):
            add(f"alg {json.dumps(value)}", with_(alg=value), "header")
            add(f"kid {json.dumps(value)}", with_(kid=value), "header")
            add(f"typ {json.dumps(value)}", with_(typ=value), "header")
        for name, value in {
            "empty": "", "short": kid[:-1], "long": kid + "A", "padded": kid + "=", "a path": "../../dev/null", "SQL": "' OR 1=1 --",
            "a space at the end": kid[:-1] + " ", "plus": "+" + kid[1:], "huge": "A" * 5000, "not ASCII": kid[:-1] + "é",
        }.items():
            add(f"kid: {name}", with_(kid=value), "key-id")
        for value in ("", "JWT", "jwt", "Countersign+jwt", "countersign+jwt ", "application/countersign+jwt", "countersign-keys+jwt", "dpop+jwt"):
            add(f"typ {value!r}", with_(typ=value), "type")
        for name in ("alg", "kid", "typ"):
            add(f"no {name}", {key: value for key, value in with_().items() if key != name}, "header")
        for name, value in {
            "crit": ["exp"], "b64": False, "jwk": self.keys["stranger"].jwk, "jku": "https://evil.example/jwks.json",
            "x5u": "https://evil.example/cert", "x5c": ["AAAA"], "x5t": "AAAA", "cty": "JWT", "zip": "DEF", "nonce": "1",
        }.items():
            add(f"another member: {name}", with_(**{name: value}), "header")
        text = canonical(with_()).decode()
        for name, head in {
            "another order": canonical({"kid": kid, "alg": "ES256", "typ": "countersign+jwt"}),
            "white space": text.replace(":", ": "), "white space before": " " + text, "a line feed after": text + "\n",
            "alg twice": text.replace('{"alg":"ES256"', '{"alg":"ES256","alg":"ES256"'),
            "alg twice, once none": text.replace('{"alg":"ES256"', '{"alg":"none","alg":"ES256"'),
            "alg again at the end": text.replace("}", ',"alg":"ES256"}'), "alg again, escaped": text.replace("}", ',"\\u0061lg":"ES256"}'),
            "an escaped name": text.replace('"alg"', '"a\\u006cg"'), "an escaped value": text.replace('"ES256"', '"\\u0045S256"'),
            "a trailing comma": text.replace("}", ",}"), "a byte order mark": "\ufeff" + text, "UTF-16": text.encode("utf-16"),
            "bytes that are no UTF-8": text.encode().replace(b"ES256", b"ES\xff56"), "a zero byte": text + "\0", "two objects": text + "{}",
            "an array": "[" + text + "]", "a string": '"ES256"', "null": "null", "an empty object": "{}", "no JSON": "ES256",
            "single quotes": text.replace('"', "'"), "a comment": text.replace("}", "/**/}"),
        }.items():
            add(name, head, "header")
        return group

    def claim_texts(self) -> Group:
        group = Group("The claims: their JSON, their set, their values and pairs.", {"jwks": self.jwks})
        text = canonical(CLAIMS).decode()

        def raw(name, claims, reason="claims"):
            assert claims not in (text, text.encode()), name
            group.add(name, self.raw(claims), reason)

        for name, claims in {
            "white space": text.replace(",", ", "), "white space before": " " + text, "a line feed after": text + "\n",
            "a trailing comma": text[:-1] + ",}", "a byte order mark": "\ufeff" + text, "UTF-16": text.encode("utf-16-le"),
            "cut": text[:-1], "two objects": text + "{}", "an array": "[" + text + "]", "a string": '"alice"', "null": "null", "a number": "1",
            "no JSON": "alice", "a zero byte": text + "\0",
            "an escaped letter": text.replace("Pay", "\\u0050ay"), "an escaped slash": text.replace("EUR", "EUR\\/"),
            "line feed as \\u000a": text.replace("Bob", "Bob\\u000a"), "tab as \\u0009": text.replace("Bob", "Bob\\u0009"),
            "an escaped astral character": text.replace("Bob", "\\ud83d\\ude00"), "a lone surrogate": text.replace("Bob", "\\ud800"),
            "surrogates in the wrong order": text.replace("Bob", "\\ude00\\ud83d"),
            "a raw control": text.replace("Bob", "B\x01b"), "a raw line feed in a string": text.replace("Bob", "B\nb"),
            "bytes that are no UTF-8": text.encode().replace(b"Bob", b"B\xffb"), "overlong UTF-8": text.encode().replace(b"Bob", b"B\xc0\xafb"),
            "a surrogate in UTF-8": text.encode().replace(b"Bob", b"B\xed\xa0\x80"), "beyond Unicode": text.encode().replace(b"Bob", b"\xf4\x90\x80\x80"),
            "cut UTF-8": text.encode().replace(b"Bob", b"Bo\xc3"), "an unknown escape": text.replace("Bob", "\\x42ob"),
            "an integer with a fraction": text.replace(f'"iat":{SIGNED}', f'"iat":{SIGNED}.0'), "an exponent": text.replace(f'"iat":{SIGNED}', '"iat":1767225600e0'),
            "a leading zero": text.replace('"auth_level":1', '"auth_level":01'), "a plus sign": text.replace('"auth_level":1', '"auth_level":+1'),
            "minus zero": text.replace('"authenticator_type":0', '"authenticator_type":-0'), "NaN": text.replace('"auth_level":1', '"auth_level":NaN'),
            "true for a number": text.replace('"auth_level":1', '"auth_level":true'), "a number as text": text.replace('"auth_level":1', '"auth_level":"1"'),
            "1e400": text.replace('"auth_level":1', '"auth_level":1e400'),
            "a list for a name": text.replace('"sub":"alice"', '"sub":["alice"]'), "an object for a name": text.replace('"sub":"alice"', '"sub":{"a":"alice"}'),
            "null for a name": text.replace('"sub":"alice"', '"sub":null'), "a number for a name": text.replace('"sub":"alice"', '"sub":1'),
            "a text for a list": text.replace('"amr":["pwd"]', '"amr":"pwd"'), "a number in a list": text.replace('"amr":["pwd"]', '"amr":[1]'),
            "a list in a list": text.replace('"amr":["pwd"]', '"amr":[["pwd"]]'), "white space in a list": text.replace('["pwd"]', '[ "pwd"]'),
            "a trailing comma in a list": text.replace('["pwd"]', '["pwd",]'), "a device that is null": text.replace(',"ceremony"', ',"device":null,"ceremony"'),
            "2,000 brackets": text.replace('"alice"', "[" * 2000 + "]" * 2000),
        }.items():
            raw(name, claims)

        raw("an empty object", "{}", "claim-set")
        for name, claims in {
            "sub twice": text.replace('"sub":"alice"', '"sub":"alice","sub":"alice"'),
            "sub twice, another first": text.replace('"sub":"alice"', '"sub":"mallory","sub":"alice"'),
            "sub again at the end": text[:-1] + ',"sub":"alice"}',
            "sub after iat": text.replace('"sub":"alice",', "").replace('"jti"', '"sub":"alice","jti"'),
            "exp": text[:-1] + f',"exp":{FAR}}}', "nbf": text.replace(',"jti"', f',"nbf":{SIGNED},"jti"'), "an empty name": text[:-1] + ',"":""}',
            "another claim": text[:-1] + ',"admin":"true"}', "reserved claims in another order": text[:-1] + ',"template":"t","request":"r"}',
            "device after ceremony": text[:-1] + f',"device":"{DEVICE}"}}', "an upper-case name": text.replace('"sub"', '"SUB"'),
        }.items():
            raw(name, claims, "claim-set")
        for name in CLAIMS:
            group.add(f"no {name}", self.signed({name: None}), "claim-set")

        def bad(claim, **values):
            for name, value in values.items():
                group.add(f"{claim}: {name.replace('_', ' ')}", self.signed({claim: value}), f"claim-{claim}")

        bad("iss", empty="", long="i" * 256, a_space="a b", not_ASCII="é", a_control="a\x7f")
        bad("aud", empty="", long="a" * 256, a_space="a b", a_line_feed="a\n")
        bad("sub", empty="", upper_case="Alice", long="a" * 65, a_dash_first="-a", a_dot_first=".a", a_space="a b", a_slash="a/b",
            not_ASCII="älice", look_alike="аlice", a_line_feed_after="alice\n", full_width="ａlice")
        for claim in ("jti", "ceremony", "device"):
            bad(claim, empty="", upper_case=DEVICE.upper(), no_dashes=DEVICE.replace("-", ""), version_1=DEVICE[:14] + "1" + DEVICE[15:],
                other_variant=DEVICE[:19] + "c" + DEVICE[20:], braces="{" + DEVICE + "}", urn="urn:uuid:" + DEVICE, short=DEVICE[:-1],
                long=DEVICE + "0", not_hexadecimal="g" + DEVICE[1:])
        bad("iat", negative=-1, too_large=2**53, beyond_64_bits=2**64)
        bad("auth_time", negative=-1, later_than_iat=SIGNED + 1)
        bad("auth_level", two=2, three=3, five=5, negative=-1, ten=10)
        bad("authenticator_type", two=2, three=3, negative=-1)
        bad("acr", of_another_level="urn:countersign:level:4", empty="", another="1", with_a_zero="urn:countersign:level:01")
        bad("amr", empty=[], unknown=["otp"], repeated=["pwd", "pwd"], an_empty_one=["pwd", ""], upper_case=["PWD"], idv_at_level_1=["idv"],
            idv_test_at_level_1=["pwd", "idv-test"])
        group.add("level 4 without idv", self.signed(LEVEL_4 | {"amr": ["fpt"]}), "claim-amr")
        group.add("level 0 with amr", self.signed(LEVEL_0 | {"amr": ["pwd"]}), "claim-amr")
        group.add("level 0 with auth_time", self.signed(LEVEL_0 | {"auth_time": SIGNED}), "claim-auth_time")
        for level, kind in ((0, 1), (1, 1), (4, 0)):
            change = {0: LEVEL_0, 1: {}, 4: LEVEL_4}[level] | {"authenticator_type": kind}
            group.add(f"level {level} with type {kind}", self.signed(change), "level-and-type")
        refused = [0x00, 0x01, 0x08, 0x0D, 0x1B, 0x1F, 0x7F, 0x80, 0x85, 0x9F, 0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069,
                   0xFDD0, 0xFDEF, 0xFFFE, 0xFFFF, 0x1FFFE, 0x10FFFF]
        for claim in ("payload", "reason", "request"):
            for scalar in refused + ([] if claim == "payload" else [0x09, 0x0A]):
                group.add(f"{claim}: U+{scalar:04X}", self.signed({claim: f"a{chr(scalar)}b"}), f"claim-{claim}")
        bad("payload", empty="", long="x" * 4097, long_in_bytes="€" * 1366)
        bad("reason", empty="", long="x" * 1025, long_in_bytes="é" * 513)
        for claim in ("request", "notification", "template", "batch", "evidence"):
            bad(claim, empty="", long="x" * 256)
        for value in ("", "2", "/", "2/", "/3", "0/3", "0/0", "3/2", "17/20", "2/10000", "02/3", "2/03", "2/3/4", "2 /3", " 2/3", "2/3 ", "+2/3", "-1/3",
                      "2/0", "2/\u0663", "\uff12/3", "2\u22153", "2of3", "2/3\u200b", "9" * 255, "1/99999999999999999999"):
            group.add(f"quorum: {value[:24]!a}", self.signed({"request": "r-1", "quorum": value}), "claim-quorum")
        group.add("quorum without request", self.signed({"quorum": "2/3"}), "claim-set")
        group.add("a malformed quorum without request", self.signed({"quorum": "3/2"}), "claim-quorum")
        return group

    def signatures(self) -> Group:
        group = Group("The signature and its key.", {
            "jwks": self.jwks, "history": self.history,
            "skipping": {"text": json.dumps({"keys": [
                self.key.jwk, self.keys["weak"].jwk, self.keys["encrypting"].jwk | {"use": "enc"},
                {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "kid": SMALL_ORDER_KID, "x": base64url(b"\x01" + bytes(31)).decode()},
            ]})}})
        for name in ("ES256", "EdDSA", "ES384", "PS256", "RS256"):
            key = self.keys[name]
            message = signing_input(header(name, key.kid), CLAIMS)
            good = key.sign(message)
            other = key.sign(signing_input(header(name, key.kid), CLAIMS | {"payload": "Pay 6.00 EUR to Bob"}))
            group.add(f"{name}: of another statement", compact(message, other), "signature")
            group.add(f"{name}: one bit", compact(message, good[:-1] + bytes([good[-1] ^ 1])), "signature")
            group.add(f"{name}: one byte less", compact(message, good[:-1]), "signature")
            group.add(f"{name}: one byte more", compact(message, good + b"\0"), "signature")
            group.add(f"{name}: a zero before", compact(message, b"\0" + good), "signature")
            group.add(f"{name}: zeros", compact(message, bytes(len(good))), "signature")
            group.add(f"{name}: one byte", compact(message, b"\0"), "signature")
        message = signing_input(header("ES256", self.key.kid), CLAIMS)
        r, s = (int.from_bytes(part, "big") for part in self.split(self.signed()))
        n = P256_ORDER

        def pair(name, r, s, order="big"):
            group.add(f"ES256: {name}", compact(message, r.to_bytes(32, order) + s.to_bytes(32, order)), "signature")

        for name, values in {"r is 0": (0, s), "s is 0": (r, 0), "r is n": (n, s), "s is n": (r, n), "r is n-1": (n - 1, s), "r is 1": (1, s),
                             "all ones": (2**256 - 1, 2**256 - 1), "r and s swapped": (s, r)}.items():
            pair(name, *values)
        pair("little-endian", r, s, "little")
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
        group.add("ES256: DER", compact(message, encode_dss_signature(r, s)), "signature")
        ed = self.keys["EdDSA"]
        message = signing_input(header("EdDSA", ed.kid), CLAIMS)
        good = ed.sign(message)
        large = int.from_bytes(good[32:], "little") + 2**252 + 27742317777372353535851937790883648493
        group.add("EdDSA: S + L", compact(message, good[:32] + large.to_bytes(32, "little")), "signature")
        ps = self.keys["PS256"]
        message = signing_input(header("PS256", ps.kid), CLAIMS)
        for length in (0, 20, 31, 33, 64):
            group.add(f"PS256: a salt of {length} bytes", compact(message, ps.sign_pss(message, length)), "signature")
        group.add("PS256: MGF1 with SHA-1", compact(message, ps.sign_pss(message, 32, "sha1")), "signature")
        modulus = ps.private.public_key().public_numbers().n
        large = int.from_bytes(ps.sign(message), "big") + modulus
        if large < 2**2048:
            group.add("PS256: s + n", compact(message, large.to_bytes(256, "big")), "signature")
        for alg, name in (("RS256", "PS256"), ("PS256", "RS256"), ("ES384", "ES256"), ("EdDSA", "ES256"), ("RS256", "ES256"), ("ES256", "EdDSA")):
            key = self.keys[name]
            message = signing_input(header(alg, key.kid), CLAIMS)
            group.add(f"alg {alg} with a key for {name}", compact(message, key.sign(message)), "algorithm-mismatch")
        group.add("signed by another key", self.raw(canonical(CLAIMS), canonical(header("ES256", self.key.kid)), self.keys["stranger"]), "signature")

        stranger = self.keys["stranger"]
        group.add("a key that nobody knows", self.signed(key=stranger), "unknown-key", "indeterminate")
        group.add("a kid that differs in one letter", self.raw(canonical(CLAIMS), canonical(header("ES256", other_thumbprint(self.key.kid)))),
                  "unknown-key", "indeterminate")
        group.add("an unknown key and a policy that is not met", self.signed({"aud": "x"}, stranger), "unknown-key", "indeterminate")
        group.add("an RSA key of 1,024 bits", self.signed(key=self.keys["weak"]), "unusable-key", "indeterminate", trust="skipping")
        group.add("a key to encrypt with", self.signed(key=self.keys["encrypting"]), "unusable-key", "indeterminate", trust="skipping")
        message = signing_input(header("EdDSA", SMALL_ORDER_KID), CLAIMS)
        group.add("an Ed25519 key of small order, signed for every message", compact(message, b"\x01" + bytes(63)), "unusable-key",
                  "indeterminate", trust="skipping")
        group.add("a good key beside bad ones", self.signed(), trust="skipping")

        group.add("signed by the root key", self.signed(key=self.keys["root"]), "root-key", trust="history")
        before, after = {"iat": SIGNED - 1001, "auth_time": SIGNED - 1001}, {"iat": SIGNED + 1}
        group.add("before the key's time", self.signed(before, self.keys["active"]), "key-not-yet-active", trust="history")
        group.add("in the first second of the key", self.signed({"iat": SIGNED - 1000, "auth_time": SIGNED - 1000}, self.keys["active"]), trust="history")
        group.add("after the key was retired", self.signed(after, self.keys["retired"]), "key-retired", trust="history")
        group.add("after the key was superseded", self.signed(after, self.keys["superseded"]), "key-superseded", trust="history")
        group.add("by a compromised key, before", self.signed({}, self.keys["compromised"]), "key-compromised", "indeterminate", trust="history")
        group.add("by a compromised key, after", self.signed({"iat": NOW - 19}, self.keys["compromised"]), "key-compromised", "indeterminate", trust="history")
        group.trust["old history"] = self.make_history(exp=NOW - 1)
        group.add("under a history past its time", self.signed(key=self.keys["active"]), "history-expired", "indeterminate", trust="old history")
        return group

    def policies(self) -> Group:
        group = Group("The policy. A statement that is good but for one thing.", {"jwks": self.jwks})

        def add(name, change, expected, /, **options):
            group.add(name, self.signed(change), expected, **({"options": {key.replace("_", "-"): value for key, value in options.items()}} if options else {}))

        add("level 0", LEVEL_0, "level-too-low")
        add("level 1 where 4 is asked", {}, "level-too-low", min_level=4)
        add("from the future", {"iat": FAR, "auth_time": SIGNED}, "issued-in-future")
        add("idv-test", LEVEL_4 | {"amr": ["idv-test"]}, "test-idv")
        add("idv-test beside idv", LEVEL_4 | {"amr": ["idv", "idv-test"]}, "test-idv")
        add("an audience, and none expected", {"aud": "https://bank.example"}, "audience-not-expected")
        add("an audience expected, and none there", {}, "audience-missing", audience="https://bank.example")
        add("another audience", {"aud": "https://bank.example"}, "audience-differs", audience="https://other.example")
        add("an audience in other case", {"aud": "https://bank.example"}, "audience-differs", audience="https://BANK.example")
        several = {"request": "r-1", "quorum": "2/3"}
        add("one of two that are needed", several, "quorum-not-met")
        add("one of two that are needed, by another issuer", several, "quorum-not-met", issuer="https://other.example")
        add("two are asked for", {}, "quorum-not-met", require=2)
        add("two are asked for, and one would have been enough", {"request": "r-1", "quorum": "1/3"}, "quorum-not-met", require=2)
        add("one is asked for, and two are needed", several, "quorum-not-met", require=1)
        add("another issuer", {}, "issuer-differs", issuer="https://other.example")
        add("an algorithm that is not allowed", {}, "algorithm-not-allowed", algorithms=["EdDSA", "PS256"])
        add("a method is missing", {"amr": ["pwd"]}, "method-missing", require_amr=["pwd", "hwk"])
        add("another reason", {}, "reason-differs", reason="Invoice 18")
        add("another payload", {}, "payload-differs", payload="Pay 6.00 EUR to Bob")
        add("a payload that only looks the same", {"payload": "é"}, "payload-differs", payload="e\u0301")
        add("too old", {}, "too-old", max_age=99)
        return group

    def results(self) -> Group:
        group = Group("The JSON result: what is around a statement must say what it says.", {"jwks": self.jwks})
        good = {
            "dataPayload": CLAIMS["payload"], "dataPayloadLength": 19, "reason": CLAIMS["reason"], "payloadSignature": self.signed().decode(),
            "dataSignatureID": CLAIMS["jti"], "authLevel": 1, "authenticatorType": 0,
        }

        def add(name, value, reason=None):
            group.add(name, value.encode() if isinstance(value, str) else json.dumps(value, ensure_ascii=False).encode(), reason)

        add("as it is made", json.dumps(good, separators=(",", ":")))
        add("white space and another order", "{\n " + json.dumps(dict(reversed(good.items())), indent=2)[1:])
        add("a line feed after", json.dumps(good) + "\n")
        add("escapes", json.dumps(good).replace("Pay", "\\u0050ay"))
        add("another length: Unicode's rules change", good | {"dataPayloadLength": 20})
        for name, value in {
            "dataPayload": "Pay 6.00 EUR to Bob", "reason": "Invoice 18", "dataSignatureID": DEVICE, "authLevel": 4, "authenticatorType": 1,
        }.items():
            add(f"another {name}", good | {name: value}, "result-differs")
        for name in good:
            add(f"no {name}", {key: value for key, value in good.items() if key != name}, "result")
            add(f"null for {name}", good | {name: None}, "result")
        add("a length of 0", good | {"dataPayloadLength": 0}, "result")
        add("a length of 501", good | {"dataPayloadLength": 501}, "result")
        add("another member", good | {"status": 100}, "result")
        add("a member twice", json.dumps(good).replace('"reason"', '"reason":"Invoice 17","reason"', 1), "result")
        add("a member twice, escaped", json.dumps(good).replace('"reason"', '"r\\u0065ason":"Invoice 17","reason"', 1), "result")
        add("a trailing comma", json.dumps(good)[:-1] + ",}", "result")
        add("cut", json.dumps(good)[:-1], "result")
        add("an empty object", "{}", "result")
        add("an invalid statement inside", good | {"payloadSignature": good["payloadSignature"][:-4] + "AAAA"}, "signature")
        add("no statement inside", good | {"payloadSignature": "a.b.c"}, "not-base64url")
        return group


def other_thumbprint(kid: str) -> str:
    return ("B" if kid[0] == "A" else "A") + kid[1:]


def small_order_kid() -> str:
    import hashlib
    components = {"crv": "Ed25519", "kty": "OKP", "x": base64url(b"\x01" + bytes(31)).decode()}
    return base64url(hashlib.sha256(json.dumps(components, separators=(",", ":")).encode()).digest()).decode()


SMALL_ORDER_KID = small_order_kid()


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    vectors = Vectors()
    files = {
        "valid": vectors.valid(), "text": vectors.texts(), "header": vectors.headers(), "claims": vectors.claim_texts(),
        "signature": vectors.signatures(), "policy": vectors.policies(), "result": vectors.results(),
    }
    stale = [name for name, group in files.items()
             if not (FOLDER / f"{name}.json").exists() or (FOLDER / f"{name}.json").read_text() != group.text()]
    if "--check" in sys.argv:
        print("stale: " + ", ".join(stale) if stale else "as written")
        return bool(stale)
    for name, group in files.items():
        (FOLDER / f"{name}.json").write_text(group.text())
    print(sum(len(group.tests) for group in files.values()), "vectors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
