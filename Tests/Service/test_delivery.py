"""What is carried to a webhook and to devices: once it is on record, until it is taken, and to nobody else."""

import base64
import json
import time
import types

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

import frames
from daemon import PATIENCE, run_cli, secret
from receivers import PushService, Webhook, reason
from services import with_people

NEWS = [{"lng": "en", "subject": "News", "message": "Read me"}]
TOKEN = "00ff" * 16


@pytest.fixture
def world(services, tmp_path):
    """A service with a webhook and a push service that both trust by one certificate."""
    chain, private, _ = frames.certificate(tmp_path)
    key = ec.generate_private_key(ec.SECP256R1())
    p8 = tmp_path / "AuthKey.p8"
    p8.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    secret(p8.read_text().splitlines()[1])
    push, hook = PushService(chain, private), Webhook(chain, private)
    daemon = services.new(
        "--delivery-ca", str(chain), "--apns-key", str(p8), "--apns-key-id", "KEYID12345", "--apns-team", "TEAM123456",
        "--apns-topic", "org.example.app", "--apns-origin", push.origin)
    people = with_people(daemon.start())
    yield types.SimpleNamespace(**vars(people), push=push, hook=hook, provider=key.public_key(), files=(chain, private))
    push.close()
    hook.close()


def tell(world, user="alice", **members) -> str:
    answer = world.operator.call("POST", "/v1/notifications", {"user": user, "body": NEWS} | members, expect=201)
    return answer.json["id"]


def set_webhook(world):
    world.operator.set("webhook-private", "true")
    world.operator.set("webhook", world.hook.url)


def deliveries(world, **filters) -> list:
    query = "&".join(f"{name}={value}" for name, value in filters.items())
    return world.operator.get("/v1/deliveries" + (f"?{query}" if query else ""))["deliveries"]


def receipts(world, is_it) -> list:
    """State and receipt of all that was to be carried, once that is so of each. It stays so, or another try changes it much later."""
    limit = time.monotonic() + PATIENCE
    while True:
        rows = [(row["state"], row.get("receipt")) for row in reversed(deliveries(world))]
        if rows and all(is_it(*row) for row in rows):
            return rows
        assert time.monotonic() < limit, rows
        time.sleep(0.05)


def enrol(person, token=TOKEN):
    value = {"transport": "apns", "environment": "production", "token": token}
    person.call("PUT", "/v1/devices/current/push-token", value, expect=204)


def event(world, request) -> dict:
    """A webhook's request, after what a receiver checks."""
    path, fields, body = request
    assert path == "/hook" and fields["Content-Type"] == "application/jwt"
    assert "Authorization" not in fields and "Cookie" not in fields
    header = jwt.get_unverified_header(body)
    assert header["typ"] == "countersign-event+jwt"
    keys = world.daemon.get("/.well-known/jwks.json").json["keys"]
    key = next(key for key in keys if key["kid"] == header["kid"])
    return jwt.decode(body, ECAlgorithm.from_jwk(json.dumps(key)), algorithms=["ES256"], audience=world.hook.url)


def test_an_event_is_signed_and_names_what_happened(world):
    set_webhook(world)
    made = tell(world)
    world.alice.call("POST", f"/v1/notifications/{made}/dismiss", expect=200)
    events = [event(world, request) for request in world.hook.wait(2)]
    first, second = sorted(events, key=lambda each: each["event"], reverse=True)
    assert first["event"] == "notification-made" and first["status"] == "PENDING"
    assert second["event"] == "notification-ended" and second["status"] == "DISMISSED"
    for each in events:
        assert each["user"] == "alice" and each["notification"] == made and each["iss"].startswith("urn:uuid:")
        assert set(each) == {"iss", "aud", "iat", "jti", "event", "at", "user", "notification", "status"}
    assert first["jti"] != second["jti"]


def test_what_is_refused_is_sent_again_and_is_the_same(world):
    world.hook.answer = lambda number: [(503, {"Retry-After": "1"}, b""), (429, {}, b""), (200, {}, b"")][min(number, 2)]
    set_webhook(world)
    tell(world)
    ids = [event(world, request)["jti"] for request in world.hook.wait(3)]
    assert len(set(ids)) == 1


def test_a_killed_daemon_loses_nothing_and_the_outbox_goes_on(world):
    world.hook.answer = lambda number: (500, {}, b"") if number == 0 else (204, {}, b"")
    set_webhook(world)
    made = tell(world)
    world.hook.wait(1)
    world.daemon.kill()
    world.daemon.start()
    first, second = [event(world, request) for request in world.hook.wait(2)]
    assert first["jti"] == second["jti"] and second["notification"] == made


def test_the_operator_sees_what_was_taken_what_was_refused_and_what_is_tried_again(world):
    answers = [(200, {}, b""), (410, {}, b""), (503, {}, b"")]
    world.hook.answer = lambda number: answers[min(number, 2)]
    set_webhook(world)
    before, made = time.time() * 1000, []
    for number, user in enumerate(["alice", "bob", "alice"]):
        made.append(tell(world, user))
        receipts(world, lambda state, receipt: receipt)
        world.hook.wait(number + 1)
    rows = deliveries(world)
    assert [row["notification"] for row in rows] == made[::-1], "the newest first"
    assert [(row["state"], row["receipt"]) for row in rows] == [("waiting", "503"), ("failed", "410"), ("delivered", "200")]
    waiting, failed, delivered = rows
    for row, request in zip(rows[::-1], world.hook.requests):
        told = event(world, request)
        assert row["id"] == told["jti"] and row["event"] == told["event"] == "notification-made"
        assert row["user"] == told["user"] and row["status"] == told["status"] == "PENDING" and row["createdAt"] == told["at"]
        assert row["transport"] == "webhook" and "device" not in row and row["attempts"] >= 1
    assert "endedAt" not in waiting and waiting["nextAt"] > before
    for row in (failed, delivered):
        assert row["attempts"] == 1 and "nextAt" not in row and row["endedAt"] >= row["createdAt"]
    for state in ("waiting", "failed", "delivered"):
        assert [row["state"] for row in deliveries(world, state=state)] == [state]
    assert [row["id"] for row in deliveries(world, user="bob")] == [failed["id"]]
    assert [row["id"] for row in deliveries(world, notification=made[0])] == [delivered["id"]]
    assert deliveries(world, transport="apns") == deliveries(world, user="nobody-at-all") == []
    assert [row["id"] for row in deliveries(world, startIndex=2, count=1)] == [failed["id"]]
    assert [row["id"] for row in deliveries(world, until=failed["createdAt"])] == [delivered["id"]]
    for query in ("state=sent", "state=", "transport=smoke", "count=0", "count=1001", "other=1", "since=x"):
        assert world.operator.call("GET", f"/v1/deliveries?{query}").status == 400, query
    assert "127.0.0.1" not in json.dumps(rows), "the URL may be a secret"
    # The command says the same, on the store as well.
    told = run_cli("deliveries", "--json", "--state", "failed", "--store", world.daemon.data).stdout
    assert json.loads(told) == failed
    lines = run_cli("deliveries", "--store", world.daemon.data).stdout.decode().splitlines()
    assert [line.split("  ")[1:6] for line in lines] == [
        [row["id"], "webhook", "notification-made", row["user"], row["state"]] for row in rows]
    assert "410" in lines[1] and " next " in lines[0]


def test_the_receipt_of_a_push_has_no_token(world):
    world.push.answer = lambda number: (400, {}, reason("BadDeviceToken")) if number == 0 else (200, {}, b"")
    enrol(world.alice)
    tell(world)
    assert receipts(world, lambda state, receipt: state == "failed") == [("failed", "400 BadDeviceToken")]
    tell(world)
    receipts(world, lambda state, receipt: state != "waiting")
    delivered, failed = deliveries(world, transport="apns")
    device = world.alice.get("/v1/devices")["devices"][0]["id"]
    assert delivered["receipt"] == delivered["id"] and delivered["device"] == failed["device"] == device
    assert TOKEN not in json.dumps([delivered, failed])


def test_redirects_are_not_followed(world):
    elsewhere = Webhook(*world.files)
    world.hook.answer = lambda number: (302, {"Location": elsewhere.url}, b"") if number == 0 else (200, {}, b"")
    set_webhook(world)
    tell(world)
    world.hook.wait(2)
    assert elsewhere.requests == []
    elsewhere.close()


def test_a_private_address_is_refused_unless_it_is_allowed(world):
    world.operator.set("webhook", world.hook.url)
    made = tell(world)
    ((state, receipt),) = receipts(world, lambda state, receipt: receipt)
    assert state == "waiting" and "not of the internet at large" in receipt
    assert world.hook.requests == []
    world.operator.set("webhook-private", "true")
    assert event(world, world.hook.wait(1)[0])["notification"] == made
    assert receipts(world, lambda state, receipt: state == "delivered") == [("delivered", "200")]


def test_only_https_urls_are_taken(world):
    for url in [
        "http://127.0.0.1/", "https://", "https://user@example.com/", "ftp://x/", "https://a b/", "https://x/#y", "",
        # What the courier could never send to.
        "https://x:/", "https://x:0/", "https://x:65536/", "https://x:+1/", "https://x:1:2/", "https://x_y/", "https://[::1/", "https://[]/",
        "https://[::1]x/", "https://[fe80::1%25eth0]/", "https://:1/",
    ]:
        answer = world.operator.call("PUT", "/v1/settings/webhook", {"value": url})
        assert answer.status == 422, (url, answer)
    for url in ["https://x", "https://X.example:65535/a?b=c:d@e", "https://[2001:db8::1]:1/", "https://192.0.2.1?a"]:
        world.operator.set("webhook", url)
    world.operator.set("webhook", "none")


def test_a_push_speaks_the_documented_contract(world):
    enrol(world.alice)
    made = tell(world)
    head, body = world.push.wait(1)[0]
    assert head[":method"] == "POST" and head[":path"] == f"/3/device/{TOKEN}"
    assert head["apns-topic"] == "org.example.app" and head["apns-push-type"] == "alert"
    assert head["apns-collapse-id"] == made and len(head["apns-id"]) == 36
    scheme, _, token = head["authorization"].partition(" ")
    assert scheme == "bearer" and jwt.get_unverified_header(token) == {"alg": "ES256", "kid": "KEYID12345"}
    assert jwt.decode(token, world.provider, algorithms=["ES256"])["iss"] == "TEAM123456"
    assert len(body) <= 4096 and b"Read me" not in body and b"alice" not in body
    challenge = json.loads(body)["countersign"]
    part = challenge.split(".")[1]
    claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    assert claims["notification"] == made
    assert jwt.get_unverified_header(challenge)["typ"] == "countersign-push+jwt"


def test_410_forgets_the_token(world):
    world.push.answer = lambda number: (410, {}, reason("Unregistered", timestamp=1)) if number == 0 else (200, {}, b"")
    enrol(world.alice)
    tell(world)
    world.push.wait(1)
    assert receipts(world, lambda state, receipt: state == "failed") == [("failed", "410 Unregistered")]
    (failed,) = world.operator.audit(event="delivery-failed")
    assert "410 Unregistered" in failed["detail"] and TOKEN not in json.dumps(failed)
    # Nothing goes to a token that is forgotten; a new one is served.
    tell(world)
    enrol(world.alice, token="11ee" * 16)
    tell(world)
    assert world.push.wait(2)[1][0][":path"].endswith("11ee" * 16)


def test_an_expired_provider_token_is_renewed_at_once(world):
    world.push.answer = lambda number: (403, {}, reason("ExpiredProviderToken")) if number == 0 else (200, {}, b"")
    enrol(world.alice)
    tell(world)
    first, second = [head for head, _ in world.push.wait(2)]
    assert first["authorization"] != second["authorization"] and first["apns-id"] == second["apns-id"]


def test_what_the_push_service_cannot_take_now_is_sent_again(world):
    world.push.answer = lambda number: [(429, {}, reason("TooManyRequests")), (500, {}, reason("InternalServerError")), (200, {}, b"")][min(number, 2)]
    enrol(world.alice)
    tell(world)
    heads = [head for head, _ in world.push.wait(3)]
    assert len({head["apns-id"] for head in heads}) == 1
