import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSettings, settingsOfVariables } from '../config/settings.ts';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

describe('the Dockerfile', () => {
  it('builds and runs on one Node, pinned to its last digit', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);

    expect(bases).toHaveLength(2);
    expect(new Set(bases).size).toBe(1);
    expect(bases[0]).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
  });

  it('sets only what is a setting', () => {
    const given = [...dockerfile.matchAll(/\b(BILLING_EMULATOR_\w+)=(\S+)/g)];
    const settings = readSettings(
      settingsOfVariables(Object.fromEntries(given.map(([, name, value]) => [name, value]))),
    );

    expect(settings).toMatchObject({
      host: '0.0.0.0',
      admin_token: 'none',
      init: '/etc/billing-emulator/init.d',
    });
  });
});
