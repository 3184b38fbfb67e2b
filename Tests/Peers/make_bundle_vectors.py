#!/usr/bin/env python3
"""Writes Vectors/bundles/*.json, by the second implementation; with --check, says whether they are what it would write.

The keys are those of Vectors/statements: public test material, for nothing else.
"""

import hashlib
import json
import pathlib
import sys
import uuid

import bundle
from make_vectors import CLAIMS, FAR, LEVEL_4, NOW, SIGNED, Vectors
from statement import base64url, canonical

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "Vectors" / "bundles"
QUORUM = {"request": "4d9f6f0a-6b1c-4f7e-9b55-1c8f2a7d3e60", "quorum": "2/3"}
BANK = {"aud": "https://bank.example"}


class Group:
    """One file: bundles of one kind, each with the one verdict that is right."""

    def __init__(self, about: str, trust: dict):
        self.about, self.trust, self.tests = about, trust, []

    def add(self, name: str, text: bytes | str, reason=None, place=None, verdict=None, statements=None, **options):
        assert name not in [test["name"] for test in self.tests], name
        test = {"name": name}
        data = text.encode() if isinstance(text, str) else text
        try:
            test["bundle"] = data.decode()
        except UnicodeDecodeError:
            test["bytes"] = data.hex()
        if "trust" in options:
            test["trust"] = options.pop("trust")
        if options:
            test["options"] = {key.replace("_", "-"): value for key, value in options.items()}
        test["verdict"] = verdict or ("invalid" if reason else "valid")
        test |= {key: value for key, value in (("reason", reason), ("place", place), ("statements", statements)) if value}
        self.tests.append(test)

    def text(self) -> str:
        return json.dumps({"about": self.about, "now": NOW, "trust": self.trust, "tests": self.tests}, indent=1) + "\n"


class Bundles(Vectors):
    def person(self, name: str, change: dict | None = None, key=None) -> str:
        """A statement of this person; the id follows from the name."""
        own = {"sub": name, "jti": str(uuid.UUID(bytes=uuid.uuid5(uuid.NAMESPACE_DNS, name).bytes, version=4))}
        return self.signed(own | QUORUM | (change or {}), key).decode()

    def valid(self) -> Group:
        group = Group("Bundles that are valid under the options given.", {"jwks": self.jwks, "history": self.history})
        alice, bob, carol = map(self.person, ("alice", "bob", "carol"))
        two = bundle.text([alice, bob])
        group.add("two of three", two, statements=["valid"] * 2)
        group.add("a line feed after it", two + b"\n")
        group.add("all three", bundle.text([alice, bob, carol]), statements=["valid"] * 3)
        group.add("two asked for", two, require=2)
        group.add("less asked for than the statements say", two, require=1)
        group.add("three asked for", bundle.text([alice, bob, carol]), require=3)
        one = {"quorum": "1/3"}
        group.add("one of three", bundle.text([self.person("bob", one)]))
        group.add("one of one: a list of one person was asked", bundle.text([self.person("bob", {"quorum": "1/1"})]), statements=["valid"])
        hand = {"request": None, "quorum": None}
        collected = bundle.text([self.person(name, hand) for name in ("alice", "bob")])
        group.add("collected by hand, and the verifier says how many", collected, require=2)
        group.add("collected by hand, and any number will do", collected, any_quorum=True)
        group.add("too few, and any number will do", bundle.text([alice]), any_quorum=True)
        group.add("of a request without a quorum", bundle.text([self.person(name, {"quorum": None}) for name in ("alice", "bob")]), require=1)
        for names in (["ES256", "EdDSA", "ES384"], ["PS256", "RS256"]):
            made = [self.person(name, key=self.keys[algorithm]) for name, algorithm in zip(("alice", "bob", "carol"), names)]
            group.add(f"signed with {', '.join(names)}", bundle.text(made))
        for name, change in {
            "other times": {"iat": SIGNED + 50, "auth_time": SIGNED - 50}, "another way to authenticate": {"amr": ["hwk", "user"]},
            "on a device": {"device": "3f2b8c4e-9d1a-4e7b-8a6c-2b1d0f9e8c7a"}, "another ceremony": {"ceremony": "6b2c6d1f-2e4d-4a7b-9c68-4a1d3e0f5b81"},
            "a notification of one's own": {"notification": "n-2"}, "a batch of one's own": {"batch": "b-2"}, "evidence of one's own": {"evidence": "e-2"},
        }.items():
            group.add(f"what may differ: {name}", bundle.text([alice, self.person("bob", change)]))
        group.add("for an audience", bundle.text([self.person("alice", BANK), self.person("bob", BANK)]), audience=BANK["aud"])
        group.add("at level 4", bundle.text([self.person("alice", LEVEL_4), self.person("bob", LEVEL_4)]), min_level=4)
        texts = {"payload": "é e\u0301 \u200b\n\U0001f468\u200d\U0001f469", "request": 'é "quoted" \\', "template": "t/1"}
        group.add("texts of all kinds", bundle.text([self.person("alice", texts), self.person("bob", texts)]))
        names = [f"user-{number:02}" for number in range(16)]
        group.add("sixteen of sixteen", bundle.text([self.person(name, {"quorum": "16/16"}) for name in names]))
        order = ["0", "a", "a-b", "a.b", "a@b", "a_b", "ab", "b"]
        group.add("in the order of bytes", bundle.text([self.person(name, {"quorum": "8/8"}) for name in order]))

        jwks = json.loads(self.jwks["text"])
        group.add("with keys", bundle.text([alice, bob], jwks))
        group.add("with the keys in another order", bundle.text([alice, bob], {"keys": jwks["keys"][::-1]}))
        group.add("with a key history", bundle.text([alice, bob], self.history["text"]))
        group.add("with a foreign key", bundle.text([alice, bob], {"keys": [self.keys["stranger"].jwk]}))
        signed, signature = self.history["text"].rsplit(".", 1)
        group.add("with a history whose signature is wrong: nobody looks", bundle.text([alice, bob], f"{signed}.{'A' * len(signature)}"))
        for name in ("active", "retired", "superseded"):
            made = [self.person(user, key=self.keys[name]) for user in ("alice", "bob")]
            group.add(f"key history: {name} key", bundle.text(made), trust="history")
        return group

    def forms(self) -> Group:
        group = Group("The form: canonical JSON, members, version, evidence, keys.", {"jwks": self.jwks})
        alice, bob = self.person("alice"), self.person("bob")
        good = bundle.text([alice, bob]).decode()
        pair = f'["{alice}","{bob}"]'
        rest = ',"evidence":[],"keys":{"keys":[]}}'

        for name, text in {
            "white space": good.replace(",", ", "), "white space before": " " + good, "white space after": good + " ", "CR LF": good + "\r\n",
            "two line feeds": good + "\n\n", "a line feed before": "\n" + good, "printed over several lines": json.dumps(json.loads(good), indent=1),
            "cut": good[:-1], "two bundles": good + good, "a trailing comma": good[:-1] + ",}", "a comma in the statements": good.replace('"],', '",],'),
            "a zero byte after": good + "\0", "an unknown member": good[:-1] + ',"note":"x"}', "an unknown member before": good.replace(',"statements"', ',"note":"x","statements"'),
            "a member twice": good.replace(',"evidence"', f',"statements":{pair},"evidence"'), "the version twice": good.replace("1,", '1,"bundle":1,', 1),
            "keys twice": good[:-1] + ',"keys":{"keys":[]}}', "another order": good.replace(f'"statements":{pair},"evidence":[]', f'"evidence":[],"statements":{pair}'),
            "no statements": '{"bundle":1' + rest, "no evidence": good.replace('"evidence":[],', ""), "no keys": good.replace(',"keys":{"keys":[]}', ""),
            "the version alone": '{"bundle":1}', "a text for the version": good.replace(":1,", ':"1",', 1), "a fraction for the version": good.replace(":1,", ":1.0,", 1),
            "null for the version": good.replace(":1,", ":null,", 1), "true for the version": good.replace(":1,", ":true,", 1),
            "a text for the statements": f'{{"bundle":1,"statements":"{alice}"' + rest,
            "an object for the statements": f'{{"bundle":1,"statements":{{"0":"{alice}"}}' + rest, "null for a statement": f'{{"bundle":1,"statements":["{alice}",null]' + rest,
            "a number for a statement": f'{{"bundle":1,"statements":["{alice}",1]' + rest, "an array in the statements": f'{{"bundle":1,"statements":[["{alice}"]]' + rest,
            "an object for a statement": f'{{"bundle":1,"statements":["{alice}",{{"payloadSignature":"{bob}"}}]' + rest,
            "null for the evidence": good.replace("[],", "null,"), "an object for the evidence": good.replace('"evidence":[]', '"evidence":{}'),
            "an escaped letter": good.replace('"e', '"\\u0065', 1), "an escaped name": good.replace('"keys":{', '"key\\u0073":{'),
            "an upper-case name": good.replace('"evidence"', '"Evidence"'), "single quotes": good.replace('"', "'").replace("{'bundle'", '{"bundle"'),
            "a comment": good[:-1] + "/**/}", "deep nesting": '{"bundle":' + "[" * 5000 + "]" * 5000 + "}", "deep statements": '{"bundle":1,"statements":' + "[" * 5000,
        }.items():
            assert text != good, name
            group.add(name, text, "bundle")
        group.add("bytes that are no UTF-8", good.encode().replace(alice[:40].encode(), b"\xff\xfe"), "bundle")
        for version in (0, 2, 10, -1, 9007199254740991, 99999999999999999999):
            group.add(f"version {version}", good.replace(":1,", f":{version},", 1), "bundle-version")
        group.add("version 2 with other members", '{"bundle":2,"decision":{}}', "bundle-version")
        group.add("an empty list", '{"bundle":1,"statements":[]' + rest, "bundle-statements")
        for count in (65, 5000):
            group.add(f"{count} statements", canonical({"bundle": 1, "statements": ["a"] * count, "evidence": [], "keys": {"keys": []}}), "bundle-statements")
        for name, value in {"an object": "[{}]", "a text": '["e"]', "null": "[null]", "a statement": f'["{alice}"]', "deep": "[" * 10 + "]" * 10}.items():
            group.add(f"evidence: {name}", good.replace('"evidence":[]', f'"evidence":{value}'), "bundle-evidence")
        self.add_keys(group, good)
        return group

    def add_keys(self, group: Group, good: str):
        key = self.key.jwk
        private = key | {"d": base64url(bytes(range(32))).decode()}
        history = self.history["text"]
        head = base64url(canonical({"alg": "ES256", "kid": self.key.kid, "typ": "countersign+jwt"})).decode()
        for name, value in {
            "null": None, "a number": 1, "a list": [key], "an empty object": {}, "an empty text": "", "a text": "keys", "another member": {"keys": [], "x": 1},
            "no list": {"keys": {}}, "a private key": {"keys": [dict(sorted(private.items()))]}, "a key twice": {"keys": [key, key]},
            "another order of members": {"keys": [dict(reversed(key.items()))]}, "a member more": {"keys": [key | {"x5c": []}]}, "without its use": {"keys": [{name: value for name, value in key.items() if name != "use"}]},
            "without its kid": {"keys": [{name: value for name, value in key.items() if name != "kid"}]}, "the kid of another": {"keys": [key | {"kid": self.keys["stranger"].kid}]},
            "to encrypt with": {"keys": [key | {"use": "enc"}]}, "a symmetric one": {"keys": [{"k": "AAAA", "kty": "oct"}]}, "null in the list": {"keys": [None]},
            "not on the curve": {"keys": [renamed(key | {"x": key["y"], "y": key["x"]})]}, "the algorithm of another kind": {"keys": [key | {"alg": "ES384"}]}, "65 keys": {"keys": [key] * 65}, "of 1,024 bits": {"keys": [self.keys["weak"].jwk]},
            "a statement for a history": f"{head}.{history.split('.')[1]}.{history.split('.')[2]}", "a history with a line feed": history + "\n", "two parts of a history": history.rsplit(".", 1)[0],
            "deep": [[[[[[[[[[[]]]]]]]]]]],
        }.items():
            group.add(f"keys: {name}", good.replace('{"keys":[]}', canonical(value).decode()), "bundle-keys")
        group.add("keys: 5,000 deep", good.replace('{"keys":[]}', "[" * 5000 + "]" * 5000), "bundle")
        group.add("keys: a member twice", good.replace('{"keys":[]}', '{"keys":[],"keys":[]}'), "bundle")
        group.add("keys: white space", good.replace('{"keys":[]}', '{"keys": []}'), "bundle")

    def members(self) -> Group:
        group = Group("Statements that are not valid, one by one.", {"jwks": self.jwks, "history": self.history})
        alice, bob, carol = map(self.person, ("alice", "bob", "carol"))
        stranger = self.person("bob", key=self.keys["stranger"])
        forged = bob[:-10] + ("A" if bob[-10] != "A" else "B") + bob[-9:]

        def add(name, second, reason, verdict=None, **options):
            verdict = verdict or "invalid"
            group.add(name, bundle.text([alice, second]), reason, 2, verdict, ["valid", reason], **options)

        add("a wrong signature", forged, "signature")
        add("signed for another payload", self.person("bob", {"payload": "Pay 6.00 EUR to Bob"}).rsplit(".", 1)[0] + "." + bob.rsplit(".", 1)[1], "signature")
        add("an empty one", "", "empty")
        add("no statement", "bob", "not-compact")
        add("a line feed after one", bob + "\n", "not-compact")
        add("a space before one", " " + bob, "not-compact")
        add("a space after one", bob + " ", "not-compact")
        add("a tab in one", bob.replace(".", ".\t", 1), "not-compact")
        add("padding", bob + "=", "not-compact")
        add("a JSON result", '{"payloadSignature":"' + bob + '"}', "not-compact")
        add("a bundle in a bundle", bundle.text([bob]).decode(), "not-compact")
        add("too long", "A" * 16_385, "too-long")
        add("another type", self.raw(canonical({}), canonical({"alg": "ES256", "kid": self.key.kid, "typ": "JWT"})).decode(), "type")
        add("another algorithm", self.raw(canonical({}), canonical({"alg": "none", "kid": self.key.kid, "typ": "countersign+jwt"})).decode(), "algorithm")
        add("claims that are malformed", self.person("Bob"), "claim-sub")
        add("a malformed quorum", self.person("bob", {"quorum": "3/2"}), "claim-quorum")
        add("a quorum without a request", self.person("bob", {"request": None}), "claim-set")
        add("an unknown key", stranger, "unknown-key", "indeterminate")
        add("from the future", self.person("bob", {"iat": FAR}), "issued-in-future")
        add("not by the method", self.person("bob", {"amr": ["pin"]}), "method-missing", require_amr=["pwd"])
        group.add("the keys in it are not trusted", bundle.text([alice, stranger], {"keys": [self.keys["stranger"].jwk]}), "unknown-key", 2,
                  "indeterminate", ["valid", "unknown-key"])
        group.add("the first is at fault", bundle.text([self.person("alice", key=self.keys["stranger"]), bob]), "unknown-key", 1,
                  "indeterminate", ["unknown-key", "valid"])
        group.add("the first of two", bundle.text([self.person("alice", {"iat": FAR}), forged]), "issued-in-future", 1,
                  statements=["issued-in-future", "signature"])
        group.add("invalid goes before indeterminate", bundle.text([self.person("alice", key=self.keys["stranger"]), forged, carol]), "signature", 2,
                  statements=["unknown-key", "signature", "valid"])
        group.add("one more than is needed, and invalid", bundle.text([alice, bob, self.person("carol", {"aud": "x"})]), "audience-not-expected", 3,
                  statements=["valid", "valid", "audience-not-expected"])
        group.add("one more than is needed, by an unknown key", bundle.text([alice, bob, self.person("carol", key=self.keys["stranger"])]), "unknown-key", 3,
                  "indeterminate", ["valid", "valid", "unknown-key"])
        group.add("a payload that nobody asked for", bundle.text([alice, bob]), "payload-differs", 1, statements=["payload-differs"] * 2, payload="Pay 6.00 EUR to Bob")
        group.add("too old", bundle.text([alice, bob]), "too-old", 1, statements=["too-old"] * 2, max_age=99)
        group.add("at level 1 where 4 is asked", bundle.text([alice, bob]), "level-too-low", 1, statements=["level-too-low"] * 2, min_level=4)
        group.add("for an audience that nobody named", bundle.text([self.person("alice", BANK), self.person("bob", BANK)]), "audience-not-expected", 1,
                  statements=["audience-not-expected"] * 2)
        for name, reason, kind in (("compromised", "key-compromised", "indeterminate"), ("root", "root-key", "invalid")):
            made = [self.person("alice", key=self.keys["active"]), self.person("bob", key=self.keys[name])]
            group.add(f"key history: {name} key", bundle.text(made), reason, 2, kind, ["valid", reason], trust="history")
        return group

    def together(self) -> Group:
        group = Group("Statements that are valid and do not belong together, or are not enough.", {"jwks": self.jwks})
        alice, bob, carol = map(self.person, ("alice", "bob", "carol"))

        def add(name, statements, reason, place=None, verdict=None, own=None, **options):
            group.add(name, bundle.text(statements), reason, place, verdict, own or ["valid"] * len(statements), **options)

        again = self.person("alice", {"jti": "9b1d3e0f-5b81-4a7b-9c68-6b2c6d1f2e4d", "iat": SIGNED + 1})
        add("the same statement twice", [alice, alice], "same-signer", 2)
        add("the same person twice", [alice, again], "same-signer", 2)
        add("the same person twice, and more than enough", [alice, bob, again], "same-signer", 3)
        other = self.person("alice", {"jti": "9b1d3e0f-5b81-4a7b-9c68-6b2c6d1f2e4d"}, self.keys["EdDSA"])
        add("the same person by two keys", [alice, other], "same-signer", 2)
        add("the same id twice", [self.person("alice", {"jti": CLAIMS["jti"]}), self.person("bob", {"jti": CLAIMS["jti"]})], "same-id", 2)
        add("in another order", [bob, alice], "order", 2)
        add("in another order at the end", [alice, carol, bob], "order", 3)
        for claim, value in {
            "payload": "Pay 6.00 EUR to Bob", "reason": "Invoice 18", "iss": "urn:other", "request": "r-2", "template": "t-1", "quorum": "2/4",
        }.items():
            add(f"another {claim}", [alice, self.person("bob", {claim: value})], f"unequal-{claim}", 2)
            add(f"another {claim} in the third", [alice, bob, self.person("carol", {claim: value})], f"unequal-{claim}", 3)
        add("a lower number in one", [alice, self.person("bob", {"quorum": "1/3"})], "unequal-quorum", 2)
        add("a payload that only looks the same", [self.person("alice", {"payload": "é"}), self.person("bob", {"payload": "e\u0301"})], "unequal-payload", 2)
        add("a request that only looks the same", [self.person("alice", {"request": "K"}), self.person("bob", {"request": "\u212a"})], "unequal-request", 2)
        add("no quorum in one", [alice, self.person("bob", {"quorum": None})], "unequal-quorum", 2)
        add("no request in one", [alice, self.person("bob", {"request": None, "quorum": None})], "unequal-request", 2)
        add("an audience in one", [alice, self.person("bob", BANK)], "unequal-aud", 2, any_audience=True)
        add("another audience", [self.person("alice", BANK), self.person("bob", {"aud": "https://other.example"})], "unequal-aud", 2, any_audience=True)
        add("another level", [alice, self.person("bob", LEVEL_4)], "unequal-auth_level", 2)
        add("the first claim that differs", [alice, self.person("bob", {"reason": "Invoice 18", "quorum": "2/4"})], "unequal-reason", 2)
        add("another payload by an unknown key", [alice, self.person("bob", {"payload": "x"}, self.keys["stranger"])], "unequal-payload", 2,
            own=["valid", "unknown-key"])

        add("one of two that are needed", [alice], "quorum-not-met")
        add("one of two by an unknown key", [self.person("alice", key=self.keys["stranger"])], "quorum-not-met", own=["unknown-key"])
        add("two of three that are needed", [self.person(name, {"quorum": "3/3"}) for name in ("alice", "bob")], "quorum-not-met")
        add("two, and the verifier asks for three", [alice, bob], "quorum-not-met", require=3)
        add("one, and the verifier asks for less than is needed", [alice], "quorum-not-met", require=1)
        hand = {"request": None, "quorum": None}
        add("nobody says how many", [self.person(name, hand) for name in ("alice", "bob")], "quorum-missing")
        add("one person, and nobody says how many", [self.person("alice", hand)], "quorum-missing")
        add("a request, and nobody says how many", [self.person(name, {"quorum": None}) for name in ("alice", "bob")], "quorum-missing")
        add("collected by hand, and too few", [self.person(name, hand) for name in ("alice", "bob")], "quorum-not-met", require=3)
        add("two where one was asked", [self.person(name, {"quorum": "1/1"}) for name in ("alice", "bob")], "quorum-exceeded")
        add("one of one, and the verifier asks for two", [self.person("alice", {"quorum": "1/1"})], "quorum-not-met", require=2)
        add("more than were asked", [self.person(name, {"quorum": "1/2"}) for name in ("alice", "bob", "carol")], "quorum-exceeded")
        return group


def renamed(key: dict) -> dict:
    """The key with its thumbprint."""
    components = {name: key[name] for name in ("crv", "kty", "x", "y")}
    return key | {"kid": base64url(hashlib.sha256(canonical(components)).digest()).decode()}


def main() -> int:
    FOLDER.mkdir(parents=True, exist_ok=True)
    bundles = Bundles()
    files = {"valid": bundles.valid(), "form": bundles.forms(), "members": bundles.members(), "together": bundles.together()}
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
