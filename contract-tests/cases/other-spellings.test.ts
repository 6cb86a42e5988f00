import {
  aConnectedAccount,
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
  type OwnWebhook,
  spellingsOf,
  unknownId,
} from '../kit/index.ts';
import {
  aWebhookOf,
  DATA,
  dispatch,
  isMatched,
  log,
  logged,
  TOPIC,
  walkLog,
} from './shared/webhooks.ts';

describe('both prefixes of destination ids', () => {
  check(
    'WHK-80',
    { requirement: 'R-CONV-20', level: 'ASSUMED', effect: 'E3', assumes: 'A-301' },
    "each operation that takes a destination's id, with it as dst_ and as whd_ → the same destination: read, updated, tested for the platform and for an account, deleted; the log by each list of both prefixes, among ids of other things too, alone, with a status and a time → the same events, walked by cursor to the end and back; none for other ids",
    async (t) => {
      const [one, connected] = [await aWebhook(t), await aWebhook(t, { connect: true })];
      const { id: connectedAccountId } = await aConnectedAccount();
      const sendTo = async (webhook: OwnWebhook, place: object, webhookId: string) => {
        const path = { webhookId, topic: TOPIC, ...place };
        const operation = 'connectedAccountId' in place ? 'testConnectedWebhook' : 'testWebhook';
        const { id } = (await call(operation, { path, body: DATA }, [202])).body;
        expect(isMatched(await logged(id), webhook)).toBe(true);
      };
      for (const [webhook, place] of [
        [one, {}],
        [connected, { connectedAccountId }],
      ] as const) {
        for (const webhookId of spellingsOf(webhook.id)) {
          const url = blackHole();
          const body = { url };
          expect((await api('updateWebhook', { path: { webhookId }, body }, 200)).url).toBe(url);
          for (const each of spellingsOf(webhook.id))
            expect((await api('getWebhook', { path: { webhookId: each } }, 200)).url).toBe(url);
          await sendTo(webhook, place, webhookId);
        }
      }
      for (const [place, webhook] of [one, connected].entries()) {
        const webhookId = spellingsOf(webhook.id)[place] as string;
        await api('deleteWebhook', { path: { webhookId } }, 204);
        for (const each of spellingsOf(webhook.id))
          await api('getWebhook', { path: { webhookId: each } }, 404);
      }
    },
  );

  check(
    'WHK-93',
    { requirement: 'R-CONV-20', level: 'ASSUMED', effect: 'E3', assumes: 'A-301' },
    "each operation that takes a destination's id, with it as dst_ and as whd_ → the same destination: read, updated, tested for the platform and for an account, deleted; the log by each list of both prefixes, among ids of other things too, alone, with a status and a time → the same events, walked by cursor to the end and back; none for other ids: in the log",
    async (t) => {
      const [one, other, quiet] = [await aWebhook(t), await aWebhook(t), await aWebhook(t)];
      const foreign = await aWebhookOf((await aConnectedAccount()).id, blackHole(), t);
      const [since, sent] = [now(-1000), [] as string[]];
      for (const webhook of [one, other, one, other, one]) sent.unshift(await dispatch(webhook));
      await eventually(
        () => log({ destination_id: [one.id, other.id], status: 'Failed' }),
        ({ length }) => length === 5,
      );
      const suffix = one.id.replace(/^..._/, '');
      const nothing = [
        ...[...spellingsOf(quiet.id), ...spellingsOf(foreign.id), unknownId('dst')],
        ...[unknownId('whd'), `evt_${suffix}`, suffix, `${one.id}0`, one.id.slice(0, -1)],
      ];
      const [dst, whd] = spellingsOf(one.id) as [string, string];
      const [dst2, whd2] = spellingsOf(other.id) as [string, string];
      const ofOne = sent.filter((_, index) => index % 2 === 0);
      const among = (id: string) => [...nothing.slice(0, 5), id, ...nothing.slice(5)];
      for (const [lists, ids] of [
        [[[dst], [whd], [whd, dst], among(dst), among(whd), [dst, ...nothing]], ofOne],
        [[[dst, dst2], [whd, dst2], [dst2, whd2, dst], among(whd2).concat(whd)], sent],
        [[nothing, ...nothing.map((id) => [id])], []],
      ] as const)
        for (const [query, wanted] of [
          [{}, ids],
          [{ status: 'Failed', time_gte: since }, ids],
          [{ status: 'Success' }, []],
          [{ time_lte: since }, []],
        ] as const) {
          const same = lists.map((destination_id) => ({ destination_id, ...query }));
          for (const each of same) await walkLog([each], wanted, 2);
          await walkLog(same as [object, ...object[]], wanted);
        }
    },
  );
});

describe('wallet account ids', () => {
  check(
    'WAL-68',
    { requirement: 'R-WAL-51', level: 'ASSUMED', effect: 'E3', assumes: 'A-702' },
    'the id of an account with its asset code in lower and in mixed case, and percent-encoded → the same account and the same grants; the same code in another account, and a longer one → not it',
    async () => {
      const { code } = await aFreshAsset({ precision: 2 });
      const customer = await aFreshCustomer();
      await anAdjustment(customer, { asset: code, amount: 3 });
      await anAdjustment(customer, { asset: 'USD', amount: 5, account_name: 'default' });
      const mixed = code.toLowerCase().replace(/^./, (first) => first.toUpperCase());
      for (const name of [code, code.toLowerCase(), mixed]) {
        const path = { customerId: customer.id, accountId: `default:${name}` };
        for (const isPlainPath of [false, true]) {
          const { body } = await call('getWalletAccount', { path, isPlainPath }, [200]);
          expect(body).toMatchObject({ id: `default:${code}`, asset: code, available: 3 });
          const grants = (await call('listGrants', { path, isPlainPath }, [200])).body.items;
          expect(grants).toMatchObject([{ available: 3 }]);
        }
        for (const accountId of [`other:${name}`, `default:${name}0`, `default ${name}`]) {
          await call('getWalletAccount', { path: { ...path, accountId } }, [404]);
          await call('listGrants', { path: { ...path, accountId } }, [404]);
        }
      }
    },
  );
});
