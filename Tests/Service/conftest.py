"""What the service's tests share: services, and the closing line that `make test` reads."""

import pytest

from services import Services


@pytest.fixture(scope="session")
def shared(tmp_path_factory):
    """One service for all tests that leave it as it was, but for what they add."""
    services = Services(tmp_path_factory)
    yield services.started()
    services.end()


@pytest.fixture
def services(tmp_path_factory):
    """Services of a test's own."""
    made = Services(tmp_path_factory)
    yield made
    made.end()


@pytest.fixture
def own(services):
    """A service of a test's own, with its people."""
    return services.started()


def pytest_terminal_summary(terminalreporter):
    def count(*outcomes):
        return sum(len(terminalreporter.stats.get(outcome, [])) for outcome in outcomes)

    for report in terminalreporter.stats.get("skipped", []):
        terminalreporter.write_line(f"skip {report.nodeid.split('::')[-1]}: {report.longrepr[2]}")
    terminalreporter.write_line(f"{count('passed')} passed, {count('failed', 'error')} failed")
