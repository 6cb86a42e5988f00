import {
  aConnectedAccount,
  aFreshAccount,
  aFreshAsset,
  aFreshCustomer,
  anAdjustment,
  api,
  aUnitPrice,
  aWebhook,
  blackHole,
  call,
  check,
  eventually,
  expect,
  foreignKeys,
  type OperationId,
  type OwnWebhook,
  spellingsOf,
  unique,
  uniqueAssetCode,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import type { Caller } from './shared/one-of-each.ts';
import { DATA, dispatch, isMatched, log, logged, TOPIC } from './shared/webhooks.ts';

/** Creates objects with the same ids and codes for each caller, and expects that each caller has its own. */
async function expectOwn(callers: readonly Caller[]): Promise<void> {
  const [name, code] = [unique('shared'), uniqueAssetCode()];
  const [eventId, costId, transactionId] = [uuid(), uuid(), uuid()];
  const made: string[][] = [];
  for (const [index, caller] of callers.entries()) {
    const make = async (operation: OperationId, body: object, path = {}, status = 201) =>
      (await call(operation, { path, body, ...caller }, [status])).body;
    const get = async (operation: OperationId, path: Record<string, string>) =>
      (await call(operation, { path, ...caller }, [200])).body;
    const called = `Contract ${index}`;
    const vendor = await make('createVendor', { name: called, external_id: name });
    const customer = await make('createCustomer', { name: called, external_id: name });
    const rates = [{ source: 'USD', rate: 3 }];
    await make('createAsset', { code, name: called, precision: index + 1, rates });
    const prices = [aUnitPrice('contract.shared', index + 1)];
    const product = await make('createProduct', {
      name: called,
      code: name,
      prices,
      publish: true,
    });
    const path = { customerId: customer.id };
    await make('createSubscription', { products: [{ code: name }] }, path);
    const costs = [{ id: costId, amount: index + 0.5, vendor_external_id: name }];
    const event = usageEvent('contract.shared', { id: eventId, costs });
    await make('submitEvents', { customer_external_id: name, events: [event] }, {}, 204);
    const moved = {
      transaction_id: transactionId,
      asset: code,
      amount: index + 7,
      reason: 'gift',
    };
    await make('adjustWallet', moved, path);
    const shown = await get('getEvent', { eventId });
    const quote = await make('quoteAsset', { source: 'USD', amount: 1 }, { assetCode: code }, 200);
    const transaction = await get('getWalletTransaction', { ...path, transactionId });

    expect(shown.customer_id).toBe(customer.id);
    expect(shown.fees.map((fee: { readonly amount: number }) => fee.amount)).toEqual([index + 1]);
    expect(shown.costs).toMatchObject([{ vendor_id: vendor.id, amount: index + 0.5 }]);
    expect(transaction.amount).toBe(index + 7);
    // A third, to as many decimals as the caller gave the asset.
    expect(quote.destination_amount).toBe([0.3, 0.33, 0.333][index]);
    expect((await get('getAsset', { assetCode: code })).name).toBe(called);
    made.push([vendor.id, customer.id, product.id]);
  }
  expect(new Set(made.flat()).size).toBe(3 * callers.length);
}

check(
  'X-48',
  { requirement: 'R-ACC-17', level: 'ASSUMED', effect: 'E3', assumes: 'A-104' },
  'the same external_id, code, event id, cost id and transaction id on the platform and in two connected accounts → each has its own object, billed and shown separately',
  async () => {
    const accounts = [await aFreshAccount(), await aFreshAccount()];
    await useUp('names', () => expectOwn([{}, ...accounts.map(({ id }) => ({ actingFor: id }))]));
  },
);

check(
  'X-49',
  { requirement: 'R-AUTH-03 R-AUTH-04', level: 'IMPLIED', effect: 'E3' },
  'the same external_id, code and ids with a key of the other environment and with one of another account → each has its own object',
  async () => {
    const callers = [{}, ...foreignKeys().map((key) => ({ key }))];
    await useUp('names', () => expectOwn(callers));
  },
);

check(
  'WHK-80',
  { requirement: 'R-CONV-20', level: 'ASSUMED', effect: 'E3', assumes: 'A-301' },
  "each operation that takes a destination's id, with it as dst_ and as whd_ → the same destination: read, updated, tested for the platform and for an account, deleted",
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
  'the log filtered by destination ids as dst_ and as whd_, alone, together and with a status → the same events',
  async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const sent: string[] = [];
    for (const webhook of [one, other, one]) sent.unshift(await dispatch(webhook));
    const both = { destination_id: [one.id, other.id], status: 'Failed' };
    await eventually(
      () => log(both),
      ({ length }) => length === sent.length,
    );
    const [dst, whd] = spellingsOf(one.id);
    const [, whd2] = spellingsOf(other.id);
    for (const [destination_id, wanted] of [
      [[dst], [sent[0], sent[2]]],
      [[whd], [sent[0], sent[2]]],
      [[dst, whd2], sent],
      [[whd, whd2], sent],
    ] as const)
      for (const query of [{ destination_id }, { destination_id, status: 'Failed' }])
        expect((await log(query)).map(({ id }) => id)).toEqual(wanted);
  },
);

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
