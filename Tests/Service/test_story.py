"""The service from its first start on, as people and programs use it."""

import hashlib
import json
import sqlite3
import stat
import time
from concurrent.futures import ThreadPoolExecutor

import jwt

from daemon import run_cli
from parties import Operator, Party, Person, basic, new_id
from proof import Key


def test_the_first_start_makes_the_store_and_one_token_which_is_gone_once_it_was_used(services):
    daemon = services.new().start()
    token = daemon.data / "operator-token"
    assert stat.S_IMODE(token.stat().st_mode) == 0o600
    assert stat.S_IMODE(daemon.data.stat().st_mode) == 0o700
    assert str(token) in daemon.said()
    text = token.read_text()
    assert text.count("\n") == 1 and text.startswith("cso_")
    operator = Operator(daemon)
    assert not token.exists()
    assert operator.grant["role"] == "operator" and operator.grant["token_type"] == "DPoP"
    assert Party(daemon, Key()).call("POST", "/v1/operator/sessions", {"token": text.strip()}, expect=403).code == 102


def test_it_answers_within_a_second_of_its_start(services):
    daemon = services.new().start()
    daemon.stop()
    daemon.start()
    # What it works until then, which other work on the machine does not change; release builds take a tenth of it.
    assert daemon.processor_seconds() < 1


def test_a_person_signs_and_pyjwt_verifies_with_the_address_of_the_keys_alone(own):
    alice = own.alice
    assert alice.grant["role"] == "person" and alice.grant["user"] == "alice"
    started = alice.start("Pay 5.00 EUR to Zoë\n\t\"now\"", "Invoice 17")
    signing = started.json
    assert started.header("location").endswith(f"/v1/signings/{signing['id']}")
    assert signing["status"] == "challenged"
    assert (signing["challengeMode"], signing["statusCode"], signing["attemptsLeft"]) == (12, 100, 3)
    finished = alice.answer(signing).json
    assert finished["status"] == "signed" and finished["statusCode"] == 100
    result = finished["result"]
    assert set(result) == {
        "dataPayload", "dataPayloadLength", "reason", "payloadSignature", "dataSignatureID", "authLevel", "authenticatorType",
    }

    keys = jwt.PyJWKClient(own.daemon.origin + "/.well-known/jwks.json")
    key = keys.get_signing_key_from_jwt(result["payloadSignature"])
    issuer = own.daemon.get("/.well-known/oauth-authorization-server").json["issuer"]
    claims = jwt.decode(result["payloadSignature"], key, algorithms=["ES256"], issuer=issuer)
    assert claims["payload"] == "Pay 5.00 EUR to Zoë\n\t\"now\"" and claims["reason"] == "Invoice 17"
    assert claims["sub"] == "alice" and claims["auth_level"] == 1 and claims["amr"] == ["pwd"]
    assert claims["jti"] == result["dataSignatureID"] and claims["ceremony"] == signing["id"]
    assert claims["device"] == alice.grant["device"]

    assert alice.get(f"/v1/signings/{signing['id']}")["result"] == result
    rows = alice.get("/v1/statements")["statements"]
    assert [row["dataSignatureID"] for row in rows] == [result["dataSignatureID"]]
    one = alice.call("GET", f"/v1/statements/{result['dataSignatureID']}", expect=200, headers=[("Accept", "application/jose")])
    assert one.body.decode().strip() == result["payloadSignature"]

    said = own.daemon.request(
        "POST", "/v1/verifications", [("Content-Type", "application/json")],
        json.dumps({"statement": result["payloadSignature"]}).encode(),
    )
    assert said.status == 200 and said.json["verdict"] == "valid" and said.json["claims"]["sub"] == "alice"


def test_many_statements_are_verified_in_one_request(shared):
    good = shared.alice.sign()["payloadSignature"]
    bad = good[:-3] + ("AAA" if not good.endswith("AAA") else "BBB")
    body = json.dumps({"statements": [good, bad, "none"]}).encode()
    answer = shared.daemon.request("POST", "/v1/verifications", [("Content-Type", "application/json")], body)
    assert [row["verdict"] for row in answer.json["verdicts"]] == ["valid", "invalid", "invalid"]
    body = json.dumps({"statements": [good] * 1001}).encode()
    answer = shared.daemon.request("POST", "/v1/verifications", [("Content-Type", "application/json")], body)
    assert answer.status == 413


def test_a_ceremony_goes_on_after_a_restart_and_after_a_kill(own):
    signing = own.alice.start().json
    assert own.daemon.stop() == 0
    own.daemon.start()
    assert own.alice.get(f"/v1/signings/{signing['id']}")["status"] == "challenged"
    wrong = own.alice.answer(signing, "wrong pass word", expect=403)
    assert wrong.json["attemptsLeft"] == 2
    own.daemon.kill()
    own.daemon.start()
    assert own.alice.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 2
    result = own.alice.answer(signing).json["result"]
    own.daemon.kill()
    own.daemon.start()
    assert own.alice.get(f"/v1/signings/{signing['id']}")["result"] == result


def test_s32_s34_a_reset_ends_what_is_open_twice_too_and_a_late_answer_signs_nothing(shared):
    person = shared.operator.person()
    signing = person.start().json
    person.call("DELETE", f"/v1/signings/{signing['id']}", expect=204)
    person.call("DELETE", "/v1/signings/current", expect=204)
    person.call("DELETE", "/v1/signings/current", expect=204)
    person.answer(signing, expect=409)
    assert person.get(f"/v1/signings/{signing['id']}")["status"] == "cancelled"
    assert person.get("/v1/statements")["statements"] == []
    second = person.start().json
    assert second["id"] != signing["id"]
    assert person.answer(second).json["status"] == "signed"


def test_o08_one_signing_at_a_time_a_session_and_another_session_has_its_own(shared):
    person = shared.operator.person()
    first = person.start().json
    assert person.start(expect=409).json["name"]
    twin = person.twin()
    second = twin.start("Another text").json
    assert twin.answer(second).json["result"]["dataPayload"] == "Another text"
    assert person.answer(first).json["status"] == "signed"


def test_sessions_are_listed_and_ended(shared):
    person = shared.operator.person()
    twin = person.twin()
    rows = person.get("/v1/sessions")["sessions"]
    assert {row["id"] for row in rows} == {person.grant["session"], twin.grant["session"]}
    assert [row["id"] for row in rows if row["current"]] == [person.grant["session"]]
    assert all(row["deviceName"] == "laptop of the tests" for row in rows)
    person.call("DELETE", f"/v1/sessions/{twin.grant['session']}", expect=204)
    assert twin.call("GET", "/v1/sessions", expect=401).code == 1821
    assert twin.refresh(expect=None).status in (400, 401)
    person.call("DELETE", f"/v1/sessions/{twin.grant['session']}", expect=404)
    person.call("DELETE", "/v1/sessions/current", expect=204)
    assert person.call("GET", "/v1/sessions", expect=401).json["error"] == "invalid_token"


def test_the_operator_sees_and_ends_sessions_of_a_user(shared):
    person = shared.operator.person()
    path = f"/v1/users/{person.name}"
    assert len(shared.operator.get(f"{path}/sessions")["sessions"]) == 1
    assert [row["name"] for row in shared.operator.get(f"{path}/devices")["devices"]] == ["laptop of the tests"]
    shared.operator.call("DELETE", f"{path}/sessions", expect=204)
    person.call("GET", "/v1/sessions", expect=401)
    assert shared.operator.get(f"{path}/sessions")["sessions"] == []
    person.log_in()
    person.sign()


def test_rfc_9700_4_14_a_refresh_token_works_once_and_a_second_use_ends_the_session(shared):
    person = shared.operator.person()
    old = person.grant
    person.refresh()
    assert person.grant["refresh_token"] != old["refresh_token"] and person.grant["session"] == old["session"]
    person.get("/v1/sessions")
    thief = person.with_token_of(old, person.key)
    assert thief.refresh(expect=400).json["error"] == "invalid_grant"
    assert person.call("GET", "/v1/sessions", expect=401).code == 1821
    assert person.refresh(expect=400).json["error"] == "invalid_grant"
    events = [row["event"] for row in shared.operator.audit(user=person.name)]
    assert events.count("session-reuse") == 1
    person.log_in()


def test_of_twenty_refreshes_at_once_at_most_one_is_granted_and_the_session_ends(shared):
    person = shared.operator.person()
    copies = [person.with_token_of(dict(person.grant), person.key) for _ in range(20)]
    with ThreadPoolExecutor(20) as pool:
        statuses = list(pool.map(lambda copy: copy.refresh(expect=None).status, copies))
    assert statuses.count(200) <= 1 and set(statuses) <= {200, 400}, statuses
    person.call("GET", "/v1/sessions", expect=401)
    person.log_in()


def test_a_refresh_whose_answer_was_lost_is_asked_again_under_its_idempotency_key(shared):
    person = shared.operator.person()
    key, old = new_id(), person.grant
    first = person.refresh(once=key).json
    person.grant = old
    assert person.refresh(once=key).json == first
    person.get("/v1/sessions")


def test_a_refresh_token_is_of_no_use_with_another_key(shared):
    person = shared.operator.person()
    thief = person.with_token_of(person.grant, Key())
    assert thief.refresh(expect=400).json["error"] == "invalid_grant"
    person.refresh()


def test_rfc_9470_a_log_in_that_is_too_old_is_asked_again(own):
    own.operator.set("step-up-hours", "1")
    # The store's clock cannot be turned from here, so the log-in is made older in the store itself.
    own.daemon.stop()
    with sqlite3.connect(own.daemon.data / "store.sqlite") as store:
        changed = store.execute("UPDATE sessions SET auth_time = auth_time - 3 * 3600000 WHERE user_name = 'alice'").rowcount
    assert changed >= 1
    own.daemon.start()
    answer = own.alice.start(expect=401)
    assert answer.code == 1826 and answer.json["error"] == "insufficient_user_authentication"
    challenge = answer.header("www-authenticate")
    assert 'error="insufficient_user_authentication"' in challenge
    assert "acr_values=" in challenge and "max_age=3600" in challenge.replace('"', "")
    own.alice.get("/v1/statements")
    own.alice.log_in()
    own.alice.sign()


def test_a_relying_service_signs_at_level_0_and_sees_only_its_own(shared):
    mine = shared.shop.sign("alice", "Delivered")
    theirs = shared.bank.sign("alice", "Cleared")
    rows = shared.shop.get("/v1/statements")["statements"]
    assert {row["audience"] for row in rows} == {"shop"}
    assert mine["dataSignatureID"] in [row["dataSignatureID"] for row in rows]
    shared.shop.call("GET", f"/v1/statements/{theirs['dataSignatureID']}", expect=404)
    shared.shop.call("GET", f"/v1/statements/{shared.alice.sign()['dataSignatureID']}", expect=404)
    claims = jwt.decode(theirs["payloadSignature"], options={"verify_signature": False})
    assert claims["aud"] == "bank" and claims["auth_level"] == 0 and "amr" not in claims
    shared.shop.call("GET", f"/v1/signings/{claims['ceremony']}", expect=404)
    assert shared.bank.get(f"/v1/signings/{claims['ceremony']}")["result"] == theirs
    shared.shop.start(level=1, user="alice", expect=422)


def test_a_relying_service_with_its_own_key_needs_no_secret_and_one_assertion_serves_once(shared):
    bank, origin = shared.bank, shared.daemon.origin
    def form(assertion):
        return {
            "grant_type": "client_credentials", "client_id": "bank", "client_assertion": assertion,
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        }
    grant = bank.grant
    once = bank.own.assertion("bank", origin + "/v1/token")
    bank.log_in(form(once))
    assert bank.log_in(form(once), expect=401).json["error"] == "invalid_client"
    now = int(time.time())
    for claims in (
        {"aud": "https://example.org/token"}, {"iss": "shop"}, {"sub": "shop"}, {"exp": now - 120, "iat": now - 240},
        {"exp": now + 86400}, {"exp": None}, {"jti": None}, {"aud": None}, {"exp": 2**63 - 1}, {"iat": now + 3600},
    ):
        answer = bank.log_in(form(bank.own.assertion("bank", origin + "/v1/token", claims)), expect=None)
        assert (answer.status, answer.json["error"]) == (401, "invalid_client"), (claims, answer)
    good = {"iss": "bank", "sub": "bank", "aud": origin + "/v1/token", "exp": now + 60, "iat": now}
    forged = [
        Key().assertion("bank", origin + "/v1/token"),
        bank.own.jwt({"alg": "none"}, good | {"jti": "1"}).rpartition(".")[0] + ".",
        bank.own.jwt({"alg": "HS256", "typ": "JWT"}, good | {"jti": "2"}),
        bank.own.jwt({"alg": "ES256", "typ": "dpop+jwt"}, good | {"jti": "3"}),
        bank.own.jwt({"alg": "ES256", "typ": "JWT"}, good | {"jti": "4"}).rpartition(".")[0] + "." + "A" * 86,
        "a.b.c", "",
    ]
    for text in forged:
        answer = bank.log_in(form(text), expect=None)
        assert answer.status in (400, 401) and answer.json["error"] in ("invalid_client", "invalid_request"), (text, answer)
    bank.grant = grant
    bank.get("/v1/statements")


def test_an_assertion_does_not_serve_again_after_a_restart(own):
    form = {
        "grant_type": "client_credentials", "client_id": "bank",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": own.bank.own.assertion("bank", own.daemon.origin + "/v1/token"),
    }
    own.bank.log_in(form)
    own.daemon.stop()
    own.daemon.start()
    assert own.bank.log_in(form, expect=401).json["error"] == "invalid_client"
    time.sleep(1.1)  # An assertion tells its time in whole seconds, and one of the second of the start may be an old one.
    own.bank.log_in()


def test_a_wrong_secret_an_unknown_service_and_a_locked_one_are_refused_alike(shared):
    locked = shared.operator.relying()
    shared.operator.call("POST", f"/v1/clients/{locked.name}/lock", expect=200)
    locked.call("GET", "/v1/statements", expect=401)
    answers = []
    for name, text in (
        (shared.shop.name, "csc_" + "A" * 43), ("nobody-here", "csc_" + "A" * 43), (locked.name, locked.text),
        ("Not a name!", "x"), (shared.shop.name, ""),
    ):
        grant = shared.shop.grant
        answer = shared.shop.log_in(headers=[basic(name, text)], expect=401)
        shared.shop.grant = grant
        problem = answer.json
        problem.pop("requestID", None)
        answers.append((problem, answer.header("www-authenticate")))
    assert all(answer == answers[0] for answer in answers), answers
    assert answers[0][0]["error"] == "invalid_client"
    shared.operator.call("POST", f"/v1/clients/{locked.name}/unlock", expect=200)
    locked.log_in()


def test_k6_keys_are_rotated_and_the_etag_tells(own):
    old = own.alice.sign()["payloadSignature"]
    first = own.daemon.get("/.well-known/jwks.json")
    tag = first.header("etag")
    assert tag and first.header("cache-control")
    same = own.daemon.get("/.well-known/jwks.json", [("If-None-Match", tag)])
    assert same.status == 304 and same.header("etag") == tag
    own.operator.call("POST", "/v1/keys/rotate", {}, expect=201)
    second = own.daemon.get("/.well-known/jwks.json", [("If-None-Match", tag)])
    assert second.status == 200 and second.header("etag") != tag
    assert {key["kid"] for key in first.json["keys"]} < {key["kid"] for key in second.json["keys"]}
    new = own.alice.sign()["payloadSignature"]
    keys = jwt.PyJWKClient(own.daemon.origin + "/.well-known/jwks.json")
    kids = [jwt.get_unverified_header(text)["kid"] for text in (old, new)]
    assert kids[0] != kids[1]
    for text in (old, new):
        jwt.decode(text, keys.get_signing_key_from_jwt(text), algorithms=["ES256"])


def test_the_history_is_verified_by_our_own_command_with_the_pinned_root(own, tmp_path):
    text = own.alice.sign()["payloadSignature"]
    own.operator.call("POST", "/v1/trust/history", expect=None)
    answer = own.daemon.get("/.well-known/countersign-keys")
    assert answer.status == 200 and answer.header("content-type") == "application/jwt"
    (tmp_path / "history.jwt").write_bytes(answer.body)
    root = own.operator.get("/v1/status")["rootKey"]
    run_cli("verify", "--trust", tmp_path / "history.jwt", "--root", root, "--statement", text)
    run_cli("verify", "--trust", tmp_path / "history.jwt", "--root", "A" * 43, "--statement", text, status=2)
    kid = jwt.get_unverified_header(text)["kid"]
    own.operator.call("POST", f"/v1/keys/{kid}/revoke", {"reason": "compromised"}, expect=200)
    own.operator.call("POST", "/v1/trust/history", expect=None)
    (tmp_path / "history.jwt").write_bytes(own.daemon.get("/.well-known/countersign-keys").body)
    run_cli("verify", "--trust", tmp_path / "history.jwt", "--root", root, "--statement", text, status=3)


def test_l3_the_audit_export_is_complete_and_has_no_payload(own):
    signed = [own.alice.sign(f"canary payload {number}") for number in range(5)]
    signing = own.bob.start("canary payload of bob").json
    own.bob.answer(signing, "wrong pass word", expect=403)
    own.bob.call("DELETE", f"/v1/signings/{signing['id']}", expect=204)
    rows = own.operator.audit()
    assert [row["seq"] for row in rows] == sorted((row["seq"] for row in rows), reverse=True)
    assert len({row["seq"] for row in rows}) == len(rows) and len(rows) == max(row["seq"] for row in rows)
    by_jti = [row for row in rows if row.get("jti")]
    assert sorted(row["jti"] for row in by_jti) == sorted(result["dataSignatureID"] for result in signed)
    for row in by_jti:
        assert row["result"] == 0 and row["user"] == "alice"
    digests = {hashlib.sha256(f"canary payload {number}".encode()).hexdigest() for number in range(5)}
    assert {row["digest"] for row in by_jti} == digests
    assert "canary payload" not in json.dumps(rows)
    assert "canary payload" not in own.daemon.said()
    assert own.operator.get("/v1/audit?count=1")["entries"] == rows[:1] or own.operator.get("/v1/audit?count=1")["entries"]
    bob = own.operator.audit(ceremony=signing["id"])
    assert len(bob) >= 2 and all(row["user"] == "bob" for row in bob)


def test_settings_are_listed_set_and_refused(own):
    rows = {row["name"]: row["value"] for row in own.operator.get("/v1/settings")["settings"]}
    assert rows["allow-level-0"] == "true"
    own.operator.set("allow-level-0", "false")
    assert own.shop.start(level=0, user="alice", expect=422).code == 214
    own.operator.call("PUT", "/v1/settings/allow-level-0", {"value": "perhaps"}, expect=422)
    assert own.operator.call("PUT", "/v1/settings/unheard-of", {"value": "1"}, expect=404).code == 1848
    rows = {row["name"]: row["value"] for row in own.operator.get("/v1/settings")["settings"]}
    assert rows["allow-level-0"] == "false"


def test_a_locked_user_neither_logs_in_nor_signs_until_unlocked(shared):
    person = shared.operator.person()
    signing = person.start().json
    shared.operator.call("POST", f"/v1/users/{person.name}/lock", expect=200)
    answer = person.call("POST", f"/v1/signings/{signing['id']}/answers", {"challengeMode": 12, "password": person.password})
    assert answer.status in (401, 403, 404, 409) and "result" not in answer.json
    person.log_in(expect=403)
    shared.operator.call("POST", f"/v1/users/{person.name}/unlock", expect=200)
    person.log_in()
    person.sign()


def test_the_operator_clears_a_password_and_a_new_code_sets_another(shared):
    person = shared.operator.person()
    old = person.password
    shared.operator.call("DELETE", f"/v1/users/{person.name}/password", expect=204)
    person.call("GET", "/v1/sessions", expect=401)
    person.log_in(expect=403)
    second = Person(shared.daemon, person.name, person.password + " new")
    second.enrol(shared.operator.activation_code(person.name))
    second.sign()
    person.log_in(old, expect=403)


def test_a_statement_signed_over_the_network_verifies_by_our_own_command(own, tmp_path):
    text = own.alice.sign()["payloadSignature"]
    (tmp_path / "keys.json").write_bytes(own.daemon.get("/.well-known/jwks.json").body)
    run_cli("verify", "--trust", tmp_path / "keys.json", "--statement", text)
    assert json.loads(run_cli("verify", "--json", "--trust", tmp_path / "keys.json", "--statement", text).stdout)["verdict"] == "valid"


def test_the_command_line_administers_the_store_while_the_service_runs(own):
    at = ["--store", own.daemon.data]
    run_cli("users", "lock", "alice", *at)
    own.alice.log_in(expect=403)
    run_cli("users", "unlock", "alice", *at)
    own.alice.log_in()
    result = own.alice.sign()
    listed = [json.loads(line) for line in run_cli("history", "--json", *at).stdout.splitlines()]
    assert [row["dataSignatureID"] for row in listed] == [result["dataSignatureID"]]
    served = own.operator.get("/v1/statements")["statements"]
    assert served == listed
    audit = [json.loads(line) for line in run_cli("audit", "--json", *at).stdout.splitlines()]
    assert own.operator.audit() == audit


def test_metadata_names_what_there_is(shared):
    metadata = shared.daemon.get("/.well-known/oauth-authorization-server").json
    origin = shared.daemon.origin
    assert metadata["token_endpoint"] == origin + "/v1/token"
    assert metadata["jwks_uri"] == origin + "/.well-known/jwks.json"
    assert "private_key_jwt" in metadata["token_endpoint_auth_methods_supported"]
    assert set(metadata["dpop_signing_alg_values_supported"]) == {"ES256", "EdDSA"}


def test_health_readiness_and_metrics(shared):
    assert shared.daemon.get("/healthz").status == 200
    assert shared.daemon.get("/readyz").status == 200
    metrics = shared.daemon.get("/metrics")
    assert metrics.status == 200 and metrics.header("content-type").startswith("text/plain")
    for line in metrics.body.decode().splitlines():
        assert line.startswith("#") or len(line.rsplit(" ", 1)) == 2


def test_the_metrics_count_hashes_that_wait_and_commits_that_changed_something(own):
    def figures() -> dict:
        lines = own.daemon.get("/metrics").body.decode().splitlines()
        return {name: int(value) for name, value in (line.rsplit(" ", 1) for line in lines) if value.isdigit()}

    hashes, commits, transactions = (
        "countersign_password_hashes_total", "countersign_commits_total", "countersign_transactions_total",
    )
    before = figures()
    assert before["countersign_password_queue"] == 0
    own.alice.sign()
    after = figures()
    assert after[hashes] == before[hashes] + 1 and after["countersign_password_queue"] == 0
    # The start, the attempt, and the statement.
    assert after[commits] - before[commits] >= 3 and after[transactions] - before[transactions] >= 3
    assert after["countersign_broken_answers_total"] == 0
    for _ in range(5):
        # Refused in a transaction that changed nothing by then.
        own.operator.call("DELETE", f"/v1/notifications/{new_id()}", expect=404)
    assert figures()[commits] == after[commits]


def test_an_ed25519_device_does_as_well(shared):
    name = shared.operator.add_user()
    person = Person(shared.daemon, name, shared.alice.password + "x", Key("EdDSA"))
    person.enrol(shared.operator.activation_code(name))
    person.sign()


def test_the_log_is_json_with_a_request_id_that_the_answer_has_too(services):
    own = services.started("--access-log", "true")
    answer = own.alice.call("GET", f"/v1/signings/{new_id()}", expect=404)
    number = answer.json["requestID"]
    own.daemon.stop()
    lines = [line for line in own.daemon.said().splitlines() if line.startswith("{")]
    assert lines
    rows = [json.loads(line) for line in lines]
    assert any(number in json.dumps(row) for row in rows)
    own.daemon.start()
