"""A daemon on a free port of this machine, with a data directory of its own and a log that is searched for secrets."""

import os
import pathlib
import resource
import signal
import socket
import subprocess
import time

import wire

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Seconds until something that must come is given up: many times what a slow machine needs.
PATIENCE = 120

# Whatever must never be found in a log or in a store: every password, token and code of this run adds itself.
secrets: set = set()


def secret(text: str) -> str:
    secrets.add(text)
    return text


def binary(variable: str, name: str) -> str:
    path = pathlib.Path(os.environ.get(variable, ROOT / ".build-static/release" / name))
    assert path.exists(), f"there is no {name}; run 'make build' first"
    return str(path.resolve())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Daemon:
    def __init__(self, folder: pathlib.Path, *options: str, data: pathlib.Path | None = None):
        self.folder, self.options = folder, options
        self.data = data or folder / "data"
        self.log = folder / "log"
        self.address = ("127.0.0.1", free_port())
        self.origin = f"http://127.0.0.1:{self.address[1]}"
        self.process = None

    def command(self, *arguments) -> list:
        return [binary("COUNTERSIGND", "countersignd"), *map(str, arguments)]

    def spawn(self, *prefix: str, host: str = "127.0.0.1"):
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*prefix, *self.command("--data", self.data, "--listen", f"{host}:{self.address[1]}", *self.options)],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}, start_new_session=True,
            )

    def start(self, *prefix: str) -> "Daemon":
        """Starts it and waits until it answers."""
        self.spawn(*prefix)
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            assert self.process.poll() is None, f"the daemon ended with {self.process.returncode}:\n{self.said()[-3000:]}"
            try:
                if self.get("/readyz").status == 200:
                    return self
            except OSError:
                pass
            time.sleep(0.005)
        raise AssertionError(f"the daemon did not come up:\n{self.said()[-3000:]}")

    def stop(self) -> int:
        """Asks it to end, and waits."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        self.process = None
        return status

    def kill(self):
        """SIGKILL: nothing of it has time for anything."""
        self.process.kill()
        self.process.wait()
        self.process = None

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""

    def connect(self, timeout: float = 20) -> wire.Connection:
        return wire.Connection(self.address, timeout)

    def request(self, method: str, target: str, headers=(), body: bytes | None = None) -> wire.Answer:
        """One request on a connection of its own."""
        with self.connect() as connection:
            return connection.request(method, target, headers, body)

    def get(self, target: str, headers=()) -> wire.Answer:
        return self.request("GET", target, headers)

    def alive(self) -> bool:
        return self.process is not None and self.process.poll() is None and self.get("/healthz").status == 200

    def resident(self) -> int:
        """The memory that it holds now, in bytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        raise AssertionError("no VmRSS")

    def processor_seconds(self) -> float:
        """What it has worked since it started: proc(5), the 14th and 15th field of `stat`."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def connections(self) -> int:
        """How many connections it has accepted and not closed, from proc(5), /proc/net/tcp: its descriptors only root may see."""
        port = f":{self.address[1]:04X}"
        rows = [line.split() for line in pathlib.Path("/proc/net/tcp").read_text().splitlines()[1:]]
        # One that waits to be accepted, or that was closed, has no inode; the state 0A is listening.
        return sum(row[1].endswith(port) and row[3] != "0A" and row[9] != "0" for row in rows)

    def leaks(self) -> list:
        """The files of log and store that hold a secret, with the first six characters of it."""
        found = []
        for path in [self.log, *(path for path in self.data.rglob("*") if path.is_file())]:
            if not path.exists() or path.name == "operator-token":
                continue
            content = path.read_bytes()
            found += [f"{path.name}: {text[:6]}…" for text in secrets if text.encode() in content]
        return found


def run_cli(*arguments, status: int | None = 0, input: bytes | None = None, **environment) -> subprocess.CompletedProcess:
    """Runs the command line, with no environment but the path and what is given."""
    result = subprocess.run(
        [binary("COUNTERSIGN", "countersign"), *map(str, arguments)], input=input, capture_output=True, check=False,
        env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", **environment},
    )
    assert status is None or result.returncode == status, (arguments, result.returncode, result.stderr)
    return result


def more_descriptors(count: int) -> bool:
    """Raises this process's limit of open files; false where it may not."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < count:
        return False
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))
    return True
