"""Tokens and proofs of possession (attack D10, RFC 9449)."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from parties import Party, Person
from proof import Key, base64url


@pytest.fixture(scope="module")
def person(shared):
    made = shared.operator.person()
    made.get("/v1/sessions")
    return made


def ask(person, proof=None, method="GET", path="/v1/sessions", token=None, scheme="DPoP", more=()):
    headers = [("Authorization", f"{scheme} {token or person.token}")]
    if proof is not None:
        headers.append(("DPoP", proof))
    answer = person.daemon.request(method, path, [*headers, *more])
    person.nonce = answer.header("dpop-nonce") or person.nonce
    return answer


def url(person, path="/v1/sessions"):
    return person.daemon.origin + path


def good(person, **changes):
    return person.key.proof("GET", url(person), person.token, person.nonce, **changes)


def test_a_good_proof_is_let_in(person):
    answer = ask(person, good(person))
    assert answer.status == 200 and answer.header("dpop-nonce")


def test_d10_a_stolen_token_is_of_no_use_with_another_key(person):
    assert ask(person, Key().proof("GET", url(person), person.token, person.nonce)).status == 401


def test_d10_a_stolen_token_is_of_no_use_without_a_proof_or_as_a_bearer(person):
    assert ask(person).status == 401
    assert ask(person, scheme="Bearer").status == 401
    assert ask(person, good(person), scheme="Bearer").status == 401


BAD_CLAIMS = {
    "another method": {"htm": "POST"},
    "the method in small letters": {"htm": "get"},
    "no method": {"htm": None},
    "another host": {"htu": "http://example.org/v1/sessions"},
    "another path": {"htu": "{origin}/v1/statements"},
    "a longer path": {"htu": "{origin}/v1/sessions/"},
    "a query": {"htu": "{origin}/v1/sessions?a=b"},
    "a fragment": {"htu": "{origin}/v1/sessions#a"},
    "another scheme": {"htu": "https://127.0.0.1/v1/sessions"},
    "a user in the address": {"htu": "http://a@127.0.0.1/v1/sessions"},
    "another spelling of the path": {"htu": "{origin}/v1/./sessions"},
    "an escaped path": {"htu": "{origin}/v1/%73essions"},
    "no address": {"htu": None},
    "no hash of the token": {"ath": None},
    "the hash of another token": {"ath": base64url(b"\0" * 32)},
    "an empty hash": {"ath": ""},
    "no time": {"iat": None},
    "too old": {"iat": -3600},
    "too young": {"iat": 3600},
    "a time that is no number": {"iat": "now"},
    "a time with a fraction": {"iat": 1.5},
    "a huge time": {"iat": 2**63},
    "an empty nonce": {"nonce": ""},
    "no id": {"jti": None},
    "an empty id": {"jti": ""},
    "a huge id": {"jti": "a" * 1000},
    "an id that is no text": {"jti": 1},
    "another claim": {"sub": "alice"},
    "a nonce that is a number": {"nonce": 1},
}


@pytest.mark.parametrize("name", BAD_CLAIMS)
def test_d10_a_proof_of_something_else_is_refused(person, name):
    claims = {
        member: value.replace("{origin}", person.daemon.origin) if isinstance(value, str) else value
        for member, value in BAD_CLAIMS[name].items()
    }
    if name in ("too old", "too young"):
        claims["iat"] = int(time.time()) + claims["iat"]
    answer = ask(person, good(person, claims=claims))
    assert answer.status == 401 and answer.json["error"] in ("invalid_dpop_proof", "use_dpop_nonce"), answer
    if name != "a nonce that is a number":
        assert answer.code == 1823, answer


BAD_HEADERS = {
    "no type": {"typ": None},
    "another type": {"typ": "JWT"},
    "the type in capitals": {"typ": "DPOP+JWT"},
    "alg none": {"alg": "none"},
    "a MAC": {"alg": "HS256"},
    "another algorithm of the key": {"alg": "EdDSA"},
    "no key": {"jwk": None},
    "a key by id": {"kid": "1"},
    "an address of keys": {"jku": "https://example.org/keys"},
    "critical": {"crit": ["b64"]},
}


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_d10_a_proof_with_another_header_is_refused(person, name):
    answer = ask(person, good(person, header=BAD_HEADERS[name]))
    assert (answer.status, answer.json["error"]) == (401, "invalid_dpop_proof"), answer


def test_d10_a_proof_with_a_private_key_in_it_is_refused(person):
    answer = ask(person, good(person, header={"jwk": person.key.jwk | {"d": base64url(b"\1" * 32)}}))
    assert (answer.status, answer.json["error"]) == (401, "invalid_dpop_proof")


@pytest.mark.parametrize("text", ["", "a", "a.b.c", "....", "a.b.c.d", "é", "{}", "A" * 7000])
def test_d10_what_is_no_proof_is_refused(person, text):
    answer = person.daemon.connect()
    with answer as connection:
        connection.send(
            f"GET /v1/sessions HTTP/1.1\r\nHost: a\r\nAuthorization: DPoP {person.token}\r\nDPoP: {text}\r\n\r\n".encode())
        assert connection.read().status in (400, 401)


def test_d10_a_changed_signature_is_refused(person):
    proof = good(person)
    head, _, signature = proof.rpartition(".")
    other = ("A" if signature[0] != "A" else "B") + signature[1:]
    assert ask(person, f"{head}.{other}").status == 401
    assert ask(person, proof).status == 200


@pytest.mark.parametrize("signature", [b"\0" * 64, b"\0" * 63 + b"\1", b"\xff" * 64, b"", b"\0" * 128, b"0\x06\2\1\1\2\1\1"])
def test_d10_numbers_that_are_no_signature_are_refused(person, signature):
    head = good(person).rpartition(".")[0]
    assert ask(person, f"{head}.{base64url(signature)}").status == 401


def test_d10_two_proofs_are_refused(person):
    assert ask(person, good(person), more=[("DPoP", good(person))]).status in (400, 401)


def test_d10_two_tokens_are_refused(person):
    more = [("Authorization", f"DPoP {person.token}")]
    assert ask(person, good(person), more=more).status in (400, 401)


def test_d10_a_proof_works_once(person):
    proof = good(person)
    assert ask(person, proof).status == 200
    answer = ask(person, proof)
    assert (answer.status, answer.code) == (401, 1824)
    assert ask(person, good(person)).status == 200


def test_d10_one_id_works_once_whatever_else_changes(person):
    first = good(person, claims={"jti": "the-same"})
    assert ask(person, first).status == 200
    assert ask(person, good(person, claims={"jti": "the-same", "iat": int(time.time()) - 1})).code == 1824


def test_d10_a_refused_request_does_not_make_a_proof_fresh_again(person):
    proof = person.key.proof("GET", url(person, "/v1/users"), person.token, person.nonce)
    assert ask(person, proof, path="/v1/users").status == 403
    assert ask(person, proof, path="/v1/users").code == 1824


def test_d10_twenty_at_once_with_one_proof_are_let_in_once(person):
    proof = good(person)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(person, proof).status, range(20)))
    assert sorted(answers) == [200] + [401] * 19


@pytest.mark.parametrize("nonce", [None, "A" * 22, "A" * 43, "unheard-of"])
def test_d10_without_a_nonce_of_this_service_it_is_asked_for(person, nonce):
    answer = ask(person, person.key.proof("GET", url(person), person.token, nonce))
    assert (answer.status, answer.json["error"], answer.code) == (401, "use_dpop_nonce", 1825)
    assert answer.header("dpop-nonce") and 'error="use_dpop_nonce"' in answer.header("www-authenticate")


def test_d10_a_nonce_of_an_earlier_process_is_of_no_use(own):
    old = own.alice.nonce
    recorded = own.alice.key.proof("GET", own.daemon.origin + "/v1/sessions", own.alice.token, old)
    own.daemon.stop()
    own.daemon.start()
    answer = ask(own.alice, recorded)
    assert answer.json["error"] == "use_dpop_nonce"
    own.alice.get("/v1/sessions")


def test_d10_the_token_endpoint_wants_the_key_of_the_session(shared):
    person = shared.operator.person()
    form = {"grant_type": "refresh_token", "refresh_token": person.grant["refresh_token"]}
    bare = Party(shared.daemon)
    assert bare.call("POST", "/v1/token", form=form).status in (400, 401)
    stranger = Party(shared.daemon, Key())
    assert stranger.call("POST", "/v1/token", form=form, expect=400).json["error"] == "invalid_grant"
    person.refresh()


@pytest.mark.parametrize("form", [
    {}, {"grant_type": ""}, {"grant_type": "password", "username": "alice", "password": "x"},
    {"grant_type": "authorization_code"}, {"grant_type": "refresh_token"},
    {"grant_type": "refresh_token", "refresh_token": ""}, {"grant_type": "refresh_token", "refresh_token": "csr_" + "A" * 43},
    {"grant_type": "refresh_token", "refresh_token": "x" * 5000}, {"grant_type": "client_credentials"},
])
def test_rfc_6749_5_2_what_the_token_endpoint_cannot_grant_is_refused(shared, form):
    answer = Party(shared.daemon, Key()).call("POST", "/v1/token", form=form)
    assert answer.status in (400, 401) and answer.json["error"] in (
        "invalid_request", "invalid_grant", "invalid_client", "unsupported_grant_type"), answer
    assert answer.header("cache-control") == "no-store"


def test_a_name_that_comes_twice_in_a_form_is_refused(shared):
    body = b"grant_type=client_credentials&grant_type=refresh_token"
    answer = shared.daemon.request("POST", "/v1/token", [("Content-Type", "application/x-www-form-urlencoded")], body)
    assert answer.status == 400


def test_tokens_of_another_kind_are_no_access_tokens(shared, person):
    for text in (person.grant["refresh_token"], person.token[:-1], person.token + "A", "", "csa_", person.token.upper()):
        holder = person.with_token_of(dict(person.grant, access_token=text), person.key)
        assert holder.call("GET", "/v1/sessions").status in (400, 401)


def test_d9_the_key_of_another_device_is_not_enrolled_again(shared):
    owner = shared.operator.person()
    name = shared.operator.add_user()
    thief = Person(shared.daemon, name, owner.password + "x", owner.key)
    answer = thief.enrol(shared.operator.activation_code(name), expect=None)
    assert answer.status in (403, 409)
    owner.log_in()
    owner.sign()


def test_the_answers_that_grant_something_are_not_kept_by_caches(shared):
    person = shared.operator.person()
    assert person.log_in().header("cache-control") == "no-store"
    assert person.refresh().header("cache-control") == "no-store"
