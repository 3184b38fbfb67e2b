"""The step-up over the network: attempts, races, answers of others (attacks S1 to S15), enrolment (attack D5)."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from parties import Person, Party, new_id, new_password
from proof import Key


def at_once(count, work):
    """Runs `work` for each number below `count`, all at the same time."""
    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(work, range(count)))


def same_session(person, count):
    """As many callers with one session, so that each has its own connection and nonce."""
    copies = []
    for _ in range(count):
        copy = Person(person.daemon, person.name, person.password, person.key)
        copy.grant, copy.nonce = person.grant, person.nonce
        copies.append(copy)
    return copies


def test_s1_of_fifty_wrong_answers_at_once_three_are_taken(shared):
    person = shared.operator.person()
    signing = person.start().json
    callers = same_session(person, 50)
    answers = at_once(50, lambda index: callers[index].answer(signing, f"wrong {index}", expect=None))
    assert all(answer.status in (403, 404, 409, 429, 503) for answer in answers), answers
    left = [answer.json.get("attemptsLeft") for answer in answers]
    assert sorted(value for value in left if value is not None and value > 0) in ([1, 2], [2], [1], [])
    assert min(value for value in left if value is not None) >= 0
    wrong = [row for row in shared.operator.audit(user=person.name) if row["event"].startswith("signing") or row.get("ceremony")]
    checked = [row for row in wrong if "wrong" in row["event"] or "exhausted" in row["event"]]
    assert len(checked) == 3, [row["event"] for row in wrong]
    last = person.get(f"/v1/signings/{signing['id']}")
    assert (last["status"], last["statusCode"]) == ("failed", 153)
    assert person.start(expect=None).status in (201, 403)
    assert person.get("/v1/statements")["statements"] == []


def test_s2_the_right_answer_races_wrong_ones_and_there_is_one_order(shared):
    for _ in range(3):
        person = shared.operator.person()
        signing = person.start().json
        callers = same_session(person, 7)
        words = ["wrong"] * 6 + [person.password]
        answers = at_once(7, lambda index: callers[index].answer(signing, words[index], expect=None))
        good = [answer for answer in answers if answer.status == 200]
        state = person.get(f"/v1/signings/{signing['id']}")
        statements = person.get("/v1/statements")["statements"]
        assert (state["status"] == "signed") == (len(statements) == 1), (state, answers)
        assert len(good) <= 1 and (not good or state["status"] == "signed")
        assert state["status"] in ("signed", "failed")


def test_s3_of_twenty_right_answers_at_once_there_is_one_statement(shared):
    person = shared.operator.person()
    signing = person.start().json
    callers = same_session(person, 20)
    answers = at_once(20, lambda index: callers[index].answer(signing, expect=None))
    good = {answer.json["result"]["payloadSignature"] for answer in answers if answer.status == 200}
    assert len(good) == 1
    assert all(answer.status in (200, 409, 429, 503) for answer in answers)
    assert len(person.get("/v1/statements")["statements"]) == 1
    later = person.answer(signing, expect=None)
    assert later.status == 409 or later.json["result"]["payloadSignature"] in good


def test_s4_an_answer_to_an_earlier_challenge_does_not_count(shared):
    person = shared.operator.person()
    old = person.start("first").json
    person.call("DELETE", "/v1/signings/current", expect=204)
    new = person.start("second").json
    assert person.answer(old, expect=409).json["title"]
    assert person.get(f"/v1/signings/{new['id']}")["attemptsLeft"] == 3
    assert person.answer(new).json["result"]["dataPayload"] == "second"


def test_s4_an_answer_to_another_generation_does_not_count(shared):
    person = shared.operator.person()
    signing = person.start().json
    generation = signing["generation"]
    for other in (generation + 1, generation - 1, -1, 2**62):
        assert person.answer(signing, generation=other, expect=None).status in (400, 409, 422)
    assert person.answer(signing, generation=generation).json["status"] == "signed"


def test_s5_a_reset_races_the_answer_and_it_is_one_or_the_other(shared):
    for _ in range(5):
        person = shared.operator.person()
        signing = person.start().json
        first, second = same_session(person, 2)
        answers = at_once(2, lambda index: (
            first.answer(signing, expect=None) if index == 0
            else second.call("DELETE", f"/v1/signings/{signing['id']}")))
        state = person.get(f"/v1/signings/{signing['id']}")["status"]
        statements = person.get("/v1/statements")["statements"]
        assert state in ("signed", "cancelled")
        assert (answers[0].status == 200) == (state == "signed") == (len(statements) == 1), (answers, state)


def test_s6_an_answer_of_another_user_session_or_service_finds_nothing_and_costs_nothing(shared):
    victim = shared.operator.person()
    signing = victim.start().json
    others = [shared.operator.person(), victim.twin()]
    absent = others[0].answer({"id": new_id()}, expect=404).json
    for other in others:
        problem = other.answer(signing, "wrong", expect=404).json
        assert dict(problem, requestID="") == dict(absent, requestID="")
        problem = other.answer(signing, victim.password, expect=404).json
        assert dict(problem, requestID="") == dict(absent, requestID="")
    assert victim.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 3
    assert victim.answer(signing).json["status"] == "signed"


@pytest.mark.parametrize("member", ["payload", "reason", "authLevel", "user", "sub", "kid", "authenticatorType"])
def test_s7_an_answer_cannot_bring_what_is_signed(shared, member):
    signing = shared.bob.start().json
    try:
        answer = shared.bob.answer(signing, expect=400, **{member: "another"})
        assert answer.code == 1801
        assert shared.bob.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 3
    finally:
        shared.bob.call("DELETE", "/v1/signings/current", expect=204)


@pytest.mark.parametrize("level", [-1, 0, 1, 2, 3, 4, 5, 2**31])
@pytest.mark.parametrize("kind", [-1, 0, 1, 2, 3])
def test_s8_only_the_pairs_of_the_matrix_start(shared, level, kind):
    answer = shared.bob.start(level=level, kind=kind, expect=None)
    if (level, kind) == (1, 0):
        assert answer.status == 201
        shared.bob.call("DELETE", "/v1/signings/current", expect=204)
    elif (level, kind) == (0, 0):
        assert answer.status == 201 and answer.json["status"] == "signed"
    else:
        assert (answer.status, answer.code) == (422, 214), answer


@pytest.mark.parametrize("mode", [0, 1, 11, 13, "12", 12.0, None])
def test_s8_an_answer_has_challenge_mode_12(shared, mode):
    signing = shared.bob.start().json
    try:
        value = {"challengeMode": mode, "password": shared.bob.password}
        answer = shared.bob.call("POST", f"/v1/signings/{signing['id']}/answers", value)
        assert answer.status in (400, 409, 422), answer
        assert shared.bob.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 3
    finally:
        shared.bob.call("DELETE", "/v1/signings/current", expect=204)


def test_attack_s9_level_0_is_for_the_operator_to_allow(own):
    own.operator.set("allow-level-0", "false")
    assert own.alice.start(level=0, expect=422).code == 214
    assert own.shop.start(level=0, user="alice", expect=422).code == 214


def hashes(shared) -> int:
    """How many password hashes the service has made."""
    lines = shared.daemon.get("/metrics").body.decode().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("countersign_password_hashes_total "))


def test_attack_s10_unknown_locked_passwordless_and_wrong_are_answered_alike(shared):
    known = shared.operator.person()
    locked = shared.operator.person()
    shared.operator.call("POST", f"/v1/users/{locked.name}/lock", expect=200)
    bare = shared.operator.add_user()
    cases = {
        "wrong password": (known.key, known.name, "wrong pass word"),
        "locked": (locked.key, locked.name, locked.password),
        "no password": (Key(), bare, "wrong pass word"),
        "unknown": (Key(), "nobody-at-all", "wrong pass word"),
        "unknown, with a registered key": (known.key, "nobody-at-all", "wrong pass word"),
        "right password, foreign key": (Key(), known.name, known.password),
        "not a name": (Key(), "Not A Name!", "wrong pass word"),
        "a name of another form": (known.key, known.name.upper(), known.password),
    }
    answers = {}
    for name, (key, user, password) in cases.items():
        party = Party(shared.daemon, key)
        party.nonce = known.nonce
        before = hashes(shared)
        answer = party.call("POST", "/v1/sessions", {"user": user, "password": password}, expect=403)
        shape = sorted(name for name, _ in answer.headers)
        answers[name] = (dict(answer.json, requestID=""), len(answer.body), shape, hashes(shared) - before)
    expected = answers["unknown"]
    assert expected[0]["code"] == 102 and expected[3] == 1, "each costs exactly one hash"
    assert {name: answer for name, answer in answers.items() if answer != expected} == {}


def test_attack_s10_a_bad_code_says_no_more(shared):
    name = shared.operator.add_user()
    code = shared.operator.activation_code(name)
    wrong = code[:-1] + ("0" if code[-1] != "0" else "1")
    answers = []
    for user, text in ((name, wrong), ("nobody-at-all", code), (name, "nonsense"), (name, "ZZZZ-ZZZZZ-ZZZZZ"), (name, "")):
        person = Person(shared.daemon, user, new_password())
        before = hashes(shared)
        answer = person.enrol(text, expect=403)
        answers.append((dict(answer.json, requestID=""), hashes(shared) - before))
    assert all(answer == answers[0] for answer in answers), answers
    assert answers[0][0]["code"] == 102 and answers[0][1] == 1


def test_attack_s10_at_step_up_each_answer_costs_one_hash_blocked_ones_too(shared):
    person = shared.operator.person()
    signing = person.start().json
    for left in (2, 1, 0):
        before = hashes(shared)
        assert person.answer(signing, "wrong pass word", expect=403).json["attemptsLeft"] == left
        assert hashes(shared) - before == 1
    blocked = person.start().json
    before = hashes(shared)
    person.answer(blocked, expect=403)
    assert hashes(shared) - before == 1


def test_s11_another_spelling_of_a_name_brings_no_attempts(shared):
    person = shared.operator.person()
    for spelling in (person.name.upper(), f"{person.name} ", f" {person.name}", person.name.replace("u", "ｕ")):
        Party(shared.daemon, person.key).call(
            "POST", "/v1/sessions", {"user": spelling, "password": person.password}, expect=403)


def test_s12_strangers_do_not_lock_a_person_out(shared):
    person = shared.operator.person()
    for _ in range(12):
        stranger = Party(shared.daemon, Key())
        answer = stranger.call("POST", "/v1/sessions", {"user": person.name, "password": "wrong pass word"})
        assert answer.status in (403, 429)
    person.log_in()
    person.sign()


def test_s12_a_stolen_device_gets_three_tries_to_log_in_and_signing_goes_on(shared):
    person = shared.operator.person()
    for _ in range(4):
        Party(shared.daemon, person.key).call(
            "POST", "/v1/sessions", {"user": person.name, "password": "wrong pass word"}, expect=403)
    Party(shared.daemon, person.key).call(
        "POST", "/v1/sessions", {"user": person.name, "password": person.password}, expect=403)
    person.sign()
    shared.operator.call("POST", f"/v1/users/{person.name}/unlock", expect=200)
    person.log_in()


def test_s13_a_flood_of_answers_is_bounded_and_the_service_stays_awake(services):
    own = services.started()
    own.operator.set("password-hash", "m=65536,t=3,p=1")
    people = [own.operator.person() for _ in range(4)]
    before = own.daemon.resident()
    waits = []

    def work(index):
        if index < 60:
            stranger = Party(own.daemon, Key())
            return stranger.call("POST", "/v1/sessions", {"user": people[index % 4].name, "password": "wrong"}).status
        began = time.monotonic()
        status = own.daemon.get("/healthz").status
        waits.append(time.monotonic() - began)
        return status

    answers = at_once(80, work)
    assert set(answers[60:]) == {200}
    assert set(answers[:60]) <= {403, 429, 503} and answers.count(403) < 60, answers
    assert own.daemon.resident() - before < 600_000_000
    for person in people:
        person.sign()


@pytest.mark.parametrize("password", ["", "x" * 2000, "a\0b", " canary", "é" * 600])
def test_s14_strange_passwords_are_refused_and_every_byte_counts(shared, password):
    answer = Party(shared.daemon, shared.bob.key).call("POST", "/v1/sessions", {"user": "bob", "password": password})
    assert answer.status in (400, 403, 422)
    shared.bob.log_in()
    answer = Party(shared.daemon, shared.bob.key).call(
        "POST", "/v1/sessions", {"user": "bob", "password": shared.bob.password + " "}, expect=403)
    assert answer.code == 102
    shared.bob.log_in()


def test_o08_of_twenty_starts_at_once_in_one_session_one_begins(shared):
    person = shared.operator.person()
    callers = same_session(person, 20)
    answers = at_once(20, lambda index: callers[index].start(expect=None))
    assert sorted(answer.status for answer in answers) == [201] + [409] * 19, answers
    person.answer(next(answer.json for answer in answers if answer.status == 201))


def test_twenty_right_log_ins_at_once_all_work(shared):
    person = shared.operator.person()
    callers = same_session(person, 20)
    statuses = at_once(20, lambda index: callers[index].log_in(expect=None).status)
    assert statuses.count(201) >= 3 and set(statuses) <= {201, 429, 503}, statuses


def test_s15_new_challenges_bring_no_new_attempts(shared):
    person = shared.operator.person()
    first = person.start().json
    assert person.answer(first, "wrong", expect=403).json["attemptsLeft"] == 2
    assert person.answer(first, "wrong", expect=403).json["attemptsLeft"] == 1
    person.call("DELETE", "/v1/signings/current", expect=204)
    twin = person.twin()
    second = twin.start().json
    assert second["attemptsLeft"] == 1
    last = twin.answer(second, "wrong", expect=403)
    assert last.json["attemptsLeft"] == 0 and last.json["statusCode"] == 153
    third = person.start(expect=None)
    if third.status == 201:
        person.answer(third.json, expect=403)
    shared.operator.call("POST", f"/v1/users/{person.name}/unlock", expect=200)
    person.call("DELETE", "/v1/signings/current")
    person.sign()


# Activation codes.

def test_d5_a_code_works_once(shared):
    name = shared.operator.add_user()
    code = shared.operator.activation_code(name)
    person = Person(shared.daemon, name, new_password())
    person.enrol(code)
    second = Person(shared.daemon, name, person.password)
    second.enrol(code, expect=403)


def test_d5_five_wrong_secrets_end_a_code(shared):
    name = shared.operator.add_user()
    code = shared.operator.activation_code(name)
    person = Person(shared.daemon, name, new_password())
    for digit in "01234":
        wrong = code[:-1] + (digit if code[-1] != digit else "9")
        person.enrol(wrong, expect=403)
    person.enrol(code, expect=403)
    person.enrol(shared.operator.activation_code(name))


def test_d5_parallel_streams_get_no_more_guesses(shared):
    name = shared.operator.add_user()
    code = shared.operator.activation_code(name)
    alphabet = [digit for digit in "0123456789ABCDEFGHJKMNPQRSTVWXYZ" if digit != code[-1]]
    people = [Person(shared.daemon, name, new_password()) for _ in range(20)]
    answers = at_once(20, lambda index: people[index].enrol(code[:-1] + alphabet[index], expect=None).status)
    assert set(answers) <= {403, 429, 503}
    Person(shared.daemon, name, new_password()).enrol(code, expect=403)


def test_d5_of_twenty_devices_with_one_code_one_is_enrolled(shared):
    name = shared.operator.add_user()
    code, password = shared.operator.activation_code(name), new_password()
    people = [Person(shared.daemon, name, password) for _ in range(20)]
    answers = at_once(20, lambda index: people[index].enrol(code, expect=None).status)
    assert answers.count(201) == 1 and set(answers) <= {201, 403, 429, 503}, answers
    assert len(shared.operator.get(f"/v1/users/{name}/devices")["devices"]) == 1


def test_d5_a_new_code_ends_the_one_before(shared):
    name = shared.operator.add_user()
    old, new = shared.operator.activation_code(name), shared.operator.activation_code(name)
    person = Person(shared.daemon, name, new_password())
    person.enrol(old, expect=403)
    person.enrol(new)


def test_d5_a_code_is_of_one_user_only(shared):
    first, second = shared.operator.add_user(), shared.operator.add_user()
    code = shared.operator.activation_code(first)
    Person(shared.daemon, second, new_password()).enrol(code, expect=403)
    Person(shared.daemon, first, new_password()).enrol(code)


def test_d5_case_hyphens_and_look_alike_digits_are_forgiven(shared):
    name = shared.operator.add_user()
    code = shared.operator.activation_code(name)
    typed = code.lower().replace("-", "").replace("0", "o").replace("1", "l")
    Person(shared.daemon, name, new_password()).enrol(typed)


def test_d5_who_has_a_password_must_know_it(shared):
    person = shared.operator.person()
    thief = Person(shared.daemon, person.name, new_password())
    thief.enrol(shared.operator.activation_code(person.name), expect=403)
    second = Person(shared.daemon, person.name, person.password)
    second.enrol(shared.operator.activation_code(person.name))
    assert second.grant["device"] != person.grant["device"]
    second.sign()
    person.sign()


def test_d5_guesses_with_a_new_code_each_time_are_bounded_by_the_user(shared):
    person = shared.operator.person()
    statuses = []
    for _ in range(6):
        thief = Person(shared.daemon, person.name, new_password())
        statuses.append(thief.enrol(shared.operator.activation_code(person.name), expect=None).status)
    assert set(statuses) <= {403, 429}
    last = Person(shared.daemon, person.name, person.password)
    assert last.enrol(shared.operator.activation_code(person.name), expect=None).status in (403, 429), \
        "wrong passwords with codes count on the same ledger as log-ins"
    person.sign()


NAMES = {"two": "ab", "controls": "lap\x07top", "bidi": "lap\u202etop", "blank": "\u2800\u2800\u2800", "long": "a" * 51, "empty": ""}


@pytest.mark.parametrize("name", NAMES)
def test_d8_hostile_names_of_devices_are_refused(shared, name):
    user = shared.operator.add_user()
    person = Person(shared.daemon, user, new_password())
    code = shared.operator.activation_code(user)
    assert person.enrol(code, device=NAMES[name], expect=None).status in (400, 422)
    person.enrol(code, device="  three words here  ")
    assert person.get("/v1/devices")["devices"][0]["name"] == "three words here"
