"""A client and test fixtures for billing-emulator. Amounts are `decimal.Decimal`, never floats."""

from .client import ApiError, Client, EmulatorError, UnreachableError
from .emulator import Emulator
from .sandbox import Sandbox, Snapshot

__all__ = ["ApiError", "Client", "Emulator", "EmulatorError", "Sandbox", "Snapshot", "UnreachableError"]
