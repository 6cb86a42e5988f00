import hashlib
import hmac
import re
import time


def find_fault(body, header, secrets, tolerance=300, now=None):
    """Why a request is not to be believed; None when it is genuine. `body` is the bytes as received."""
    if not header or not header.strip():
        return "missing_header"
    parts, name = {"t": [], "v0": []}, ""
    for part in header.split(","):
        if "=" in part:
            name, part = part.split("=", 1)
        parts.setdefault(name.strip(), []).append(part.strip())
    moments, signatures = parts["t"], [each for each in parts["v0"] if each]
    if not moments:
        return "missing_timestamp"
    if len(moments) > 1 or not re.fullmatch(r"[0-9]{1,12}", moments[0]):
        return "malformed_timestamp"
    if not signatures:
        return "missing_signature"

    genuine = False
    for secret in secrets:
        signed = moments[0].encode() + b"." + body
        expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
        for each in signatures:
            genuine |= hmac.compare_digest(each.encode(), expected.encode())
    if not genuine:
        return "mismatch"
    age = (time.time() if now is None else now) - int(moments[0])
    if age > tolerance:
        return "stale"
    return "future" if -age > tolerance else None


# --- What follows reads the test vectors and is no part of a receiver.
if __name__ == "__main__":
    import base64
    import json
    import sys

    path = sys.argv[1] if len(sys.argv) > 1 else "spec/webhook-vectors.json"
    failed = False
    with open(path, encoding="utf-8") as file:
        vectors = json.load(file)["vectors"]
    for vector in vectors:
        fault = find_fault(
            base64.b64decode(vector["body_base64"]),
            vector["header"],
            vector["secrets"],
            vector["tolerance_seconds"],
            vector["now"],
        )
        print(vector["name"], fault or "valid")
        failed |= fault != vector["reason"]
    sys.exit(1 if failed else 0)
