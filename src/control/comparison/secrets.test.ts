import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createClient } from '../../client/index.ts';
import { openRemoteTarget } from '../../fixtures/remote-target.ts';
import type { Row } from '../../store/row.ts';
import type { World } from '../../store/world.ts';
import { createTestClient } from '../../testing/client.ts';
import { playOn } from '../../testing/recorded.ts';

/** A fixture that adds a row to nearly every table. */
const EVERY_OPERATION = new URL('../recording/every-operation.yaml', import.meta.url);
const KEY = 'key_test_emulator';
const CANARIES = ['whsec_canaryinuserdata', 'canary-token', 'canary-cookie', 'canary-password'];

/** Every secret and token in the tables of a world. */
function secretsOf({ tables }: World): readonly string[] {
  const found = new Set<string>();
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'string' && (name === 'secret' || name === 'token')) found.add(value);
    if (typeof value === 'object' && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(each, inner);
  };
  for (const table of Object.values(tables)) for (const row of table.values()) visit(row as Row);
  for (const { id } of tables.links.values()) found.add(id);
  return [...found];
}

it('compareWorlds returns no secret or token, whether added, removed or changed', async () => {
  const { emulator } = createTestClient({ port: 0 });
  const url = await emulator.listen();
  const client = createClient({ url, key: KEY });
  const { call, read } = client;
  const world = emulator.worlds.find(KEY) as World;
  await call('saveSnapshot', { body: { name: 'empty' } });
  const target = await openRemoteTarget(client, url);
  expect(await playOn(target, readFileSync(EVERY_OPERATION, 'utf8'))).toEqual([]);
  const portal = { return_url: 'https://shop.example/', failure_url: 'https://shop.example/' };
  const [{ id: customer_id = '' } = {}] = world.tables.customers.values();
  const session = await call('createPortalSession', { body: { customer_id, ...portal } });
  await fetch(url + new URL(session.redirect_url).pathname);
  const first = await call('exportWorld');
  const [destination] = world.tables.webhooks.values();
  await call('rotateSecret', { body: { destination_id: destination?.id as string } });
  const secrets = [...secretsOf(world), ...JSON.stringify(first).matchAll(/whsec_[\w-]+/g)].map(
    String,
  );
  // Secrets in customer metadata, webhook addresses and stored responses, put into an export.
  const marked = structuredClone(first);
  const rows = marked.tables as Readonly<Record<string, Record<string, unknown>[]>>;
  const mark = (table: string, fields: object) => Object.assign(rows[table]?.[0] as object, fields);
  mark('customers', { metadata: { note: CANARIES[0], token: CANARIES[1] } });
  mark('webhooks', { url: `https://user:${CANARIES[3]}@shop.example/hook?token=${CANARIES[1]}` });
  const headers = { 'set-cookie': CANARIES[2] };
  const [delivery] = rows['deliveries'] as unknown as [{ exchanges: object[] }];
  mark('deliveries', {
    exchanges: [
      { ...delivery.exchanges[0], response: { headers, body: CANARIES[0], truncated: false } },
    ],
  });
  const told = await Promise.all(
    [
      { from: { snapshot: 'empty' } },
      { from: {}, to: { snapshot: 'empty' } },
      { from: { export: first } },
      { from: { export: marked } },
      { from: { export: marked }, to: { snapshot: 'empty' } },
      { from: { export: first }, to: { export: marked } },
    ].map((sides) => read('compareWorlds', { body: { ...sides, limit: 100 } })),
  );

  expect(secrets.length).toBeGreaterThan(6);
  for (const secret of [...secrets, ...CANARIES])
    expect(
      told.filter((text) => text.includes(secret)),
      secret,
    ).toEqual([]);
  expect(told[2]).toContain('{"field":"secret","before":"***","after":"***"}');
  await emulator.close();
});
