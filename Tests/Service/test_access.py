"""Who may ask for what: every route with every kind of caller (attack A1)."""

import re

import pytest

from parties import Party, new_id
from proof import Key

# METHOD PATH: who is let in. A route that the service has and this table does not fails the test, and so does the reverse.
ALL, NOBODY = "all", ""
ROUTES = {
    "GET /healthz": ALL,
    "GET /readyz": ALL,
    "GET /metrics": ALL,
    "GET /.well-known/jwks.json": ALL,
    "GET /.well-known/countersign-keys": ALL,
    "GET /.well-known/oauth-authorization-server": ALL,
    "GET /v1/openapi.json": ALL,
    "POST /v1/verifications": ALL,
    "POST /v1/devices": "key",
    "POST /v1/sessions": "key",
    "POST /v1/operator/sessions": "key",
    "POST /v1/token": "form",
    "POST /v1/activations": "key",
    "GET /v1/activations/{id}": "key",
    "POST /v1/activations/{id}/verify": "key",
    "POST /v1/activations/{id}/finish": "key",
    "POST /v1/activations/{id}/fallback": "key",
    "DELETE /v1/activations/{id}": "key",
    "GET /v1/sessions": "person operator",
    "DELETE /v1/sessions/{id}": "person operator",
    "DELETE /v1/sessions/current": "person operator service",
    "GET /v1/devices": "person",
    "PATCH /v1/devices": "person",
    "POST /v1/signings": "person service",
    "POST /v1/batches": "person service",
    "GET /v1/signings/{id}": "person service operator",
    "DELETE /v1/signings/{id}": "person operator service",
    "DELETE /v1/signings/current": "person service",
    "POST /v1/signings/{id}/answers": "person",
    "POST /v1/notifications": "service operator",
    "GET /v1/notifications": "person",
    "GET /v1/notifications/history": "person",
    "GET /v1/notifications/{id}": "person service operator",
    "POST /v1/notifications/{id}/answer": "person",
    "POST /v1/notifications/{id}/dismiss": "person operator",
    "DELETE /v1/notifications/{id}": "service operator",
    "POST /v1/notifications/{id}/received": "person",
    "GET /v1/push-challenges": "person",
    "PUT /v1/devices/current/push-token": "person",
    "DELETE /v1/devices/current/push-token": "person",
    "GET /v1/events": "person",
    "POST /v1/requests": "service",
    "GET /v1/requests": "service",
    "GET /v1/requests/{id}": "service",
    "DELETE /v1/requests/{id}": "service",
    "GET /v1/groups": "operator",
    "POST /v1/groups": "operator",
    "PUT /v1/groups/{name}": "operator",
    "DELETE /v1/groups/{name}": "operator",
    "GET /v1/statements": "person service operator",
    "GET /v1/statements/{jti}": "person service operator",
    "GET /v1/users": "operator",
    "POST /v1/users": "operator",
    "GET /v1/users/{name}": "operator",
    "POST /v1/users/{name}/lock": "operator",
    "POST /v1/users/{name}/unlock": "operator",
    "POST /v1/users/{name}/activation-codes": "operator",
    "DELETE /v1/users/{name}/password": "operator",
    "GET /v1/users/{name}/sessions": "operator",
    "DELETE /v1/users/{name}/sessions": "operator",
    "GET /v1/users/{name}/devices": "operator",
    "DELETE /v1/users/{name}/devices/{id}": "operator",
    "POST /v1/users/{name}/devices/{id}/block": "operator",
    "POST /v1/users/{name}/devices/{id}/unblock": "operator",
    "DELETE /v1/users/{name}/signings": "operator",
    "DELETE /v1/signings": "operator",
    "GET /v1/keys": "operator",
    "POST /v1/keys": "operator",
    "POST /v1/keys/rotate": "operator",
    "POST /v1/keys/{kid}/retire": "operator",
    "POST /v1/keys/{kid}/revoke": "operator",
    "POST /v1/trust/history": "operator",
    "GET /v1/audit": "operator",
    "GET /v1/deliveries": "operator",
    "GET /v1/clients": "operator",
    "POST /v1/clients": "operator",
    "POST /v1/clients/{client}/lock": "operator",
    "POST /v1/clients/{client}/unlock": "operator",
    "GET /v1/settings": "operator",
    "PUT /v1/settings/{name}": "operator",
    "GET /v1/status": "operator",
}


def served(daemon) -> set:
    """The routes of the served document, with the names of parameters as this table has them."""
    document = daemon.get("/v1/openapi.json").json
    methods = {"get", "post", "put", "delete", "patch", "head", "options"}
    return {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item if method in methods}


def bare(route: str) -> str:
    return re.sub(r"\{[^}]*\}", "{}", route)


def test_a1_the_table_has_every_route_that_is_served_and_no_other(shared):
    assert {bare(route) for route in served(shared.daemon)} == {bare(route) for route in ROUTES}


@pytest.fixture(scope="module")
def callers(shared):
    ended = shared.operator.person()
    dead = ended.with_token_of(dict(ended.grant), ended.key)
    dead.nonce = ended.nonce
    ended.call("DELETE", "/v1/sessions/current", expect=204)
    unknown = shared.alice.with_token_of(dict(shared.alice.grant, access_token="csa_" + "A" * 43), shared.alice.key)
    locked = shared.operator.person()
    shared.operator.call("POST", f"/v1/users/{locked.name}/lock", expect=200)
    service = shared.operator.relying()
    gone = shared.operator.relying()
    shared.operator.call("POST", f"/v1/clients/{gone.name}/lock", expect=200)
    return {
        "anonymous": Party(shared.daemon), "ended": dead, "unknown token": unknown, "locked user": locked,
        "locked service": gone, "person": shared.operator.person(), "service": service, "operator": shared.operator,
    }


WITH_BODY = {
    "POST /v1/signings", "POST /v1/batches", "POST /v1/signings/{id}/answers", "POST /v1/users", "POST /v1/keys", "POST /v1/keys/rotate",
    "POST /v1/keys/{kid}/revoke", "POST /v1/clients", "PUT /v1/settings/{name}", "PATCH /v1/devices",
    "PUT /v1/devices/current/push-token",
}

# What stands in the place of a parameter: well-formed, and nobody's.
STANDINS = {"{id}": new_id(), "{jti}": new_id(), "{name}": "nobody-at-all", "{client}": "nobody-at-all", "{kid}": "A" * 43}


@pytest.mark.parametrize("route", [route for route, who in ROUTES.items() if who not in (ALL, "key", "form")])
@pytest.mark.parametrize(
    "caller", ["anonymous", "ended", "unknown token", "locked user", "locked service", "person", "service", "operator"])
def test_a1_only_those_who_may_get_in(callers, route, caller):
    method, path = route.split(" ")
    party, allowed = callers[caller], ROUTES[route].split()
    if caller in allowed and path in ("/v1/sessions/current", "/v1/signings", "/v1/keys/rotate", "/v1/keys", "/v1/events"):
        return  # An event stream does not end. The stories and the schema's cases do what would end this caller's session or change the keys.
    for name, value in STANDINS.items():
        path = path.replace(name, value)
    answer = party.call(method, path, {} if route in WITH_BODY else None)
    if caller in ("anonymous", "ended", "unknown token", "locked user", "locked service"):
        assert answer.status == 401, answer
        assert answer.header("www-authenticate")
        assert answer.code == (1820 if caller == "anonymous" else 1821)
    elif caller in allowed:
        assert answer.status not in (401, 403) and answer.status < 500, answer
    else:
        assert (answer.status, answer.code) == (403, 1827), answer


@pytest.mark.parametrize("path", ["/v1/devices", "/v1/activations", "/v1/sessions", "/v1/operator/sessions"])
def test_a1_without_a_proof_by_a_key_nobody_logs_in(shared, path):
    answer = Party(shared.daemon).call("POST", path, {}, expect=401)
    assert answer.code == 1822


def test_a1_what_is_anothers_is_absent(shared):
    owner, other = shared.operator.person(), shared.operator.person()
    signing = owner.start().json
    result = owner.answer(signing).json["result"]
    open_one = owner.start("Another").json
    absent = other.call("GET", f"/v1/signings/{new_id()}", expect=404).json
    for method, path in (
        ("GET", f"/v1/signings/{signing['id']}"), ("GET", f"/v1/signings/{open_one['id']}"),
        ("DELETE", f"/v1/signings/{open_one['id']}"),
    ):
        problem = other.call(method, path, expect=404).json
        assert dict(problem, requestID="") == dict(absent, requestID="")
    other.call("GET", f"/v1/statements/{result['dataSignatureID']}", expect=404)
    other.call("DELETE", f"/v1/sessions/{owner.grant['session']}", expect=404)
    assert other.get(f"/v1/statements?user={owner.name}")["statements"] == []
    shared.shop.call("GET", f"/v1/signings/{open_one['id']}", expect=404)
    shared.shop.call("DELETE", f"/v1/signings/{open_one['id']}", expect=404)
    assert owner.answer(open_one).json["status"] == "signed"


def test_a_service_with_a_bound_token_proves_its_key(shared):
    key = Key()
    service = shared.operator.relying()
    service.key = key
    service.log_in()
    assert service.grant["token_type"] == "DPoP"
    service.get("/v1/statements")
    bearer = service.with_token_of(dict(service.grant, token_type="Bearer"), None)
    bearer.call("GET", "/v1/statements", expect=401)
    thief = service.with_token_of(service.grant, Key())
    thief.call("GET", "/v1/statements", expect=401)


def test_the_operator_signs_nothing(shared):
    assert shared.operator.call("POST", "/v1/signings", {}, expect=403).code == 1827
