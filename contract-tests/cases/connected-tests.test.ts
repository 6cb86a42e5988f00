import {
  anOwnWorld,
  blackHole,
  type CheckContext,
  check,
  describe,
  expect,
  type OperationId,
  unknownId,
} from '../kit/index.ts';
import { DATA, TOPIC } from './shared/webhooks.ts';

type Who = Readonly<Record<string, never>> | { readonly actingFor: string };

/** A world with two connected accounts, and destinations of the platform and of each account. */
async function twoAccounts(t: CheckContext) {
  const call = anOwnWorld(t);
  const destination = async (who: Who, more: object = {}): Promise<string> =>
    (await call('createWebhook', { body: { url: blackHole(), ...more }, ...who })).id;
  const account = async (name: string) => {
    const { id } = await call('createConnectedAccount', { body: { name } });
    const who = { actingFor: id as string };
    return {
      id: who.actingFor,
      who,
      own: await destination(who),
      named: await destination(who, { topics: [TOPIC] }),
    };
  };
  const [one, other] = [await account('One'), await account('Other')];
  const platform = {
    who: {} as Who,
    own: await destination({}),
    connect: await destination({}, { connect: true }),
  };
  const removed = await destination({}, { connect: true });
  await call('deleteWebhook', { path: { webhookId: removed } });
  const others = {
    off: await destination({}, { connect: true }),
    unheard: await destination({}, { connect: true, topics: ['contract.unheard_of'] }),
  };
  await call('updateWebhook', { path: { webhookId: others.off }, body: { enabled: false } });
  /** The log of each account: the events with the destinations that they matched. */
  const logs = async () => {
    const seen = [];
    for (const who of [{}, one.who, other.who]) {
      const { items } = await call('listWebhookEvents', who);
      seen.push(
        items.map((item: { id: string; matched_destination_ids: string[]; data: object }) => {
          expect(item.data).toEqual(DATA);
          return [item.id, [...item.matched_destination_ids].sort()];
        }),
      );
    }
    return seen;
  };
  const customer = await call('createCustomer', { body: { name: 'Contract' }, ...one.who });
  const { account_id: self } = await call('getAccountContext', {});
  return {
    call,
    one,
    other,
    platform,
    ...others,
    removed,
    logs,
    customerId: customer.id as string,
    self,
  };
}

describe('test events of one of two connected accounts', () => {
  check(
    'WHK-91',
    {
      requirement: 'R-ERR-10',
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-104', 'A-1202', 'A-1207', 'A-1211'],
      needs: 'clock.movable',
    },
    "test events for each of two connected accounts, by the platform to all and to one destination, and by the account → match only destinations with connect true and those of that account, and are in no log of the other; for an unknown account, the platform's own, or another's, to a destination removed, of another account or of none, asked for by the platform or an account → 404, and nothing is logged",
    async (t) => {
      const world = await twoAccounts(t);
      const { call, one, other, platform } = world;
      const wanted: [string, string[]][][] = [[], [], []];
      const sendTo = async (operation: OperationId, parts: object, heard: string[][]) => {
        const { path, ...who } = parts as { path: Record<string, string> };
        const { id } = await call(
          operation,
          { path: { topic: TOPIC, ...path }, body: DATA, ...who },
          [202],
        );
        for (const [index, ids] of heard.entries())
          if (ids) wanted[index]?.unshift([id, [...ids].sort()]);
      };
      const nobody = undefined as never;
      const both = (account: typeof one) => [account.own, account.named];
      const { connect } = platform;
      for (const [account, place] of [
        [one, 1],
        [other, 2],
      ] as const) {
        const heard = (ofPlatform: string[], ofAccount: string[]) =>
          place === 1 ? [ofPlatform, ofAccount, nobody] : [ofPlatform, nobody, ofAccount];
        const path = { connectedAccountId: account.id };
        await sendTo('testConnectedWebhooks', { path }, heard([connect], both(account)));
        const others = [world.off, platform.own].map((webhookId) => [webhookId, []] as const);
        for (const [webhookId, ids] of [
          [connect, [connect]] as const,
          [world.unheard, [world.unheard]] as const,
          ...(place === 1 ? others : []),
        ])
          await sendTo(
            'testConnectedWebhook',
            { path: { ...path, webhookId } },
            heard([...ids], []),
          );
        await sendTo('testWebhooks', { path: {}, ...account.who }, heard([connect], both(account)));
        const own = { webhookId: account.own };
        await sendTo('testWebhook', { path: own, ...account.who }, heard(nobody, [account.own]));
      }
      await sendTo('testWebhooks', { path: {} }, [[platform.own], nobody, nobody]);

      expect(await world.logs(), 'logs after the accepted').toEqual(wanted);
      const query = { status: 'Success' } as const;
      const { items: heard } = await call('listWebhookEvents', { query });
      expect(heard, 'what no destination has acknowledged, as success').toEqual([]);

      const foreign = [one.id, other.id, world.self, unknownId('acc'), world.customerId, 'self'];
      const ofConnected = (ids: readonly string[], webhooks: readonly string[], who: Who) =>
        ids.flatMap((connectedAccountId) => [
          ['testConnectedWebhooks', { path: { connectedAccountId }, ...who }] as const,
          ...webhooks.map((webhookId) => {
            const path = { connectedAccountId, webhookId };
            return ['testConnectedWebhook', { path, ...who }] as const;
          }),
        ]);
      const toWebhook = (ids: readonly string[], who: Who) =>
        ids.map((webhookId) => ['testWebhook', { path: { webhookId }, ...who }] as const);
      for (const [operation, { path, ...who }] of [
        ...ofConnected(foreign.slice(3), [connect], {}),
        ...ofConnected(foreign.slice(0, 3), [connect], one.who),
        ...ofConnected([other.id], [connect], other.who),
        ...[one.own, other.named, world.removed, one.id].map((webhookId) => {
          const path = { webhookId, connectedAccountId: one.id };
          return ['testConnectedWebhook', { path }] as const;
        }),
        ...toWebhook([one.own, world.removed, one.id], {}),
        ...toWebhook([other.own, platform.own, connect], one.who),
      ])
        await call(operation, { path: { topic: TOPIC, ...path }, body: DATA, ...who }, [404]);
      const path = { connectedAccountId: one.id, webhookId: connect, topic: 'contract.unheard_of' };
      await call('testConnectedWebhooks', { path, body: DATA }, [404]);
      await call('testConnectedWebhook', { path, body: DATA }, [404]);

      expect(await world.logs()).toEqual(wanted);
    },
  );
});
