"""Several payloads signed at once: one challenge, one answer, all or nothing (rules O43 to O46; attacks S3, S4, S6, S7, A2, A3, A9)."""

import base64
import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from parties import new_id


def claims(statement: str) -> dict:
    part = statement.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))


def digest(payloads) -> str:
    """As docs/statement.md says."""
    lines = ["countersign-batch", *(hashlib.sha256(text.encode()).hexdigest() for text in payloads)]
    value = hashlib.sha256("".join(line + "\n" for line in lines).encode()).digest()
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def items(payloads, prefix="r"):
    return [{"payload": text, "reference": f"{prefix}{index}"} for index, text in enumerate(payloads)]


def start(party, payloads, level=1, user=None, once=None, expect=201, **members):
    value = {"payloads": payloads, "reason": "Payroll", "authLevel": level, "authenticatorType": 0} | members
    if user is not None:
        value["user"] = user
    return party.call("POST", "/v1/batches", value, once=once, expect=expect)


def texts(count: int):
    return [f"Pay {number}.00 EUR" for number in range(1, count + 1)]


def check(signing, payloads, references):
    """Each statement is that of its payload, at its place."""
    batch = signing["batch"]
    assert signing["status"] == "signed" and "result" not in signing
    assert batch["digest"] == digest(payloads)
    assert [item.get("reference") for item in batch["items"]] == references
    results = [item["result"] for item in batch["items"]]
    assert [result["dataPayload"] for result in results] == payloads
    for index, result in enumerate(results):
        said = claims(result["payloadSignature"])
        assert said["payload"] == payloads[index] and said["jti"] == result["dataSignatureID"]
        assert said["batch"] == f"{batch['digest']}.{index + 1}.{len(payloads)}"
        assert said["ceremony"] == signing["id"]
    return results


@pytest.mark.parametrize("count", [1, 2, 150])
def test_o43_one_challenge_and_a_statement_for_each(shared, count):
    person, payloads = shared.operator.person(), texts(count)
    asked = start(person, items(payloads))
    signing = asked.json
    assert asked.header("location") == f"/v1/signings/{signing['id']}"
    assert (signing["status"], signing["challengeMode"], signing["attemptsLeft"]) == ("challenged", 12, 3)
    assert signing["payload"] == f"{count} payloads, digest of the list {digest(payloads)}"
    assert signing["batch"] == {"digest": digest(payloads), "items": [
        {"reference": f"r{index}", "payload": text} for index, text in enumerate(payloads)]}
    assert person.get(f"/v1/signings/{signing['id']}")["batch"] == signing["batch"]
    signed = person.answer(signing).json
    results = check(signed, payloads, [f"r{index}" for index in range(count)])
    assert person.get(f"/v1/signings/{signing['id']}") == signed
    for result in results[:3]:
        answer = shared.operator.call("POST", "/v1/verifications", {"statement": result["payloadSignature"]}, expect=200)
        assert answer.json["verdict"] == "valid"
        row = person.get(f"/v1/statements/{result['dataSignatureID']}")
        assert row["ceremony"] == signing["id"] and row["reference"].startswith("r")
    listed = person.get("/v1/statements?count=1000")["statements"]
    assert sorted(row["dataSignatureID"] for row in listed) == sorted(result["dataSignatureID"] for result in results)
    rows = [row for row in shared.operator.audit(user=person.name) if row["event"] == "signed"]
    assert len(rows) == 1 and rows[0]["detail"] == f"batch of {count}, digest {digest(payloads)}"


def test_a_statement_by_itself_has_no_batch(shared):
    person = shared.operator.person()
    result = person.sign()
    assert "batch" not in claims(result["payloadSignature"])
    assert "reference" not in person.get(f"/v1/statements/{result['dataSignatureID']}")


def test_o43_a_service_signs_a_list_at_level_0(shared):
    name, payloads = shared.operator.add_user(), texts(1000)
    signing = start(shared.shop, [{"payload": text} for text in payloads], level=0, user=name).json
    check(signing, payloads, [None] * 1000)
    assert {claims(item["result"]["payloadSignature"])["aud"] for item in signing["batch"]["items"]} == {shared.shop.name}
    assert shared.shop.get(f"/v1/signings/{signing['id']}")["batch"] == signing["batch"]
    assert start(shared.shop, items(["a"]), level=1, user=name, expect=422).code == 214
    assert start(shared.operator, items(["a"]), expect=403).code == 1827


BAD = {
    "empty": ("", 1000), "blank": (" ", 1001), "long": ("x" * 501, 1002), "bytes": ("\U0001f468\u200d" * 600 + "x", 1003),
    "direction": ("a\u202eb", 1004), "control": ("a\u0000b", 1004),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("place", [0, 4, 9])
def test_o44_one_bad_payload_refuses_all_and_is_named(shared, name, place):
    person, payloads = shared.operator.person(), texts(10)
    payloads[place], code = BAD[name]
    problem = start(person, items(payloads), expect=422)
    assert problem.code == code and problem.json["position"] == place + 1
    assert person.get("/v1/statements")["statements"] == []
    # Nothing is open either.
    person.answer(start(person, items(texts(2))).json)


def test_o44_lists_that_cannot_be(shared):
    person = shared.operator.person()
    for payloads, status, code in (
        ([], 422, 1030), ([{"payload": "x"}] * 1001, 413, 1031), ([{"payload": "x", "reference": ""}], 422, 1033),
        ([{"payload": "x", "reference": "a"}, {"payload": "y", "reference": "a"}], 422, 1033),
        ([{"payload": "x", "reference": "r" * 129}], 422, 1033), ([{"payload": "x", "reference": "a\n"}], 422, 1033),
        ([{}], 400, 1802), (["x"], 400, 1803), ([["x"]], 400, 1803), ([None], 400, 1803), ({"payload": "x"}, 400, 1803), ("x", 400, 1803),
        ([{"payload": "x", "index": 0}], 400, 1801), ([{"payload": 1}], 400, 1803), ([{"payload": "x", "reference": 1}], 400, 1803),
        ([{"payload": "x", "reference": None}], 400, 1803),
    ):
        problem = start(person, payloads, expect=status)
        assert problem.code == code, (payloads[:2], problem)
    for members in ({"payload": "x"}, {"batch": {}}, {"position": 1}):
        assert start(person, items(["x"]), expect=400, **members).code == 1801
    assert person.call("POST", "/v1/signings", {
        "payloads": items(["x"]), "reason": "r", "authLevel": 1, "authenticatorType": 0}, expect=400).code in (1801, 1802)
    assert person.get("/v1/statements")["statements"] == []


def test_a3_a_huge_list_is_cut_off(shared):
    person = shared.operator.person()
    large = [{"payload": "x" * 500}] * 1000
    assert start(person, large).json["status"] == "challenged"
    person.call("DELETE", "/v1/signings/current", expect=204)
    too_large = [{"payload": "\u00e9" * 500}] * 1000 + [{"payload": "x" * 60_000}]
    assert start(person, too_large, expect=413).code in (1031, 1806)


def test_s7_a_batch_cannot_be_changed_once_it_is_asked(shared):
    person = shared.operator.person()
    signing = start(person, items(texts(3))).json
    for method, path in (("PUT", f"/v1/signings/{signing['id']}"), ("PATCH", f"/v1/signings/{signing['id']}"), ("GET", f"/v1/batches/{signing['id']}")):
        assert person.call(method, path, None if method == "GET" else {"payloads": []}).status in (404, 405)
    swapped = {"payloads": items(texts(2)), "batch": {"items": []}}
    for name, value in swapped.items():
        assert person.answer(signing, expect=400, **{name: value}).code == 1801
    assert start(person, items(texts(2)), expect=409).code == 1101
    assert person.answer(signing, generation=signing["generation"] + 1, expect=409).code == 1105
    check(person.answer(signing).json, texts(3), ["r0", "r1", "r2"])


def test_s3_an_answer_counts_once_and_for_its_own_batch(shared):
    person = shared.operator.person()
    first = start(person, items(texts(2))).json
    person.call("DELETE", f"/v1/signings/{first['id']}", expect=204)
    ended = person.get(f"/v1/signings/{first['id']}")
    assert ended["status"] == "cancelled" and "batch" not in ended and ended["payload"] == first["payload"]
    second = start(person, items(texts(3))).json
    assert person.answer(first, expect=409).code in (153, 1105)
    check(person.answer(second).json, texts(3), ["r0", "r1", "r2"])
    assert person.answer(second, expect=409).code == 1103
    assert len(person.get("/v1/statements")["statements"]) == 3


def test_s3_many_answers_at_once_sign_once(shared):
    person = shared.operator.person()
    signing = start(person, items(texts(20))).json
    twins = []
    for _ in range(6):
        twin = type(person)(person.daemon, person.name, person.password, person.key)
        twin.grant, twin.nonce = person.grant, person.nonce
        twins.append(twin)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda twin: twin.answer(signing, expect=None), twins))
    assert sum(answer.status == 200 for answer in answers) == 1
    assert len(person.get("/v1/statements?count=1000")["statements"]) == 20


def test_s6_the_batch_of_another_is_absent(shared):
    owner, other = shared.operator.person(), shared.operator.person()
    signing = start(owner, items(texts(2))).json
    for party in (other, shared.shop):
        party.call("GET", f"/v1/signings/{signing['id']}", expect=404)
    other.answer(signing, expect=404)
    owner.answer(signing)


def test_a9_one_key_for_the_whole_batch(shared):
    person, key = shared.operator.person(), new_id()
    first = start(person, items(texts(3)), once=key).json
    assert start(person, items(texts(3)), once=key).json["id"] == first["id"]
    answered = new_id()
    signed = person.answer(first, once=answered).json
    assert person.answer(first, once=answered).json == signed
    assert start(person, items(texts(3)), once=key).json == signed
    for other in (items(texts(2)), list(reversed(items(texts(3)))), items(texts(3), prefix="s")):
        assert start(person, other, once=key, expect=422).code == 1815
    assert len(person.get("/v1/statements")["statements"]) == 3
    name, key = shared.operator.add_user(), new_id()
    once = start(shared.shop, items(texts(3)), level=0, user=name, once=key).json
    assert start(shared.shop, items(texts(3)), level=0, user=name, once=key).json == once


def test_s1_a_wrong_answer_costs_one_attempt(shared):
    person = shared.operator.person()
    signing = start(person, items(texts(5))).json
    for left in (2, 1, 0):
        problem = person.answer(signing, "wrong", expect=403).json
        assert (problem["code"], problem["attemptsLeft"]) == (102, left)
    ended = person.get(f"/v1/signings/{signing['id']}")
    assert (ended["status"], ended["statusCode"]) == ("failed", 153) and "batch" not in ended
    assert person.get("/v1/statements")["statements"] == []
