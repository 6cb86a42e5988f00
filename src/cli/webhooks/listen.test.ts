import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { startEmulator } from '../../embed/embedded.ts';
import { worldOf } from '../../testing/client.ts';
import {
  type RunningCommand,
  runCommand,
  serveForFile,
  startCommand,
} from '../../testing/command.ts';
import { eventually } from '../../testing/eventually.ts';
import { startServer } from '../../testing/server.ts';
import { verifySignature } from '../../webhooks/signature.ts';

const { url, emulator } = await serveForFile({ fixture: '', clock: 'frozen' });
const world = { client: createClient({ url, key: 'key_test_emulator' }) };

const running: RunningCommand[] = [];
afterEach(() => {
  for (const { child } of running.splice(0)) child.kill('SIGKILL');
});

/** Starts `listen`, and resolves once it is listening. */
async function listen(...flags: readonly string[]) {
  const command = startCommand(['listen', ...flags], { BILLING_EMULATOR_URL: url });
  running.push(command);
  await eventually(() => command.printed.out.includes('\n'));
  const [destination] = destinations();
  return { ...command, destination };
}

function destinations() {
  return [...(worldOf(emulator).tables.webhooks.values() ?? [])];
}

/** Sends a test event to all destinations, and waits until the attempt has ended. */
async function deliver(plan = 'gold') {
  const { client } = world;
  const path = { topic: 'subscription.activated' } as const;
  await client.call('testWebhooks', { path, body: { plan } });
  await client.call('flushDeliveries');
  const { items } = await client.call('listDeliveries');
  return items[0];
}

/** A receiver that accepts what is signed with the secret that `secretOf` returns. */
const receiverFor = (secretOf: () => string) =>
  startServer(async (request, response) => {
    const header = request.headers['service-signature'] as string | undefined;
    const { valid } = verifySignature(await buffer(request), header, secretOf());
    response.writeHead(valid ? 204 : 401).end();
  });

const recordsOf = ({ printed }: RunningCommand) =>
  printed.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('listen', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'registers a destination, removes it on %s and exits 0',
    async (signal) => {
      const command = await listen();
      const { destination, printed, child, ended } = command;
      child.kill(signal);

      expect(await ended).toBe(0);
      expect(destination).toMatchObject({ topics: ['*'], connect: false, enabled: true });
      expect(printed.out).toContain(`${destination?.id} receives all events`);
      expect(printed.out).not.toContain(destination?.secret);
      expect(destinations()).toEqual([]);
    },
  );

  it('forwards each delivery unchanged, prints the response and tells it the emulator', async () => {
    let secret = '';
    const receiver = await receiverFor(() => secret);
    const command = await listen('--forward-to', receiver.url, '--print-secret', '--json');
    const { destination, child, ended } = command;
    secret = recordsOf(command)[0].secret;
    const acknowledged = await deliver();
    secret = 'whsec_another';
    const refused = await deliver();
    await receiver.close();
    const unreached = await deliver();
    child.kill('SIGTERM');
    await ended;
    const [listening, ...events] = recordsOf(command);

    expect(acknowledged).toMatchObject({ status: 'delivered', last_status_code: 204 });
    expect(refused).toMatchObject({ status: 'pending', last_status_code: 401 });
    expect(unreached).toMatchObject({ status: 'pending', last_status_code: null });
    expect(unreached?.last_error).toContain('ECONNREFUSED');
    expect(listening).toMatchObject({ kind: 'listening', destination_id: destination?.id });
    expect(events[0]).toMatchObject({
      kind: 'event',
      event: { id: acknowledged?.event_id },
      signature: expect.stringMatching(/^t=/),
      answered: 204,
    });
    expect(events.find(({ answered }) => answered === 401)).toMatchObject({
      forwarded: { status_code: 401, error: null },
    });
    expect(events.at(-1)).toMatchObject({ answered: null, forwarded: { status_code: null } });
  });

  it('acknowledges deliveries and prints their data without --forward-to', async () => {
    const { printed, child, ended } = await listen();
    const delivery = await deliver('silver');
    child.kill('SIGTERM');
    await ended;

    expect(delivery).toMatchObject({ status: 'delivered', last_status_code: 204 });
    expect(printed.out).toContain(`subscription.activated  ${delivery?.event_id}\n`);
    expect(printed.out).toContain('  {"plan":"silver"}\n');
  });

  it('needs no address at which the emulator reaches it: all comes over its own connection', async () => {
    const { destination, child, ended } = await listen();
    child.kill('SIGKILL');
    await ended;
    const delivery = await deliver();

    expect(destination?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/_emulator\/relay\/listen-/);
    expect(delivery).toMatchObject({ status: 'pending', last_error: 'No listener is connected.' });
    await world.client.call('deleteWebhook', { path: { webhookId: destination?.id as string } });
  });

  it('exits 0 without an error if a reset has removed its destination', async () => {
    const { destination, printed, child, ended } = await listen();
    const world = worldOf(emulator);
    world.commit(() => world.tables.webhooks.remove(destination?.id as string));
    child.kill('SIGTERM');

    expect(await ended).toBe(0);
    expect(printed.errors).toBe('');
  });

  it('opens its connection again when it breaks, and registers again if it was forgotten', async () => {
    const first = await startEmulator({ settings: { fixture: '' } });
    const { port } = new URL(first.url);
    const command = startCommand(['listen', '--url', first.url, '--json']);
    running.push(command);
    await eventually(() => command.printed.out.includes('\n'));
    await first.close();
    await using second = await startEmulator({ settings: { fixture: '', port: Number(port) } });
    await eventually(() => recordsOf(command).length > 1);
    const path = { topic: 'subscription.activated' } as const;
    await second.client.call('testWebhooks', { path, body: { plan: 'gold' } });
    await second.webhooks.wait({ status: 'delivered' });
    command.child.kill('SIGTERM');

    expect(await command.ended).toBe(0);
    expect(command.printed.errors).toContain('Connecting again.');
    expect(recordsOf(command)[2]).toMatchObject({
      event: { data: { plan: 'gold' } },
      answered: 204,
    });
  });

  it('removes its destination and exits when its output is closed', async () => {
    const { child, ended } = await listen();
    child.stdout?.destroy();
    await deliver();
    await deliver();

    expect(await ended).toBe(0);
    expect(destinations()).toEqual([]);
  });

  it('exits 6 if no emulator responds, and 1 if the key is not valid', async () => {
    const [nobody, invalid] = await Promise.all([
      runCommand(['listen', '--url', 'http://127.0.0.1:9']),
      runCommand(['listen', '--url', url, '--key', 'nonsense']),
    ]);

    expect([nobody.code, invalid.code]).toEqual([6, 1]);
    expect(nobody.errors).toContain('Start one with');
    expect(destinations()).toEqual([]);
  });
});

describe('a listener', () => {
  const headers = { Authorization: 'Bearer key_test_emulator', 'Content-Type': 'application/json' };
  const answer = (body: string, own = headers) =>
    fetch(`${url}/_emulator/relay/a/1`, { method: 'POST', headers: own, body });

  it('is told all that is wrong with its answer', async () => {
    const wrong = await answer('{"status_code": 42, "error": 1, "body": 2}');

    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toContain(
      'status_code: expected 100 to 599, or null. error: expected text. body: expected text.',
    );
    expect((await answer('nonsense')).status).toBe(400);
    expect((await fetch(`${url}/_emulator/relay/A_b`, { headers })).status).toBe(400);
    expect((await fetch(`${url}/_emulator/relay/%E0%A4`, { headers })).status).toBe(400);
    expect((await answer('{"status_code": 204}')).status).toBe(404);
    expect((await answer('{}', { ...headers, Authorization: 'Bearer x' })).status).toBe(401);
  });
});
