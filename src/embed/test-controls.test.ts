import { describe, expect, it } from 'vitest';
import { startEmulator } from '../index.ts';

/** Names that the types reject are also rejected at run time, for users of JavaScript. */
describe('a misspelt name', () => {
  it('of a setting makes startEmulator throw', async () => {
    // @ts-expect-error There is no such setting.
    await expect(startEmulator({ settings: { fixtur: '' } })).rejects.toThrow(
      'Unknown setting fixtur. Did you mean fixture?',
    );
    // @ts-expect-error There is no such clock.
    await expect(startEmulator({ settings: { clock: 'frosen' } })).rejects.toThrow(
      'Setting clock: expected one of real, frozen, offset, got frosen.',
    );
  });

  it('of an operation or a topic makes the call throw', async () => {
    await using emulator = await startEmulator({ settings: { fixture: '' } });
    const { requests, faults, webhooks } = emulator;

    // @ts-expect-error There is no such operation.
    await expect(requests.wait({ operation: 'submitEvnts' })).rejects.toThrow(
      /There is no operation .*submitEvnts.* Did you mean submitEvents\?/,
    );
    // @ts-expect-error There is no such operation.
    await expect(faults.add({ match: { operation: 'getWalet' }, status: 503 })).rejects.toThrow(
      /Did you mean getWallet\?/,
    );
    const wish = { topic: 'subscription.activatd' } as const;
    // @ts-expect-error There is no such topic.
    await expect(webhooks.wait(wish)).rejects.toThrow(/Did you mean subscription.activated\?/);
    // @ts-expect-error There is no such operation.
    await expect(emulator.client.call('listVendor')).rejects.toThrow(
      /There is no operation listVendor\./,
    );
  });
});

describe('assertSound', () => {
  it('resolves when the ledger breaks no invariant', async () => {
    await using emulator = await startEmulator();

    await expect(emulator.assertSound()).resolves.toBeUndefined();
  });
});

describe('startEmulator', () => {
  it('lets a test change what arrives, and what is sent', async () => {
    const emulator = await startEmulator({
      settings: { fixture: '' },
      around: (handle) => (request, response) => {
        if (request.url === '/vendors') response.writeHead(418).end();
        else handle(request, response);
      },
    });
    const statuses = ['/vendors', '/customers'].map(async (path) => {
      const headers = { Authorization: `Bearer ${emulator.key}` };
      return (await fetch(emulator.url + path, { headers })).status;
    });

    expect(await Promise.all(statuses)).toEqual([418, 200]);
    await emulator.close();
  });
});
