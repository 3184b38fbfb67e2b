"""New devices that another one lets in, as a stranger sees it (A01 to A14, A33, O14 to O20, D1, D2, D5, D6, D9)."""

import threading
import time

from parties import Party, Person, new_id, new_password
from proof import Key
from test_devices import beside, delete, change, device_of, names


class Newcomer(Person):
    """A device that nobody knows, and its way to a user."""

    def __init__(self, daemon, name, password, key=None):
        super().__init__(daemon, name, password, key)
        self.id = None

    def begin(self, device="a tablet of the tests", once=None, expect=201):
        answer = self.call("POST", "/v1/activations", {"user": self.name, "name": device}, once=once, expect=expect)
        if expect == 201:
            self.id = answer.json["id"]
        return answer

    @property
    def path(self):
        return f"/v1/activations/{self.id}"

    def state(self, expect=200):
        return self.call("GET", self.path, expect=expect).json

    def verify(self, once=None, expect=200):
        return self.call("POST", self.path + "/verify", once=once, expect=expect)

    def fallback(self, expect=200):
        return self.call("POST", self.path + "/fallback", expect=expect)

    def finish(self, password=None, once=None, expect=201):
        answer = self.call("POST", self.path + "/finish", {"password": password or self.password}, once=once)
        assert expect is None or answer.status == expect, answer
        if answer.status == 201:
            self.take(answer)
        return answer

    def cancel(self, expect=204):
        return self.call("DELETE", self.path, expect=expect)

    def asked(self):
        """Begins and asks; the match code."""
        self.begin()
        return self.verify().json["match_code"]


def newcomer(person, key=None) -> Newcomer:
    return Newcomer(person.daemon, person.name, person.password, key)


def questions(person) -> list:
    return [row for row in person.get("/v1/notifications")["notifications"] if row["matter"] == "activation"]


def answer(person, question, action="Accept", expect=200, **members):
    return person.call("POST", f"/v1/notifications/{question['id']}/answer", {"action": action} | members, expect=expect)


def other_code(code: str) -> str:
    return "00" if code != "00" else "01"


def test_a01_to_a11_o14_o17_approved_on_another_device(shared):
    person = shared.operator.person()
    laptop, tablet = beside(shared.operator, person), newcomer(person)
    begun = tablet.begin("  Tablet \t").json
    assert (begun["state"], begun["options"]) == ("offered", ["verify", "activation-code"])
    assert 0 < begun["expires_in"] <= 300 and "match_code" not in begun
    assert questions(person) == []
    waiting = tablet.verify().json
    code = waiting["match_code"]
    assert waiting["state"] == "waiting" and len(code) == 2 and code.isdigit()
    assert tablet.verify().json["match_code"] == code
    assert tablet.finish(expect=409).code == 1614
    for device in (person, laptop):
        (question,) = questions(device)
    assert question["activation"]["name"] == "Tablet" and question["activation"]["id"] == tablet.id
    assert [row["action"] for row in question["actions"]] == ["Accept", "Reject"]
    assert question["match"] == "required" and "match_code" not in question
    assert f'"{code}"' not in str(question)
    answer(laptop, question, match_code=code)
    assert tablet.state()["state"] == "approved"
    # O16: the second one is too late.
    assert answer(person, question, "Reject", expect=409).code == 1701
    assert tablet.finish("not the password", expect=403).code == 102
    tablet.finish()
    assert names(tablet) == ["laptop of the tests", "another device", "Tablet"]
    assert tablet.sign()["dataPayload"]
    row = person.get("/v1/notifications/history")["notifications"][0]
    assert (row["status"], row["actionPerformed"], row["device"]) == ("UPDATED", "Accept", device_of(laptop))
    events = [row["event"] for row in shared.operator.audit(user=person.name)]
    for event in ("activation-asked", "activation-approved", "device-enrolled"):
        assert event in events
    tablet.twin()


def test_a08_a09_o15_rejected(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    tablet.asked()
    answer(person, questions(person)[0], "Reject")
    assert tablet.state()["state"] == "rejected"
    assert tablet.finish(expect=409).code == 1609
    assert tablet.verify(expect=409).code == 1609
    assert tablet.fallback(expect=409).code == 1609
    tablet.log_in(expect=403)
    assert names(person) == ["laptop of the tests"]


def test_a06_a14_o19_given_up_twice_and_begun_again(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    for _ in range(2):
        tablet.cancel()
    assert tablet.state()["state"] == "cancelled" and questions(person) == []
    assert answer(person, question, match_code=code, expect=409).code == 1701
    assert person.get("/v1/notifications/history?status=DISCARDED")["notifications"][0]["id"] == question["id"]
    first = tablet.id
    tablet.asked()
    again = newcomer(person, tablet.key)
    again.begin()
    # Who begins anew gives up what was.
    assert tablet.id != first and tablet.state()["state"] == "cancelled" and questions(person) == []


def test_a12_a13_o20_c15_a_code_while_the_others_are_asked(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    assert tablet.fallback().json["state"] == "fallback"
    assert tablet.fallback().json["state"] == "fallback"
    assert questions(person) == []
    assert answer(person, question, match_code=code, expect=409).code == 1701
    assert tablet.finish(expect=422).code == 1611
    assert len(shared.operator.audit(user=person.name, event="activation-code-wanted")) == 1
    tablet.enrol(shared.operator.activation_code(person.name))
    key_only = newcomer(person, tablet.key)
    key_only.id = tablet.id
    assert key_only.state()["state"] == "activated"
    assert key_only.begin(expect=409).code == 1841


def test_a33_a_way_that_is_switched_off(own):
    own.operator.set("activation-methods", "verify")
    tablet = newcomer(own.alice)
    assert tablet.begin().json["options"] == ["verify"]
    assert tablet.fallback(expect=422).code == 1611
    own.operator.set("activation-methods", "activation-code")
    assert tablet.verify(expect=422).code == 1611
    assert tablet.fallback().json["options"] == ["activation-code"]


def test_o18_it_ends(own):
    own.operator.set("activation-seconds", "30")
    tablet = newcomer(own.alice)
    assert tablet.begin().json["expires_in"] == 30
    code = tablet.verify().json["match_code"]
    (question,) = questions(own.alice)
    assert abs(question["expiresAt"] - question["createdAt"] - 30_000) == 0
    for value in ("29", "3601", "x"):
        own.operator.call("PUT", "/v1/settings/activation-seconds", {"value": value}, expect=422)
    assert answer(own.alice, question, match_code=code)


def test_d1_a_device_does_not_approve_itself(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    # It has no session; its key alone is no caller.
    assert answer(tablet, question, match_code=code, expect=401).code == 1820
    # Another way in makes an end of the question, so that it cannot answer that afterwards either.
    itself = Person(person.daemon, person.name, person.password, tablet.key)
    itself.enrol(shared.operator.activation_code(person.name))
    assert answer(itself, question, match_code=code, expect=403).code == 146
    assert questions(itself) == []


def test_d2_who_may_not_approve(own):
    person = own.operator.person()
    blocked, deleted = beside(own.operator, person), beside(own.operator, person)
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    own.operator.call("POST", f"/v1/users/{person.name}/devices/{device_of(blocked)}/block", expect=200)
    change(person, delete(device_of(deleted)))
    for device in (blocked, deleted):
        assert answer(device, question, match_code=code, expect=401).code == 1821
    own.operator.set("probation-hours", "1")
    problem = answer(person, question, match_code=code, expect=403)
    assert problem.code == 146 and problem.json["until"] > time.time() * 1000
    # Nobody who may approve: nobody is asked, and the new device sees no difference.
    second = newcomer(person)
    assert second.asked() and second.state()["state"] == "waiting"
    assert len(questions(person)) == 1
    own.operator.set("probation-hours", "0")
    # N4: another user's is absent.
    assert answer(own.bob, question, match_code=code, expect=404).code == 1700
    answer(person, question, match_code=code)
    # D4: and what it approved is worth nothing once it is blocked.
    own.operator.call("POST", f"/v1/users/{person.name}/devices/{device_of(person)}/block", expect=200)
    assert tablet.finish(expect=409).code == 1609


def test_d6_the_match_code(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    missing = answer(person, question, expect=422)
    assert missing.code == 1613
    for left in (2, 1):
        assert answer(person, question, match_code=other_code(code), expect=422).json["attemptsLeft"] == left
    # Without one nothing was counted.
    assert answer(person, question, expect=422).json["attemptsLeft"] == 1
    assert answer(person, question, match_code=other_code(code), expect=422).json["attemptsLeft"] == 0
    assert answer(person, question, match_code=code, expect=409).code == 1701
    assert tablet.state()["state"] == "rejected"
    assert person.get("/v1/notifications/history")["notifications"][0]["status"] == "DISCARDED"


def test_d6_fifty_questions(shared):
    person = shared.operator.person()
    statuses = {}
    for name in (person.name, "nobody-" + new_id()[:8]):
        stranger = Party(shared.daemon)
        statuses[name] = []
        for _ in range(50):
            tablet = Newcomer(shared.daemon, name, person.password)
            tablet.nonce = stranger.nonce
            tablet.begin()
            stranger.nonce = tablet.nonce
            found = tablet.verify(expect=None)
            statuses[name].append((found.status, found.json.get("code"), sorted(found.json)))
            assert found.status == 200 or found.header("retry-after")
    assert len(questions(person)) == 3
    known, unknown = statuses.values()
    assert known == unknown
    assert [row[0] for row in known] == [200] * 3 + [429] * 47


def test_d6_ten_an_hour(shared):
    person = shared.operator.person()
    for _ in range(10):
        tablet = newcomer(person)
        tablet.asked()
        tablet.cancel()
    tablet = newcomer(person)
    tablet.begin()
    refused = tablet.verify(expect=429)
    assert refused.code == 1811 and 3500 < int(refused.header("retry-after")) <= 3600
    assert tablet.fallback(expect=429).code == 1811


def test_d6_it_was_not_me(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    tablet = newcomer(person)
    tablet.asked()
    (question,) = questions(person)
    answer(person, question, "Accept", not_me=True, match_code="00", expect=400)
    answer(person, question, "Reject", block=True, expect=400)
    answer(person, question, "Reject", not_me=True)
    events = [row["event"] for row in shared.operator.audit(user=person.name)]
    assert "activation-disowned" in events and "activations-blocked" not in events
    for device in (person, other):
        (alert,) = [row for row in device.get("/v1/notifications")["notifications"]
                    if row["body"][0]["subject"] == "Somebody tried to add a device"]
        assert alert["actions"] == []
    second, third = newcomer(person), newcomer(person)
    second.asked(), third.asked()
    answer(other, questions(other)[0], "Reject", not_me=True, block=True)
    assert {second.state()["state"], third.state()["state"]} == {"rejected"}
    assert "activationsBlockedAt" in shared.operator.get(f"/v1/users/{person.name}")
    fourth = newcomer(person)
    assert fourth.asked() and fourth.state()["state"] == "waiting"
    assert questions(person) == []
    shared.operator.call("POST", f"/v1/users/{person.name}/unlock", expect=200)
    assert "activationsBlockedAt" not in shared.operator.get(f"/v1/users/{person.name}")
    newcomer(person).asked()
    assert len(questions(person)) == 1


def test_s10_no_name_tells_who_there_is(shared):
    locked = shared.operator.person()
    shared.operator.call("POST", f"/v1/users/{locked.name}/lock", expect=200)
    alone = Person(shared.daemon, shared.operator.add_user(), new_password())
    found = []
    for name in (shared.operator.person().name, locked.name, alone.name, "nobody-at-all-" + new_id()[:8], "No Name!", ""):
        tablet = Newcomer(shared.daemon, name, "whatever it is")
        begun = tablet.begin().json
        waiting = tablet.verify().json
        state = tablet.state()
        finished = tablet.finish(expect=409)
        assert (begun.pop("id"), waiting.pop("id"), state.pop("id")) == (tablet.id,) * 3
        assert waiting.pop("match_code") == state.pop("match_code")
        for message in (begun, waiting, state):
            assert 295 <= message.pop("expires_in") <= 300
        found.append((begun, waiting, state, finished.code, tablet.fallback().json["state"]))
        tablet.cancel()
    assert all(entry == found[0] for entry in found), found


def test_d9_a1_another_key_knows_nothing_of_it(shared):
    person = shared.operator.person()
    tablet, thief = newcomer(person), newcomer(person)
    tablet.asked()
    thief.id = tablet.id
    absent = newcomer(person)
    absent.id = new_id()
    for party in (thief, absent):
        for found in (party.call("GET", party.path), party.verify(expect=None), party.fallback(expect=None),
                      party.finish(expect=None), party.cancel(expect=None)):
            assert (found.status, found.code) == (404, 1612), found
    assert tablet.state()["state"] == "waiting"
    # No proof, no activation.
    assert Party(shared.daemon).call("POST", "/v1/activations", {"user": person.name, "name": "x y z"}, expect=401).code == 1822
    # A key that is a device's, of whomever.
    for key in (person.key, shared.bob.key):
        assert newcomer(person, key).begin(expect=409).code == 1841


def test_d8_names(shared):
    tablet = newcomer(shared.alice)
    for name, code in (("", 1603), (" ab ", 1604), ("x" * 51, 1605), ("a\u202eb c", 1607), ("a\nb c", 1607)):
        assert tablet.begin(name, expect=422).code == code
    for body in ({"user": "alice"}, {"name": "tablet"}, {"user": "alice", "name": "tablet", "state": "approved"}):
        tablet.call("POST", "/v1/activations", body, expect=400)


def test_idempotency_an_answer_that_was_lost(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    first = tablet.begin(once="begin").json
    assert tablet.begin(once="begin").json == first
    asked = tablet.verify(once="verify").json
    assert tablet.verify(once="verify").json == asked and len(questions(person)) == 1
    answer(person, questions(person)[0], match_code=asked["match_code"])
    granted = tablet.finish(once="finish").json
    tablet.grant = None
    assert tablet.finish(once="finish").json == granted
    assert len(names(tablet)) == 2


def test_o16_accepted_and_rejected_at_once(shared):
    person = shared.operator.person()
    other = beside(shared.operator, person)
    for _ in range(2):
        tablet = newcomer(person)
        code = tablet.asked()
        (question,) = questions(person)
        twins = [device.twin() for device in (person, other) for _ in range(3)]
        gate, found = threading.Barrier(len(twins)), []

        def say(index, device):
            gate.wait()
            action = "Accept" if index % 2 else "Reject"
            got = device.call(
                "POST", f"/v1/notifications/{question['id']}/answer",
                {"action": action} | ({"match_code": code} if index % 2 else {}))
            found.append((got.status, action))

        threads = [threading.Thread(target=say, args=entry) for entry in enumerate(twins)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        (winner,) = [action for status, action in found if status == 200]
        assert {status for status, _ in found} == {200, 409}
        assert tablet.state()["state"] == ("approved" if winner == "Accept" else "rejected")


def test_n3_killed_between_the_approval_and_the_password(services):
    own = services.started()
    tablet = newcomer(own.alice)
    code = tablet.asked()
    answer(own.alice, questions(own.alice)[0], match_code=code)
    own.daemon.kill()
    own.daemon.start()
    tablet.nonce = None
    assert tablet.state()["state"] == "approved"
    tablet.finish()
    assert len(names(tablet)) == 2


def test_a09_the_new_device_waits_and_is_told_at_once(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    (question,) = questions(person)
    found = []

    def wait():
        got = tablet.call("GET", tablet.path, headers=[("Prefer", "wait=60")], expect=200)
        found.append((got.json["state"], got.header("preference-applied"), time.monotonic()))

    thread = threading.Thread(target=wait)
    thread.start()
    answer(person, question, match_code=code)
    answered = time.monotonic()
    thread.join()
    ((state, applied, at),) = found
    assert (state, applied) == ("approved", "wait") and at < answered + 30
    # What waits for nothing is answered at once.
    assert tablet.call("GET", tablet.path, headers=[("Prefer", "wait=60")], expect=200).json["state"] == "approved"


def test_d6_a_match_code_that_is_offered(own):
    own.operator.call("PUT", "/v1/settings/match-code", {"value": "none"}, expect=422)
    own.operator.set("match-code", "offered")
    tablet = newcomer(own.alice)
    code = tablet.asked()
    (question,) = questions(own.alice)
    assert (question["match"], question["match_code"]) == ("offered", code)
    assert answer(own.alice, question, match_code=other_code(code), expect=422).code == 1613
    answer(own.alice, question)
    tablet.finish()


def test_d4_locked_between_the_approval_and_the_password(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    answer(person, questions(person)[0], match_code=code)
    shared.operator.call("POST", f"/v1/users/{person.name}/lock", expect=200)
    assert tablet.finish(expect=403).code == 102
    shared.operator.call("POST", f"/v1/users/{person.name}/unlock", expect=200)
    tablet.finish()


def test_d5_many_finish_at_once(shared):
    person = shared.operator.person()
    tablet = newcomer(person)
    code = tablet.asked()
    answer(person, questions(person)[0], match_code=code)
    gate, found = threading.Barrier(6), []

    def finish():
        twin = newcomer(person, tablet.key)
        twin.id, twin.nonce = tablet.id, tablet.nonce
        gate.wait()
        found.append(twin.call("POST", twin.path + "/finish", {"password": person.password}))

    threads = [threading.Thread(target=finish) for _ in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert sorted(row.status for row in found) == [201] + [409] * 5
    assert {row.code for row in found if row.status == 409} == {1841}
    assert len(names(person)) == 2
