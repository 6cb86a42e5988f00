import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readSettings, settingsOfVariables } from '../config/settings.ts';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');

describe('the Dockerfile', () => {
  it('builds and runs on one Node image, pinned to its patch version', () => {
    const stages = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)];
    const [[, base] = [], ...others] = stages;

    expect(base).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    expect(others.map(([, from, name]) => [name, from])).toEqual([
      ['workspaces', 'node'],
      ['build', 'workspaces'],
      ['emulator-packages', 'node'],
      ['contract-packages', 'workspaces'],
      ['built', 'node'],
      ['contract', 'built'],
      ['emulator', 'built'],
    ]);
  });

  it('installs the packages of the emulator without the contract-tests workspace', () => {
    const [node = '', workspaces = ''] = dockerfile.split(/^FROM .*$/m).slice(1);

    expect(node).not.toContain('contract-tests');
    expect(workspaces).toContain('COPY contract-tests/package.json contract-tests/');
  });

  it('sets only variables that are settings', () => {
    const given = [...dockerfile.matchAll(/\b(BILLING_EMULATOR_\w+)=(\S+)/g)];
    const settings = readSettings(
      settingsOfVariables(Object.fromEntries(given.map(([, name, value]) => [name, value]))),
    );

    expect(settings).toMatchObject({
      host: '0.0.0.0',
      allowed_hosts: ['billing', 'billing-emulator', 'emulator', 'host.docker.internal'],
      admin_token: 'none',
      fixture: ['quickstart', '/etc/billing-emulator/init.d'],
    });
  });
});
