"""A world for one test, and what a test does to it besides calling the service."""

from __future__ import annotations

import json
import urllib.parse
from datetime import datetime
from typing import Any

from .client import Client, from_json


class Sandbox(Client):
    """A world that shares nothing with others. It is deleted with `delete()` or at the end of `with`."""

    def __init__(self, client: Client, name: str) -> None:
        world = client.as_key(f"key_test_{name}")
        self.__dict__.update(world.__dict__)
        self.name = name
        self._owner = client
        self._seen = 0

    def delete(self) -> None:
        """Deletes it with everything in it."""
        self._owner.call("deleteSandbox", name=self.name, final=True)

    def now(self) -> datetime:
        """The world's time."""
        return datetime.fromisoformat(self.call("getClock")["now"].replace("Z", "+00:00"))

    def advance(self, by: str) -> Any:
        """Moves the clock forward by a duration such as `P1M` or `30d`, and runs what becomes due on the way."""
        return self.call("advanceClock", {"by": by})

    def add_fault(self, fault: dict[str, Any], **match: Any) -> Any:
        """Adds a fault rule, such as `add_fault({"status": 503}, operation="getWallet")`."""
        return self.call("addFault", {**fault, **({"match": match} if match else {})})

    def clear_faults(self) -> None:
        """Removes all fault rules."""
        self.call("setFaults", {"rules": []})

    def receive_webhooks(self, *topics: str) -> str:
        """Has the world's webhook events sent to an inbox of the emulator, and returns the secret that signs them."""
        destination = {"url": f"{self.url}/_emulator/inbox/{self.name}", "topics": list(topics) or ["*"]}
        return str(self.call("createWebhook", destination)["secret"])

    def next_webhook(self, topic: str | None = None, timeout_seconds: float = 10) -> Any:
        """The oldest event in the inbox that was not returned yet, waiting for it up to `timeout_seconds`.

        It has the `event`, and the `body` and `headers` as they were sent. Raises `ApiError` when the time is up.
        """
        wanted = {"after": self._seen, "timeout_seconds": timeout_seconds, **({"topic": topic} if topic else {})}
        address = f"/_emulator/inbox/{self.name}/wait?{urllib.parse.urlencode(wanted)}"
        message = from_json(self._send("next_webhook", "GET", address))["items"][0]
        self._seen = message["number"]
        return message

    def explain(self, id: str) -> Any:
        """How a fee, or everything from a usage event, came about, step by step."""
        return self.call("explain", id=id)

    def snapshot(self, name: str = "before") -> Snapshot:
        """Saves the world. `restore()` of the result returns to that state, any number of times."""
        self.call("saveSnapshot", {"name": name})
        return Snapshot(self, name)

    def assert_sound(self) -> None:
        """Raises an `AssertionError` that says what is broken, if an invariant of the ledger does not hold."""
        report = self.call("verifyLedger")
        assert report["sound"], json.dumps(report["findings"], indent=2, default=str)

    def report(self) -> str:
        """The latest requests with their responses, and the warnings, to print when a test fails."""
        requests = self.call("listRequests", limit=50)["items"]
        warnings = self.call("listWarnings")["items"]
        lines = [line for request in reversed(requests) for line in _lines_of(request)]
        lines += [f"warning {warning['kind']}: {warning['message']}" for warning in warnings]
        return "\n".join(lines or ["No requests."])

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()


class Snapshot:
    """A saved state of a sandbox."""

    def __init__(self, sandbox: Sandbox, name: str) -> None:
        self.sandbox = sandbox
        self.name = name

    def restore(self) -> None:
        """Restores it: records, clock and the numbering of identifiers."""
        self.sandbox.call("resetWorld", {"to": "snapshot", "name": self.name})


def _lines_of(request: dict[str, Any]) -> list[str]:
    bodies = [(">", request.get("request_body")), ("<", request.get("response_body"))]
    return [f"{request['method']} {request['path']} {request['status']}"] + [
        f"    {arrow} {json.dumps(body, default=str)[:500]}" for arrow, body in bodies if body is not None
    ]
