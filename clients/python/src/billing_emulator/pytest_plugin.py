"""The fixtures `billing_emulator` and `sandbox`."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from .client import EmulatorError
from .emulator import Emulator
from .sandbox import Sandbox

OUTCOME = pytest.StashKey[Any]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "billing_fixture(name): the sandbox begins with this fixture of the emulator")


@pytest.fixture(scope="session")
def billing_emulator(pytestconfig: pytest.Config) -> Generator[Emulator, None, None]:
    """The emulator of `BILLING_EMULATOR_URL`, or one that is started for this run."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    with capture.global_and_fixture_disabled():
        emulator = Emulator.find_or_start()
    with emulator:
        yield emulator


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, billing_emulator: Emulator) -> Generator[Sandbox, None, None]:
    """A sandbox of its own for each test, empty or with the fixture of the marker `billing_fixture`.

    Its requests and warnings are shown when the test fails.
    """
    marker = request.node.get_closest_marker("billing_fixture")
    source = {"fixture": marker.args[0]} if marker else {}
    with billing_emulator.sandbox(f"t-{request.node.name}", **source) as sandbox:
        yield sandbox
        outcome = request.node.stash.get(OUTCOME, None)
        if outcome is not None and outcome.failed:
            try:
                outcome.sections.append((f"requests of {sandbox.key}", sandbox.report()))
            except EmulatorError as error:
                outcome.sections.append((f"requests of {sandbox.key}", str(error)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Any:
    report = yield
    if report.when == "call":
        item.stash[OUTCOME] = report
    return report
