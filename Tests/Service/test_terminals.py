"""Two terminals as a person's two devices, and a third as the script that asks: the command line alone."""

import json
import signal
import types

import jwt
import pytest

from parties import new_password
from terminals import Terminal


@pytest.fixture
def desks(own, tmp_path):
    """The terminals of carol, who has one device yet, of the operator, and of the relying service `press`."""
    with Terminal(tmp_path / "one", own.daemon) as one, Terminal(tmp_path / "two", own.daemon) as two, \
            Terminal(tmp_path / "script", own.daemon) as script:
        origin = own.daemon.origin
        own.operator.add_user("carol")
        password = new_password()
        for terminal in (one, two):
            terminal.password = terminal.file("password", password)
        code = one.file("code", own.operator.activation_code("carol"))
        one.run("enrol", "--server", origin, "--user", "carol", "--code-file", code, "--password-file", one.password)
        press = own.operator.relying("press")
        script.run("login", "--server", origin, "--client", "press", "--secret-file", script.file("secret", press.text))
        yield types.SimpleNamespace(own=own, one=one, two=two, script=script)


def joined(desks):
    """The second terminal becomes a device by the word of the first."""
    watch = desks.one.start("inbox", "watch", "--json", "--limit", 1)
    new = desks.two.start(
        "activate", "--server", desks.own.daemon.origin, "--user", "carol", "--device-name", "the second terminal",
        "--password-file", desks.two.password)
    code = new.match_code()
    asked = json.loads(watch.line())
    assert asked["matter"] == "activation" and asked["activation"]["name"] == "the second terminal"
    assert asked["match"] == "required" and "match_code" not in asked
    watch.end()
    shown = desks.one.run("inbox", "show", asked["id"])
    assert "the second terminal" in shown
    desks.one.run("inbox", "accept", asked["id"], "--match-code", code)
    assert new.end() == ""


def claims(statement: str) -> dict:
    return jwt.decode(statement.strip(), options={"verify_signature": False})


def test_a11_a12_two_terminals_as_two_devices_and_a_third_as_the_script_that_asks(desks):
    joined(desks)
    names = {row["name"] for row in desks.two.rows("devices", "list")}
    assert "the second terminal" in names and len(names) == 2

    watches = [terminal.start("inbox", "watch", "--json") for terminal in (desks.one, desks.two)]
    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy commit 3f9c1ab", "--wait")
    code = asking.match_code()
    seen = []
    for watch in watches:
        while (row := json.loads(watch.line()))["matter"] != "request":
            pass
        seen.append(row)
    assert seen[0]["id"] == seen[1]["id"]
    assert seen[0]["request"]["payload"] == "Deploy commit 3f9c1ab" and seen[0]["request"]["asker"] == "press"
    shown = desks.two.run("inbox", "show", seen[0]["id"])
    assert "payload: Deploy commit 3f9c1ab" in shown and "reason:  Release 4.1" in shown and "press" in shown

    signed = desks.two.run("inbox", "accept", seen[0]["id"], "--match-code", code, "--password-file", desks.two.password)
    assert asking.end() == signed
    told = claims(signed)
    assert told["payload"] == "Deploy commit 3f9c1ab" and told["reason"] == "Release 4.1"
    assert told["sub"] == "carol" and told["aud"] == "press" and told["request"] == seen[0]["request"]["id"]
    desks.script.run(
        "verify", "--trust-server", "--audience", "press", "--payload", "Deploy commit 3f9c1ab", "--statement", signed.strip())
    # The first answer won.
    desks.one.run("inbox", "reject", seen[0]["id"], status=2)
    assert desks.script.run("ask", "--resume", told["request"]) == signed
    for watch in watches:
        watch.end(-signal.SIGINT, signal.SIGINT)


def test_the_script_learns_that_it_was_declined_and_takes_back_what_it_does_not_wait_for(desks):
    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy")
    asking.match_code()
    question = desks.one.start("inbox", "watch", "--json", "--limit", 1)
    desks.one.run("inbox", "reject", json.loads(question.line())["id"])
    assert asking.end(5) == ""

    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy again")
    asking.match_code()
    assert json.loads(desks.one.start("inbox", "watch", "--json", "--limit", 1).line())["matter"] == "request"
    assert asking.end(-signal.SIGINT, signal.SIGINT) == ""
    assert desks.one.rows("inbox", "list") == []
    assert desks.one.rows("inbox", "history", "--limit", 1)[0]["status"] == "DISCARDED"
    newest = desks.script.rows("requests", "list", "--limit", 1)[0]
    assert (newest["status"], newest["payload"]) == ("cancelled", "Deploy again")


def test_d6_three_wrong_match_codes_end_the_question_and_the_script_is_told(desks):
    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy")
    code = asking.match_code()
    wrong = "00" if code != "00" else "01"
    question = json.loads(desks.one.start("inbox", "watch", "--json", "--limit", 1).line())
    for _ in range(3):
        desks.one.run(
            "inbox", "accept", question["id"], "--match-code", wrong, "--password-file", desks.one.password, status=4)
    desks.one.run(
        "inbox", "accept", question["id"], "--match-code", code, "--password-file", desks.one.password, status=2)
    assert asking.end(5) == ""


def test_whoever_was_killed_waits_again_and_a_restart_of_the_service_ends_no_waiting(desks):
    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy")
    code = asking.match_code()
    asking.end(-signal.SIGKILL, signal.SIGKILL)
    question = json.loads(desks.one.start("inbox", "watch", "--json", "--limit", 1).line())
    waiting = desks.script.start("ask", "--resume", question["request"]["id"])
    desks.own.daemon.stop()
    desks.own.daemon.start()
    signed = desks.one.run(
        "inbox", "accept", question["id"], "--match-code", code, "--password-file", desks.one.password)
    assert waiting.end() == signed


def test_a_daemon_that_is_killed_and_started_again_ends_no_waiting(desks):
    daemon = desks.own.daemon
    # Whoever watches, and a new device that waits.
    watch = desks.one.start("inbox", "watch", "--json")
    new = desks.two.start(
        "activate", "--server", daemon.origin, "--user", "carol", "--password-file", desks.two.password)
    code = new.match_code()
    question = json.loads(watch.line())
    assert question["matter"] == "activation"
    daemon.kill()
    for waiting in (watch, new):
        assert waiting.line("stderr", "asking again").startswith("countersign: ")
    daemon.start()
    desks.one.run("inbox", "accept", question["id"], "--match-code", code)
    new.end()
    desks.two.run("sign", "--reason", "r", "--password-file", desks.two.password, "text")

    # Whoever asked.
    asking = desks.script.start("ask", "carol", "--reason", "Release 4.1", "Deploy commit 3f9c1ab", "--wait")
    code = asking.match_code()
    while (question := json.loads(watch.line()))["matter"] != "request":
        pass
    daemon.kill()
    for waiting in (watch, asking):
        waiting.line("stderr", "asking again")
    daemon.start()
    signed = desks.two.run("inbox", "accept", question["id"], "--match-code", code, "--password-file", desks.two.password)
    assert asking.end() == signed
    # What came is printed once, whatever happened between.
    watch.end(-signal.SIGINT, signal.SIGINT)
    ids = [json.loads(line)["id"] for line in watch.said["stdout"].splitlines()]
    assert len(ids) == len(set(ids))


def test_two_of_three_persons_of_a_group_make_a_bundle(desks, tmp_path):
    own, people = desks.own, {}
    for name in ("dora", "emil"):
        own.operator.add_user(name)
        terminal = Terminal(tmp_path / name, own.daemon)
        terminal.password = terminal.file("password", new_password())
        terminal.run(
            "enrol", "--server", own.daemon.origin, "--user", name, "--password-file", terminal.password,
            "--code-file", terminal.file("code", own.operator.activation_code(name)))
        people[name] = terminal
    own.operator.call("POST", "/v1/groups", {"group": "board", "members": ["carol", "dora", "emil"]}, expect=201)
    asking = desks.script.start("ask", "--group", "board", "--required", 2, "--reason", "Release 4.1", "Deploy")
    code = asking.match_code()
    for terminal in (people["emil"], desks.one):
        question = json.loads(terminal.start("inbox", "watch", "--json", "--limit", 1).line())
        assert question["request"]["quorum"] == "2/3"
        terminal.run("inbox", "accept", question["id"], "--match-code", code, "--password-file", terminal.password)
    bundle = tmp_path / "decision.json"
    bundle.write_text(asking.end())
    told = desks.script.run("verify", "--trust-server", "--audience", "press", "--require", 2, bundle)
    assert "carol" in told and "emil" in told
    assert people["dora"].rows("inbox", "list") == []
