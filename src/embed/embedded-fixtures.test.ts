import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../index.ts';

describe('fixtures of an embedded emulator', () => {
  it('fill a sandbox from a file; a missing file or a path over HTTP is rejected with 422', async () => {
    await using emulator = await startEmulator();
    const file = fileURLToPath(new URL('../../fixtures/price-models.yaml', import.meta.url));
    await using filled = await emulator.sandbox('filled', { fixture: file });

    expect((await filled.client.call('listProducts')).total_count).toBe(1);
    await filled.reset();
    expect((await filled.client.call('listProducts')).total_count).toBe(1);
    await expect(emulator.sandbox('other', { fixture: './no-such.yaml' })).rejects.toMatchObject({
      status: 422,
      problem: {
        errors: {
          fixture: [`./no-such.yaml: there is no such fixture (${resolve('no-such.yaml')}).`],
        },
      },
    });
    await expect(
      emulator.client.call('createSandbox', { body: { name: 'c', fixture: '/etc/passwd' } }),
    ).rejects.toMatchObject({ status: 422 });
  });

  it('that are missing stop the start, or make requests to a new sandbox return 503', async () => {
    await expect(startEmulator({ settings: { fixture: 'quickstar' } })).rejects.toThrow(
      /quickstar: there is no such fixture .*Did you mean quickstart\?/,
    );
    await using emulator = await startEmulator({ settings: { sandbox_fixture: 'nothing' } });
    await expect(emulator.as('key_test_shop').client.call('listVendors')).rejects.toMatchObject({
      status: 503,
      problem: {
        type: '/problems/unavailable',
        detail: expect.stringContaining('cannot be run. nothing: there is no such fixture'),
      },
    });
  });
});
