"""Notifications from outside: what somebody is told and asked, what becomes of it, and what must not."""

import base64
import datetime
import json
import threading

import pytest

from parties import Person, new_id

CLEAN = {"Accept": "Approve", "Reject": "Decline"}


def question(subject="Transfer", message="Pay 5.00 EUR to Bob?", level=1, **members) -> dict:
    return {
        "body": [{"lng": "en", "subject": subject, "message": message, "labels": CLEAN}],
        "actions": [{"action": "Accept", "authLevel": level}, {"action": "Reject", "authLevel": 0}],
    } | members


def ask(asker, user="alice", expect=201, once=None, **members):
    return asker.call("POST", "/v1/notifications", {"user": user} | question(**members), expect=expect, once=once)


def choose(person, notification, action, expect=200, once=None, **members):
    path = f"/v1/notifications/{notification}/answer"
    return person.call("POST", path, {"action": action} | members, expect=expect, once=once)


def accept(person, notification) -> dict:
    """Chooses the action that is signed, and signs it; its result."""
    signing = choose(person, notification, "Accept").json["signing"]
    return person.answer(signing).json["result"]


def history(person, query="") -> list:
    return [entry["id"] for entry in person.get(f"/v1/notifications/history{query}")["notifications"]]


def inbox(person, query="") -> list:
    return [entry["id"] for entry in person.get(f"/v1/notifications{query}")["notifications"]]


def second_device(world, person) -> Person:
    other = Person(world.daemon, person.name, person.password)
    other.enrol(world.operator.activation_code(person.name), device="tablet of the tests")
    return other


def claims(statement: str) -> dict:
    part = statement.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def test_n6_a_question_comes_back_as_a_signature(shared):
    asked = ask(shared.shop).json
    assert asked["status"] == "PENDING" and asked["client"] == "shop" and "actionPerformed" not in asked
    assert asked["expiresAt"] - asked["createdAt"] == 300_000
    answered = choose(shared.alice, asked["id"], "Accept").json
    assert answered["notification"]["status"] == "PENDING"
    signing = answered["signing"]
    assert signing["payload"] == "Answer: Accept\nSubject: Transfer\n\nPay 5.00 EUR to Bob?"
    assert signing["reason"] == "Answer: Approve" and signing["status"] == "challenged"
    result = shared.alice.answer(signing).json["result"]
    signed = claims(result["payloadSignature"])
    assert signed["notification"] == asked["id"] and signed["aud"] == "shop" and signed["sub"] == "alice"
    now = shared.shop.get(f"/v1/notifications/{asked['id']}")
    assert now["status"] == "UPDATED" and now["actionPerformed"] == "Accept" and now["signingStatus"] == "SIGNED"
    assert now["dataSignatureID"] == result["dataSignatureID"] and now["actions"] == []
    statement = shared.shop.get(f"/v1/statements/{result['dataSignatureID']}")
    assert statement["payloadSignature"] == result["payloadSignature"]
    verdict = shared.daemon.request(
        "POST", "/v1/verifications", [("Content-Type", "application/json")],
        json.dumps({"statement": result["payloadSignature"], "policy": {"audience": "shop"}}).encode()).json
    assert verdict["verdict"] == "valid"


def test_level_zero_counts_at_once_and_signs_nothing(shared):
    asked = ask(shared.operator).json
    before = shared.operator.get("/v1/status")["statements"]
    answered = choose(shared.alice, asked["id"], "Reject").json
    assert "signing" not in answered and answered["notification"]["actionPerformed"] == "Reject"
    assert "signingStatus" not in answered["notification"]
    assert shared.operator.get("/v1/status")["statements"] == before
    assert choose(shared.alice, asked["id"], "Reject", expect=409).code == 1701


def test_n3_an_action_that_is_not_offered_is_refused_and_it_still_waits(shared):
    asked = ask(shared.shop).json
    for action in ["", "accept", "ACCEPT", " Accept", "Accept ", "NONE", "Approve", "\u0410ccept", "Accept\u0000"]:
        assert choose(shared.alice, asked["id"], action, expect=422).code == 1704
    assert asked["id"] in inbox(shared.alice)
    shared.shop.call("DELETE", f"/v1/notifications/{asked['id']}", expect=204)
    news = shared.shop.call(
        "POST", "/v1/notifications",
        {"user": "alice", "body": [{"lng": "en", "subject": "News", "message": "Read me"}]}, expect=201).json
    assert news["expiresAt"] - news["createdAt"] == 7 * 86_400_000
    assert choose(shared.alice, news["id"], "Accept", expect=422).code == 1703
    shared.alice.call("POST", f"/v1/notifications/{news['id']}/dismiss", expect=200)


def test_n4_what_is_anothers_is_as_if_it_were_not_there(shared):
    asked = ask(shared.shop).json["id"]
    for target in [asked, new_id(), "x", asked.upper()]:
        path = f"/v1/notifications/{target}"
        for stranger in [shared.bob, shared.bank]:
            answer = stranger.call("GET", path)
            assert answer.status == 404 and answer.code == 1700
        assert shared.bob.call("POST", path + "/answer", {"action": "Accept"}).code == 1700
        assert shared.bob.call("POST", path + "/dismiss").code == 1700
        assert shared.bank.call("DELETE", path).code == 1700
    assert inbox(shared.bob) == [] and history(shared.bob) == []
    shared.shop.call("DELETE", f"/v1/notifications/{asked}", expect=204)
    shared.shop.call("DELETE", f"/v1/notifications/{asked}", expect=204)
    assert shared.alice.get(f"/v1/notifications/{asked}")["status"] == "DISCARDED"


@pytest.mark.parametrize("path", ["/v1/notifications", "/v1/notifications/history"])
def test_n4_bounds_and_dates_that_are_none_are_refused(shared, path):
    for query, code in [
        ("startIndex=0", 1705), ("startIndex=-1", 1705), ("startIndex=2147483648", 1705), ("startIndex=x", 1705),
        ("count=-1", 1706), ("count=2147483648", 1706), ("count=1.5", 1706), ("count=", 1706),
        ("from=2026-02-30", 1707), ("to=yesterday", 1707), ("from=2026-1-1", 1707), ("to=2026-01-01T00:00:00Z", 1707),
    ]:
        answer = shared.alice.call("GET", f"{path}?{query}")
        assert answer.status == 400 and answer.code == code, (query, answer)
    for query in ["startIndex=2147483647", "from=9999-12-31", "to=1970-01-01", "from=2026-02-01&to=2026-01-01"]:
        assert shared.alice.get(f"{path}?{query}&count=0") == {"notifications": []}
    assert shared.alice.call("GET", path + "?limit=5").code == 1801
    assert shared.alice.call("GET", "/v1/notifications/history?status=PENDING").code == 1803
    assert shared.alice.call("GET", "/v1/notifications/history?device=x").code == 1803


def test_what_cannot_be_a_notification_is_refused_by_name(shared):
    long = "x" * 201
    for members, code in [
        ({"subject": ""}, 1710), ({"subject": long}, 1710), ({"subject": "a\nb"}, 1710), ({"message": "x" * 2001}, 1710),
        ({"subject": "a\u202eb"}, 1710), ({"message": "\u200e"}, 1710), ({"message": "\u3164"}, 1710),
        ({"expiresIn": 9}, 1710), ({"expiresIn": 2_592_001}, 1710), ({"expiresIn": -1}, 1710),
        ({"expiresIn": 9_007_199_254_740_991}, 1710), ({"enterprise": "a b"}, 1710), ({"level": 2}, 214),
        ({"actions": []}, 1710), ({"status": "UPDATED"}, 1801), ({"id": new_id()}, 1801), ({"createdAt": 1}, 1801),
        ({"actions": [{"action": "NONE", "authLevel": 0}]}, 1710), ({"body": []}, 1710),
        ({"user": "ALICE"}, 1020), ({"user": "nobody-here"}, 102),
    ]:
        value = question(**{name: members[name] for name in members if name in ("subject", "message", "level")})
        value = {"user": "alice"} | value | {
            name: members[name] for name in members if name not in ("subject", "message", "level")}
        answer = shared.shop.call("POST", "/v1/notifications", value)
        assert answer.status in (400, 403, 422) and answer.code == code, (members, answer)
    assert shared.operator.call("POST", "/v1/notifications", {"user": "ghost"} | question()).code == 1301
    assert shared.alice.call("POST", "/v1/notifications", {"user": "alice"} | question()).status == 403


def test_a9_what_is_asked_twice_under_one_key_is_asked_once(shared):
    key = new_id()
    first = ask(shared.shop, once=key).json
    assert ask(shared.shop, once=key).json == first
    assert ask(shared.shop, subject="Another", once=key, expect=422).code == 1815
    answered = choose(shared.alice, first["id"], "Reject", once=key)
    assert choose(shared.alice, first["id"], "Reject", once=key).json == answered.json
    assert choose(shared.alice, first["id"], "Reject", expect=409).code == 1701


def test_n1_two_devices_race_a_hundred_times_and_one_wins(own):
    own.operator.set("password-hash", "m=8,t=1,p=1")
    tablet = second_device(own, own.alice)
    signed = 0
    for round in range(100):
        asked = ask(own.shop).json["id"]
        first = choose(own.alice, asked, "Accept").json["signing"]
        rival = choose(tablet, asked, "Accept").json["signing"] if round % 2 else None
        gate, answers = threading.Barrier(2), []

        def go(work):
            gate.wait()
            answers.append(work())

        works = [
            lambda: own.alice.answer(first, expect=None),
            (lambda: tablet.answer(rival, expect=None)) if rival else (lambda: choose(tablet, asked, "Reject", expect=None)),
        ]
        threads = [threading.Thread(target=go, args=(work,)) for work in works]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert sorted(answer.status for answer in answers) == [200, 409], answers
        assert [answer.code for answer in answers if answer.status == 409] == [1701]
        state = own.shop.get(f"/v1/notifications/{asked}")
        assert state["status"] == "UPDATED"
        signed += "dataSignatureID" in state
        assert ("dataSignatureID" in state) == (state["actionPerformed"] == "Accept")
        for person in [own.alice, tablet]:
            person.call("DELETE", "/v1/signings/current", expect=204)
    assert own.operator.get("/v1/status")["statements"] == signed
    events = [entry["event"] for entry in own.operator.audit()]
    assert events.count("notification-answered") == 100 and events.count("notification-made") == 100


def test_r1_killed_between_the_answer_and_the_signature_nothing_is_lost_and_nothing_twice(own):
    asked = ask(own.shop, expiresIn=3600).json["id"]
    signing = choose(own.alice, asked, "Accept").json["signing"]
    own.daemon.kill()
    own.daemon.start()
    assert own.alice.get(f"/v1/notifications/{asked}")["status"] == "PENDING"
    assert choose(own.alice, asked, "Accept", expect=409).code == 1101
    # Somewhere on the way to the signature. A third attempt stays, whatever the two that are killed take with them.
    for _ in range(2):
        gone = threading.Thread(target=lambda: quiet(lambda: own.alice.answer(signing, expect=None)))
        gone.start()
        own.daemon.kill()
        gone.join(60)
        own.daemon.start()
        state = own.shop.get(f"/v1/notifications/{asked}")
        found = own.operator.get("/v1/statements")["statements"]
        assert len(found) == (1 if state["status"] == "UPDATED" else 0)
        if state["status"] == "UPDATED":
            break
        own.alice.call("DELETE", "/v1/signings/current", expect=204)
        signing = choose(own.alice, asked, "Accept").json["signing"]
    else:
        own.alice.answer(signing)
    state = own.shop.get(f"/v1/notifications/{asked}")
    statements = own.operator.get("/v1/statements")["statements"]
    assert [state["dataSignatureID"]] == [one["dataSignatureID"] for one in statements]
    assert claims(statements[0]["payloadSignature"])["notification"] == asked
    assert choose(own.alice, asked, "Reject", expect=409).code == 1701


def quiet(work):
    try:
        return work()
    except (OSError, AssertionError, ValueError):
        return None


def test_h01_to_h24_the_history_is_complete_over_restarts_and_found_by_every_filter(own):
    tablet = second_device(own, own.alice)
    devices = {device["name"]: device["id"] for device in own.alice.get("/v1/devices")["devices"]}
    today = datetime.datetime.now(datetime.timezone.utc).date()
    # Around midnight the day may change under the test.
    first, last = today - datetime.timedelta(1), today + datetime.timedelta(1)
    # The laptop was told of the tablet.
    made = {"added": inbox(own.alice)[0]}
    own.alice.call("POST", f"/v1/notifications/{made['added']}/dismiss", expect=200)
    for name, subject, enterprise in [
        ("signed", "Überweisung 100%", "acme"), ("rejected", "Refund_1", "acme"), ("withdrawn", "Third", None),
        ("dismissed", "Fourth", None), ("pending", "Fifth", None),
    ]:
        members = {"enterprise": enterprise} if enterprise else {}
        made[name] = ask(own.shop, subject=subject, **members).json["id"]
    accept(own.alice, made["signed"])
    choose(tablet, made["rejected"], "Reject")
    own.shop.call("DELETE", f"/v1/notifications/{made['withdrawn']}", expect=204)
    own.operator.call("POST", f"/v1/notifications/{made['dismissed']}/dismiss", expect=200)
    own.daemon.kill()
    own.daemon.start()
    order = [made[name] for name in ("dismissed", "withdrawn", "rejected", "signed", "added")]
    assert history(own.alice) == order == history(own.alice, "?count=0")
    assert inbox(own.alice) == [made["pending"]]
    for query, names in [
        ("status=UPDATED", ["rejected", "signed"]), ("status=DISCARDED", ["withdrawn"]), ("status=EXPIRED", []),
        ("status=DISMISSED", ["dismissed", "added"]), ("action=Accept", ["signed"]), ("action=Reject", ["rejected"]),
        ("action=NONE", ["dismissed", "withdrawn", "added"]), ("action=accept", []), ("keyword=%C3%9CBERWEISUNG", ["signed"]),
        ("keyword=100%25", ["signed"]), ("keyword=%25", ["signed"]), ("keyword=_", ["rejected"]),
        ("keyword=bob", ["dismissed", "withdrawn", "rejected", "signed"]), ("enterprise=acme", ["rejected", "signed"]),
        ("enterprise=other", []), (f"device={devices['tablet of the tests']}&status=UPDATED", ["rejected", "signed"]),
        (f"device={new_id()}", []), (f"from={first}&to={last}&status=DISMISSED", ["dismissed", "added"]),
        (f"to={first - datetime.timedelta(1)}", []), (f"from={last + datetime.timedelta(1)}", []),
        ("count=2&startIndex=2", ["withdrawn", "rejected"]), ("startIndex=5", ["added"]), ("startIndex=6", []),
        ("status=&action=&keyword=&device=&from=&to=&enterprise=", ["dismissed", "withdrawn", "rejected", "signed", "added"]),
    ]:
        assert history(own.alice, "?" + query) == [made[name] for name in names], query
    entries = own.alice.get("/v1/notifications/history")["notifications"]
    assert [entry.get("signingStatus") for entry in entries] == [None, None, None, "SIGNED", None]
    assert all(entry["actions"] == [] and entry["changedAt"] >= entry["createdAt"] for entry in entries)
    assert history(own.bob) == []
    assert own.alice.call("GET", "/v1/notifications/history?status=updated").code == 1803


def test_d6_a_flood_for_one_person_is_refused(own):
    for _ in range(20):
        ask(own.shop)
    for _ in range(900):
        answer = own.shop.call("POST", "/v1/notifications", {"user": "alice"} | question())
        assert answer.status == 429 and answer.code == 1721 and answer.header("retry-after")
    for _ in range(80):
        ask(own.operator)
    for asker in (own.bank, own.operator):
        assert ask(asker, expect=429).code == 1721
    assert len(inbox(own.alice)) == 100 and len(inbox(own.alice, "?count=10&startIndex=95")) == 6
    ask(own.shop, user="bob")


SEVERAL = [
    {"lng": "en", "subject": "Transfer", "message": "Pay 5.00 EUR to Bob?", "labels": {"Accept": "Approve", "Reject": "Decline"}},
    {"lng": "de-CH", "subject": "Überweisung", "message": "5.00 EUR an Bob zahlen?", "labels": {"Accept": "Ja", "Reject": "Nein"}},
    {"lng": "ja", "subject": "送金", "message": "ボブに5ユーロ払いますか?", "labels": {"Accept": "はい", "Reject": "いいえ"}},
]


@pytest.mark.parametrize("language, read", [(None, 0), ("en", 0), ("de-CH", 1), ("ja", 2)])
def test_a22_what_is_signed_is_the_language_that_was_read_else_the_first(shared, language, read):
    asked = ask(shared.shop, body=SEVERAL).json
    shown = next(entry for entry in shared.alice.get("/v1/notifications")["notifications"] if entry["id"] == asked["id"])
    assert [(body["lng"], body["subject"], body["message"]) for body in shown["body"]] == [
        (body["lng"], body["subject"], body["message"]) for body in SEVERAL]
    assert shown == shared.alice.call("GET", f"/v1/notifications/{asked['id']}", headers=[("Accept-Language", "ja")]).json
    members = {"language": language} if language else {}
    signing = choose(shared.alice, asked["id"], "Accept", **members).json["signing"]
    body = SEVERAL[read]
    assert signing["payload"] == f"Answer: Accept\nSubject: {body['subject']}\n\n{body['message']}"
    assert signing["reason"] == f"Answer: {body['labels']['Accept']}"
    result = shared.alice.answer(signing).json["result"]
    assert claims(result["payloadSignature"])["payload"] == signing["payload"]


def test_a22_a23_languages_that_are_none_or_not_there_or_there_twice(shared):
    asked = ask(shared.shop, body=SEVERAL).json["id"]
    for language in ["fr", "de", "de-ch", "EN", "en-US", "", "*"]:
        assert choose(shared.alice, asked, "Accept", expect=400, language=language).code == 1803, language
    assert asked in inbox(shared.alice)
    # What is not signed is the same in every language.
    assert choose(shared.alice, asked, "Reject", language="ja").json["notification"]["actionPerformed"] == "Reject"
    for body in [
        [SEVERAL[0], SEVERAL[0]], [SEVERAL[0], SEVERAL[0] | {"lng": "EN"}], [SEVERAL[0] | {"lng": "english language"}],
        [SEVERAL[0], SEVERAL[1] | {"labels": {"Accept": "Ja"}}], [SEVERAL[0] | {"lng": f"a{letter}"} for letter in "abcdefghijk"],
    ]:
        assert ask(shared.shop, body=body, expect=422).code == 1710, body


def test_o31_a_keyword_is_looked_for_in_every_language(own):
    asked = ask(own.shop, body=SEVERAL).json["id"]
    choose(own.alice, asked, "Reject")
    for keyword in ["transfer", "%C3%BCBERWEISUNG", "%E9%80%81%E9%87%91", "an%20bob"]:
        assert history(own.alice, f"?keyword={keyword}") == [asked], keyword
    assert history(own.alice, "?keyword=approve") == [], "labels are not looked in"
