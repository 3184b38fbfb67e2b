"""The command line as people sit before it: each terminal has a home of its own, and what runs there is read line by line."""

import json
import os
import pathlib
import queue
import subprocess
import threading

from daemon import PATIENCE, Daemon, binary, secret


class Running:
    """A command that runs, whose lines are waited for."""

    def __init__(self, process: subprocess.Popen):
        self.process = process
        self.lines = {"stdout": queue.Queue(), "stderr": queue.Queue()}
        self.said = {"stdout": "", "stderr": ""}
        self.readers = [threading.Thread(target=self._read, args=(name,), daemon=True) for name in self.lines]
        for reader in self.readers:
            reader.start()

    def _read(self, name: str):
        for line in getattr(self.process, name):
            self.said[name] += line
            self.lines[name].put(line.rstrip("\n"))
        self.lines[name].put(None)

    def line(self, name: str = "stdout", having: str = "") -> str:
        """The next line that has this text."""
        while True:
            line = self.lines[name].get(timeout=PATIENCE)
            assert line is not None, f"it ended without {having!r}: {self.said}"
            if having in line:
                return line

    def match_code(self) -> str:
        return self.line("stderr", "match code ").rpartition(" ")[2]

    def end(self, status: int | None = 0, signal: int | None = None) -> str:
        """Waits for its end, after a signal where one is given; what it printed."""
        if signal is not None:
            self.process.send_signal(signal)
        ended = self.process.wait(PATIENCE)
        for reader in self.readers:
            reader.join(PATIENCE)
        assert status is None or ended == status, (self.process.args, ended, self.said)
        return self.said["stdout"]


class Terminal:
    """Somebody's terminal. What is begun here ends with it."""

    def __init__(self, folder: pathlib.Path, daemon: Daemon):
        folder.mkdir(parents=True)
        self.folder, self.daemon, self.running = folder, daemon, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for running in self.running:
            if running.process.poll() is None:
                running.process.kill()
            running.end(status=None)

    def file(self, name: str, text: str) -> pathlib.Path:
        """A file for this terminal's owner alone."""
        path = self.folder / name
        path.touch(mode=0o600)
        path.write_text(secret(text) + "\n")
        return path

    def start(self, *words) -> Running:
        running = Running(subprocess.Popen(
            [binary("COUNTERSIGN", "countersign"), *map(str, words)], stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder)},
        ))
        self.running.append(running)
        return running

    def run(self, *words, status: int = 0) -> str:
        return self.start(*words).end(status)

    def rows(self, *words) -> list:
        return [json.loads(row) for row in self.run(*words, "--json").splitlines()]
