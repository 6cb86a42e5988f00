"""Runs the example of the README as its reader would: in an empty folder, with pytest."""

import re
from pathlib import Path

pytest_plugins = ["pytester"]
EXAMPLE = re.search(r"```python\n(.*?)```", (Path(__file__).parent.parent / "README.md").read_text(), re.S)


def test_the_example_passes_and_shows_requests_when_it_fails(pytester, monkeypatch, billing_emulator):
    monkeypatch.setenv("BILLING_EMULATOR_URL", billing_emulator.url)
    pytester.makepyfile(test_right=EXAMPLE.group(1), test_wrong=EXAMPLE.group(1).replace('"4.17"', '"4.18"'))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["billing-emulator: *", "*requests of key_test_t-test-usage-is-billed*", "POST * 204"])
    assert str(result.stdout).count("billing-emulator: ") == 1
