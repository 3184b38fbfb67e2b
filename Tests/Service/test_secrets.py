"""Nothing secret gets out (attacks L1, L2 and K4)."""

import ctypes
import json
import pathlib

from daemon import secrets
from parties import Party, Person, new_password
from proof import Key

# Where nothing else is looked for: prctl's number for "may be dumped".
PR_GET_DUMPABLE = 3


def test_k4_the_process_writes_no_core_and_is_closed_to_others(shared):
    process = pathlib.Path(f"/proc/{shared.daemon.process.pid}")
    limits = process.joinpath("limits").read_text().splitlines()
    core = next(line for line in limits if line.startswith("Max core file size"))
    assert core.split()[4:6] == ["0", "0"], core
    # The files of a process that may not be dumped belong to root, whoever runs it; as root they do anyway.
    assert process.joinpath("environ").stat().st_uid == 0 or ctypes.CDLL(None).geteuid() != 0
    arguments = process.joinpath("cmdline").read_bytes()
    assert not [text for text in secrets if text.encode() in arguments]


def test_l1_no_secret_is_in_the_metrics_the_audit_or_any_answer_but_its_own(own):
    person = own.operator.person()
    person.log_in("canary wrong 4711", expect=403)
    signing = person.start().json
    person.answer(signing, "canary wrong 4712", expect=403)
    person.answer(signing)
    person.refresh()
    gathered = [
        own.daemon.get("/metrics").body, json.dumps(own.operator.audit()).encode(), own.daemon.get("/v1/openapi.json").body,
        own.daemon.get("/.well-known/oauth-authorization-server").body, own.operator.call("GET", "/v1/status").body,
        own.operator.call("GET", "/v1/clients").body, own.operator.call("GET", f"/v1/users/{person.name}").body,
        own.operator.call("GET", f"/v1/users/{person.name}/sessions").body, own.operator.call("GET", "/v1/settings").body,
        own.operator.call("GET", f"/v1/users/{person.name}/devices").body, own.operator.call("GET", "/v1/keys").body,
        own.daemon.get("/.well-known/jwks.json").body, own.daemon.said().encode(),
    ]
    for content in gathered:
        assert not [text for text in secrets if text.encode() in content]
        assert b"canary wrong" not in content
        for word in (b'"d":', b"PRIVATE KEY", b"argon2"):
            assert word not in content or word == b"argon2"


def test_l1_refused_requests_leave_no_secret_in_the_log(own):
    password = new_password()
    party = Party(own.daemon, Key())
    for value in (
        {"user": "alice", "password": password, "extra": password}, {"user": password, "password": password}, {"password": password},
        {password: password}, [password], password, {"user": "alice", "password": [password]},
    ):
        party.call("POST", "/v1/sessions", value)
    own.daemon.get(f"/v1/signings/{password.replace(' ', '')}")
    own.daemon.get("/v1/statements?keyword=" + password.replace(" ", "%20"), [("Authorization", f"Bearer {own.shop.token}")])
    own.daemon.request("POST", "/v1/token", [("Content-Type", "application/x-www-form-urlencoded")], password.encode())
    own.daemon.request("POST", "/v1/signings", [("Authorization", f"DPoP {own.alice.token}")], b"{" + password.encode())
    with own.daemon.connect() as connection:
        connection.send(f"GET / HTTP/1.1\r\nAuthorization: Bearer {own.alice.token}\r\nA\0: {password}\r\n\r\n".encode())
        connection.rest()
    said = own.daemon.said()
    assert password not in said and password.replace(" ", "%20") not in said and own.alice.token not in said


def test_l2_a_line_break_in_a_text_stays_one_line_of_the_export(own):
    own.operator.call("POST", "/v1/users", {"user": "a\nb"})
    answer = own.alice.start("line\n{\"event\":\"forged\"}\nline", "reason")
    own.alice.answer(answer.json)
    name = "\n{\"event\":\"forged\"}"
    Party(own.daemon, Key()).call("POST", "/v1/sessions", {"user": name, "password": "x"})
    own.daemon.get("/v1/%0a%7b%22level%22%3a1%7d", [("User-Agent", 'a"} {"forged":1')])
    assert all(row["event"] != "forged" for row in own.operator.audit())
    own.daemon.stop()
    for line in own.daemon.said().splitlines():
        if line.startswith("{"):
            row = json.loads(line)
            assert "forged" not in row and row.get("event") != "forged"
    own.daemon.start()


def test_l3_each_attempt_failure_reset_and_lock_has_exactly_one_row(own):
    name = own.operator.add_user()

    def events():
        return [row["event"] for row in own.operator.audit(user=name)]

    def added(work):
        before = events()
        work()
        after = events()
        return list(reversed(after[: len(after) - len(before)]))

    person = Person(own.daemon, name, new_password())
    code = []
    assert added(lambda: code.append(own.operator.activation_code(name))) == ["activation-code-made"]
    assert "device-enrolled" in added(lambda: person.enrol(code[0]))
    assert added(person.log_in) == ["logged-in"]
    assert added(lambda: person.log_in("wrong pass word", expect=403)) == ["login-wrong"]
    signing = []
    started = added(lambda: signing.append(person.start().json))
    assert started == [], "a start is no outcome"
    assert len(added(lambda: person.answer(signing[0], "wrong", expect=403))) == 1
    assert len(added(lambda: person.call("DELETE", "/v1/signings/current", expect=204))) == 1
    assert added(lambda: person.call("DELETE", "/v1/signings/current", expect=204)) == []
    second = person.start().json
    assert len(added(lambda: person.answer(second))) == 1
    assert len(added(lambda: own.operator.call("POST", f"/v1/users/{name}/lock", expect=200))) >= 1
    assert len(added(lambda: own.operator.call("POST", f"/v1/users/{name}/unlock", expect=200))) == 1
    person.log_in()
    assert added(lambda: person.call("DELETE", "/v1/sessions/current", expect=204)) == ["session-ended"]
