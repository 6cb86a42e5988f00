import { describe, expect, it } from 'vitest';
import { sign } from './signature.ts';

// openssl: printf '1768478400.{}' | openssl dgst -sha256 -hmac whsec_first
const BY_FIRST = '1e2991785c8b52c5b9679f94d3371043dd6b0f26e783e805c39a0482f21cb2d7';
const BY_SECOND = 'dbe9b0a7c730a24bf1f4151387b71ca0189073c7a9d97dc8e5e32911e3e7a9f1';

describe('sign', () => {
  it('returns the time and the lower-case hex HMAC over time and body', () => {
    expect(sign('{}', ['whsec_first'], 1_768_478_400)).toBe(`t=1768478400,v0=${BY_FIRST}`);
  });

  it('returns one signature per secret in one v0 part, in the order of the secrets', () => {
    expect(sign('{}', ['whsec_second', 'whsec_first'], 1_768_478_400)).toBe(
      `t=1768478400,v0=${BY_SECOND},${BY_FIRST}`,
    );
  });

  it('returns the same signature for text and for its UTF-8 bytes', () => {
    const body = '{"name":"Zoë 🧾"}';

    expect(sign(Buffer.from(body), ['whsec_first'], 1)).toBe(sign(body, ['whsec_first'], 1));
  });
});
