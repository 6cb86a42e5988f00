"""Finds a running emulator, or starts one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from typing import Any

from .client import Client, EmulatorError
from .sandbox import Sandbox


class Emulator:
    """A running emulator. Close it, or use it with `with`: one that was started here then ends."""

    def __init__(self, url: str, admin_token: str | None = None, process: Any = None) -> None:
        self.url = url
        self.client = Client(url, "key_test_emulator", admin_token)
        self._process = process

    @classmethod
    def find_or_start(cls) -> Emulator:
        """The emulator at `BILLING_EMULATOR_URL`, else a new one by `npx billing-emulator`; prints which of the two."""
        url = os.environ.get("BILLING_EMULATOR_URL")
        if url:
            print(f"\nbilling-emulator: using {url} (BILLING_EMULATOR_URL)")
            return cls(url, os.environ.get("BILLING_EMULATOR_ADMIN_TOKEN"))
        npx = shutil.which("npx")
        if npx is None:
            raise EmulatorError("Set BILLING_EMULATOR_URL, or install Node.js, whose npx starts an emulator.")
        command = [npx, "--no-install", "billing-emulator", "start", "--port", "0", "--fixture", "", "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline() if process.stdout else ""
        if not line:
            code = process.wait()
            raise EmulatorError(f"`npx billing-emulator` ended with {code}: `npm install --save-dev billing-emulator`.")
        url = json.loads(line)["url"]
        print(f"\nbilling-emulator: started one at {url} (npx billing-emulator)")
        return cls(url, process=process)

    def sandbox(self, name: str, **source: str) -> Sandbox:
        """A new, empty sandbox, or one filled with `fixture="month-ends"` or from another one with `sandbox="name"`."""
        name = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:48].rstrip("-") or "test"
        self.client.call("createSandbox", {"name": name, **source})
        return Sandbox(self.client, name)

    def close(self) -> None:
        """Ends the emulator if it was started here."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def __enter__(self) -> Emulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
