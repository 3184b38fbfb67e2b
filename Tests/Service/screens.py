"""Shells on pseudo terminals, as somebody sits before them: what is typed, what is seen, and the prompts between."""

import fcntl
import os
import pathlib
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time

from daemon import PATIENCE

# What the shell shows when it is ready: the exit status of the command before.
READY = re.compile(r"^ready (\d+)> ", re.MULTILINE)


class Screen:
    """A shell on a terminal of its own. What is begun here ends with it."""

    def __init__(self, home: pathlib.Path, folder: pathlib.Path, path: str):
        """`path` is where its commands are found; `folder` where it begins."""
        self.leader, follower = pty.openpty()
        # Wide, so that no line is broken.
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 1000, 0, 0))
        self.shown, self.seen, self.changed = "", 0, threading.Condition()
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc", "-i"], stdin=follower, stdout=follower, stderr=follower, cwd=folder,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
            env={"PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8", "TERM": "dumb", "PS1": "ready $?> ", "HISTFILE": ""})
        os.close(follower)
        threading.Thread(target=self._read, daemon=True).start()
        self.wait(READY)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.shell.pid, signal.SIGKILL) if self.shell.poll() is None else None
        self.shell.wait(PATIENCE)
        os.close(self.leader)

    def _read(self):
        while True:
            try:
                data = os.read(self.leader, 65536)
            except OSError:
                return
            with self.changed:
                self.shown += data.decode(errors="replace").replace("\r", "")
                self.changed.notify_all()

    def wait(self, pattern: re.Pattern) -> re.Match:
        """The first place, behind what was waited for before, that fits."""
        limit = time.monotonic() + PATIENCE
        with self.changed:
            while not (found := pattern.search(self.shown, self.seen)):
                left = limit - time.monotonic()
                assert left > 0, f"never shown: {pattern.pattern}\n{self.shown}"
                self.changed.wait(left)
            self.seen = found.end()
        return found

    def type(self, line: str):
        os.write(self.leader, line.encode() + b"\n")

    def command(self, line: str):
        """Types a command; what it shows is what follows the echo."""
        self.type(line)
        self.wait(re.compile(re.escape(line) + "\n"))

    def finish(self, answers: dict) -> str:
        """Waits until the shell is ready again, and answers what is asked for meanwhile: a function for the words of each prompt. What was shown."""
        began = self.seen
        awaited = re.compile("|".join([READY.pattern, *(f"{words}[^\n]*: " for words in answers)]), re.MULTILINE)
        while not (ready := READY.fullmatch((found := self.wait(awaited)).group(0))):
            words = next(words for words in answers if found.group(0).startswith(words))
            self.type(answers[words]())
        assert ready.group(1) == "0", self.shown
        return self.shown[began:self.seen]
