import { describe, expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { type Instant, instant } from '../../domain/instant.ts';
import type { WebhookEventRow } from '../../store/records.ts';
import type { World } from '../../store/world.ts';
import { serveForFile } from '../../testing/setups/for-file.ts';
import { performVerb } from '../../testing/verb.ts';
import { changeLogged } from '../../testing/webhook-world.ts';

const settings = { fixture: '', clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' };
const { url, emulator } = await serveForFile(settings);
const world = emulator.worlds.find('key_test_emulator') as World;

const run = (...args: readonly string[]) => performVerb([...args, '--url', url]);

const settle = (id: string, change: Partial<WebhookEventRow>) => changeLogged(world, id, change);

describe('trigger and webhooks list', { timeout: 60_000 }, () => {
  it('dispatch a test event and show its deliveries', async () => {
    const none = await run('webhooks', 'list');
    const unheard = await run('trigger', 'subscription.activated');
    const given = await run('trigger', 'subscription.activated', '--data', '{"a":1}', '--json');
    const { id } = JSON.parse(given.out) as { id: string };
    const at = instant('2026-01-15T12:00:01Z') as Instant;
    const attempt = { destination_id: 'dst_a', at, status_code: 500, error: 'Answered 500.' };
    settle(id, { matched_destination_ids: ['dst_a'], failed_at: at, attempts: [attempt] });
    const failed = await run('webhooks', 'list', '--status', 'Failed');
    const both = await run('webhooks', 'list', '--json', '--limit', '5');

    expect(none.out).toBe('No webhook events.\n');
    expect(unheard.out).toMatch(
      /^evt_\w{26} {2}to no destination: no enabled destination has this topic/,
    );
    expect(failed.out).toBe(
      `2026-01-15T12:00:00.000Z  subscription.activated  ${id}  failed  1 attempt  Answered 500.\n`,
    );
    expect(JSON.parse(both.out)).toMatchObject({ items: [{ id, data: { a: 1 } }, {}] });
  });

  it('exit 1 when resending an unknown delivery, and 2 without an id', async () => {
    const [unknown, nothing] = await Promise.all([
      run('webhooks', 'resend', 'del_none'),
      run('webhooks', 'resend'),
    ]);

    expect([unknown.code, nothing.code]).toEqual([1, 2]);
    expect(unknown.errors).toContain('delivery_id');
    expect(nothing.errors).toContain('give an id');
  });

  it('list the destinations', async () => {
    await createClient({ url, key: 'key_test_destinations' }).call('createWebhook', {
      body: { url: 'http://127.0.0.1:9/hook', topics: ['subscription.activated'] },
    });
    const { out } = await run(
      'webhooks',
      'list',
      '--destinations',
      '--key',
      'key_test_destinations',
    );

    expect(out).toMatch(
      /^dst_\w+ {2}enabled {2}of the platform {2}subscription.activated {2}http:\/\/127.0.0.1:9\/hook\n$/,
    );
  });

  it('exit 1 for an unknown topic or destination, and 2 for data that is not an object', async () => {
    const [topic, misspelt, destination, data, unreachable] = await Promise.all([
      run('trigger', 'invoice.paid'),
      run('trigger', 'subscription.actived'),
      run('trigger', 'subscription.activated', '--destination', 'dst_none'),
      run('trigger', 'subscription.activated', '--data', '7'),
      performVerb(['trigger', 'subscription.actived', '--url', 'http://127.0.0.1:9']),
    ]);

    expect([topic.code, destination.code, data.code]).toEqual([1, 1, 2]);
    expect([topic.errors, misspelt.code, misspelt.errors]).toEqual([
      'No webhook has the topic invoice.paid. Expected subscription.activated.\n',
      1,
      'No webhook has the topic subscription.actived. Did you mean subscription.activated?\n',
    ]);
    expect(destination.errors).toContain('Not found in that world.');
    expect(data.errors).toContain('JSON object');
    expect([unreachable.code, unreachable.errors]).toEqual([
      6,
      expect.stringMatching(/127.0.0.1:9/),
    ]);
  });
});
