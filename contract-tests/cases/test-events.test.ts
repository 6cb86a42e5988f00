import { anOwnWorld, aReceiver, type CheckContext, check, describe, expect } from '../kit/index.ts';
import { TOPIC } from './shared/webhooks.ts';

const PLACES = ['platform', 'connect', 'own'] as const;

/** Test events: the operation, its destination, whether `of` or `for` a connected account, and who receives them. */
const DISPATCHES = [
  { by: 'testWebhooks', heard: ['platform'] },
  { by: 'testWebhook', to: 'platform', heard: ['platform'] },
  { by: 'testConnectedWebhooks', isOf: true, heard: ['connect', 'own'] },
  { by: 'testConnectedWebhook', to: 'connect', isOf: true, heard: ['connect'] },
  { by: 'testWebhooks', isFor: true, heard: ['connect', 'own'] },
  { by: 'testWebhook', to: 'own', isFor: true, heard: ['own'] },
  { by: 'testConnectedWebhook', to: 'connect', isOf: true, heard: ['connect'] },
  { by: 'testWebhook', to: 'platform', heard: ['platform'] },
] as const;

const CREATED = '2026-03-01T12:00:00.000Z';

/** A world with a connected account and three destinations, as in `PLACES`. */
async function threePlaces(t: CheckContext, environment: 'test' | 'live') {
  const call = anOwnWorld(t, environment);
  await call('setClock', { body: { mode: 'frozen', now: CREATED } });
  const { id: account_id } = await call('createConnectedAccount', { body: { name: 'Contract' } });
  const account = { actingFor: account_id as string };
  const places = [];
  for (const place of PLACES) {
    const receiver = await aReceiver(t);
    const owner = place === 'own' ? account : {};
    const body = { url: receiver.url, connect: place === 'connect' };
    const { id } = await call('createWebhook', { body, ...owner });
    places.push({ place, receiver, owner, id: id as string });
  }
  return { call, places, account };
}

describe('webhook test events in both environments', () => {
  check(
    'WHK-76',
    {
      requirement: ['R-AUTH-06', 'R-WHK-42', 'R-WHK-43', 'R-WHK-55'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-103', 'A-1206', 'A-1207'],
      needs: ['clock.movable', 'receiver'],
    },
    'test events by each dispatch, of the platform, of a connected account and asked for by that account, with a test key and with a live one → the envelope of each to whom it is for alone, live by the key, with the account where the platform matchesTopic of it, and an item in the log',
    async (t) => {
      for (const environment of ['test', 'live'] as const) {
        const { call, places, account } = await threePlaces(t, environment);
        const sent: string[] = [];
        for (const [index, { by, ...how }] of DISPATCHES.entries()) {
          const webhookId = 'to' in how && places.find(({ place }) => place === how.to)?.id;
          const path = {
            topic: TOPIC,
            ...(webhookId && { webhookId }),
            ...('isOf' in how && { connectedAccountId: account.actingFor }),
          };
          const parts = { path, body: { sent: index }, ...('isFor' in how && account) };
          sent.push((await call(by, parts, [202])).id);
        }
        for (const { place, receiver, owner, id: destination } of places) {
          const wanted = DISPATCHES.flatMap(({ heard }, index) =>
            heard.some((each) => each === place)
              ? [{ id: sent[index], type: TOPIC, created: CREATED, data: { sent: index } }]
              : [],
          );
          const mode = { live_mode: environment === 'live' };
          const teller = place === 'connect' ? { account_id: account.actingFor } : {};
          await receiver.next(({ body }) => body?.id === wanted.at(-1)?.id);
          const query = { destination_id: [destination] };
          const { items } = await call('listWebhookEvents', { query, ...owner });

          expect(receiver.deliveries.map(({ body }) => body)).toEqual(
            wanted.map((one) => ({ ...one, ...mode, ...teller })),
          );
          expect(items.reverse()).toMatchObject(
            wanted.map(({ id, data }) => ({
              ...{ id, topic: TOPIC, time: CREATED, data, matched_destination_ids: [destination] },
            })),
          );
        }
      }
    },
  );
});
