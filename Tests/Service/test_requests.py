"""Signing requests from outside: a relying service asks, persons answer, and what must not happen."""

import json
import threading

import pytest

from daemon import run_cli
from parties import new_id
from test_notifications import choose, claims, inbox, second_device

TEXT = {"payload": "Pay 5.00 EUR to Bob", "reason": "Invoice 17"}


def ask(service, expect=202, once=None, **members):
    value = TEXT | {"match_code": "none"} | members
    if not {"user", "users", "group"} & set(members):
        value["user"] = "alice"
    return service.call("POST", "/v1/requests", value, expect=expect, once=once)


def poll(service, request, wait=None):
    headers = [("Prefer", f"wait={wait}")] if wait is not None else []
    return service.call("GET", f"/v1/requests/{request}", headers=headers)


def question(person, request) -> dict:
    found = [entry for entry in person.get("/v1/notifications")["notifications"] if entry.get("request", {}).get("id") == request]
    assert len(found) == 1, found
    return found[0]


def accept(person, request, **members) -> dict:
    signing = choose(person, question(person, request)["id"], "Accept", **members).json["signing"]
    return person.answer(signing).json["result"]


def at_once(works) -> list:
    gate, answers = threading.Barrier(len(works)), [None] * len(works)

    def go(index, work):
        gate.wait()
        answers[index] = work()

    threads = [threading.Thread(target=go, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    return answers


def test_a_question_to_a_person_comes_back_as_a_signature(own, tmp_path):
    asked = own.shop.call("POST", "/v1/requests", {"user": "alice"} | TEXT, expect=202).json
    assert asked["expires_in"] == 300 and asked["interval"] == 5 and len(asked["match_code"]) == 2
    waits = poll(own.shop, asked["id"])
    assert (waits.status, waits.code, waits.json["error"]) == (400, 1722, "authorization_pending")
    assert waits.header("retry-after") == "5"
    soon = next(answer for answer in (poll(own.shop, asked["id"]) for _ in range(50)) if answer.code != 1722)
    assert (soon.status, soon.code, soon.json["error"], soon.json["retryAfter"]) == (400, 1723, "slow_down", 10)
    seen = question(own.alice, asked["id"])
    assert seen["matter"] == "request" and seen["match"] == "required" and "match_code" not in seen
    assert asked["match_code"] not in json.dumps({name: seen[name] for name in ("body", "actions", "request", "match")}
                                                 ).replace(asked["id"], "").replace("5.00", "").replace("17", "")
    assert {name: seen["request"][name] for name in ("asker", "payload", "reason", "authLevel")} == {
        "asker": "shop", "authLevel": 1} | TEXT
    assert [action["action"] for action in seen["actions"]] == ["Accept", "Reject"]
    result = accept(own.alice, asked["id"], match_code=asked["match_code"])
    signed = claims(result["payloadSignature"])
    assert signed["request"] == asked["id"] and signed["aud"] == "shop" and "quorum" not in signed
    done = poll(own.shop, asked["id"])
    assert done.status == 200 and done.json["status"] == "done" and done.json["result"] == result
    assert poll(own.shop, asked["id"]).status == 200, "what is done may be asked for again and again"
    assert own.shop.get("/v1/requests")["requests"][0]["id"] == asked["id"]
    (tmp_path / "statement").write_text(result["payloadSignature"])
    (tmp_path / "keys").write_bytes(own.daemon.get("/.well-known/jwks.json").body)
    run_cli("verify", "--trust", str(tmp_path / "keys"), "--audience", "shop", str(tmp_path / "statement"))


def test_whoever_waits_is_answered_when_it_is_over_and_is_not_slowed_down(own):
    asked = ask(own.shop).json["id"]
    for _ in range(3):
        assert poll(own.shop, asked, wait=1).code == 1722
    waiting = own.operator.relying("waiting")
    mine = ask(waiting).json["id"]
    answers = at_once([lambda: poll(waiting, mine, wait=60), lambda: choose(own.alice, question(own.alice, mine)["id"], "Reject")])
    assert (answers[0].status, answers[0].code, answers[0].json["error"]) == (409, 153, "access_denied")


def test_d2_somebody_who_cannot_sign_before_the_end_is_not_asked_and_a_name_that_is_nobodys_is(own):
    young = own.operator.person()
    bare = own.operator.add_user()
    locked = own.operator.person()
    own.operator.call("POST", f"/v1/users/{locked.name}/lock", expect=200)
    own.operator.set("probation-hours", "1")
    end = young.get("/v1/devices")["devices"][0]["probationUntil"]
    for _ in range(5):
        answer = ask(own.shop, user=young.name, expect=403)
        assert (answer.code, answer.json["until"]) == (146, end)
    assert own.shop.get("/v1/requests")["requests"] == [] == young.get("/v1/notifications")["notifications"]
    for name in (bare, locked.name, "nobody-at-all"):
        assert set(ask(own.shop, user=name).json) == {"id", "expires_in", "interval"}
    ask(own.shop, users=[young.name])
    # One that outlives the probation can be answered after it.
    long = ask(own.shop, user=young.name, expires_in=7200).json["id"]
    refused = choose(young, question(young, long)["id"], "Accept", expect=403)
    assert (refused.code, refused.json["until"]) == (146, end)
    own.operator.set("probation-hours", "0")
    accept(young, long)
    assert poll(own.shop, long).json["status"] == "done"


def test_n4_what_another_service_asked_is_as_if_it_were_not_there(shared):
    asked = ask(shared.shop).json["id"]
    for target in [asked, new_id(), "x", asked.upper()]:
        for method in ["GET", "DELETE"]:
            answer = shared.bank.call(method, f"/v1/requests/{target}")
            assert answer.status == 404 and answer.code == 1720
    assert asked not in [entry["id"] for entry in shared.bank.get("/v1/requests")["requests"]]
    note = question(shared.alice, asked)["id"]
    assert shared.bob.call("GET", f"/v1/notifications/{note}").code == 1700
    assert choose(shared.bob, note, "Accept", expect=404).code == 1700
    assert shared.shop.call("DELETE", f"/v1/notifications/{note}").status == 403
    for person in [shared.alice, shared.operator]:
        assert person.call("GET", f"/v1/requests/{asked}").status == 403
        assert person.call("POST", "/v1/requests", {"user": "alice"} | TEXT).status == 403
    assert shared.shop.call("GET", "/v1/groups").status == 403
    shared.shop.call("DELETE", f"/v1/requests/{asked}", expect=204)
    shared.shop.call("DELETE", f"/v1/requests/{asked}", expect=204)
    assert poll(shared.shop, asked).json["error"] == "access_denied"
    assert shared.alice.get(f"/v1/notifications/{note}")["status"] == "DISCARDED"


def test_d6_a_wrong_match_code_counts_and_the_third_is_the_end(shared):
    asked = ask(shared.shop, match_code="required").json
    note = question(shared.alice, asked["id"])["id"]
    wrong = "00" if asked["match_code"] != "00" else "01"
    for brought in [{}, {}]:
        answer = choose(shared.alice, note, "Accept", expect=422, **brought)
        assert answer.code == 1613 and answer.json["attemptsLeft"] == 3
    key = new_id()
    for code, left, once in [(wrong, 2, key), (wrong, 2, key), (asked["match_code"] + " ", 1, None), (wrong, 0, None)]:
        answer = choose(shared.alice, note, "Accept", expect=422, once=once, match_code=code)
        assert answer.code == 1613 and answer.json["attemptsLeft"] == left
    assert choose(shared.alice, note, "Accept", expect=409, match_code=asked["match_code"]).code == 1701
    assert poll(shared.shop, asked["id"]).json["error"] == "access_denied"
    assert choose(shared.alice, note, "Reject", expect=400, not_me=True).code in (1701, 1803)


def test_d6_s10_few_wait_for_one_person_and_who_is_unknown_is_asked_like_anybody(own):
    for name in ["alice", "nobody-here"]:
        mine = [ask(own.shop, user=name).json["id"] for _ in range(3)]
        answer = ask(own.shop, user=name, expect=429)
        assert answer.code == 1721 and answer.header("retry-after")
        [ask(own.bank, user=name) for _ in range(2)]
        assert ask(own.bank, user=name, expect=429).code == 1721
        assert poll(own.shop, mine[0]).json["error"] == "authorization_pending"
        own.shop.call("DELETE", f"/v1/requests/{mine[0]}", expect=204)
        ask(own.bank, user=name)
    assert len(inbox(own.alice)) == 5


def test_a_thousand_open_requests_are_listed_and_each_goes_its_own_way(own):
    ids = [ask(own.shop, user=f"user-{number}").json["id"] for number in range(1000)]
    first = own.shop.get("/v1/requests?count=1000")["requests"]
    assert sorted(entry["id"] for entry in first) == sorted(ids)
    own.shop.call("DELETE", f"/v1/requests/{ids[500]}", expect=204)
    states = [entry["status"] for entry in own.shop.get("/v1/requests?count=1000")["requests"]]
    assert states.count("pending") == 999 and states.count("cancelled") == 1


def test_what_cannot_be_asked_is_refused_by_name_and_leaves_nothing(shared):
    before = shared.shop.get("/v1/requests?count=1000")["requests"]
    for members, code in [
        ({"payload": ""}, 1000), ({"payload": "a\u202eb"}, 1004), ({"reason": "x" * 101}, 1012), ({"authLevel": 2}, 214),
        ({"authLevel": 4, "authenticatorType": 1}, 214), ({"expires_in": 9}, 1726),
        ({"expires_in": 86_401}, 1726), ({"expires_in": 9_007_199_254_740_991}, 1726), ({"user": "Alice"}, 1020),
        ({"user": "alice", "group": "g"}, 1801), ({"users": []}, 1726), ({"users": ["alice", "alice"]}, 1726),
        ({"users": ["alice"], "required": 2}, 1726), ({"users": ["alice"], "required": 0}, 1726),
        ({"user": "alice", "required": 2}, 1726), ({"users": [f"u{n}" for n in range(65)]}, 1726),
        ({"users": ["alice", "bob"], "requester": "bob", "required": 2}, 1726), ({"requester": "alice"}, 1726),
        ({"group": "nothing"}, 1727), ({"group": "No Group"}, 1727), ({"match_code": "maybe"}, 1803), ({"code": "07"}, 1801),
    ]:
        answer = ask(shared.shop, expect=None, **members)
        assert 400 <= answer.status < 500 and answer.code == code, (members, answer)
    assert shared.shop.get("/v1/requests?count=1000")["requests"] == before


def test_a9_what_is_asked_twice_under_one_key_is_asked_once(shared):
    key = new_id()
    first = ask(shared.shop, once=key, match_code="required").json
    assert ask(shared.shop, once=key, match_code="required").json == first
    assert ask(shared.shop, once=key, expect=422).code == 1815
    shared.shop.call("DELETE", f"/v1/requests/{first['id']}", expect=204)


def test_two_of_three_make_a_bundle_that_our_command_verifies(own, tmp_path):
    carol = own.operator.person("carol")
    own.operator.call("POST", "/v1/groups", {"group": "board", "members": ["alice", "bob", "carol"]}, expect=201)
    own.operator.call("POST", "/v1/groups", {"group": "board", "members": ["alice"]}, expect=409)
    asked = ask(own.shop, group="board", required=2, requester="nobody-here").json["id"]
    assert question(carol, asked)["request"]["quorum"] == "2/3"
    accept(carol, asked)
    assert poll(own.shop, asked).code in (1722, 1723)
    accept(own.alice, asked)
    done = poll(own.shop, asked).json
    assert done["status"] == "done" and done["signed"] == 2 and done["group"] == "board" and "result" not in done
    assert inbox(own.bob) == []
    (tmp_path / "bundle").write_text(done["bundle"])
    (tmp_path / "keys").write_bytes(own.daemon.get("/.well-known/jwks.json").body)
    run_cli("verify", "--trust", str(tmp_path / "keys"), "--audience", "shop", "--require", "2", str(tmp_path / "bundle"))
    run_cli("verify", "--trust", str(tmp_path / "keys"), "--audience", "shop", "--require", "3", str(tmp_path / "bundle"), status=1)
    own.operator.call("PUT", "/v1/groups/board", {"members": ["bob"]}, expect=200)
    assert own.operator.get("/v1/groups")["groups"][0]["members"] == ["bob"]
    own.operator.call("DELETE", "/v1/groups/board", expect=204)
    assert own.operator.call("DELETE", "/v1/groups/board").code == 1727


def test_a_list_of_one_makes_a_bundle_that_says_one_of_one(shared, tmp_path):
    asked = ask(shared.shop, users=["bob"]).json["id"]
    assert question(shared.bob, asked)["request"]["quorum"] == "1/1"
    result = accept(shared.bob, asked)
    assert claims(result["payloadSignature"])["quorum"] == "1/1"
    done = poll(shared.shop, asked).json
    assert done["quorum"] == "1/1" and "result" not in done
    assert json.loads(done["bundle"])["statements"] == [result["payloadSignature"]]
    (tmp_path / "keys").write_bytes(shared.daemon.get("/.well-known/jwks.json").body)
    for name, text in [("bundle", done["bundle"]), ("statement", result["payloadSignature"])]:
        (tmp_path / name).write_text(text)
        run_cli("verify", "--trust", str(tmp_path / "keys"), "--audience", "shop", str(tmp_path / name))


def test_n1_accept_and_reject_from_many_connections_at_once_end_a_request_once(own):
    own.operator.set("password-hash", "m=8,t=1,p=1")
    tablet = second_device(own, own.alice)
    signed = 0
    for round in range(25):
        asked = ask(own.shop).json["id"]
        note = question(own.alice, asked)["id"]
        signing = choose(own.alice, note, "Accept").json["signing"]
        twins = [tablet.twin() for _ in range(3)] if round == 0 else twins
        works = [lambda: own.alice.answer(signing, expect=None)]
        works += [lambda twin=twin: choose(twin, note, "Reject", expect=None) for twin in twins]
        if round % 3 == 0:
            works.append(lambda: own.shop.call("DELETE", f"/v1/requests/{asked}"))
        answers = at_once(works)
        assert sum(answer.status in (200, 204) for answer in answers) == 1, answers
        assert all(answer.code in (1701, 1725) for answer in answers if answer.status not in (200, 204)), answers
        end = poll(own.shop, asked)
        assert (end.status == 200) == (answers[0].status == 200)
        signed += end.status == 200
        own.alice.call("DELETE", "/v1/signings/current", expect=204)
    assert own.operator.get("/v1/status")["statements"] == signed


def test_killed_between_the_answer_and_the_signature_nothing_is_lost_and_nothing_done_twice(own):
    asked = ask(own.shop).json["id"]
    note = question(own.alice, asked)["id"]
    signing = choose(own.alice, note, "Accept").json["signing"]
    own.daemon.kill()
    own.daemon.start()
    own.shop.log_in()
    assert poll(own.shop, asked).code in (1722, 1723)
    assert question(own.alice, asked)["id"] == note
    key = new_id()
    result = own.alice.answer(signing, once=key).json["result"]
    own.daemon.kill()
    own.daemon.start()
    own.shop.log_in()
    assert own.alice.answer(signing, once=key).json["result"] == result
    assert poll(own.shop, asked).json["result"] == result
    assert own.operator.get("/v1/status")["statements"] == 1
