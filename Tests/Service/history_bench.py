"""The history of a person with a million notifications beside that of one with a thousand, on one service: the same pages, by each filter.

Fails where a page of the million takes ten times as long as the same page of the thousand. The rows are written into the store while the service
stands still; a keyword is looked for among a few days, as docs/notifications.md advises.
"""

import json
import pathlib
import sqlite3
import statistics
import sys
import tempfile
import time
import uuid

from services import LIMITS, with_people
from daemon import Daemon

DAY = 86_400_000
BASE = 1_700_000_000_000
STATUS = {0: ("EXPIRED", "NONE"), 1: ("DISCARDED", "NONE"), 2: ("DISMISSED", "NONE")}
INSERT = """
    INSERT INTO notifications (id, user_name, origin, enterprise, content, created_at, expires_at, status, action,
        device, changed_at, version, folded) VALUES (?, ?, 'operator', ?, ?, ?, ?, ?, ?, ?, ?, 2, ?)
"""
CONTENT = json.dumps(
    {"body": [{"lng": "en", "subject": "Transfer", "message": "Pay 5.00 EUR to Bob?", "labels": {"Accept": "Approve"}}],
     "actions": [{"action": "Accept", "level": 0}]}, separators=(",", ":"))


def rows(user: str, device: str, count: int):
    """One a minute at most, so that both persons' rows lie over the same days; one in a hundred is of another kind."""
    step = DAY * 365 // count
    for index in range(count):
        at = BASE + index * step
        status, action = STATUS.get(index % 100, ("UPDATED", "Accept"))
        yield (
            str(uuid.uuid4()), user, "rare" if index % 100 == 3 else "acme", CONTENT, at, at + 300_000, status, action,
            device if status == "UPDATED" else None, at + 1000, f"transfer\npay 5.00 eur to bob? {index}")


def fill(store: pathlib.Path, user: str, device: str, count: int):
    with sqlite3.connect(store) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.executemany(INSERT, rows(user, device, count))
        connection.execute(
            "INSERT INTO notification_devices (notification, device, changed_at) "
            "SELECT id, ?, changed_at FROM notifications WHERE user_name = ?", (device, user))
    connection.close()


def main(count: int, few: int = 1000, rounds: int = 30) -> int:
    with tempfile.TemporaryDirectory() as folder:
        daemon = Daemon(pathlib.Path(folder), *LIMITS)
        people = with_people(daemon.start())
        devices = {
            person.name: person.get("/v1/devices")["devices"][0]["id"] for person in (people.alice, people.bob)}
        daemon.stop()
        fill(daemon.data / "store.sqlite", "alice", devices["alice"], count)
        fill(daemon.data / "store.sqlite", "bob", devices["bob"], few)
        daemon.start()
        worst = 0.0
        for name, query in [
            ("all", ""), ("page 50", "startIndex=491"), ("days", "from=2024-03-01&to=2024-03-31"), ("status", "status=EXPIRED"),
            ("action", "action=NONE"), ("enterprise", "enterprise=rare"), ("device", "device={device}"),
            ("device, days", "device={device}&from=2024-03-01&to=2024-03-31"),
            ("keyword, found", "keyword=EUR"), ("keyword, in a day", "keyword=nothing&from=2024-03-01&to=2024-03-01"),
        ]:
            times = {}
            for person in (people.bob, people.alice):
                path = "/v1/notifications/history?" + query.format(device=devices[person.name])
                person.get(path)
                taken = []
                with daemon.connect() as connection:
                    person.connection = connection
                    for _ in range(rounds):
                        begin = time.perf_counter()
                        found = person.get(path)["notifications"]
                        taken.append(time.perf_counter() - begin)
                    person.connection = None
                times[person.name] = statistics.median(taken)
            ratio = times["alice"] / times["bob"]
            worst = max(worst, ratio)
            print(f"{name:20} {few:>9,} rows {times['bob'] * 1000:7.2f} ms   {count:>9,} rows {times['alice'] * 1000:7.2f} ms"
                  f"   x {ratio:.1f}   ({len(found)} entries)", flush=True)
        daemon.stop()
    print(f"worst: x {worst:.1f}")
    return 0 if worst < 10 else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000))
