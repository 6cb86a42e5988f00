import { createHmac } from 'node:crypto';
import { verifySignature } from 'billing-emulator';
import { describe, expect, it } from 'vitest';
import { signatureFault } from '../kit/target/signature.ts';
import { onLoopback } from '../testing/server.ts';
import {
  checksOf,
  RECEIVER_SECRET,
  type ReceiverParts,
  RIGHT_PARTS,
} from '../testing/webhook-receiver.ts';
import { RECEIVER_CHECK_IDS, type ReceiverCheckId } from './checks.ts';
import type { ReceiverCheckResult } from './run.ts';

const failedOf = (checks: readonly ReceiverCheckResult[]): ReceiverCheckId[] =>
  checks.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);

const verify = (body: Buffer | string, header: string | undefined, toleranceSeconds = 300) =>
  verifySignature(body, header, RECEIVER_SECRET, { toleranceSeconds });
const ANY_AGE = Number.POSITIVE_INFINITY;
const secondsAhead = (header = '') => Number(header.slice(2, 12)) - Date.now() / 1000;

/** One receiver per check, which fails this check and is correct otherwise. */
const BROKEN: { readonly [Id in Exclude<ReceiverCheckId, 'valid'>]: Partial<ReceiverParts> } = {
  // Verifies only requests with a signature header.
  missing_signature: {
    verify: (body, header) => header === undefined || verify(body, header).valid,
  },
  // Compares only as many digits as the header has.
  wrong_signature: {
    verify(body, header = '') {
      const [moment = '', given = ' '] = header.replace('t=', '').split(',v0=');
      const right = createHmac('sha256', RECEIVER_SECRET)
        .update(`${moment}.`)
        .update(body)
        .digest('hex');
      return (
        given.split(',').some((each) => right.startsWith(each)) &&
        Math.abs(secondsAhead(header)) < 300
      );
    },
  },
  // Skips verification of a header that was valid before.
  changed_byte: (() => {
    const held = new Set<string>();
    return {
      verify(body: Buffer, header = '') {
        if (held.has(header)) return true;
        const { valid } = verify(body, header);
        if (valid) held.add(header);
        return valid;
      },
    };
  })(),
  // Verifies the JSON after its framework parsed and serialised it.
  reserialised: {
    verify: (body, header) => verify(JSON.stringify(JSON.parse(body.toString())), header).valid,
  },
  // Rejects timestamps in the future only.
  stale: {
    verify: (body, header) => verify(body, header, ANY_AGE).valid && secondsAhead(header) < 300,
  },
  // Rejects timestamps in the past only.
  future: {
    verify: (body, header) => verify(body, header, ANY_AGE).valid && secondsAhead(header) > -300,
  },
  // Processes a duplicate again.
  duplicate_id: {
    take(event, memory) {
      const status = RIGHT_PARTS.take(event, memory);
      memory.seen.clear();
      return status;
    },
  },
  // Rejects events older than the latest.
  out_of_order: (() => {
    let latest = '';
    return {
      take(event: { readonly created: string } & Parameters<ReceiverParts['take']>[0], memory) {
        if (event.created < latest) return 409;
        latest = event.created;
        return RIGHT_PARTS.take(event, memory);
      },
    } satisfies Partial<ReceiverParts>;
  })(),
  // Compares the first signature only.
  second_signature: {
    verify: (body, header = '') => verify(body, header.split(',').slice(0, 2).join()).valid,
  },
  // Ignores the case of the signature.
  upper_case_hex: { verify: (body, header) => verify(body, header?.toLowerCase()).valid },
  // Rejects unknown fields.
  unknown_field: {
    take(event, memory) {
      const known = ['id', 'type', 'created', 'live_mode', 'data'];
      const knownData = ['customer_id', 'subscription_id', 'occurred_at'];
      const isKnown =
        Object.keys(event).every((name) => known.includes(name)) &&
        Object.keys(event.data).every((name) => knownData.includes(name));
      return isKnown ? RIGHT_PARTS.take(event, memory) : 422;
    },
  },
  // Rejects topics it does not handle.
  unknown_topic: {
    take: (event, memory) =>
      event.type === 'subscription.activated' ? RIGHT_PARTS.take(event, memory) : 400,
  },
  // Has the default limit of a common body parser.
  large_body: { limit: 100 * 1024 },
  // Decodes each piece as text separately.
  slow_reading: {
    gather: (chunks) => Buffer.from(chunks.map((chunk) => chunk.toString('utf8')).join('')),
  },
};

describe.concurrent('the check of a receiver', () => {
  it('passes a receiver that uses verifySignature', async () => {
    const checks = await checksOf();

    expect(checks.map(({ id }) => id)).toEqual(RECEIVER_CHECK_IDS);
    expect(checks.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  });

  it('passes a receiver that verifies with signatureFault of the contract suite', async () => {
    const secret = RECEIVER_SECRET;
    const verifyByKit: ReceiverParts['verify'] = (body, header) =>
      signatureFault({ header, body, secret, unixSeconds: Date.now() / 1000 }) === undefined;

    expect(failedOf(await checksOf({ verify: verifyByKit }))).toEqual([]);
  });

  it.each(Object.entries(BROKEN))(
    'fails the check %s for a receiver with that fault',
    async (id, wrong) => {
      // Two checks put their text into a field that receivers do not know.
      const others = id === 'unknown_field' ? ['large_body', 'slow_reading'] : [];
      expect(failedOf(await checksOf(wrong))).toEqual([id, ...others]);
    },
  );

  it('fails duplicate_id for a receiver that responds with 409 to a duplicate, without effectsUrl', async () => {
    const wrong: Partial<ReceiverParts> = {
      take({ id }, { seen }) {
        if (seen.has(id)) return 409;
        seen.add(id);
        return 204;
      },
    };

    expect(failedOf(await checksOf(wrong, { effectsUrl: undefined }))).toEqual(['duplicate_id']);
  });

  it('fails stale for a receiver that has an effect before it verifies', async () => {
    let effects = 0;
    const wrong: Partial<ReceiverParts> = {
      verify(body, header) {
        effects += 1;
        return RIGHT_PARTS.verify(body, header);
      },
    };
    const { baseUrl, close } = await onLoopback((_, response) => response.end(String(effects)));
    const checks = await checksOf(wrong, { effectsUrl: baseUrl });
    await close();

    expect(checks.find(({ id }) => id === 'stale')?.reason).toMatch(
      /expected no effect, but effects went from \d+ to \d+/,
    );
  });

  it('skips all other checks if the receiver rejects a valid event', async () => {
    const [valid, ...others] = await checksOf({ take: () => 500 });

    expect(valid).toMatchObject({
      verdict: 'failed',
      reason: 'genuine: expected 2xx, got 500',
    });
    expect(new Set(others.map(({ verdict }) => verdict))).toEqual(new Set(['skipped']));
  });

  it('fails valid for a receiver that responds with a redirect, and does not follow it', async () => {
    const [valid] = await checksOf({ take: () => 302 });

    expect(valid?.reason).toBe('genuine: expected 2xx, got 302');
  });
});
