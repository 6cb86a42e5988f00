import { describe, expect, it } from 'vitest';
import { sign } from './signature.ts';

// openssl: printf '1768478400.{}' | openssl dgst -sha256 -hmac whsec_first
const BY_FIRST = '1e2991785c8b52c5b9679f94d3371043dd6b0f26e783e805c39a0482f21cb2d7';
const BY_SECOND = 'dbe9b0a7c730a24bf1f4151387b71ca0189073c7a9d97dc8e5e32911e3e7a9f1';

describe('sign', () => {
  it('states the moment and the lower-case hex digest over moment and body', () => {
    expect(sign('{}', ['whsec_first'], 1_768_478_400)).toBe(`t=1768478400,v0=${BY_FIRST}`);
  });

  it('states a signature per secret in one v0 part, in their order', () => {
    expect(sign('{}', ['whsec_second', 'whsec_first'], 1_768_478_400)).toBe(
      `t=1768478400,v0=${BY_SECOND},${BY_FIRST}`,
    );
  });

  it('signs text and its UTF-8 bytes alike', () => {
    const body = '{"name":"Zoë 🧾"}';

    expect(sign(Buffer.from(body), ['whsec_first'], 1)).toBe(sign(body, ['whsec_first'], 1));
  });
});
