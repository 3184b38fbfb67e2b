"""A store that fails under the running service (attacks R1 to R6): the right refusal, and the service goes on."""

import contextlib
import os
import shutil
import sqlite3
import subprocess
import threading
import time

import pytest

from daemon import Daemon, binary, run_cli
from parties import Person, Relying
from services import with_people

BUSY = range(1500, 1506)


def statements(daemon) -> set:
    with sqlite3.connect(f"file:{daemon.data}/store.sqlite?mode=ro", uri=True) as store:
        return {row[0] for row in store.execute("SELECT jti FROM statements")}


def test_r3_while_another_process_holds_the_lock_it_is_busy_and_then_goes_on(own):
    signing = own.alice.start().json
    holder = sqlite3.connect(own.daemon.data / "store.sqlite", isolation_level=None, timeout=30)
    holder.execute("BEGIN IMMEDIATE")
    try:
        answers = []
        threads = [
            threading.Thread(target=lambda: answers.append(own.shop.start(level=0, user="alice", expect=None))),
            threading.Thread(target=lambda: answers.append(own.alice.answer(signing, "wrong", expect=None))),
            threading.Thread(target=lambda: answers.append(own.daemon.get("/healthz"))),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    assert sorted(answer.status for answer in answers) == [200, 503, 503], answers
    for answer in answers:
        if answer.status == 503:
            assert int(answer.header("retry-after")) >= 1 and answer.code in BUSY
    assert own.alice.get(f"/v1/signings/{signing['id']}")["attemptsLeft"] == 3
    assert own.alice.answer(signing).json["status"] == "signed"
    own.shop.sign("alice")


@pytest.fixture
def small_disk(tmp_path):
    """A folder on a file system of its own with 32 MB; skips where this process may not mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", folder], capture_output=True)
    if made.returncode != 0:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def test_r2_on_a_full_disk_nothing_gets_out_and_with_room_it_goes_on_without_a_restart(services, small_disk):
    daemon = services.new()
    daemon.data = small_disk / "data"
    own = with_people(daemon.start())
    own.shop.sign("alice")
    filler = small_disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 4096)
    refused = 0
    released = set()
    for number in range(60):
        answer = own.shop.start("x" * 400, level=0, user="alice", expect=None)
        if answer.status == 201:
            released.add(answer.json["result"]["dataSignatureID"])
        else:
            assert answer.status == 503 and answer.header("retry-after") and answer.code in BUSY, answer
            refused += 1
    assert refused > 0, "the disk was never full"
    assert daemon.get("/healthz").status == 200
    filler.unlink()
    released.add(own.shop.sign("alice")["dataSignatureID"])
    own.alice.sign()
    assert released <= statements(daemon)
    daemon.stop()
    daemon.start()
    own.alice.sign()


@pytest.mark.parametrize("damage", ["empty", "noise", "half", "text", "absent", "first page"])
def test_r4_a_damaged_store_is_not_started_and_not_made_anew(own, damage):
    daemon = own.daemon
    own.alice.sign()
    daemon.stop()
    path = daemon.data / "store.sqlite"
    for name in ("store.sqlite-wal", "store.sqlite-shm"):
        (daemon.data / name).unlink(missing_ok=True)
    content = path.read_bytes()
    broken = {
        "empty": b"", "noise": os.urandom(len(content)), "half": content[: len(content) // 2], "text": b"not a database\n" * 1000,
        "absent": None, "first page": os.urandom(4096) + content[4096:],
    }[damage]
    if broken is None:
        path.unlink()
    else:
        path.write_bytes(broken)
    daemon.spawn()
    try:
        status = daemon.process.wait(10)
    except subprocess.TimeoutExpired:
        # It may start on a store of which the end is missing, and must then refuse what it cannot read.
        assert damage == "half"
        answer = own.shop.start(level=0, user="alice", expect=None)
        assert answer.status in (401, 503), answer
        daemon.kill()
    else:
        assert status not in (0, -6, -4, -5, -11), status
        assert daemon.said().strip()
    assert (path.read_bytes() if path.exists() else None) == broken
    path.write_bytes(content)
    path.chmod(0o600)
    daemon.start()
    own.alice.sign()


def test_r4_pages_that_are_damaged_while_it_runs_are_no_crash(own):
    daemon = own.daemon
    for number in range(60):
        own.shop.sign("alice", f"text {number} " + "x" * 300)
    daemon.stop()
    path = daemon.data / "store.sqlite"
    content = bytearray(path.read_bytes())
    # The end of the file: statements and audit rows, not the first tables.
    for at in range(len(content) // 2, len(content), 4096):
        content[at:at + 64] = os.urandom(64)
    path.write_bytes(bytes(content))
    daemon.spawn()
    try:
        daemon.process.wait(3)
    except subprocess.TimeoutExpired:
        for path in ("/v1/statements", "/v1/audit", "/v1/users", "/v1/keys"):
            answer = own.operator.call("GET", path)
            assert answer.status in (200, 401, 503), answer
        answer = own.shop.start(level=0, user="alice", expect=None)
        assert answer.status in (201, 401, 503), answer
        assert daemon.get("/healthz").status == 200
        assert daemon.process.poll() is None
        daemon.kill()
    else:
        assert daemon.process.returncode not in (0, -4, -5, -6, -11), daemon.said()[-2000:]
        daemon.process = None


def test_r4_another_daemon_on_the_same_store_is_refused_or_shares_it(own):
    second = Daemon(own.daemon.folder / "second-folder", data=own.daemon.data)
    second.folder.mkdir()
    second.spawn()
    try:
        second.process.wait(3)
        assert second.process.returncode not in (-4, -5, -6, -11)
        second.process = None
    except subprocess.TimeoutExpired:
        pass
    own.alice.sign()
    if second.process:
        second.stop()
    own.alice.sign()


def test_k1_a_data_directory_that_others_can_reach_is_refused(own):
    daemon = own.daemon
    daemon.stop()
    for path, mode in ((daemon.data, 0o755), (daemon.data / "master.key", 0o644), (daemon.data / "store.sqlite", 0o666)):
        good = path.stat().st_mode & 0o777
        path.chmod(mode)
        daemon.spawn()
        try:
            assert daemon.process.wait(10) not in (0, -4, -5, -6, -11), path
        finally:
            if daemon.process.poll() is None:
                daemon.kill()
        path.chmod(good)
    daemon.start()
    own.alice.sign()


def test_r5_records_from_the_future_are_clamped_up_to_a_minute_and_refused_beyond(own):
    """The clock jumps back: here, the newest recorded time moves ahead, which looks the same from inside."""
    daemon = own.daemon
    own.shop.sign("alice")
    for ahead, expected in ((30_000, 201), (7_200_000, 503)):
        with sqlite3.connect(daemon.data / "store.sqlite", timeout=10) as store:
            newest = int(time.time() * 1000) + ahead
            store.execute("UPDATE audit SET at = ? WHERE seq = (SELECT max(seq) FROM audit)", (newest,))
        answer = own.shop.start(level=0, user="alice", expect=None)
        assert answer.status == expected, answer
        if expected == 201:
            assert answer.json["issuedAt"] >= newest
        else:
            assert answer.header("retry-after") and answer.code in BUSY
            assert daemon.get("/healthz").status == 200


def test_r6_a_backup_of_the_live_store_starts_and_signs_and_its_old_sessions_are_dead(own, services, tmp_path):
    before = {own.shop.sign("alice", f"before {number}")["dataSignatureID"] for number in range(5)}
    stop = threading.Event()
    meanwhile = set()

    def load():
        shop = own.operator.relying()
        while not stop.is_set():
            meanwhile.add(shop.sign("alice", "meanwhile")["dataSignatureID"])

    thread = threading.Thread(target=load)
    thread.start()
    try:
        time.sleep(0.2)
        run_cli("backup", tmp_path / "backup", "--store", own.daemon.data)
        time.sleep(0.2)
    finally:
        stop.set()
        thread.join()
    other = services.new()
    run_cli("restore", tmp_path / "backup", "--store", other.data)
    other.start()
    kept = statements(other)
    assert before <= kept <= before | meanwhile
    old = own.alice.with_token_of(own.alice.grant, own.alice.key)
    old.daemon = other
    assert old.call("GET", "/v1/sessions", expect=401).code == 1821
    assert old.refresh(expect=None).status in (400, 401)
    alice = Person(other, "alice", own.alice.password, own.alice.key)
    alice.log_in()
    new = alice.sign()["dataSignatureID"]
    shop = Relying(other, "shop", own.shop.text, None)
    shop.log_in()
    more = {shop.sign("alice", "after")["dataSignatureID"] for _ in range(20)} | {new}
    here = {own.shop.sign("alice", "here")["dataSignatureID"] for _ in range(20)}
    assert not more & (before | meanwhile | here)


def test_r1_a_stop_lets_requests_end_and_leaves_nothing_half_signed(own):
    answers, errors = [], []

    def load(shop):
        while True:
            try:
                answers.append(shop.start("while it stops", level=0, user="alice", expect=None))
            except (OSError, AssertionError) as error:
                errors.append(error)
                return

    shops = [own.operator.relying() for _ in range(4)]
    threads = [threading.Thread(target=load, args=(shop,)) for shop in shops]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    assert own.daemon.stop() == 0
    for thread in threads:
        thread.join(30)
    released = {answer.json["result"]["dataSignatureID"] for answer in answers if answer.status == 201}
    assert {answer.status for answer in answers} <= {201, 503}
    assert released and released == statements(own.daemon), "a stop answers what it took in"
    own.daemon.start()


def test_r8_commits_wait_for_the_disk(own, tmp_path):
    if not shutil.which("strace"):
        pytest.skip("there is no strace")
    own.daemon.stop()
    trace = tmp_path / "trace"
    own.daemon.start("strace", "-D", "-f", "-qq", "-e", "trace=fdatasync,fsync", "-o", str(trace))
    before = trace.read_text().count("sync(")
    for _ in range(5):
        own.shop.sign("alice")
    assert trace.read_text().count("sync(") - before >= 5
    own.daemon.stop()
