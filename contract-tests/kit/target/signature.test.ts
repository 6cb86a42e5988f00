import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { momentOf, signatureFault } from './signature.ts';

const secret = 'whsec_vectors';
const moment = 1_767_604_350;
const body = Buffer.from('{"id": "evt_1", "amount": 1.50}');
const digest = createHmac('sha256', secret).update(`${moment}.`).update(body).digest('hex');
const genuine = { header: `t=${moment},v0=${digest}`, body, secret, unixSeconds: moment };

describe('signatureFault', () => {
  it('is tested with the digest that openssl calculates', () => {
    // printf '1767604350.{"id": "evt_1", "amount": 1.50}' | openssl dgst -sha256 -hmac whsec_vectors
    expect(digest).toBe('9752f1dd8034ff187abed090be7433805e515cd09849fb5d905b1e748d461dbb');
  });

  it.each([
    ['a genuine one', {}, undefined],
    ['one of several', { header: `t=${moment},v0=${'0'.repeat(64)},${digest}` }, undefined],
    ['a clock four minutes ahead', { unixSeconds: moment + 240 }, undefined],
    ['one changed byte', { body: Buffer.from('{"id": "evt_2", "amount": 1.50}') }, 'mismatch'],
    ['a re-serialised body', { body: Buffer.from('{"id":"evt_1","amount":1.5}') }, 'mismatch'],
    ['another secret', { secret: 'whsec_other' }, 'mismatch'],
    ['another moment', { header: `t=${moment + 1},v0=${digest}` }, 'mismatch'],
    ['upper-case hex', { header: `t=${moment},v0=${digest.toUpperCase()}` }, 'malformed'],
    ['a stale moment', { unixSeconds: moment + 301 }, 'stale'],
    ['a moment far ahead', { unixSeconds: moment - 301 }, 'stale'],
    ['milliseconds', { header: `t=${moment}000,v0=${digest}` }, 'malformed'],
    ['no moment', { header: `v0=${digest}` }, 'malformed'],
    ['no digest', { header: `t=${moment}` }, 'malformed'],
    ['no header', { header: undefined }, 'malformed'],
  ] as const)('returns the fault, or undefined when valid: %s', (_, change, fault) => {
    expect(signatureFault({ ...genuine, ...change })).toBe(fault);
  });
});

describe('momentOf', () => {
  it('returns the seconds in t=, or undefined when t= is not a number', () => {
    expect(momentOf(genuine.header)).toBe(moment);
    expect(momentOf('t=soon')).toBeUndefined();
  });
});
