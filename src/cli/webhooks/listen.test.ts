import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startServer } from '../../testing/server.ts';
import { serveForFile } from '../../testing/setups/for-file.ts';
import { type RunningVerb, runVerb, startVerb } from '../../testing/verb.ts';
import { sign } from '../../webhooks/signature.ts';
import { verifySignature } from '../../webhooks/verify-signature.ts';

const { url, emulator } = await serveForFile({ fixture: '' });

const running: RunningVerb[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});

/** Starts `listen`, and resolves once it is listening. */
async function listen(...flags: readonly string[]) {
  const verb = startVerb(['listen', ...flags], { BILLING_EMULATOR_URL: url });
  running.push(verb);
  await vi.waitUntil(() => verb.printed.out.includes('\n'), { timeout: 30_000 });
  const [destination] = destinations();
  return { ...verb, destination };
}

function destinations() {
  return [...(emulator.worlds.find('key_test_emulator')?.tables.webhooks.values() ?? [])];
}

/** Delivers an event as the emulator does. Returns the status. */
async function deliver(address: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(address, { method: 'POST', body, headers });
  return response.status;
}

/** A receiver that accepts what is signed with the secret that `secretOf` returns. */
const receiverFor = (secretOf: () => string) =>
  startServer(async (request, response) => {
    const header = request.headers['service-signature'] as string | undefined;
    const { valid } = verifySignature(await buffer(request), header, secretOf());
    response.writeHead(valid ? 204 : 401).end();
  });

const recordsOf = ({ printed }: RunningVerb) =>
  printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const EVENT =
  '{"id":"evt_1", "type":"subscription.activated","created":"2026-01-15T12:00:00.000Z",' +
  '"live_mode":false,"data":{"customer_id":"cust_1"}}';

describe('listen', { timeout: 60_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'registers a destination, removes it on %s and exits 0',
    async (signal) => {
      const verb = await listen('--topics', 'subscription.activated, other.topic', '--connect');
      const { destination, printed, child, ended } = verb;
      child.kill(signal);

      expect(await ended).toBe(0);
      expect(destination).toMatchObject({
        topics: ['subscription.activated', 'other.topic'],
        connect: true,
        enabled: true,
      });
      expect(printed.out).toContain(`${destination?.id} receives subscription.activated`);
      expect(printed.out).not.toContain(destination?.secret);
      expect(destinations()).toEqual([]);
    },
  );

  it('forwards each delivery unchanged, prints the response and returns its status', async () => {
    let secret = '';
    const receiver = await receiverFor(() => secret);
    const verb = await listen('--forward-to', receiver.url, '--print-secret', '--json');
    const { destination, child, ended } = verb;
    secret = recordsOf(verb)[0].secret;
    const signature = sign(EVENT, [secret], Math.floor(Date.now() / 1000));
    const address = destination?.url as string;
    const statuses = [
      await deliver(address, EVENT, { 'Service-Signature': signature }),
      await deliver(address, `${EVENT} `, { 'Service-Signature': signature }),
    ];
    await receiver.close();
    statuses.push(await deliver(address, 'no JSON'));
    child.kill('SIGTERM');
    await ended;
    const [listening, ...events] = recordsOf(verb);

    expect(secret).toBe(destination?.secret);
    expect(statuses).toEqual([204, 401, 502]);
    expect(listening).toMatchObject({ kind: 'listening', destination_id: destination?.id });
    expect(events).toMatchObject([
      { kind: 'event', event: { id: 'evt_1' }, signature, answered: 204 },
      { event: { id: 'evt_1' }, answered: 401, forwarded: { status_code: 401, error: null } },
      { body: 'no JSON', signature: null, answered: 502, forwarded: { status_code: null } },
    ]);
    expect(events[2].forwarded.error).toContain('ECONNREFUSED');
  });

  it('forwards deliveries and resends of the emulator, and acknowledges them', async () => {
    let secret = '';
    const receiver = await receiverFor(() => secret);
    const verb = await listen('--forward-to', receiver.url, '--print-secret', '--json');
    secret = recordsOf(verb)[0].secret;
    const { code, out } = await runVerb(['trigger', 'subscription.activated', '--url', url]);
    await vi.waitUntil(() => recordsOf(verb).length > 1, { timeout: 20_000 });
    const [id = ''] = out.split(' ');
    const resent = await runVerb(['call', 'replayDeliveries', `event_id=${id}`, '--url', url]);
    await vi.waitUntil(() => recordsOf(verb).length > 2, { timeout: 20_000 });
    verb.child.kill('SIGTERM');
    await Promise.all([verb.ended, receiver.close()]);

    expect(code).toBe(0);
    expect(out).toMatch(
      /^evt_\w{26} {2}to 1 destination\nSubscription sub_\w+ of customer cust_\w+ was activated\.\n$/,
    );
    expect(recordsOf(verb)[1]).toMatchObject({ event: { id, live_mode: false }, answered: 204 });
    expect(resent.code).toBe(0);
    expect(recordsOf(verb)[2]).toMatchObject({ event: { id }, answered: 204 });
  });

  it('acknowledges deliveries and prints their data without --forward-to', async () => {
    const { destination, printed, child, ended } = await listen();
    const address = destination?.url as string;
    const statuses = [await deliver(address, EVENT), await deliver(address, '')];
    child.kill('SIGTERM');
    await ended;

    expect(statuses).toEqual([204, 204]);
    expect(printed.out.split('\n').slice(1)).toEqual([
      '2026-01-15T12:00:00.000Z  subscription.activated  evt_1',
      '  {"customer_id":"cust_1"}',
      '0 bytes that are not an event',
      '',
    ]);
  });

  it('exits 0 without an error if a reset has removed its destination', async () => {
    const { destination, printed, child, ended } = await listen();
    const world = emulator.worlds.find('key_test_emulator');
    world?.commit(() => world.tables.webhooks.remove(destination?.id as string));
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
    expect(printed.errors).toBe('');
  });

  it('removes its destination and exits when its output is closed', async () => {
    const { destination, child, ended } = await listen();
    child.stdout?.destroy();
    await deliver(destination?.url as string, EVENT);
    await deliver(destination?.url as string, EVENT).catch(() => {});

    expect(await ended).toBe(0);
    expect(destinations()).toEqual([]);
  });

  it('exits 6 if no emulator responds, and 5 if its port is in use', async () => {
    const { port, close } = await startServer(() => {});
    const [nobody, busy] = await Promise.all([
      runVerb(['listen', '--url', 'http://127.0.0.1:9']),
      runVerb(['listen', '--url', url, '--port', String(port)]),
    ]);
    await close();

    expect([nobody.code, busy.code]).toEqual([6, 5]);
    expect(busy.errors).toContain(String(port));
    expect(destinations()).toEqual([]);
  });
});
