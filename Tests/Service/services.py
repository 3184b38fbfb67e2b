"""Services with their people, and what must hold when they end."""

import types

from daemon import Daemon
from parties import Operator
from proof import Key

# The cheapest hash that the setting takes: these tests ask how often one is made, not how long it takes.
CHEAP = "m=8,t=1,p=1"
# One machine and few sessions ask everything here; the limits of addresses and sessions have tests of their own.
LIMITS = ("--attempts-per-minute", "0", "--requests-per-minute", "0", "--notifications-per-minute", "0", "--verifications-per-minute", "0")


def with_people(daemon: Daemon) -> types.SimpleNamespace:
    """An operator, two people and two relying services of a daemon that has just made its store."""
    operator = Operator(daemon)
    operator.set("password-hash", CHEAP)
    operator.set("allow-level-0", "true")
    return types.SimpleNamespace(
        daemon=daemon, operator=operator, alice=operator.person("alice"), bob=operator.person("bob"),
        shop=operator.relying("shop"), bank=operator.relying("bank", Key()),
    )


class Services:
    """Makes daemons, and sees at the end that none of them wrote a secret anywhere or died."""

    def __init__(self, folders):
        self.folders, self.daemons = folders, []

    def new(self, *options: str, limits=LIMITS) -> Daemon:
        daemon = Daemon(self.folders.mktemp("service"), *limits, *options)
        self.daemons.append(daemon)
        return daemon

    def started(self, *options: str) -> types.SimpleNamespace:
        return with_people(self.new(*options).start())

    def end(self):
        for daemon in self.daemons:
            status = daemon.stop()
            assert status == 0, f"the daemon ended with {status}:\n{daemon.said()[-3000:]}"
            assert daemon.leaks() == [], "secrets (L1, K4)"
