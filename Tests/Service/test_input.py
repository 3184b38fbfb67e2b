"""What requests may hold: members, media types, paths, headers, repetitions (attacks A2, A6 to A9)."""

import gzip
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import wire
from daemon import PATIENCE
from parties import Party, new_id
from proof import compact

JSON = ("Content-Type", "application/json")
START = {"payload": "Pay 5.00 EUR", "reason": "Invoice 17", "authLevel": 1, "authenticatorType": 0}


def raw(party, path, body: bytes, kind="application/json", method="POST", more=()):
    """One request whose body is as it stands here."""
    for _ in range(2):
        headers = party.headers(method, path) + ([("Content-Type", kind)] if kind else []) + list(more)
        answer = party.daemon.request(method, path, headers, body)
        party.nonce = answer.header("dpop-nonce") or party.nonce
        if not (answer.status == 401 and answer.json.get("error") == "use_dpop_nonce"):
            break
    return answer


@pytest.fixture
def nothing_open(shared):
    """Whatever happens, bob has no open signing before and after."""
    shared.bob.call("DELETE", "/v1/signings/current", expect=204)
    before = len(shared.bob.get("/v1/statements")["statements"])
    yield shared.bob
    shared.bob.call("DELETE", "/v1/signings/current", expect=204)
    assert len(shared.bob.get("/v1/statements")["statements"]) == before


@pytest.mark.parametrize("member", ["sub", "iat", "jti", "acr", "status", "user", "iss", "Payload", "payload ", "", "__proto__"])
def test_a2_an_extra_member_is_refused(nothing_open, member):
    answer = raw(nothing_open, "/v1/signings", compact(START | {member: "x"}))
    assert (answer.status, answer.code) == (400, 1801), answer


@pytest.mark.parametrize("member", list(START))
def test_a2_a_missing_member_is_refused(nothing_open, member):
    answer = raw(nothing_open, "/v1/signings", compact({name: value for name, value in START.items() if name != member}))
    assert (answer.status, answer.code) == (400, 1802), answer
    assert answer.json["member"] == member


@pytest.mark.parametrize("member", list(START))
@pytest.mark.parametrize("value", [None, [], {}, True, 1.5, [1]])
def test_a2_a_member_of_another_type_is_refused(nothing_open, member, value):
    answer = raw(nothing_open, "/v1/signings", compact(START | {member: value}))
    assert answer.status in (400, 422), answer


GOOD = compact(START)
BODIES = {
    "nothing": b"",
    "white space": b"  ",
    "an array": b"[]",
    "a text": b'"a"',
    "null": b"null",
    "two objects": GOOD + GOOD,
    "a byte order mark": b"\xef\xbb\xbf" + GOOD,
    "UTF-16": GOOD.decode().encode("utf-16"),
    "a comma at the end": GOOD[:-1] + b",}",
    "a member twice": GOOD[:-1] + b',"reason":"other"}',
    "a member twice by an escape": GOOD[:-1] + b',"re\\u0061son":"other"}',
    "bad UTF-8": GOOD.replace(b"Invoice", b"\xc3\x28"),
    "an overlong form": GOOD.replace(b"Invoice", b"\xc0\xaf"),
    "a lone surrogate": GOOD.replace(b"Invoice", b"\\ud800"),
    "a surrogate as bytes": GOOD.replace(b"Invoice", b"\xed\xa0\x80"),
    "a raw control": GOOD.replace(b"Invoice", b"a\x01"),
    "a comment": GOOD.replace(b"{", b"{/* */", 1),
    "single quotes": GOOD.replace(b'"', b"'"),
    "a leading zero": GOOD.replace(b":1,", b":01,"),
    "NaN": GOOD.replace(b":1,", b":NaN,"),
    "not closed": GOOD[:-1],
    "text after it": GOOD + b"x",
    "NUL after it": GOOD + b"\0",
    "100,000 levels": b"[" * 100_000,
    "100,000 levels of objects": b'{"a":' * 20_000,
    "a number out of range": GOOD.replace(b":1,", b":1e400,"),
    "a number beyond 64 bits": GOOD.replace(b":1,", b":9223372036854775808,"),
    "a level of 1.0": GOOD.replace(b":1,", b":1.0,"),
    "a level of 1e0": GOOD.replace(b":1,", b":1e0,"),
}


@pytest.mark.parametrize("name", BODIES)
def test_a2_json_that_is_none_or_is_loose_is_refused(nothing_open, name):
    answer = raw(nothing_open, "/v1/signings", BODIES[name])
    assert answer.status in (400, 413), answer
    assert answer.code is not None and nothing_open.daemon.alive()


TEXTS = {
    "empty": "", "blank": " \t\u200b\u3164\u2800", "NUL": "a\0b", "too long": "a" * 501, "too many bytes": "é" * 500 + "\u0301" * 3000,
    "bidi": "a\u202eb", "line separator": "a\u2028b", "noncharacter": "a\uffffb", "escape": "a\x1b[31mb",
}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("member", ["payload", "reason"])
def test_w4_refused_texts_are_refused_over_the_network_too(nothing_open, name, member):
    answer = raw(nothing_open, "/v1/signings", compact(START | {member: TEXTS[name]}))
    assert answer.status in (400, 422) and answer.code is not None, answer


@pytest.mark.parametrize("kind", [
    None, "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "application/json; charset=utf-16",
    "application/json; charset=latin1", "application/jsonp", "application/json, text/plain", "json", "*/*", "application/xml",
    "application/json;", "application/problem+json",
])
def test_a6_json_as_something_else_is_refused(nothing_open, kind):
    answer = raw(nothing_open, "/v1/signings", GOOD, kind)
    assert answer.status in (400, 415), answer
    if kind != "application/json;":
        assert (answer.status, answer.code) == (415, 1804)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "identity, gzip", "zstd"])
def test_a6_a_coded_body_is_refused(nothing_open, coding):
    answer = raw(nothing_open, "/v1/signings", gzip.compress(GOOD), more=[("Content-Encoding", coding)])
    assert answer.status in (400, 415), answer


def test_a6_a_form_where_json_belongs_and_the_reverse_are_refused(shared):
    party = Party(shared.daemon, shared.bob.key)
    assert party.call("POST", "/v1/sessions", form={"user": "bob", "password": "x"}).status == 415
    assert party.call("POST", "/v1/token", {"grant_type": "client_credentials"}).status == 415


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/*", "application/json;q=0"])
def test_a6_what_nobody_here_speaks_is_not_acceptable(shared, accept):
    answer = shared.alice.call("GET", "/v1/statements", headers=[("Accept", accept)])
    assert answer.status in (200, 406) and (answer.status == 406 or answer.header("content-type") == "application/json")


@pytest.mark.parametrize("accept", ["*/*", "application/*", "application/json", "text/html, */*;q=0.1"])
def test_what_everybody_sends_is_acceptable(shared, accept):
    shared.alice.call("GET", "/v1/statements", headers=[("Accept", accept)], expect=200)


PATHS = [
    "//v1/sessions", "/v1//sessions", "/v1/sessions/", "/v1/./sessions", "/v1/../v1/sessions", "/v1/%2e%2e/v1/sessions", "/V1/sessions",
    "/v1/sessions%00", "/v1/sessions%2f", "/v1%2fsessions", "/v1/%73essions", "/v1/sessions;a=b", "/v1/sessions\\", "/v1/sessions%0d%0aA:b",
    "/v1/sessions%", "/v1/sessions%zz", "/%2e%2e/%2e%2e/etc/passwd", "/.well-known/../v1/sessions", "/v1/sessions%20", "/v1/sessions.json",
]


@pytest.mark.parametrize("path", PATHS)
def test_a7_another_spelling_of_a_path_leads_nowhere(shared, path):
    alice = shared.alice
    for signed in (path, "/v1/sessions"):
        proof = alice.key.proof("GET", shared.daemon.origin + signed, alice.token, alice.nonce)
        headers = [("Authorization", f"DPoP {alice.token}"), ("DPoP", proof)]
        answer = shared.daemon.request("GET", path, headers)
        alice.nonce = answer.header("dpop-nonce") or alice.nonce
        assert answer.status in (400, 401, 404), answer


@pytest.mark.parametrize("number", [
    "..", "%2e%2e", "%00", "a%2fb", "%2f", "'", "1 OR 1=1".replace(" ", "%20"), "x" * 2000, "%F0%9F%98%80", "-1", "%ff", "null",
    "00000000-0000-0000-0000-000000000000", "{ID}", "{ID}%00", "{UPPER}",
])
def test_a7_odd_ids_find_nothing(shared, number):
    own = shared.alice.sign()["dataSignatureID"]
    number = number.replace("{ID}", new_id()).replace("{UPPER}", own.upper())
    for path in ("/v1/signings/", "/v1/statements/"):
        answer = shared.alice.call("GET", path + number)
        assert answer.status in (400, 401, 404), answer
    answer = shared.operator.call("GET", f"/v1/users/{number}")
    assert answer.status in (400, 401, 404), answer


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get", "QUERY"])
def test_a7_another_method_is_refused(shared, method):
    with shared.daemon.connect() as connection:
        connection.send(f"{method} /v1/sessions HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        answer = connection.read(method)
    assert answer.status in (400, 401, 404, 405, 501), answer
    if method in ("PUT", "PATCH"):
        assert answer.status == 405 and answer.header("allow")


@pytest.mark.parametrize("header", [
    ("X-HTTP-Method-Override", "DELETE"), ("X-Method-Override", "DELETE"), ("X-Original-URL", "/v1/users"), ("X-Rewrite-URL", "/v1/users"),
    ("X-Forwarded-Prefix", "/v1"), ("X-Forwarded-Method", "DELETE"),
])
def test_a8_no_header_changes_method_or_path(shared, header):
    answer = shared.alice.call("GET", "/v1/sessions", headers=[header], expect=200)
    assert answer.json["sessions"]


@pytest.mark.parametrize("headers", [
    [("X-Forwarded-Host", "evil.example"), ("X-Forwarded-Proto", "https")], [("Forwarded", "host=evil.example;proto=https;for=1.2.3.4")],
    [("X-Forwarded-For", "203.0.113.9")], [("X-Forwarded-Port", "443")], [("X-Real-IP", "203.0.113.9")],
])
def test_a8_forwarded_headers_of_strangers_change_nothing(shared, headers):
    path = "/.well-known/oauth-authorization-server"
    assert shared.daemon.get(path, headers).body == shared.daemon.get(path).body
    started = shared.bob.call("POST", "/v1/signings", START, headers=headers, expect=201)
    shared.bob.call("DELETE", "/v1/signings/current", expect=204)
    assert "evil" not in started.header("location")


def test_a8_a_forged_host_changes_nothing(shared):
    with shared.daemon.connect() as connection:
        connection.send(b"GET /.well-known/oauth-authorization-server HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        answer = connection.read()
    assert b"evil" not in answer.body
    alice = shared.alice
    proof = alice.key.proof("GET", "http://evil.example/v1/sessions", alice.token, alice.nonce)
    with shared.daemon.connect() as connection:
        connection.send(
            f"GET /v1/sessions HTTP/1.1\r\nHost: evil.example\r\nAuthorization: DPoP {alice.token}\r\nDPoP: {proof}\r\n\r\n".encode())
        assert connection.read().status in (400, 401, 421)


# Idempotency keys.

def test_a9_the_same_request_again_has_the_same_answer_and_one_effect(shared):
    shop, key = shared.shop, new_id()
    body = dict(START, authLevel=0, user="alice", payload=f"once {key}")
    first = shop.call("POST", "/v1/signings", body, once=key, expect=201)
    second = shop.call("POST", "/v1/signings", body, once=key, expect=201)
    assert first.json == second.json and first.header("location") == second.header("location")
    rows = shop.get(f"/v1/statements?keyword={key}")["statements"]
    assert len(rows) == 1


def test_a9_the_same_key_with_another_body_or_path_is_refused(shared):
    shop, key = shared.shop, new_id()
    body = dict(START, authLevel=0, user="alice")
    shop.call("POST", "/v1/signings", body, once=key, expect=201)
    assert shop.call("POST", "/v1/signings", body | {"payload": "other"}, once=key, expect=422).code == 1815
    person, key = shared.operator.person(), new_id()
    signing = person.start(once=key).json
    assert person.answer(signing, once=key, expect=422).code == 1815
    assert person.answer(signing).json["status"] == "signed"


def test_a9_keys_of_two_callers_have_nothing_to_do_with_one_another(shared):
    key = new_id()
    body = dict(START, authLevel=0, user="alice")
    first = shared.shop.call("POST", "/v1/signings", body, once=key, expect=201).json
    second = shared.bank.call("POST", "/v1/signings", body, once=key, expect=201).json
    assert first["id"] != second["id"]


def test_a9_twenty_at_once_under_one_key_make_one_statement(shared):
    key = new_id()
    body = dict(START, authLevel=0, user="alice", payload=f"at once {key}")
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: shared.shop.call("POST", "/v1/signings", body, once=key), range(20)))
    assert {answer.status for answer in answers} <= {201, 409}
    assert len({answer.json["id"] for answer in answers if answer.status == 201}) == 1
    assert len(shared.shop.get(f"/v1/statements?keyword={key}")["statements"]) == 1


def test_a9_an_answer_under_a_key_is_repeated_and_a_wrong_one_costs_one_attempt(shared):
    person = shared.operator.person()
    signing, wrong, right = person.start().json, new_id(), new_id()
    first = person.answer(signing, "wrong", once=wrong, expect=403)
    second = person.answer(signing, "wrong", once=wrong, expect=403)
    assert dict(first.json, requestID="") == dict(second.json, requestID="") and first.json["attemptsLeft"] == 2
    assert person.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 2
    result = person.answer(signing, once=right).json
    assert person.answer(signing, once=right).json == result


def test_a9_a_start_under_a_key_gives_the_same_ceremony(shared):
    person, key = shared.operator.person(), new_id()
    first = person.start(once=key).json
    assert person.start(once=key).json["id"] == first["id"]
    person.answer(first)
    again = person.start(once=key).json
    assert again["id"] == first["id"] and again["status"] == "signed"
    assert len(person.get("/v1/statements")["statements"]) == 1


def test_a9_a_user_is_made_once_and_a_log_in_granted_once(shared):
    key, name = new_id(), "once-" + new_id()[:8]
    first = shared.operator.call("POST", "/v1/users", {"user": name}, once=key, expect=201)
    assert shared.operator.call("POST", "/v1/users", {"user": name}, once=key, expect=201).json == first.json
    assert shared.operator.call("POST", "/v1/users", {"user": name}, once=new_id(), expect=409).code
    person, key = shared.operator.person(), new_id()
    first = person.log_in(once=key).json
    second = person.log_in(once=key).json
    assert first == second
    assert len(person.get("/v1/sessions")["sessions"]) == 2


@pytest.mark.parametrize("key", ["", "a" * 129, "a b", "é", "a\tb"])
def test_a9_a_malformed_key_is_refused(shared, key):
    body = compact(dict(START, authLevel=0, user="alice"))
    answer = raw(shared.shop, "/v1/signings", body, more=[("Idempotency-Key", key)])
    assert answer.status == 400, answer


def test_a9_a_connection_that_is_cut_before_the_answer_leaves_one_statement(shared):
    shop = shared.shop
    for number in range(10):
        key = new_id()
        body = dict(START, authLevel=0, user="alice", payload=f"cut {key}")
        headers = shop.headers("POST", "/v1/signings") + [JSON, ("Idempotency-Key", key)]
        connection = shared.daemon.connect()
        connection.send(wire.message(shared.daemon.address, "POST", "/v1/signings", headers, compact(body)))
        connection.close()
        limit = time.monotonic() + PATIENCE
        while (answer := shop.call("POST", "/v1/signings", body, once=key)).status == 409 and time.monotonic() < limit:
            pass
        assert answer.status == 201, answer
        assert len(shop.get(f"/v1/statements?keyword={key}")["statements"]) == 1


# Queries.

@pytest.mark.parametrize("query", [
    "startIndex=-1", "startIndex=0", "count=-1", "count=0", "count=99999999999", "startIndex=99999999999999999999", "startIndex=a", "since=a", "until=-1",
    "since=9223372036854775808", "level=9", "level=a", "a=b", "count=1&count=2", "count", "count=", "count=1e1", "count=%2B1", "user=%00",
    "kid=a", "keyword=%ff", "count=+1", "since=1&until=0",
])
def test_a_query_that_makes_no_sense_is_refused_or_finds_nothing(shared, query):
    answer = shared.operator.call("GET", f"/v1/statements?{query}")
    assert answer.status == 400 or (answer.status in (200, 422)), answer
    if answer.status == 200:
        assert query in ("count=0", "user=%00", "kid=a", "level=9", "since=1&until=0", "until=-1"), answer


def test_pages_are_stable_and_complete(own):
    made = [own.shop.sign("alice", f"page {number}")["dataSignatureID"] for number in range(25)]
    seen = []
    for start in range(1, 41, 10):
        rows = own.shop.get(f"/v1/statements?startIndex={start}&count=10")["statements"]
        seen += [row["dataSignatureID"] for row in rows]
    assert sorted(seen) == sorted(made) and len(seen) == 25


@pytest.mark.parametrize("keyword", ["%25", "_", "'", "%22", "%5C", "%2525"])
def test_keywords_have_no_wildcards(own, keyword):
    own.shop.sign("alice", "plain text")
    assert own.shop.get(f"/v1/statements?keyword={keyword}")["statements"] == []


def test_problems_are_problems(shared):
    answer = shared.daemon.get("/v1/nothing")
    assert answer.header("content-type") == "application/problem+json"
    problem = answer.json
    assert (answer.status, problem["status"], problem["code"]) == (404, 404, 1809)
    assert re.fullmatch(r"urn:countersign:refusal:[a-z0-9-]+", problem["type"])
    assert problem["title"] and problem["detail"] and problem["requestID"]
    assert json.dumps(problem)
