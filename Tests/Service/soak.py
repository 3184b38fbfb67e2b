"""The kill soak: SIGKILL at a random moment under load, again and again, with an account of every statement.

Each request has an idempotency key, and each text that is signed is the key under which it was asked for. After every kill the daemon is
started again, every request that had no answer is repeated under its key, and then
- each key that was asked for has exactly one statement, and no statement has a text that nobody asked for;
- each statement that a client was given is in the store, byte for byte, and verifies;
- no id comes twice, also not in stores that were restored from a backup of the live one;
- the audit has exactly one row for each statement;
- each notification was answered exactly once, by the device that was told so: accepted with a statement of its own, which names it, or
  rejected with none.
"""

import base64
import contextlib
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

from services import LIMITS, with_people
from daemon import Daemon, run_cli
from parties import Person, Relying, new_id

SERVICES, PEOPLE = 3, 2
# A question that was answered already.
PROCESSED = 1701


class Broken(Exception):
    """A promise was not kept."""


def hold(condition, *facts):
    if not condition:
        raise Broken(" ".join(str(fact) for fact in facts))


class Client:
    """One connection with one request at a time; the one that has no answer yet is `pending`."""

    def __init__(self, party, journal):
        self.party, self.journal = party, journal
        self.pending = None

    def ask(self, kind: str, key: str, work):
        """Does one request, noted as pending before it and no more after its answer."""
        self.pending = (kind, key, work)
        result = work()
        self.pending = None
        return result

    def load(self, stop: threading.Event):
        """Asks until the service is gone."""
        try:
            self.party.connection = self.party.daemon.connect()
            while not stop.is_set():
                self.one()
        except (OSError, ValueError):
            pass
        except Exception as error:
            self.journal.errors.append(error)
        finally:
            if self.party.connection is not None:
                self.party.connection.close()
            self.party.connection = None

    def settle(self):
        """Repeats what had no answer."""
        if self.pending:
            kind, key, work = self.pending
            self.journal.repeated += 1
            result = work()
            self.pending = None
            self.settled(kind, key, result)

    def settled(self, kind, key, result):
        """What is left to do after a repeated request."""


def patiently(call):
    """An answer that is neither "still running" nor "busy"."""
    limit = time.monotonic() + 30
    while True:
        answer = call()
        if answer.status not in (409, 429, 503) or answer.code == PROCESSED:
            return answer
        hold(time.monotonic() < limit, "no answer but", answer)
        time.sleep(0.02)


class Service(Client):
    """A relying service at level 0."""

    def one(self):
        key = self.journal.ask()
        self.ask("sign", key, lambda: self.sign(key))

    def sign(self, key):
        answer = patiently(lambda: self.party.start(key, "soak", level=0, user="alice", once=key, expect=None))
        if answer.status == 401:
            connection, self.party.connection = self.party.connection, None
            self.party.log_in()
            self.party.connection = connection
            answer = patiently(lambda: self.party.start(key, "soak", level=0, user="alice", once=key, expect=None))
        hold(answer.status == 201, "a relying service got", answer)
        self.journal.release(key, answer.json["result"])


class Human(Client):
    """A person at level 1: starts, answers, now and then refreshes the session."""

    def __init__(self, party, journal):
        super().__init__(party, journal)
        self.refreshed = time.monotonic()

    def refresh_at_times(self):
        if random.random() < 0.05 or time.monotonic() - self.refreshed > 200:
            number, grant = new_id(), self.party.grant
            self.ask("refresh", number, lambda: self.refresh(number, grant))

    def one(self):
        self.refresh_at_times()
        key, number = self.journal.ask(), new_id()
        signing = self.ask("start", key, lambda: self.start(key))
        self.ask("answer", key, lambda: self.answer(signing, key, number))

    def refresh(self, number, grant):
        self.party.grant = grant
        answer = patiently(lambda: self.party.refresh(once=number, expect=None))
        hold(answer.status == 200, "a refresh got", answer)
        self.refreshed = time.monotonic()

    def start(self, key):
        answer = patiently(lambda: self.party.start(key, "soak", once=key, expect=None))
        hold(answer.status == 201, "a start got", answer)
        return answer.json

    def answer(self, signing, key, number):
        answer = patiently(lambda: self.party.answer(signing, once=number, expect=None))
        hold(answer.status == 200, "an answer got", answer)
        self.journal.release(key, answer.json["result"])

    def settled(self, kind, key, result):
        if kind == "start":
            self.answer(result, key, new_id())
        if kind == "answer":
            # An attempt whose process died counts until its challenge expires, and the soak is faster than that.
            self.journal.unlock(self.party.name)


class Asked(Human):
    """A person whom a relying service asks, one question after the other. On this device each is accepted, by a signature."""

    def __init__(self, party, asker, journal):
        super().__init__(party, journal)
        self.asker = asker

    def one(self):
        self.refresh_at_times()
        text, number = self.journal.ask_by_notification(), new_id()
        question = self.ask("question", text, lambda: self.question(text, number))
        self.accept(question, text)

    def question(self, text, number) -> str:
        """Asks, and gives the notification's id."""
        question = {
            "user": self.party.name, "body": [{"lng": "en", "subject": "soak", "message": text, "labels": {"Accept": "Yes", "Reject": "No"}}],
            "actions": [{"action": "Accept", "authLevel": 1}, {"action": "Reject", "authLevel": 0}],
        }
        answer = patiently(lambda: self.asker.call("POST", "/v1/notifications", question, once=number))
        if answer.status == 401:
            self.asker.log_in()
            answer = patiently(lambda: self.asker.call("POST", "/v1/notifications", question, once=number))
        hold(answer.status == 201, "a question got", answer)
        self.journal.made(answer.json["id"], text)
        return answer.json["id"]

    def accept(self, question, text):
        number = new_id()
        signing = self.ask("choose", (question, text), lambda: self.choose(question, text, number))
        self.sign(signing, text)

    def choose(self, question, text, number):
        """The signing that accepts; nothing where the other device was faster."""
        path = f"/v1/notifications/{question}/answer"
        answer = patiently(lambda: self.party.call("POST", path, {"action": "Accept"}, once=number))
        if answer.status == 200:
            return answer.json["signing"]
        hold(answer.code == PROCESSED, "a choice got", answer)
        return self.journal.lost(text)

    def sign(self, signing, text):
        if signing:
            number = new_id()
            self.ask("sign", text, lambda: self.answer_by(signing, text, number))

    def answer_by(self, signing, text, number):
        answer = patiently(lambda: self.party.answer(signing, once=number, expect=None))
        if answer.status == 200:
            return self.journal.release(self.journal.payload(text), answer.json["result"])
        hold(answer.code == PROCESSED, "the answer to a question got", answer)
        return self.journal.lost(text)

    def settled(self, kind, key, result):
        if kind == "question":
            self.accept(result, key)
        if kind == "choose":
            self.sign(result, key[1])
        if kind == "sign":
            self.journal.unlock(self.party.name)


class Rival(Human):
    """Another device of the same person, which now and then rejects what waits, at once and without a signature."""

    def one(self):
        self.refresh_at_times()
        time.sleep(random.uniform(0, 0.15))
        waiting = self.party.get("/v1/notifications?count=5")["notifications"]
        ids = [entry["id"] for entry in waiting if entry["actions"]]
        if ids:
            number = new_id()
            self.ask("reject", ids[0], lambda: self.reject(ids[0], number))

    def reject(self, question, number):
        path = f"/v1/notifications/{question}/answer"
        answer = patiently(lambda: self.party.call("POST", path, {"action": "Reject"}, once=number))
        hold(answer.status == 200 or answer.code == PROCESSED, "a rejection got", answer)
        if answer.status == 200:
            self.journal.reject(question)


class Journal:
    """What was asked for, what was released, and what is in the store: of this round, and in numbers of all."""

    def __init__(self, operator):
        self.operator, self.refreshed = operator, time.monotonic()
        self.lock = threading.Lock()
        self.asked, self.released, self.stored, self.errors = set(), {}, {}, []
        self.ids, self.row, self.audited = {}, 0, 0
        self.questions, self.rejected, self.answered = {}, set(), 0
        self.statements = self.repeated = self.signed_unanswered = self.restores = 0
        self.accepted = self.refused = 0

    def unlock(self, user: str):
        """Gives a user their attempts back."""
        if time.monotonic() - self.refreshed > 200:
            self.operator.refresh()
            self.refreshed = time.monotonic()
        self.operator.call("POST", f"/v1/users/{user}/unlock", expect=200)

    def ask(self) -> str:
        """A new key, which is also the text that is to be signed."""
        key = new_id()
        with self.lock:
            self.asked.add(key)
        return key

    @staticmethod
    def payload(text: str) -> str:
        """What is signed where a question with this text is accepted."""
        return f"Answer: Accept\nSubject: soak\n\n{text}"

    def ask_by_notification(self) -> str:
        """A new text, which is to be accepted."""
        text = new_id()
        with self.lock:
            self.asked.add(self.payload(text))
        return text

    def made(self, question: str, text: str):
        with self.lock:
            hold(self.questions.setdefault(question, text) == text, "two questions of one id:", question)
            hold(list(self.questions.values()).count(text) == 1, "one question twice:", text)

    def lost(self, text: str):
        """The other device was faster: nothing may be signed."""
        with self.lock:
            self.asked.discard(self.payload(text))

    def reject(self, question: str):
        with self.lock:
            self.rejected.add(question)

    def account(self, path: pathlib.Path):
        """Every question of the round was answered once, and as whoever answered was told."""
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)) as store:
            rows = store.execute("SELECT id, status, action, jti FROM notifications WHERE origin = 'client' AND changed_at IS NOT NULL").fetchall()
            open_ones = store.execute("SELECT COUNT(*) FROM notifications WHERE origin = 'client' AND changed_at IS NULL").fetchone()[0]
            audit = store.execute(
                "SELECT seq, jti, detail FROM audit WHERE seq > ? AND event = 'notification-answered' ORDER BY seq", (self.answered,)).fetchall()
        rows = [row for row in rows if row[0] in self.questions]
        hold(open_ones == 0, open_ones, "questions wait, though all were answered")
        hold(len(rows) == len(self.questions), "questions that are not in the store")
        answers = {}
        for seq, jti, detail in audit:
            question = detail.split()[1].rstrip(",")
            hold(question not in answers, "answered twice:", detail)
            answers[question] = jti
            self.answered = seq
        hold(set(answers) == set(self.questions), "questions and answers differ")
        for question, status, action, jti in rows:
            hold(status == "UPDATED" and answers[question] == jti, "another end:", question, status, jti)
            hold((question in self.rejected) == (action == "Reject"), "another answer than was told:", question, action)
            hold((jti is None) == (action == "Reject"), "signed, or not signed:", question, action, jti)
            if jti is None:
                self.refused += 1
                continue
            stored, text = self.stored[self.payload(self.questions[question])]
            part = text.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
            hold(stored == jti and claims["notification"] == question, "the statement of another:", question, jti, claims)
            self.accepted += 1
        self.questions, self.rejected = {}, set()

    def release(self, key, result):
        with self.lock:
            known = self.released.setdefault(key, result)
        hold(known == result, "two statements for one key:", known, result)
        hold(result["dataPayload"] == key, "another text was signed:", key, result)

    def read(self, path: pathlib.Path) -> list:
        """The texts that are new in the store, each accounted for by an audit row of its own."""
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20)) as store:
            rows = store.execute(
                "SELECT rowid, jti, payload, text FROM statements WHERE rowid > ? ORDER BY rowid", (self.row,)).fetchall()
            audit = store.execute(
                "SELECT seq, jti FROM audit WHERE seq > ? AND jti IS NOT NULL AND event = 'signed' ORDER BY seq", (self.audited,)).fetchall()
        hold(sorted(row[1] for row in rows) == sorted(jti for _, jti in audit), "audit rows and statements differ")
        if rows:
            self.row, self.audited = rows[-1][0], audit[-1][0]
        for _, jti, payload, text in rows:
            hold(payload in self.asked, "a statement that nobody asked for:", jti, payload)
            hold(payload not in self.stored, "a second statement for the key", payload)
            hold(jti not in self.ids, "an id came twice:", jti)
            self.stored[payload] = (jti, text)
            self.ids[jti] = payload
        for key, result in self.released.items():
            hold(key in self.stored, "released, but not in the store:", result)
            hold(self.stored[key] == (result["dataSignatureID"], result["payloadSignature"]), "the store has another:", result)
        return [row[3] for row in rows]

    def close(self):
        """The end of a round: what was asked for, released and stored is the same."""
        hold(self.asked == set(self.stored), "keys without a statement:", self.asked - set(self.stored))
        hold(self.asked == set(self.released), "keys without a release:", self.asked - set(self.released))
        self.statements += len(self.stored)
        self.asked, self.released, self.stored = set(), {}, {}


def verify(texts, trust: pathlib.Path):
    """Has every statement verified by the command line."""
    if not texts:
        return
    lines = "\n".join(texts).encode() + b"\n"
    result = run_cli("verify", "--trust", trust, "--any-audience", "--min-level", "0", "--lines", "--json", "-", input=lines, status=None)
    verdicts = [json.loads(line)["verdict"] for line in result.stdout.splitlines()]
    hold(result.returncode == 0 and verdicts == ["valid"] * len(texts), "statements that do not verify:", result.stderr)


class Soak:
    def __init__(self, folder: pathlib.Path, seed: int):
        self.folder, self.random = folder, random.Random(seed)
        self.daemon = Daemon(folder, *LIMITS)
        own = with_people(self.daemon.start())
        self.people = own
        self.journal = Journal(own.operator)
        self.clients = [Service(own.operator.relying(), self.journal) for _ in range(SERVICES)]
        self.clients += [Human(own.operator.person(), self.journal) for _ in range(PEOPLE)]
        asked = own.operator.person()
        other = Person(self.daemon, asked.name, asked.password)
        other.enrol(own.operator.activation_code(asked.name), "tablet of the tests")
        self.clients += [Asked(asked, own.operator.relying(), self.journal), Rival(other, self.journal)]
        self.trust = folder / "trust.json"
        self.trust.write_bytes(self.daemon.get("/.well-known/jwks.json").body)

    def round(self, with_backup: bool):
        stop = threading.Event()
        threads = [threading.Thread(target=client.load, args=(stop,), daemon=True) for client in self.clients]
        for thread in threads:
            thread.start()
        if with_backup:
            backup = self.folder / "backup"
            run_cli("backup", backup, "--store", self.daemon.data)
        time.sleep(self.random.uniform(0.02, 0.6))
        self.daemon.kill()
        stop.set()
        for thread in threads:
            thread.join(30)
            hold(not thread.is_alive(), "a client hangs")
        hold(not self.journal.errors, *self.journal.errors)

        if self.random.random() < 0.1:
            # Killed again while it starts.
            self.daemon.spawn()
            time.sleep(self.random.uniform(0, 0.1))
            self.daemon.kill()
        self.daemon.start()
        store = self.daemon.data / "store.sqlite"
        texts = self.journal.read(store)
        self.journal.signed_unanswered += len(self.journal.stored) - len(self.journal.released)
        for client in self.clients:
            client.settle()
        texts += self.journal.read(store)
        self.journal.account(store)
        self.journal.close()
        verify(texts, self.trust)
        if with_backup:
            self.restored(backup)

    def restored(self, backup: pathlib.Path):
        """A store made from the backup signs on, with ids that nobody has, and knows no session of before."""
        other = Daemon(self.folder / "restored", *LIMITS)
        other.folder.mkdir()
        try:
            run_cli("restore", backup, "--store", other.data)
            other.start()
            for client in self.clients:
                old = client.party.with_token_of(client.party.grant, client.party.key)
                old.daemon = other
                hold(old.call("GET", "/v1/statements").status == 401, "a session of before the backup is alive")
            owner = next(client.party for client in self.clients if isinstance(client, Human))
            person = Person(other, owner.name, owner.password, owner.key)
            person.log_in()
            owner = next(client.party for client in self.clients if isinstance(client, Service))
            shop = Relying(other, owner.name, owner.text, None)
            shop.log_in()
            new = [person.sign("restored", "soak")] + [shop.sign("alice", "restored", "soak") for _ in range(5)]
            verify([result["payloadSignature"] for result in new], self.trust)
            for result in new:
                hold(result["dataSignatureID"] not in self.journal.ids, "an id came twice after a restore:", result)
                self.journal.ids[result["dataSignatureID"]] = "restored"
            with contextlib.closing(sqlite3.connect(f"file:{other.data}/store.sqlite?mode=ro", uri=True)) as store:
                for jti, payload in store.execute("SELECT jti, payload FROM statements WHERE payload <> 'restored'"):
                    hold(self.journal.ids.get(jti) == payload, "the backup has another statement:", jti)
            self.journal.restores += 1
        finally:
            other.stop()
            shutil.rmtree(other.folder)
            shutil.rmtree(backup)

    def run(self, rounds: int, every: int, say=None) -> str:
        """The result as one line."""
        began = time.monotonic()
        try:
            for number in range(rounds):
                self.round(with_backup=number % every == 0)
                if say and (number + 1) % 50 == 0:
                    say(f"{number + 1} rounds, {self.journal.statements} statements, {time.monotonic() - began:.0f} s")
        finally:
            if self.daemon.process:
                self.daemon.stop()
        leaks = self.daemon.leaks()
        hold(leaks == [], "secrets in the store or the log:", leaks)
        journal = self.journal
        return (
            f"{rounds} kills under load: {journal.statements} statements, each key exactly one, all verified; {journal.repeated} requests"
            f" without an answer, of which {journal.signed_unanswered} had been signed; {journal.accepted} questions accepted by a statement each,"
            f" {journal.refused} rejected by the other device, none both; {journal.restores} restores; ids and audit rows unique"
            f" and complete; {time.monotonic() - began:.0f} s")


def main(rounds: str = "1000", seed: str = ""):
    chosen = int(seed or random.SystemRandom().randrange(2**32))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="countersign-soak-"))
    print(f"seed {chosen}", file=sys.stderr)
    try:
        print(Soak(folder, chosen).run(int(rounds), 50, lambda text: print(text, file=sys.stderr)))
    except (Broken, AssertionError) as error:
        sys.exit(f"broken: {error}\nThe store is left in {folder}.")
    except (KeyboardInterrupt, subprocess.SubprocessError):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
