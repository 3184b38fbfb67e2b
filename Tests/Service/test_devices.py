"""Devices of persons: the list, changes all or nothing, cooling-off, probation, and what the operator does (D01 to D33)."""

import threading
import time

import pytest

from parties import Person, new_id, new_password


def beside(operator, person, name="another device") -> Person:
    """The same user on another device."""
    other = Person(person.daemon, person.name, person.password)
    other.enrol(operator.activation_code(person.name), device=name)
    return other


def rename(device: str, name) -> dict:
    return {"device": device, "operation": "rename", "name": name}


def delete(device: str) -> dict:
    return {"device": device, "operation": "delete"}


def change(person, *updates, expect=200, once=None):
    return person.call("PATCH", "/v1/devices", {"updates": list(updates)}, once=once, expect=expect)


def device_of(person) -> str:
    return person.grant["device"]


def names(person) -> list:
    return [row["name"] for row in person.get("/v1/devices")["devices"]]


def test_d04_to_d08_the_list(shared):
    before = int(time.time() * 1000)
    person = shared.operator.person()
    other = beside(shared.operator, person)
    answer = person.get("/v1/devices")
    assert (answer["statusCode"], answer["coolingOffUntil"]) == (100, 0)
    assert "message" not in answer
    assert [row["current"] for row in answer["devices"]] == [True, False]
    assert [row["id"] for row in answer["devices"]] == [device_of(person), device_of(other)]
    for row in answer["devices"]:
        assert (row["state"], row["binding"]) == ("active", 0)
        assert before - 1000 <= row["createdAt"] <= row["lastAccessAt"] <= int(time.time() * 1000)
        assert row["activatedAt"] == row["createdAt"]
        assert "blockedAt" not in row and "probationUntil" not in row


def test_d28_d29_renamed_and_deleted_in_one_call(shared):
    person = shared.operator.person()
    other, third = beside(shared.operator, person), beside(shared.operator, person)
    answer = change(person, rename(device_of(person), "  mine \t"), rename(device_of(other), "mine"), delete(device_of(third)))
    assert (answer.json["statusCode"], [row["name"] for row in answer.json["devices"]]) == (100, ["mine", "mine"])
    assert names(person) == ["mine", "mine"]
    assert other.call("GET", "/v1/devices", expect=200)
    # D4: dead on its next request, in every way.
    assert third.call("GET", "/v1/devices", expect=401).code == 1821
    assert third.refresh(expect=None).status in (400, 401)
    third.log_in(expect=403)
    again = Person(person.daemon, person.name, person.password, third.key)
    assert again.enrol(shared.operator.activation_code(person.name), expect=None).code == 1841
    rows = shared.operator.get(f"/v1/users/{person.name}/devices")["devices"]
    assert [row["state"] for row in rows] == ["active", "active", "deleted"]
    assert [row["event"] for row in shared.operator.audit(user=person.name, event="device-deleted")] == ["device-deleted"]
    assert len(shared.operator.audit(user=person.name, event="device-renamed")) == 2


def test_d4_the_open_signing_of_a_deleted_device_is_over(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    open_ = other.start().json
    change(person, delete(device_of(other)))
    assert other.answer(open_, expect=401).code == 1821
    assert shared.operator.get(f"/v1/signings/{open_['id']}")["status"] == "cancelled"
    assert shared.operator.get(f"/v1/statements?user={person.name}")["statements"] == []


WRONG = {
    "nobody's": (lambda own, other, foreign: rename(new_id(), "a name"), 404, 1600),
    "bob's": (lambda own, other, foreign: rename(foreign, "mine now"), 404, 1600),
    "bob's, to delete": (lambda own, other, foreign: delete(foreign), 404, 1600),
    "this one": (lambda own, other, foreign: delete(own), 409, 1601),
    "no id": (lambda own, other, foreign: delete("../" + other), 400, 1803),
    "upper case id": (lambda own, other, foreign: delete(foreign.upper()), 400, 1803),
    "same name": (lambda own, other, foreign: rename(own, " laptop of the tests "), 422, 1606),
    "no name": (lambda own, other, foreign: {"device": own, "operation": "rename"}, 400, 1802),
    "empty name": (lambda own, other, foreign: rename(own, " \t"), 422, 1603),
    "two characters": (lambda own, other, foreign: rename(own, " ab "), 422, 1604),
    "51 characters": (lambda own, other, foreign: rename(own, "x" * 51), 422, 1605),
    "bidi": (lambda own, other, foreign: rename(own, "lap\u202etop"), 422, 1607),
    "a number": (lambda own, other, foreign: rename(own, 12345), 400, 1803),
    "a null": (lambda own, other, foreign: rename(own, None), 400, 1803),
    "Delete": (lambda own, other, foreign: {"device": other, "operation": "Delete"}, 422, 1608),
    "block": (lambda own, other, foreign: {"device": other, "operation": "block"}, 422, 1608),
    "delete with a name": (lambda own, other, foreign: {"device": other, "operation": "delete", "name": "x"}, 422, 1608),
    "status": (lambda own, other, foreign: rename(own, "a name") | {"status": "Update"}, 400, 1801),
    "current": (lambda own, other, foreign: rename(own, "a name") | {"current": False}, 400, 1801),
    "currentDevice": (lambda own, other, foreign: rename(own, "a name") | {"currentDevice": True}, 400, 1801),
    "userID": (lambda own, other, foreign: rename(own, "a name") | {"userID": "bob"}, 400, 1801),
    "state": (lambda own, other, foreign: rename(own, "a name") | {"state": "active"}, 400, 1801),
    "binding": (lambda own, other, foreign: rename(own, "a name") | {"binding": 1}, 400, 1801),
    "twice": (lambda own, other, foreign: delete(other), 400, 1803),
}


@pytest.fixture(scope="module")
def three(shared):
    person = shared.operator.person()
    return person, beside(shared.operator, person, "other device"), shared.operator.person()


@pytest.mark.parametrize("what", WRONG)
@pytest.mark.parametrize("place", ["first", "last"])
def test_attack_d11_one_wrong_update_refuses_the_whole_batch(three, what, place):
    person, other, bob = three
    make, status, code = WRONG[what]
    bad = make(device_of(person), device_of(other), device_of(bob))
    updates = [rename(device_of(other), "renamed after all")]
    if what == "twice":
        updates = [delete(device_of(other))]
    updates.insert(0 if place == "first" else 1, bad)
    answer = change(person, *updates, expect=status)
    assert answer.code == code, answer
    assert names(person) == ["laptop of the tests", "other device"]
    assert names(bob) == ["laptop of the tests"]


@pytest.mark.parametrize("body", [
    {}, {"updates": []}, {"updates": {}}, {"updates": [[]]}, {"updates": ["x"]}, {"updates": [{}]}, {"updates": None},
    {"updates": [], "user": "bob"},
])
def test_attack_d11_what_is_no_batch_is_400(three, body):
    answer = three[0].call("PATCH", "/v1/devices", body)
    assert answer.status == 400, answer


def test_attack_d11_more_than_a_hundred_are_refused(three):
    person = three[0]
    answer = change(person, *(delete(new_id()) for _ in range(101)), expect=400)
    assert answer.code == 1803


def test_d3_the_last_device_cannot_be_deleted(shared):
    person = shared.operator.person()
    assert change(person, delete(device_of(person)), expect=409).code == 1602
    person.sign()


def test_d3_the_last_two_delete_each_other_at_once_and_exactly_one_is_deleted(shared):
    for _ in range(5):
        first = shared.operator.person()
        second = beside(shared.operator, first)
        both, answers = [(first, second), (second, first)], {}
        for one, _ in both:
            one.get("/v1/devices")  # Both have a nonce and a connection of now.
        gate = threading.Barrier(2)

        def run(index):
            one, other = both[index]
            gate.wait()
            answers[index] = one.call("PATCH", "/v1/devices", {"updates": [delete(device_of(other))]})

        threads = [threading.Thread(target=run, args=(index,)) for index in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(answer.status for answer in answers.values()) == [200, 401], answers
        rows = shared.operator.get(f"/v1/users/{first.name}/devices")["devices"]
        assert sorted(row["state"] for row in rows) == ["active", "deleted"]


def test_d09_d11_d14_cooling_off_survives_a_restart_and_refusals_change_nothing(own):
    own.operator.set("cooling-changes", "3")
    own.operator.set("cooling-seconds", "3600")
    person = own.operator.person()
    other = beside(own.operator, person)
    begun = int(time.time() * 1000)
    change(person, rename(device_of(person), "name 1"))
    change(person, rename(device_of(person), "name 2"), rename(device_of(other), "name 3"))
    listed = person.get("/v1/devices")
    end = listed["coolingOffUntil"]
    assert begun + 3_600_000 <= end <= int(time.time() * 1000) + 3_600_000
    assert listed["statusCode"] == 146 and listed["message"]
    assert [row["name"] for row in listed["devices"]] == ["name 2", "name 3"]
    for _ in range(3):
        answer = change(person, rename(device_of(person), "name 4"), expect=403)
        assert (answer.code, answer.json["until"]) == (146, end)
        assert change(other, delete(device_of(person)), expect=403).code == 146
    own.daemon.stop()
    own.daemon.start()
    assert person.get("/v1/devices")["coolingOffUntil"] == end
    assert change(person, rename(device_of(person), "name 4"), expect=403).json["until"] == end
    person.sign()  # Signing has nothing to do with it (O23: nor has a new device).
    beside(own.operator, person)
    own.operator.call("DELETE", f"/v1/users/{person.name}/devices/{device_of(other)}", expect=204)
    own.operator.set("cooling-changes", "0")
    change(person, rename(device_of(person), "name 4"))


def test_o22_parallel_changes_do_not_get_past_the_limit(shared):
    person = shared.operator.person()
    twins = [person] + [person.twin() for _ in range(5)]
    statuses = []

    def run(index):
        for number in range(3):
            answer = twins[index].call("PATCH", "/v1/devices", {"updates": [rename(device_of(person), f"name {index} {number}")]})
            statuses.append(answer.status)

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(twins))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(set(statuses)) == [200, 403] and statuses.count(200) == 5, statuses
    assert len(shared.operator.audit(user=person.name, event="device-renamed")) == 5


def test_d2_a_device_on_probation_signs_nothing_until_its_end(own):
    old = own.operator.person()
    own.operator.set("allow-level-0", "true")
    own.operator.set("probation-hours", "12")
    rows = old.get("/v1/devices")["devices"]
    end = rows[0]["activatedAt"] + 12 * 3_600_000
    assert rows[0]["probationUntil"] == end
    for level in (0, 1):
        answer = old.start(level=level, expect=403)
        assert (answer.code, answer.json["until"]) == (146, end), answer
    shop = own.operator.relying()
    shop.sign(old.name)
    own.operator.set("probation-hours", "0")
    old.sign()
    assert len(own.operator.get(f"/v1/statements?user={old.name}")["statements"]) == 2


def test_the_operator_blocks_and_unblocks_a_device(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    path = f"/v1/users/{person.name}/devices/{device_of(person)}"
    open_ = person.start().json
    for _ in range(2):
        row = shared.operator.call("POST", f"{path}/block", expect=200).json
        assert row["state"] == "blocked" and row["blockedAt"] > 0
    assert person.call("GET", "/v1/devices", expect=401).code == 1821
    assert person.answer(open_, expect=401).code == 1821
    wrong, stranger = person.log_in(expect=403), Person(person.daemon, person.name, new_password()).log_in(expect=403)
    assert (wrong.code, wrong.json["title"]) == (stranger.code, stranger.json["title"]) == (102, wrong.json["title"])
    assert [row["state"] for row in other.get("/v1/devices")["devices"]] == ["blocked", "active"]
    assert shared.operator.call("POST", f"{path}/unblock", expect=200).json["state"] == "active"
    assert person.call("GET", "/v1/devices", expect=401).code == 1821, "the old session stays over"
    person.log_in()
    person.sign()
    events = [row["event"] for row in shared.operator.audit(user=person.name) if "block" in row["event"]]
    assert events == ["device-unblocked", "device-blocked"]


def test_the_operator_deletes_the_last_device_and_another_can_be_enrolled(shared):
    person = shared.operator.person()
    path = f"/v1/users/{person.name}/devices/{device_of(person)}"
    shared.operator.call("DELETE", path, expect=204)
    assert person.call("GET", "/v1/devices", expect=401).code == 1821
    for method, more in (("DELETE", ""), ("POST", "/block"), ("POST", "/unblock")):
        assert shared.operator.call(method, path + more, expect=404).code == 1600
    beside(shared.operator, person).sign()


def test_another_users_device_is_unknown_under_this_ones_name(shared):
    alice, bob = shared.operator.person(), shared.operator.person()
    for user, device in ((alice.name, device_of(bob)), (alice.name, new_id()), (alice.name, "x")):
        path = f"/v1/users/{user}/devices/{device}"
        for method, more in (("DELETE", ""), ("POST", "/block"), ("POST", "/unblock")):
            assert shared.operator.call(method, path + more, expect=404).code == 1600
    assert shared.operator.call("POST", f"/v1/users/nobody-at-all/devices/{new_id()}/block", expect=404).code == 1301
    bob.sign()


def test_an_update_that_is_sent_again_happens_once(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    first = change(person, delete(device_of(other)), once="once-17")
    again = change(person, delete(device_of(other)), once="once-17")
    assert again.json == first.json
    assert change(person, rename(device_of(person), "a name"), once="once-17", expect=422).code == 1815
