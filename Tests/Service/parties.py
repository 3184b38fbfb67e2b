"""Those who call a service: an operator, a person with a device, a relying service."""

import base64
import json
import secrets as randomness
import urllib.parse
import uuid

import wire
from daemon import Daemon, secret
from proof import Key, compact

__all__ = ["Operator", "Party", "Person", "Relying", "new_password"]

JSON = ("Content-Type", "application/json")
FORM = ("Content-Type", "application/x-www-form-urlencoded")
ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"


def new_password() -> str:
    """A password that nobody else has, so that it is found wherever it is written."""
    return secret(f"canary {randomness.token_hex(12)} pass")


class Party:
    """Someone who calls: with the token of a session where there is one, and proofs by a key where there is one."""

    def __init__(self, daemon: Daemon, key: Key | None = None):
        self.daemon, self.key = daemon, key
        self.grant: dict | None = None
        self.nonce: str | None = None
        self.connection: wire.Connection | None = None

    @property
    def token(self) -> str | None:
        return self.grant and self.grant["access_token"]

    def headers(self, method: str, path: str) -> list:
        """What shows who calls."""
        result = []
        if self.token:
            result.append(("Authorization", f"{self.grant['token_type']} {self.token}"))
        if self.key and (self.grant is None or self.grant["token_type"] == "DPoP"):
            url = self.daemon.origin + path.partition("?")[0]
            result.append(("DPoP", self.key.proof(method, url, self.token, self.nonce)))
        return result

    def send(self, method: str, path: str, headers, body: bytes | None) -> wire.Answer:
        if self.connection is not None:
            return self.connection.request(method, path, headers, body)
        return self.daemon.request(method, path, headers, body)

    def call(self, method: str, path: str, value=None, *, form=None, once=None, expect=None, headers=()) -> wire.Answer:
        """One request; asked again with the service's nonce where it wants one. `expect` is the status that must come."""
        more, body = list(headers), None
        if value is not None:
            more, body = [JSON, *more], compact(value)
        if form is not None:
            more, body = [FORM, *more], urllib.parse.urlencode(form).encode()
        if once is not None:
            more.append(("Idempotency-Key", once))
        for _ in range(2):
            answer = self.send(method, path, self.headers(method, path) + more, body)
            self.nonce = answer.header("dpop-nonce") or self.nonce
            if not (answer.status == 401 and answer.json.get("error") == "use_dpop_nonce"):
                break
        assert answer.status < 500 or answer.header("retry-after"), f"{method} {path}: {answer}"
        if expect is not None:
            assert answer.status == expect, f"{method} {path}: {answer}"
        return answer

    def get(self, path: str):
        return self.call("GET", path, expect=200).json

    def take(self, answer: wire.Answer) -> dict:
        """Keeps what a session was granted."""
        self.grant = answer.json
        secret(self.grant["access_token"])
        if "refresh_token" in self.grant:
            secret(self.grant["refresh_token"])
        return self.grant

    def refresh(self, once=None, expect=200, token=None) -> wire.Answer:
        """A new access token for the refresh token."""
        form = {"grant_type": "refresh_token", "refresh_token": token or self.grant["refresh_token"]}
        grant, self.grant = self.grant, None
        try:
            answer = self.call("POST", "/v1/token", form=form, once=once)
        finally:
            self.grant = grant
        assert expect is None or answer.status == expect, answer
        if answer.status == 200:
            self.take(answer)
        return answer

    def with_token_of(self, grant: dict, key: Key | None) -> "Party":
        """Somebody who has got hold of a token."""
        thief = Party(self.daemon, key)
        thief.grant, thief.nonce = grant, self.nonce
        return thief


class Operator(Party):
    """The operator, logged in by the token that the first start left in a file."""

    def __init__(self, daemon: Daemon, token: str | None = None):
        super().__init__(daemon, Key())
        path = daemon.data / "operator-token"
        token = secret(token or path.read_text().strip())
        self.take(self.call("POST", "/v1/operator/sessions", {"token": token}, expect=201))

    def set(self, name: str, value: str):
        self.call("PUT", f"/v1/settings/{name}", {"value": value}, expect=200)

    def add_user(self, name: str | None = None) -> str:
        name = name or f"user-{randomness.token_hex(6)}"
        self.call("POST", "/v1/users", {"user": name}, expect=201)
        return name

    def activation_code(self, user: str) -> str:
        answer = self.call("POST", f"/v1/users/{user}/activation-codes", expect=201)
        return secret(answer.json["code"])

    def person(self, name: str | None = None) -> "Person":
        """A new user with an enrolled device."""
        name = self.add_user(name)
        person = Person(self.daemon, name, new_password())
        person.enrol(self.activation_code(name))
        return person

    def relying(self, name: str | None = None, key: Key | None = None) -> "Relying":
        """A new relying service, logged in: with its own key, or with a secret where there is none."""
        name = name or f"shop-{randomness.token_hex(6)}"
        body = {"client": name} | ({"jwk": key.jwk} if key else {})
        answer = self.call("POST", "/v1/clients", body, expect=201)
        text = None if key else secret(answer.json["secret"])
        relying = Relying(self.daemon, name, text, key)
        relying.log_in()
        return relying

    def audit(self, **filters) -> list:
        """All entries, the newest first."""
        query = urllib.parse.urlencode(filters)
        path = "/v1/audit" + (f"?{query}" if query else "")
        answer = self.call("GET", path, expect=200, headers=[("Accept", "application/x-ndjson")])
        return [json.loads(line) for line in answer.body.splitlines()]


class Signer(Party):
    def start(self, payload="Pay 5.00 EUR to Bob", reason="Invoice 17", level=1, kind=0, user=None, once=None, expect=201):
        value = {"payload": payload, "reason": reason, "authLevel": level, "authenticatorType": kind}
        if user is not None:
            value = {"user": user} | value
        return self.call("POST", "/v1/signings", value, once=once, expect=expect)


class Person(Signer):
    def __init__(self, daemon: Daemon, name: str, password: str, key: Key | None = None):
        super().__init__(daemon, key or Key())
        self.name, self.password = name, password

    def enrol(self, code: str, device="laptop of the tests", once=None, expect=201) -> wire.Answer:
        value = {"user": self.name, "activationCode": code, "password": self.password, "deviceName": device}
        self.grant = None
        answer = self.call("POST", "/v1/devices", value, once=once)
        assert expect is None or answer.status == expect, answer
        if answer.status == 201:
            self.take(answer)
        return answer

    def log_in(self, password=None, user=None, once=None, expect=201) -> wire.Answer:
        value = {"user": user or self.name, "password": password or self.password}
        grant, self.grant = self.grant, None
        answer = self.call("POST", "/v1/sessions", value, once=once)
        self.grant = grant
        assert expect is None or answer.status == expect, answer
        if answer.status == 201:
            self.take(answer)
        return answer

    def answer(self, signing: dict, password=None, once=None, expect=200, **members) -> wire.Answer:
        value = {"challengeMode": 12, "password": password or self.password} | members
        return self.call("POST", f"/v1/signings/{signing['id']}/answers", value, once=once, expect=expect)

    def sign(self, payload="Pay 5.00 EUR to Bob", reason="Invoice 17") -> dict:
        """The whole ceremony; its result."""
        signing = self.start(payload, reason).json
        return self.answer(signing).json["result"]

    def twin(self) -> "Person":
        """The same device in a second session."""
        twin = Person(self.daemon, self.name, self.password, self.key)
        twin.log_in()
        return twin


class Relying(Signer):
    def __init__(self, daemon: Daemon, name: str, text: str | None, own: Key | None):
        super().__init__(daemon)
        self.name, self.text, self.own = name, text, own

    def log_in(self, form=None, headers=None, expect=200) -> wire.Answer:
        if form is None:
            form = {"grant_type": "client_credentials"}
            if self.own:
                url = self.daemon.origin + "/v1/token"
                form |= {
                    "client_id": self.name, "client_assertion_type": ASSERTION,
                    "client_assertion": self.own.assertion(self.name, url),
                }
            elif headers is None:
                headers = [basic(self.name, self.text)]
        self.grant = None
        answer = self.call("POST", "/v1/token", form=form, headers=headers or ())
        assert expect is None or answer.status == expect, answer
        if answer.status == 200:
            self.take(answer)
        return answer

    def sign(self, user: str, payload="Pay 5.00 EUR to Bob", reason="Invoice 17", once=None) -> dict:
        answer = self.start(payload, reason, level=0, user=user, once=once)
        return answer.json["result"]


def basic(name: str, text: str) -> tuple:
    pair = f"{urllib.parse.quote(name, safe='')}:{urllib.parse.quote(text, safe='')}"
    return ("Authorization", "Basic " + base64.b64encode(pair.encode()).decode())


def new_id() -> str:
    return str(uuid.uuid4())
