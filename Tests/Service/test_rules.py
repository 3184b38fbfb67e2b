"""Rules of the source documents, one by one, that are not the whole point of another test."""

import time

from parties import new_id
from test_devices import beside, change, delete, device_of, rename
from test_notifications import ask, choose, history, inbox, question


def test_a19_a20_the_inbox_has_what_waits_with_its_actions(shared):
    person = shared.operator.person()
    asked = ask(shared.shop, person.name).json["id"]
    entry = next(entry for entry in person.get("/v1/notifications")["notifications"] if entry["id"] == asked)
    assert entry["status"] == "PENDING" and len(asked) == 36 and asked == asked.lower()
    assert [(action["action"], action["authLevel"]) for action in entry["actions"]] == [("Accept", 1), ("Reject", 0)]
    assert entry["body"][0]["labels"] == {"Accept": "Approve", "Reject": "Decline"}


def test_a21_what_has_no_body_subject_or_message_is_made_by_nobody(shared):
    whole = {"user": "alice"} | question()
    body = whole["body"][0]
    for broken in (
        {**whole, "body": []}, {**whole, "body": [{**body, "subject": ""}]}, {**whole, "body": [{**body, "message": ""}]},
        {name: value for name, value in whole.items() if name != "body"},
        {**whole, "body": [{name: value for name, value in body.items() if name != "message"}]},
    ):
        assert shared.shop.call("POST", "/v1/notifications", broken).code in (1710, 1802)


def test_a27_a28_h19_h20_o35_an_answer_leaves_the_inbox_for_the_history(shared):
    person = shared.operator.person()
    before = int(time.time() * 1000)
    asked = ask(shared.shop, person.name).json["id"]
    answered = choose(person, asked, "Reject").json["notification"]
    assert (answered["status"], answered["actionPerformed"]) == ("UPDATED", "Reject")
    assert asked not in inbox(person) and history(person)[0] == asked
    entry = person.get("/v1/notifications/history")["notifications"][0]
    assert entry["actions"] == [] and "signingStatus" not in entry
    for name in ("createdAt", "changedAt"):
        assert before - 1000 <= entry[name] <= int(time.time() * 1000) + 1000, "milliseconds"
    assert entry["expiresAt"] - entry["createdAt"] == 300_000


def test_h13_what_nobody_answered_has_the_time_of_its_end(own):
    person = own.operator.person()
    asked = ask(own.shop, person.name).json
    own.shop.call("DELETE", f"/v1/notifications/{asked['id']}", expect=204)
    entry = person.get("/v1/notifications/history")["notifications"][0]
    assert asked["createdAt"] <= entry["changedAt"] < asked["expiresAt"] and entry["actionPerformed"] == "NONE"


def test_a30_h24_where_nothing_waits_the_lists_are_empty_and_no_error(shared):
    person = shared.operator.person()
    assert person.get("/v1/notifications") == {"notifications": []}
    assert person.get("/v1/notifications/history") == {"notifications": []}


def test_d03_d10_d16_several_devices_in_one_update_and_success_is_100(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    answer = change(person, rename(device_of(person), "mine now"), delete(device_of(other))).json
    assert answer["statusCode"] == 100 and answer["coolingOffUntil"] == 0
    assert [row["name"] for row in answer["devices"]] == ["mine now"]


def test_d21_a_name_of_nothing_is_refused(shared):
    person = shared.operator.person()
    for name in ("", " ", "\t \u00a0"):
        assert change(person, rename(device_of(person), name), expect=422).code == 1603


def test_d17_d25_during_the_cooling_off_list_and_refusal_say_what_it_is_and_until_when(own):
    own.operator.set("cooling-changes", "1")
    person = own.operator.person()
    change(person, rename(device_of(person), "name 1"))
    listed = person.get("/v1/devices")
    assert listed["statusCode"] == 146 and listed["message"].strip() and listed["devices"]
    refused = change(person, rename(device_of(person), "name 2"), expect=403)
    assert (refused.code, refused.json["until"]) == (146, listed["coolingOffUntil"]) and refused.json["detail"].strip()


def test_d27_the_devices_of_somebody_unknown_are_refused(shared):
    assert shared.operator.call("GET", "/v1/users/nobody-at-all/devices", expect=404).code == 1301
    assert shared.operator.call("GET", "/v1/users/NOBODY/devices").status in (404, 422)
    assert shared.operator.call("DELETE", f"/v1/users/nobody-at-all/devices/{new_id()}", expect=404).code == 1301
