"""Calls any operation of a running emulator by its id."""

from __future__ import annotations

import difflib
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from decimal import Decimal
from http.client import responses
from typing import Any

NO_HEADERS: Mapping[str, str] = {}
METHODS = ("get", "put", "post", "patch", "delete")


class EmulatorError(Exception):
    """Anything that a call can end with instead of a response body."""


class UnreachableError(EmulatorError):
    """No emulator responds at the address, or the connection broke during the response."""


class ApiError(EmulatorError):
    """A response with an error status. The message has the emulator's reasons, by field."""

    def __init__(self, operation: str, status: int, text: str, hint: str | None = None) -> None:
        self.operation = operation
        self.status = status
        #: The body as received.
        self.text = text
        #: The problem details; empty if the body has none.
        self.problem: dict[str, Any] = _object_in(text)
        reasons = [self.problem.get("detail") or self.problem.get("title") or hint or text or responses[status]]
        for field, findings in (self.problem.get("errors") or {}).items():
            reasons += [f"  {field}: {finding}" for finding in findings]
        super().__init__("\n".join([f"{operation} returned {status}: {reasons[0]}", *reasons[1:]]))


class Client:
    """One world of an emulator: the one that the key opens."""

    def __init__(self, url: str, key: str, admin_token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.key = key
        self._headers = {"Authorization": f"Bearer {key}"}
        if admin_token:
            self._headers["X-Emulator-Admin"] = admin_token
        self._operations: dict[str, _Operation] | None = None
        self._account_header = ""

    def as_key(self, key: str) -> Client:
        """The world of another key, without reading the documents again."""
        other = Client(self.url, key, self._headers.get("X-Emulator-Admin"))
        other._operations, other._account_header = self.operations(), self._account_header
        return other

    def call(self, operation: str, body: Any = None, *, account: str | None = None, **parameters: Any) -> Any:
        """Calls an operation of the service or of the control API, and returns the response body.

        Parameters of the path and of the query are given by name. `account` is the connected account that the call acts
        for. Numbers in the response are `int` or `Decimal`. Raises `ApiError` for an error status, `UnreachableError`
        without a response, `TypeError` for an operation or a parameter that does not exist.
        """
        known = self.operations()
        if operation not in known:
            raise TypeError(f"There is no operation {operation}.{_did_you_mean(operation, known)}")
        method, address = known[operation].request(parameters)
        headers = {self._account_header: account} if account is not None else {}
        text = self._send(operation, method, address, body, headers)
        return from_json(text) if text else None

    def operations(self) -> dict[str, _Operation]:
        """All operations by id, as the emulator's own documents describe them."""
        if self._operations is None:
            service, control = (
                json.loads(self._send(f"GET {path}", "GET", path))
                for path in ("/openapi.json", "/_emulator/docs/control.json")
            )
            self._account_header = service["components"]["securitySchemes"]["actingAccount"]["name"]
            self._operations = {**_operations_in(service), **_operations_in(control)}
        return self._operations

    def _send(
        self, operation: str, method: str, address: str, body: Any = None, headers: Mapping[str, str] = NO_HEADERS
    ) -> str:
        request = urllib.request.Request(self.url + address, method=method)
        for name, value in {**self._headers, **headers}.items():
            request.add_header(name, value)
        if body is not None:
            request.data = to_json(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request) as response:
                text: str = response.read().decode()
                return text
        except urllib.error.HTTPError as error:
            text = error.read().decode(errors="replace")
            hint = error.headers.get("X-Emulator-Hint")
            raise ApiError(operation, error.code, text, hint) from None
        except OSError as error:
            reason = getattr(error, "reason", error)
            raise UnreachableError(f"No emulator responds at {self.url} ({reason}).") from error


class _Operation:
    """Where an operation is, and the parameters that it has."""

    def __init__(self, operation: str, method: str, path: str, query: list[str]) -> None:
        self.id = operation
        self.method = method
        self.path = path
        self.in_path = re.findall(r"\{(\w+)\}", path)
        self.in_query = query

    def request(self, parameters: dict[str, Any]) -> tuple[str, str]:
        """The method and the address with the given parameters."""
        known = [*self.in_path, *self.in_query]
        for name in parameters:
            if name not in known:
                hint = _did_you_mean(name, known) or f" It has {', '.join(known) or 'none'}."
                raise TypeError(f"{self.id} has no parameter {name}.{hint}")
        for name in self.in_path:
            if parameters.get(name) is None:
                raise TypeError(f"{self.id} needs {name}.")
        path = self.path
        for name in self.in_path:
            path = path.replace(f"{{{name}}}", urllib.parse.quote(str(parameters[name]), safe=""))
        query = [(name, _text_of(parameters[name])) for name in self.in_query if parameters.get(name) is not None]
        return self.method, f"{path}?{urllib.parse.urlencode(query)}" if query else path


def _operations_in(document: dict[str, Any]) -> dict[str, _Operation]:
    found = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method not in item:
                continue
            listed = [*item.get("parameters", []), *item[method].get("parameters", [])]
            resolved = [_resolve(document, parameter) for parameter in listed]
            query = [parameter["name"] for parameter in resolved if parameter["in"] == "query"]
            operation = item[method]["operationId"]
            found[operation] = _Operation(operation, method.upper(), path, query)
    return found


def _resolve(document: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    value: Any = document
    for part in node.get("$ref", "#").split("/")[1:]:
        value = value[part]
    return value if "$ref" in node else node


def _text_of(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _did_you_mean(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, names, 1)
    return f" Did you mean {near[0]}?" if near else ""


def _object_in(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def from_json(text: str) -> Any:
    """Reads JSON with every digit of its numbers."""
    return json.loads(text, parse_float=Decimal)


def to_json(value: Any) -> str:
    """Writes JSON with every digit of a `Decimal`."""
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(str(name))}: {to_json(each)}" for name, each in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(to_json(each) for each in value) + "]"
    return json.dumps(value, allow_nan=False)
