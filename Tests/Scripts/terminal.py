#!/usr/bin/env python3
"""Runs a command on a terminal of its own: terminal.py [--out FILE] [STEP...] -- COMMAND...

A step is `wait TEXT` (until the terminal shows it), `send TEXT`, `line TEXT` (with Enter), `key c` (Control-C and so on) or
`run COMMAND` (in a shell, away from the terminal, to its end).
What the terminal showed goes to stdout; `--out` takes the command's stdout away from the terminal. On stderr, one a line:
`echo on|off at TEXT` when a wait is over, `echo on|off at end`, and `signal N` when the command died by one. The exit status is
the command's own, 128 + N for a signal, 124 where a wait lasted over a minute.
"""
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time


def main() -> int:
    arguments = sys.argv[1:]
    split = arguments.index("--")
    steps, command = arguments[:split], arguments[split + 1:]
    out = None
    if steps[:1] == ["--out"]:
        out, steps = steps[1], steps[2:]

    # One more descriptor of the terminal keeps it readable after the command has gone.
    leader, follower = pty.openpty()
    child = os.fork()
    if child == 0:
        os.setsid()
        import fcntl
        fcntl.ioctl(follower, termios.TIOCSCTTY, 0)
        for descriptor in (0, 1, 2):
            os.dup2(follower, descriptor)
        if out:
            os.dup2(os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 1)
        os.close(leader)
        if follower > 2:
            os.close(follower)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.execvp(command[0], command)

    shown = b""
    seen = 0

    def echo() -> str:
        return "on" if termios.tcgetattr(follower)[3] & termios.ECHO else "off"

    def read(timeout: float) -> bool:
        nonlocal shown
        if not select.select([leader], [], [], timeout)[0]:
            return False
        shown += os.read(leader, 65536)
        return True

    status = None
    for verb, text in zip(steps[::2], steps[1::2]):
        if verb == "wait":
            deadline = time.monotonic() + 60
            while (at := shown.find(text.encode(), seen)) < 0:
                if not read(0.1) and (time.monotonic() > deadline or os.waitpid(child, os.WNOHANG)[0]):
                    print(f"never shown: {text}", file=sys.stderr)
                    sys.stdout.buffer.write(shown)
                    try:
                        os.kill(child, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
                    return 124
            seen = at + len(text.encode())
            # A prompt may be written just before echo is switched off.
            for _ in range(20):
                if echo() == "off":
                    break
                time.sleep(0.01)
            print(f"echo {echo()} at {text}", file=sys.stderr)
        elif verb == "run":
            subprocess.run(["bash", "-c", text], check=True, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        else:
            data = {"send": text, "line": text + "\n", "key": chr(ord(text[0]) & 31)}[verb]
            os.write(leader, data.encode())

    deadline = time.monotonic() + 60
    while status is None:
        read(0.05)
        done, code = os.waitpid(child, os.WNOHANG)
        if done:
            status = code
        elif time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            print("did not end", file=sys.stderr)
            status = os.waitpid(child, 0)[1]
    while read(0.05):
        pass
    print(f"echo {echo()} at end", file=sys.stderr)
    sys.stdout.buffer.write(shown)
    if os.WIFSIGNALED(status):
        print(f"signal {os.WTERMSIG(status)}", file=sys.stderr)
        return 128 + os.WTERMSIG(status)
    return os.WEXITSTATUS(status)


sys.exit(main())
