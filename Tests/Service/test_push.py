"""Push challenges from outside: what PyJWT reads of them with the service's key set, and who gets which."""

import jwt
import pytest

import test_activations as activations
import test_requests as requests
from test_notifications import ask, choose, second_device

TOKEN = "/v1/devices/current/push-token"
CHALLENGES = "/v1/push-challenges"


def enrol(person, token="a1b2", expect=204, **members):
    value = {"transport": "apns", "environment": "production", "token": token} | members
    return person.call("PUT", TOKEN, value, expect=expect)


def device(person) -> str:
    return next(entry["id"] for entry in person.get("/v1/devices")["devices"] if entry["current"])


def read(person) -> dict:
    """The challenges of a device by their notification, each verified by another library and the key set alone."""
    daemon, found = person.daemon, {}
    keys = jwt.PyJWKSet.from_dict(daemon.request("GET", "/.well-known/jwks.json").json)
    issuer = daemon.request("GET", "/.well-known/oauth-authorization-server").json["issuer"]
    for entry in person.get(CHALLENGES)["challenges"]:
        header = jwt.get_unverified_header(entry["challenge"])
        assert list(header) == ["alg", "kid", "typ"] and header["typ"] == "countersign-push+jwt"
        claims = jwt.decode(
            entry["challenge"], keys[header["kid"]].key, algorithms=[header["alg"]], audience=device(person), issuer=issuer)
        assert list(claims) == ["iss", "aud", "iat", "exp", "jti", "notification", "matter"]
        assert claims["notification"] == entry["notification"]
        found[entry["notification"]] = claims
    return found


def test_k22_k38_each_device_has_its_own_until_it_is_received(own):
    alice = own.operator.person()
    tablet = second_device(own, alice)
    assert alice.call("GET", CHALLENGES, expect=404).code == 1730
    enrol(alice)
    enrol(tablet, "ff")
    asked = ask(own.shop, alice.name).json
    (mine, theirs) = (read(alice), read(tablet))
    assert asked["id"] in mine and asked["id"] in theirs
    claims = mine[asked["id"]]
    assert claims["aud"] != theirs[asked["id"]]["aud"] and claims["matter"] == "message"
    assert (claims["exp"] - 1) * 1000 < asked["expiresAt"] <= claims["exp"] * 1000
    assert read(alice)[asked["id"]]["jti"] != claims["jti"]
    for _ in range(2):
        alice.call("POST", f"/v1/notifications/{asked['id']}/received", expect=204)
    assert asked["id"] not in read(alice) and asked["id"] in read(tablet)
    choose(alice, asked["id"], "Reject")
    assert asked["id"] not in read(tablet)


def test_k18_an_enrolment_ends_once_and_the_device_stays(own):
    alice = own.operator.person()
    assert alice.call("DELETE", TOKEN, expect=404).code == 1730
    enrol(alice)
    enrol(alice, "c3")
    alice.call("DELETE", TOKEN, expect=204)
    assert alice.call("DELETE", TOKEN, expect=404).code == 1730
    assert alice.call("GET", CHALLENGES, expect=404).code == 1730
    assert alice.get("/v1/devices")["devices"][0]["state"] == "active"


def test_n4_what_was_not_sent_to_a_device_it_cannot_have_received(own):
    alice, bob = own.operator.person(), own.operator.person()
    asked = ask(own.operator, alice.name).json
    late = second_device(own, alice)
    for person in (bob, late):
        enrol(person)
        assert asked["id"] not in read(person)
        for identifier in (asked["id"], "00000000-0000-4000-8000-000000000000", "x"):
            assert person.call("POST", f"/v1/notifications/{identifier}/received", expect=404).code == 1700


def test_k19_k20_what_an_administrator_removed_gets_an_error_of_the_service(own):
    alice = own.operator.person()
    enrol(alice)
    ask(own.shop, alice.name)
    own.operator.call("DELETE", f"/v1/users/{alice.name}/devices/{device(alice)}", expect=204)
    assert alice.call("GET", CHALLENGES, expect=401).code == 1821
    assert alice.call("DELETE", TOKEN, expect=401).code == 1821


@pytest.mark.parametrize("token", ["", "0", "AB", "../../x", "zz", "00" * 257, "00 ", "٠٠"])
def test_a_token_that_leads_elsewhere_is_refused(shared, token):
    assert enrol(shared.alice, token, expect=422).code == 1731


def test_a2_other_members_and_words_are_refused(shared):
    for members in ({"transport": "smoke"}, {"environment": "test"}, {"device": "x"}, {"token": 1}):
        assert enrol(shared.alice, expect=400, **members).code in (1801, 1803)


def test_the_token_is_told_to_nobody(own):
    alice = own.operator.person()
    enrol(alice, "deadbeef" * 8)
    for path in ("/v1/devices", CHALLENGES):
        assert "deadbeef" not in str(alice.get(path))
    assert "deadbeef" not in str(own.operator.audit()) and "deadbeef" not in own.daemon.log.read_text()


def parts(person, notification) -> tuple:
    """The challenge of a notification, and what verifies it."""
    daemon = person.daemon
    text = next(entry["challenge"] for entry in person.get(CHALLENGES)["challenges"] if entry["notification"] == notification)
    keys = jwt.PyJWKSet.from_dict(daemon.request("GET", "/.well-known/jwks.json").json)
    issuer = daemon.request("GET", "/.well-known/oauth-authorization-server").json["issuer"]
    return text, keys[jwt.get_unverified_header(text)["kid"]].key, issuer


def refused(text, key, issuer, audience, seconds) -> None:
    """Whoever is not meant, and whoever comes so many seconds late, believes nothing of it."""
    def decode(**options):
        return jwt.decode(text, key, algorithms=[jwt.get_unverified_header(text)["alg"]], **options)

    right = {"audience": audience, "issuer": issuer}
    assert decode(**right)["aud"] == audience
    with pytest.raises(jwt.InvalidAudienceError):
        decode(**right | {"audience": "00000000-0000-4000-8000-000000000000"})
    with pytest.raises(jwt.InvalidIssuerError):
        decode(**right | {"issuer": "https://other.example"})
    with pytest.raises(jwt.ExpiredSignatureError):
        decode(**right, leeway=-seconds, options={"verify_iat": False})
    with pytest.raises(jwt.InvalidSignatureError):
        head, body, signature = text.split(".")
        jwt.decode(
            ".".join([head, body, signature[:-4] + ("AAAA" if signature[-4:] != "AAAA" else "BBBB")]), key,
            algorithms=[jwt.get_unverified_header(text)["alg"]], **right)


def test_k22_k24_k26_a_push_about_a_signing_request(own):
    alice = own.operator.person()
    tablet = second_device(own, alice)
    enrol(alice)
    asked = requests.ask(own.shop, user=alice.name).json
    question = requests.question(alice, asked["id"])["id"]
    claims = read(alice)[question]
    assert claims["matter"] == "request" and not {"payload", "reason", "sub", "request"} & set(claims)
    refused(*parts(alice, question), device(alice), 600)
    assert tablet.call("GET", CHALLENGES, expect=404).code == 1730
    # What a quick action does: receive it, accept it, bring the password.
    alice.call("POST", f"/v1/notifications/{question}/received", expect=204)
    result = requests.accept(alice, asked["id"])
    done = requests.poll(own.shop, asked["id"]).json
    assert done["status"] == "done" and done["result"]["payloadSignature"] == result["payloadSignature"]
    assert question not in read(alice)
    # What its question is over for is told to nobody any more.
    second = requests.ask(own.shop, user=alice.name).json
    waiting = requests.question(alice, second["id"])["id"]
    assert waiting in read(alice)
    own.shop.call("DELETE", f"/v1/requests/{second['id']}", expect=204)
    assert waiting not in read(alice)
    assert choose(alice, waiting, "Accept", expect=409).code == 1701


def test_k22_k24_k26_a10_a_push_about_a_new_device(own):
    alice = own.operator.person()
    enrol(alice)
    tablet = activations.newcomer(alice)
    code = tablet.asked()
    question = activations.questions(alice)[0]
    claims = read(alice)[question["id"]]
    # Its members are all known: among their values, not somewhere in the digits of an id.
    assert claims["matter"] == "activation" and code not in [str(value) for value in claims.values()]
    refused(*parts(alice, question["id"]), device(alice), 600)
    alice.call("POST", f"/v1/notifications/{question['id']}/received", expect=204)
    activations.answer(alice, question, match_code=code)
    assert tablet.state()["state"] == "approved"
    tablet.finish()
    # The device that joined since is not asked about the next one, nor about what was before.
    enrol(tablet, "ff")
    assert question["id"] not in read(tablet) and question["id"] not in read(alice)
    late = activations.newcomer(alice)
    late.asked()
    waiting = activations.questions(alice)[0]["id"]
    assert waiting in read(alice)
    late.cancel()
    assert waiting not in read(alice) and waiting not in read(tablet)
