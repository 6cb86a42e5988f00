import {
  ADDRESSES,
  adjustment,
  aFixedPrice,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  api,
  aUsageEvent,
  call,
  check,
  describe,
  expect,
  now,
  type OwnObject,
  type OwnProduct,
  refused,
  unique,
  uniqueAssetCode,
  useUp,
  uuid,
} from '../kit/index.ts';
import { quoteOf } from './shared/assets.ts';
import { listed, price, stored } from './shared/events.ts';
import { ENTITLEMENT } from './shared/products.ts';
import { subscribe, to } from './shared/subscriptions.ts';
import { DAY_MS } from './shared/times.ts';
import { initiate, request } from './shared/top-ups.ts';
import { charge, charged, grantsOf } from './shared/wallets.ts';

const accountsOf = async ({ id }: Pick<OwnObject, 'id'>) =>
  (await api('getWallet', { path: { customerId: id } }, 200)).accounts
    .map((account) => `${account.id} ${account.available}`)
    .sort();

/** A price per event in several assets. */
const pricedIn = (eventType: string, ...assets: readonly string[]) => ({
  ...price(eventType, 'unit', []),
  pricing: assets.map((asset) => ({ asset, values: [{ unit_price: 2 }] })),
});

const adjust = ({ id }: OwnObject, body: object) =>
  api('adjustWallet', { path: { customerId: id }, body: adjustment(body) }, 201);

describe('opening of wallet accounts', () => {
  check(
    'WAL-52',
    {
      requirement: ['R-WAL-43', 'R-WAL-51'],
      level: 'ASSUMED',
      effect: 'E4',
      assumes: ['A-702', 'A-1108', 'A-703'],
    },
    'a subscription, an unpaid top-up, a charge, an adjustment, one that is not yet effective, and a fee, each for its own customer → opens the accounts of its own assets, and no other; rejected requests, a simulation and usage without a price open none',
    async () => {
      const { code } = await aFreshAsset({ precision: 2, rates: [{ source: 'USD', rate: 1 }] });
      const type = `contract.${unique('open')}`;
      const priced = await aFreshProduct({ prices: [pricedIn(type, code)] });
      const granted = await aFreshProduct({
        prices: [],
        entitlements: [{ ...ENTITLEMENT, asset: code }],
      });
      const both = await aFreshProduct({
        entitlements: [{ ...ENTITLEMENT, asset: code, amount: 3 }],
      });
      const steps: readonly (readonly [(customer: OwnObject) => Promise<unknown>, string[]])[] = [
        [async () => undefined, []],
        [(customer) => subscribe(customer, to(priced)), [`default:${code} 0`]],
        [(customer) => subscribe(customer, to(granted)), [`default:${code} 5`]],
        [(customer) => subscribe(customer, to(both)), [`default:${code} 3`, 'default:USD 0']],
        [
          (customer) => initiate(customer, { destination: { asset: code, account_name: 'own' } }),
          [`own:${code} 0`],
        ],
        [(customer) => initiate(customer), ['default:USD 0']],
        [(customer) => charged(customer, { asset: code }), [`default:${code} -1.5`]],
        [(customer) => charged(customer, { asset: code, amount: 0 }), [`default:${code} 0`]],
        [
          (customer) => adjust(customer, { amount: -2, account_name: 'own', reason: 'other' }),
          ['own:USD -2'],
        ],
        [
          (customer) => adjust(customer, { asset: code, effective_at: now(DAY_MS) }),
          [`default:${code} 0`],
        ],
        [
          async (customer) => {
            await subscribe(customer, to(priced));
            await aUsageEvent(customer, type);
          },
          [`default:${code} -2`],
        ],
        [
          async (customer) => {
            const path = { customerId: customer.id };
            await refused('createSubscription', { path, body: { products: [{ id: 'prp_no' }] } });
            await refused('createTopUp', { body: request(customer, { amount: 0 }) });
            const events = [{ id: uuid(), event_type: type, occurred_at: now() }];
            const body = { customer_id: customer.id, events } as never;
            const of = { productId: priced.id, version: '1' };
            await api('simulateUsage', { path: of, body }, 200);
            await api('submitEvents', { body }, 204);
          },
          [],
        ],
      ];
      for (const [step, wanted] of steps) {
        const customer = await aFreshCustomer();
        await step(customer);
        expect(await accountsOf(customer)).toEqual([...wanted].sort());
      }
    },
  );

  check(
    'WAL-70',
    { requirement: 'R-WAL-51', level: 'ASSUMED', effect: 'E4', assumes: ['A-610', 'A-702'] },
    'a plan with usage priced in two assets and credit in a third, and another with a price and credit in more, without a fee and with, from now and from tomorrow, added to a customer and created with it → every account is there at once, before payment and start',
    async () => {
      const [first, second, third] = [
        (await aFreshAsset({ precision: 2 })).code,
        (await aFreshAsset()).code,
        (await aFreshAsset()).code,
      ];
      const type = `contract.${unique('open')}`;
      const fee = { ...aFixedPrice(), pricing: [{ asset: 'EUR', values: [{ unit_price: 5 }] }] };
      const prices = [pricedIn(type, first, second)];
      const entitlements = [{ ...ENTITLEMENT, asset: third }];
      const free = await aFreshProduct({ prices, entitlements });
      const paid = await aFreshProduct({ prices: [...prices, fee], entitlements });
      const beside = await aFreshProduct({
        prices: [pricedIn(type, first), pricedIn(`${type}.more`, 'GBP')],
        entitlements: ['CHF', 'JPY'].map((asset) => ({ ...ENTITLEMENT, name: asset, asset })),
      });
      const opened = (credit: number, ...more: readonly string[]) =>
        [
          ...[first, second, 'GBP'].map((asset) => `default:${asset} 0`),
          ...[third, 'CHF', 'JPY'].map((asset) => `default:${asset} ${credit}`),
          ...more,
        ].sort();
      const waiting = opened(0, 'default:EUR 0');
      const ahead = { starts_at: now(DAY_MS) };
      const both = ({ id }: Pick<OwnProduct, 'id'>) => ({ products: [{ id }, { id: beside.id }] });
      for (const [body, status, wanted] of [
        [both(free), 'active', opened(5)],
        [{ ...both(free), ...ahead }, 'scheduled', opened(0)],
        [{ ...both(paid), ...ADDRESSES }, 'action_required', waiting],
        [{ ...both(paid), ...ADDRESSES, ...ahead }, 'action_required', waiting],
      ] as const) {
        const customer = await aFreshCustomer();
        expect((await subscribe(customer, body)).status).toBe(status);
        expect(await accountsOf(customer), status).toEqual(wanted);
        const whole = { name: 'Contract alike', subscriptions: [body] } as never;
        const inline = await useUp('customer', () => api('createCustomer', { body: whole }, 201));
        expect(await accountsOf(inline), status).toEqual(wanted);
      }
    },
  );

  check(
    'WAL-53',
    {
      requirement: ['R-WAL-38', 'R-WAL-60'],
      level: 'ASSUMED',
      effect: 'E3',
      assumes: ['A-702', 'A-707'],
    },
    'adjustments, charges and top-ups with an invalid account_name or an unknown asset, and adjustments with an end in the past or an end on a negative amount → rejected, no account is opened',
    async () => {
      const customer = await aFreshCustomer();
      const path = { customerId: customer.id };
      const names = [
        'Default',
        'a:b',
        '',
        ' ',
        '-a',
        '_a',
        'a b',
        'a.b',
        'é',
        'a\n',
        'a'.repeat(65),
      ];
      for (const account_name of names) {
        await refused('adjustWallet', { path, body: adjustment({ account_name }) });
        await refused('chargeWallet', { path, body: charge({ account_name }) });
        const body = request(customer, { destination: { account_name } });
        await refused('createTopUp', { body });
      }
      for (const asset of ['CTNOWHERE', 'usd', '', 'A'.repeat(65)]) {
        await refused('adjustWallet', { path, body: adjustment({ asset }) });
        await refused('chargeWallet', { path, body: charge({ asset }) });
        await refused('createTopUp', { body: request(customer, { destination: { asset } }) });
      }
      for (const changes of [
        { expires_at: now(-1_000) },
        { expires_at: now(DAY_MS), amount: -1, reason: 'external_refund' },
        { amount: '5' },
        { reason: 'Gift' },
        { transaction_id: `${uuid()}0` },
      ])
        await refused('adjustWallet', { path, body: { ...adjustment(), ...changes } });

      expect(await accountsOf(customer)).toEqual([]);
    },
  );
});

describe('names and asset codes of wallet accounts', () => {
  check(
    'WAL-71',
    { requirement: ['R-WAL-51', 'R-WAL-60'], level: 'ASSUMED', effect: 'E4', assumes: 'A-702' },
    'accounts with names and asset codes of each length and kind of character, up to 64 characters each → credit, charges, top-ups, usage and entitlements reach them, each is found by its id, no neighbour is',
    async () => {
      const rates = [{ source: 'USD', rate: 1 }];
      const long = `${uniqueAssetCode()}${'0Z'.repeat(32)}`.slice(0, 64);
      const digits = `${Date.now()}`.padStart(64, '7');
      for (const code of [long, digits, uniqueAssetCode()]) {
        await aFreshAsset({ code, precision: 2, rates });
        const customer = await aFreshCustomer();
        const path = { customerId: customer.id };
        const names = ['a', '0', '9-_', 'default', `a${'_-9'.repeat(21)}`, '7'.repeat(64)];
        for (const account_name of names) {
          const [of, id] = [{ account_name, asset: code }, `${account_name}:${code}`];
          const { id: transactionId } = await adjust(customer, { ...of, amount: 5 });
          const given = await api(
            'getWalletTransaction',
            { path: { ...path, transactionId } },
            200,
          );
          expect(given).toMatchObject({ account_id: id, asset: code, amount: 5 });
          await charged(customer, { ...of, amount: 2 });
          const topUp = await initiate(customer, { destination: of });
          const { destination } = await api('getTopUp', { path: { topUpId: topUp.id } }, 200);
          expect(destination).toMatchObject(of);
          const at = { path: { ...path, accountId: id } };
          const shown = { id, name: account_name, asset: code, available: 3 };
          for (const isPlainPath of [false, true]) {
            const { body } = await call('getWalletAccount', { ...at, isPlainPath }, [200]);
            expect(body).toEqual({ ...shown, pending_in: 0, pending_out: 0 });
          }
          expect(await grantsOf(customer, id)).toMatchObject([{ available: 3 }]);
          const { accounts } = await api('getWallet', { path }, 200);
          expect(accounts.filter(({ name }) => name === account_name)).toEqual([shown]);
          for (const accountId of [`${account_name}b:${code}`, id.slice(0, -1), `${id}A`])
            await call('getWalletAccount', { path: { ...path, accountId } }, [404]);
        }
        const type = `contract.${unique('open')}`;
        const product = await aFreshProduct({
          prices: [pricedIn(type, code)],
          entitlements: [{ ...ENTITLEMENT, asset: code }],
        });
        await subscribe(customer, to(product));
        const { id: event_id } = await aUsageEvent(customer, type);
        expect((await stored(event_id)).fees).toMatchObject([{ currency: code, amount: 2 }]);
        expect(await listed({ event_id })).toMatchObject([{ fee_currency: code, total_fees: 2 }]);
        expect(await quoteOf(code, 6)).toMatchObject({ destination: code, destination_amount: 6 });
        // 5 - 2, 5 of the entitlement, less the fee of 2; the other accounts have 3.
        expect(await accountsOf(customer)).toEqual(
          names.map((name) => `${name}:${code} ${name === 'default' ? 6 : 3}`).sort(),
        );
      }
    },
  );
});
