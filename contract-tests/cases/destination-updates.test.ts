import { anOwnWorld, type Body, blackHole, check, describe, expect } from '../kit/index.ts';
import { MINUTE_MS, moved } from './shared/times.ts';
import { DATA, TOPIC } from './shared/webhooks.ts';

type Destination = Body<'listWebhooks', 200>['items'][number];

const CREATED = '2026-03-01T12:00:00.000Z';
const OTHER = 'contract.unheard_of';

/** Updates one after the other, each accepted. */
const CHANGES = [
  () => ({ url: blackHole() }),
  () => ({ topics: [TOPIC, OTHER] }),
  () => ({ enabled: false }),
  () => ({ url: blackHole() }),
  () => ({ topics: [OTHER], url: blackHole() }),
  () => ({ enabled: true, topics: ['*'] }),
  () => ({ enabled: false, url: blackHole(), topics: [TOPIC] }),
  () => ({ enabled: true }),
] as const;

const ELSEWHERE = 'https://contract.invalid/elsewhere';

/** Updates that are rejected, most of them with a part that would be right alone. */
const REFUSED = [
  { url: 'nowhere' },
  { url: 'nowhere', enabled: false },
  { url: ELSEWHERE, topics: [] },
  { url: ELSEWHERE, topics: ['Not A Topic'] },
  { topics: TOPIC, enabled: false },
  { url: ELSEWHERE, enabled: 'false' },
  { url: '', topics: [OTHER] },
] as const;

describe('times of webhook destinations', () => {
  check(
    'WHK-90',
    {
      requirement: ['R-ERR-28', 'R-WHK-02'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-104', 'A-1202', 'A-1203'],
      needs: 'clock.movable',
    },
    'destinations of the platform and of a connected account, each updated by every field, alone and together, minutes apart → updated_at is the time of its own last update, in the response, by id and in the list; created_at, the secret, fields left out and other destinations stay, and nothing changes by rejected updates, reads and tests',
    async (t) => {
      const call = anOwnWorld(t);
      await call('setClock', { body: { mode: 'frozen', now: CREATED } });
      const { id: actingFor } = await call('createConnectedAccount', {
        body: { name: 'Contract' },
      });
      for (const [round, who] of [{}, { actingFor }].entries()) {
        let now = moved(CREATED, round * 60 * MINUTE_MS);
        const advance = async () => {
          now = moved(now, MINUTE_MS);
          await call('advanceClock', { body: { to: now } });
        };
        await call('setClock', { body: { mode: 'frozen', now } });
        const wanted: (Destination & { readonly secret: string })[] = [];
        for (const connect of [false, true]) {
          await advance();
          const body = { url: blackHole(), topics: [OTHER], connect: connect && round === 0 };
          const { id, secret, created_at } = await call('createWebhook', { body, ...who });
          expect(created_at).toBe(now);
          wanted.push({ id, ...body, enabled: true, created_at, updated_at: now, secret });
        }
        const expectAll = async () => {
          const { items } = await call('listWebhooks', who);
          expect(items).toEqual(wanted.map(({ secret: _, ...rest }) => rest).reverse());
          for (const one of wanted)
            expect(await call('getWebhook', { path: { webhookId: one.id }, ...who })).toEqual(one);
        };
        await expectAll();
        for (const change of CHANGES)
          for (const [index, one] of wanted.entries()) {
            await advance();
            const [body, path] = [change(), { webhookId: one.id }];
            const changed = { ...one, ...body, updated_at: now };
            const { secret: _, ...rest } = changed;
            expect(await call('updateWebhook', { path, body, ...who })).toMatchObject(rest);
            wanted[index] = changed;
            await expectAll();
            await advance();
            await call('testWebhook', { path: { ...path, topic: TOPIC }, body: DATA, ...who });
            await call('testWebhooks', { path: { topic: TOPIC }, body: DATA, ...who });
            await expectAll();
          }
        for (const { id: webhookId } of wanted)
          for (const body of REFUSED) {
            await advance();
            await call('updateWebhook', { path: { webhookId }, body, ...who }, [400, 422]);
          }
        await call('advanceClock', { body: { to: moved(now, 30 * MINUTE_MS) } });
        await expectAll();
      }
    },
  );
});
