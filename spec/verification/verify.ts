import { createHmac, timingSafeEqual } from 'node:crypto';

/** Why a request is not to be believed; null when it is genuine. `body` is the bytes as received. */
export function findFault(
  body: Uint8Array,
  header: string | undefined,
  secrets: readonly string[],
  { tolerance = 300, now = Date.now() / 1000 } = {},
): string | null {
  if (!header?.trim()) return 'missing_header';
  const parts: Record<string, string[]> = { t: [], v0: [] };
  let name = '';
  for (const part of header.split(',')) {
    const mark = part.indexOf('=');
    if (mark >= 0) name = part.slice(0, mark).trim();
    parts[name]?.push(part.slice(mark + 1).trim());
  }
  const [moment, ...others] = parts['t'] ?? [];
  const signatures = (parts['v0'] ?? []).filter((each) => each !== '');
  if (moment === undefined) return 'missing_timestamp';
  if (!/^\d{1,12}$/.test(moment) || others.length > 0) return 'malformed_timestamp';
  if (signatures.length === 0) return 'missing_signature';

  const isGenuine = secrets.some((secret) => {
    const digest = createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
    return signatures.some(
      (each) =>
        each.length === digest.length && timingSafeEqual(Buffer.from(each), Buffer.from(digest)),
    );
  });
  if (!isGenuine) return 'mismatch';
  if (now - Number(moment) > tolerance) return 'stale';
  return Number(moment) - now > tolerance ? 'future' : null;
}

// --- What follows reads the test vectors and is no part of a receiver.
import { readFileSync } from 'node:fs';

interface Vector {
  readonly name: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly header: string | null;
  readonly body_base64: string;
  readonly reason: string | null;
}

const file = process.argv[2] ?? 'spec/webhook-vectors.json';
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] };
for (const { name, secrets, now, tolerance_seconds, header, body_base64, reason } of vectors) {
  const body = Buffer.from(body_base64, 'base64');
  const options = { tolerance: tolerance_seconds, now };
  const fault = findFault(body, header ?? undefined, secrets, options);
  console.log(`${name} ${fault ?? 'valid'}`);
  if (fault !== reason) process.exitCode = 1;
}
