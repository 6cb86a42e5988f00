import { describe, expect, it } from 'vitest';
import { createRedactor } from './redact.ts';

describe('createRedactor', () => {
  it('redacts the values it was given and the secrets it learned from responses', () => {
    const redactor = createRedactor(['key_test_x']);
    redactor.learnFrom({
      items: [{ secret: 'plain-secret', nested: { redirect_url: 'app://link' } }],
    });

    expect(redactor.text('key_test_x plain-secret app://link')).toBe(
      '‹redacted› ‹redacted› ‹redacted›',
    );
  });
});
