"""The served OpenAPI document against the answers (attack A10): cases that fit it, and cases that do not.

`COUNTERSIGN_CASES` is the number of cases of each kind for each route. Cases are the same in every run.
"""

import os
import re

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance
from parties import Party
from services import Services
from test_access import ROUTES, bare

CASES = int(os.environ.get("COUNTERSIGN_CASES", "12"))
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


class Caller(requests.auth.AuthBase):
    """Adds token and proof to a request as it goes out, so that the proof is of the address that is really asked."""

    def __init__(self, party):
        self.party = party

    def __call__(self, request):
        path = request.url.removeprefix(self.party.daemon.origin)
        for name in ("Authorization", "DPoP"):
            request.headers.pop(name, None)
        request.headers.update(dict(self.party.headers(request.method, path)))
        return request


class Session(requests.Session):
    """Asks again with the nonce where one is wanted."""

    def __init__(self, party):
        super().__init__()
        self.party, self.auth, self.trust_env = party, Caller(party), False

    def request(self, *arguments, **named):
        for _ in range(2):
            response = super().request(*arguments, **named)
            self.party.nonce = response.headers.get("DPoP-Nonce", self.party.nonce)
            if response.status_code != 401 or b"use_dpop_nonce" not in response.content:
                break
        return response


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A service of these tests' own, since some cases change what others rely on."""
    services = Services(tmp_path_factory)
    own = services.started()
    own.document = schemathesis.openapi.from_url(own.daemon.origin + "/v1/openapi.json")
    own.signing = own.alice.sign()
    yield own
    services.end()


def caller(world, route):
    allowed = ROUTES[route].split()
    if route == "DELETE /v1/sessions/current":
        return world.bob.twin()
    if "person" in allowed:
        return world.alice
    if "operator" in allowed:
        return world.operator
    return Party(world.daemon, world.bob.key if "key" in allowed else None)


# The library leaves out the address that the document came from; an event stream has no end (test_events.py).
@pytest.mark.parametrize("route", [route for route in ROUTES if route not in ("GET /v1/openapi.json", "GET /v1/events")])
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["fits", "does not fit"])
def test_a10_answers_are_as_the_document_says(world, route, mode):
    operation = next(
        found.ok() for found in world.document.get_all_operations()
        if bare(f"{found.ok().method.upper()} {found.ok().path}") == bare(route))
    session = Session(caller(world, route))

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=CASES, database=None, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
    def ask(case):
        response = case.call(base_url=world.daemon.origin, session=session, timeout=20)
        if response.status_code == 503 and "retry-after" in response.headers:
            return
        # The library takes a JWT's media type for JSON.
        is_jwt = response.headers.get("content-type") == ["application/jwt"]
        case.validate_response(response, checks=[check for check in CHECKS if not (is_jwt and check is response_schema_conformance)])

    try:
        ask()
    except Unsatisfiable:
        assert mode == GenerationMode.NEGATIVE, "no case fits the document"


def test_a10_the_service_is_well_after_all_cases(world):
    assert world.daemon.alive()
    world.alice.log_in()
    assert world.alice.sign()["dataPayload"]


def test_the_document_names_every_member_that_answers_have(world):
    text = world.daemon.get("/v1/openapi.json").body.decode()
    assert world.daemon.get("/v1/openapi.json").json["openapi"].startswith("3.1")
    for name in (*world.signing, "attemptsLeft", "challengeMode", "requestID", "DPoP-Nonce", "Idempotency-Key"):
        assert re.search(rf'"{name}"', text), name
