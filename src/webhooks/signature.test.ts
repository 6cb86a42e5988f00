import { isUtf8 } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SIGNATURE_FAULTS, type SignatureFault, sign, verifySignature } from './signature.ts';

interface Vector {
  readonly name: string;
  readonly about: string;
  readonly secrets: readonly string[];
  readonly now: number;
  readonly tolerance_seconds: number;
  readonly header: string | null;
  readonly body_text: string | null;
  readonly body_base64: string;
  readonly valid: boolean;
  readonly reason: SignatureFault | null;
}

// The signatures come from openssl: { printf '1768478400.'; cat body; } | openssl dgst -sha256 -hmac whsec_…
const { vectors } = JSON.parse(
  readFileSync(new URL('../../spec/webhook-vectors.json', import.meta.url), 'utf8'),
) as { vectors: Vector[] };

const SECRET = 'whsec_first';
const NOW = 1_768_478_400;
const header = sign('{}', [SECRET], NOW);

describe('webhook-vectors.json', () => {
  it.each(vectors)('$name: body_text agrees with body_base64, and valid with reason', (vector) => {
    const bytes = Buffer.from(vector.body_base64, 'base64');

    expect(vector.body_text).toBe(isUtf8(bytes) ? bytes.toString('utf8') : null);
    expect(vector.valid).toBe(vector.reason === null);
  });

  it('has a vector for every reason', () => {
    const shown = new Set(vectors.flatMap(({ reason }) => reason ?? []));

    expect([...shown].sort()).toEqual(Object.keys(SIGNATURE_FAULTS).sort());
  });

  it.each(vectors)('$name: $about', (vector) => {
    const body = Buffer.from(vector.body_base64, 'base64');
    const options = { toleranceSeconds: vector.tolerance_seconds, now: vector.now };
    const verdict = verifySignature(body, vector.header, vector.secrets, options);

    expect(verdict).toEqual(
      vector.reason === null
        ? { valid: true, timestamp: 1_768_478_400 }
        : { valid: false, reason: vector.reason, message: SIGNATURE_FAULTS[vector.reason] },
    );
  });
});

describe('verifySignature', () => {
  it('accepts text, one secret, a header as an array and a Date', () => {
    const lines = header.split(',');

    expect(verifySignature('{}', lines, SECRET, { now: new Date(NOW * 1000) }).valid).toBe(true);
  });

  it('defaults to machine time and a tolerance of 300 seconds', () => {
    const seconds = Math.floor(Date.now() / 1000);

    expect(verifySignature('{}', sign('{}', [SECRET], seconds - 290), SECRET).valid).toBe(true);
    expect(verifySignature('{}', sign('{}', [SECRET], seconds - 310), SECRET)).toMatchObject({
      reason: 'stale',
    });
  });

  it.each([
    [0, 1, 'stale'],
    [0, -1, 'future'],
    [Number.POSITIVE_INFINITY, 1e9, undefined],
  ])(
    'with a tolerance of %d seconds, %d seconds later, returns %s',
    (toleranceSeconds, later, reason) => {
      const verdict = verifySignature('{}', header, SECRET, { toleranceSeconds, now: NOW + later });

      expect(verdict.valid ? undefined : verdict.reason).toBe(reason);
    },
  );

  it.each<[string, () => unknown]>([
    ['a parsed body', () => verifySignature({} as string, header, SECRET)],
    ['no secret', () => verifySignature('{}', header, [])],
    ['an empty secret', () => verifySignature('{}', header, [SECRET, ''])],
    ['an unset secret', () => verifySignature('{}', header, [undefined as unknown as string])],
    ['milliseconds', () => verifySignature('{}', header, SECRET, { now: NOW * 1000 })],
    ['an invalid Date', () => verifySignature('{}', header, SECRET, { now: new Date('never') })],
    [
      'a tolerance that is not a number',
      () => verifySignature('{}', header, SECRET, { toleranceSeconds: Number.NaN }),
    ],
  ])('throws a TypeError on %s', (_, call) => {
    expect(call).toThrow(TypeError);
  });

  it('rejects a header with 10,000 wrong signatures as a mismatch', () => {
    const many = `t=${NOW},v0=${'f'.repeat(64)}${`,${'0'.repeat(64)}`.repeat(10_000)}`;

    expect(verifySignature('{}', many, SECRET, { now: NOW })).toMatchObject({ reason: 'mismatch' });
  });
});

/**
 * Runs the examples in other languages over the test vectors, if the language is installed. Prints which were
 * not run.
 */
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TSX = fileURLToPath(import.meta.resolve('tsx'));

const EXAMPLES = [
  { file: 'verify.ts', tool: 'node', version: '--version', run: ['--import', TSX] },
  { file: 'verify.py', tool: 'python3', version: '--version', run: [] },
  { file: 'verify.go', tool: 'go', version: 'version', run: ['run'] },
  { file: 'verify.rb', tool: 'ruby', version: '--version', run: [] },
  { file: 'verify.php', tool: 'php', version: '--version', run: [] },
  { file: 'Verify.java', tool: 'java', version: '--version', run: [] },
];

const EXPECTED = vectors.map(({ name, reason }) => `${name} ${reason ?? 'valid'}`);

function run(tool: string, args: readonly string[]) {
  const { error, status, stdout, stderr } = spawnSync(tool, args, { cwd: ROOT, encoding: 'utf8' });
  return { present: error === undefined, status, stdout, stderr };
}

describe('verification examples', () => {
  it('return the expected result for every test vector in each installed language', () => {
    const outcomes = EXAMPLES.map(({ file, tool, version, run: args }) => {
      const found = run(tool, [version]);
      const label = found.present && found.status === 0 ? found.stdout.split('\n')[0] : undefined;
      if (label === undefined) return { file, tool: `${tool} is not here`, outcome: 'not tried' };
      const { status, stdout, stderr } = run(tool, [...args, `spec/verification/${file}`]);
      const isRight = status === 0 && stdout.trim().split('\n').join() === EXPECTED.join();
      const outcome = isRight ? 'right' : `wrong: exit ${status}\n${stdout}\n${stderr}`;
      return { file, tool: label, outcome };
    });
    console.table(outcomes);

    expect(outcomes.filter(({ outcome }) => !['right', 'not tried'].includes(outcome))).toEqual([]);
    expect(outcomes[0]?.outcome).toBe('right');
  }, 180_000);

  it('appear in webhook-verification.md exactly as in their files', () => {
    const guide = readFileSync(
      new URL('../../spec/webhook-verification.md', import.meta.url),
      'utf8',
    );
    const functions = EXAMPLES.map(({ file }) => {
      const text = readFileSync(
        new URL(`../../spec/verification/${file}`, import.meta.url),
        'utf8',
      );
      const [shown = ''] = text.split(/\n.*--- What follows/);
      return shown.slice(shown.search(/tolerance/i)).trim();
    });

    for (const shown of functions) expect(guide).toContain(shown);
  });
});
