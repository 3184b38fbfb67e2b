"""The README as a newcomer plays it: every line of its chapters about the service typed as it stands, at terminals."""

import contextlib
import json
import os
import re
import types

import pytest

import parties
from daemon import ROOT, binary, run_cli, secret
from screens import Screen

README = (ROOT / "README.md").read_text()


def chapter(title: str) -> list:
    """The lines that are to be typed: in the blocks `console` those behind the dollar, in the blocks `sh` all."""
    text = README.partition(f"\n## {title}\n")[2].partition("\n## ")[0]
    lines = []
    for kind, block in re.findall(r"```(\w+)\n(.*?)```", text, re.DOTALL):
        assert kind in ("console", "sh"), kind
        lines += [line.removeprefix("$ ") for line in block.splitlines()]
        assert all(kind == "sh" or line.startswith("$ ") for line in block.splitlines()), block
    return lines


class Player:
    """Somebody who has the README and three terminals. Ids and codes are taken from where they are shown, all else is typed as it stands."""

    def __init__(self, screens: dict, port: int, password: str):
        self.screens, self.port, self.password = screens, port, password
        self.shown, self.running, self.code = {}, set(), None

    def play(self, line: str):
        """A line of a block `console`, at the first terminal, to its end."""
        screen = self.screens[1]
        screen.command(line.replace("8177", str(self.port)))
        screen.finish({"Password of": lambda: self.password})

    def finish(self, number: int):
        """Whatever runs at a terminal comes to its end; what it showed is looked at later."""
        answers = {"Password of": lambda: self.password, "Match code": lambda: self.code}
        if number in self.running:
            self.shown[number] = self.screens[number].finish(answers)
            self.running.remove(number)

    def begin(self, line: str):
        """A line of a block `sh`, at the terminal that it names. Whatever waits for others ends by the lines behind it."""
        command, _, note = line.partition(" # terminal ")
        number, _, note = note.partition(": ")
        number, screen = int(number), self.screens[int(number)]
        self.finish(number)
        for placeholder in re.findall(r"[0-9a-f]{8}-[0-9a-f-]{27}", command):
            # The id of the first line here that tells of a question.
            shown = next(row for row in self.shown[number].splitlines() if "Accept" in row)
            line = line.replace(placeholder, re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", shown).group(0))
        screen.command(line.replace("8177", str(self.port)))
        self.running.add(number)
        if "inbox accept" in command or "inbox list" in command:
            self.finish(number)
        elif note.startswith("match code "):
            self.code = screen.wait(re.compile(r"countersign: match code (\d\d)\n")).group(1)


@pytest.fixture
def desk(services, tmp_path):
    """The daemon that the README starts, and three terminals in one folder."""
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, variable in (("countersign", "COUNTERSIGN"), ("countersignd", "COUNTERSIGND")):
        (commands / name).symlink_to(binary(variable, name))
    daemon = services.new().start()
    home, folder = tmp_path / "home", tmp_path / "folder"
    home.mkdir()
    folder.mkdir()
    (home / "countersign-data").symlink_to(daemon.data)
    secret((daemon.data / "operator-token").read_text().strip())
    with contextlib.ExitStack() as stack:
        screens = {
            number: stack.enter_context(Screen(home, folder, f"{commands}:{os.environ['PATH']}")) for number in (1, 2, 3)}
        player = Player(screens, daemon.address[1], parties.new_password())
        yield types.SimpleNamespace(daemon=daemon, folder=folder, player=player, screens=screens)


def test_two_terminals_as_two_devices_and_a_third_as_the_script_by_the_readme_alone(desk):
    service, asking = chapter("Against a service"), chapter("Ask somebody who is not at the keyboard")
    # The daemon runs, on a port that is free; PyJWT and the example have tests of their own.
    started, *service = service
    assert started == 'countersignd --data "$HOME/countersign-data" &'
    for line in service:
        if not line.startswith("examples/"):
            desk.player.play(line)
    interactive = [line for line in asking if " # terminal " in line]
    assert len(interactive) == 6 and {line.partition(" # terminal ")[2][0] for line in interactive} == {"1", "2", "3"}
    for line in asking:
        desk.player.begin(line) if line in interactive else desk.player.play(line)
    for number in desk.screens:
        desk.player.finish(number)
    release, mine = [(desk.folder / name).read_text() for name in ("release.jws", "mine.jws")]
    assert release == mine and release
    keys = desk.folder / "keys"
    keys.write_bytes(desk.daemon.get("/.well-known/jwks.json").body)
    told = json.loads(run_cli(
        "verify", "--json", "--trust", keys, "--audience", "shop", "--reason", "Release 4.1", "--payload",
        "Deploy commit 3f9c1ab", desk.folder / "release.jws").stdout)
    assert told["claims"]["sub"] == "bob"
    for file in ("code", "shop.secret"):
        secret((desk.folder / file).read_text().strip())
