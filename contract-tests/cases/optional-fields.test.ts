import {
  aCustomer,
  aFreshAsset,
  aFreshCustomer,
  api,
  aVendor,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  restOn,
  unique,
  uniqueSubject,
  usageEvent,
  useUp,
  uuid,
} from '../kit/index.ts';
import { assetOf } from './shared/assets.ts';
import { stored, submit } from './shared/events.ts';
import { expectChanged, expectKept, type Fields } from './shared/fields.ts';
import { detailOf } from './shared/subscriptions.ts';
import { initiate } from './shared/top-ups.ts';
import { TOPIC } from './shared/webhooks.ts';

const METADATA = { region: 'eu', 'a key': 'ünï ✨', Region: 'EU' };
const OTHER = { region: 'us' };

const accounts = () => [
  { provider: 'stripe', provider_id: unique('payer') },
  { provider: 'stripe', provider_id: unique('payer') },
];

describe('optional fields of create requests', () => {
  check(
    'ACC-09',
    { requirement: ['R-ACC-03', 'R-ACC-06', 'R-ACC-07'], level: 'MUST', effect: 'E3' },
    'external_id and metadata of an account: none, each alone, both, null → returned as sent, or empty',
    () =>
      expectKept({
        make: (fields) =>
          useUp('connected account', () =>
            api('createConnectedAccount', { body: { name: 'Contract fields', ...fields } }, 201),
          ),
        read: ({ id }) => api('getConnectedAccount', { path: { accountId: id } }, 200),
        values: () => ({ external_id: unique('account'), metadata: METADATA }),
      }),
  );

  check(
    'AST-24',
    {
      requirement: ['R-AST-06', 'R-AST-07', 'R-AST-08', 'R-AST-09', 'R-AST-11'],
      level: 'MUST',
      effect: 'E3',
    },
    'precision, label, symbol and two rates of an asset: none, each alone, all, null → returned as sent, or 0, the code, none and none',
    () =>
      expectKept({
        make: (fields) => aFreshAsset(fields),
        async read({ code }) {
          const asset = await assetOf(code);
          const rates = asset.rates.map(({ source, schedule }) => ({
            source,
            rate: schedule[0]?.rate,
          }));
          rates.sort((one, other) => (one.source < other.source ? -1 : 1));
          return { ...asset, rates };
        },
        values: () => ({
          precision: 4,
          label: 'Tokens',
          symbol: '✨',
          rates: [
            { source: 'EUR', rate: 0.4 },
            { source: 'USD', rate: 0.5 },
          ],
        }),
        defaults: ({ code }) => ({ precision: 0, label: code, rates: [] }),
      }),
  );

  check(
    'CUS-26',
    { requirement: ['R-CUS-04', 'R-CUS-06', 'R-CUS-17', 'R-CUS-19'], level: 'MUST', effect: 'E3' },
    'external_id, email, metadata and two external accounts of a customer: none, each alone, all, null → returned as sent, or empty',
    () =>
      expectKept({
        make: (fields) =>
          useUp('customer', () =>
            api('createCustomer', { body: { name: 'Contract fields', ...fields } }, 201),
          ),
        read: detailOf,
        values: () => ({
          external_id: unique('customer'),
          email: `${unique('mail')}@example.com`,
          metadata: METADATA,
          external_accounts: accounts(),
        }),
        defaults: () => ({ external_accounts: [] }),
      }),
  );

  check(
    'WHK-45',
    { requirement: ['R-WHK-14', 'R-WHK-15'], level: 'MUST', effect: 'E2' },
    'topics and connect of a destination: none, each alone, both, null → returned as sent, or * and false',
    (t) =>
      expectKept({
        make: (fields) => aWebhook(t, fields),
        read: ({ id }) => api('getWebhook', { path: { webhookId: id } }, 200),
        values: () => ({ topics: [TOPIC, 'contract.unheard_of'], connect: true }),
        defaults: () => ({ topics: ['*'], connect: false }),
      }),
  );

  check(
    'EVT-49',
    { requirement: ['R-EVT-09', 'R-EVT-10', 'R-EVT-12', 'R-EVT-45'], level: 'MUST', effect: 'E3' },
    'subject, description, data and two costs of an event: none, each alone, all, null → returned as sent, or empty',
    async () => {
      const customer = await aCustomer();
      const { id: vendor_id } = await aVendor();
      await expectKept({
        async make(fields) {
          const event = { ...usageEvent('contract.fields', { subject: undefined }), ...fields };
          await submit(customer, event);
          return event;
        },
        async read({ id }) {
          const event = await stored(id);
          const costs = event.costs?.map((cost) => ({
            id: cost.id,
            vendor_id: cost.vendor_id,
            amount: cost.amount,
          }));
          return { ...event, costs };
        },
        values: () => ({
          subject: uniqueSubject(),
          description: 'Usage, "quoted" ✨',
          data: { model: 'large', Model: 'LARGE', tokens: 12.5, cached: false, none: 0, empty: '' },
          costs: [0.5, 0.25].map((amount) => ({ id: uuid(), vendor_id, amount })),
        }),
        defaults: () => ({ data: {}, costs: [] }),
      });
    },
  );

  check(
    'EVT-50',
    { requirement: ['R-EVT-35', 'R-EVT-36', 'R-EVT-37', 'R-EVT-38'], level: 'MUST', effect: 'E3' },
    'nine optional fields of a cost, next to a cost without them: none, each alone, all, null → returned as sent, or empty and USD',
    async () => {
      const customer = await aCustomer();
      const { id: vendor_id } = await aVendor();
      await expectKept({
        async make(fields) {
          const bare = { id: uuid(), vendor_id, amount: 0.25, category: 'other' };
          const costs = [bare, { id: uuid(), vendor_id, amount: 0.5, ...fields }];
          const event = usageEvent('contract.fields', { costs });
          await submit(customer, event);
          return event;
        },
        read: async ({ id }) => (await stored(id)).costs?.[1] as Fields,
        values: () => ({
          category: 'compute',
          description: 'Machine time',
          metadata: { region: 'eu', retries: 0, spot: false },
          units: 2,
          unit_price: 0.1,
          input_volume: 300,
          volume_rate: 1.5,
          package_size: 1000,
          currency: 'EUR',
        }),
        defaults: () => ({ currency: 'USD' }),
      });
    },
  );

  check(
    'TOP-16',
    { requirement: ['R-TOP-04', 'R-TOP-05', 'R-TOP-08'], level: 'MUST', effect: 'E4' },
    "account, asset and rate of a top-up's destination: none, each alone, all, null → shown as sent, or the default account in the top-up's currency",
    async () => {
      const customer = await aCustomer();
      const { code } = await aFreshAsset({ rates: [{ source: 'USD', rate: 0.5 }] });
      const destinationOf = async ({ id }: { readonly id: string }) =>
        ((await api('getTopUp', { path: { topUpId: id } }, 200)).destination ?? {}) as Fields;
      const plain = await destinationOf(await initiate(customer, { destination: { asset: code } }));
      await restOn(
        'A-1102',
        plain['exchange_rate'] === 0.5,
        'a rate that was left out is not shown',
      );
      await expectKept({
        make: (fields) => initiate(customer, { destination: { asset: code, ...fields } }),
        read: destinationOf,
        values: () => ({ account_name: 'contract', exchange_rate: 0.25 }),
        defaults: () => ({ account_name: 'default', exchange_rate: 0.5 }),
      });
      await expectKept({
        make: (fields) => initiate(customer, { destination: fields }),
        read: destinationOf,
        values: () => ({ account_name: 'contract' }),
        defaults: () => ({ account_name: 'default' }),
      });
    },
  );
});

describe('optional fields of update requests', () => {
  check(
    'CUS-27',
    { requirement: 'R-CUS-37', level: 'ASSUMED', effect: 'E3', assumes: 'A-601' },
    'each field of a customer updated by itself, and none → only that field changes',
    async () => {
      const made = await aFreshCustomer({
        email: `${unique('mail')}@example.com`,
        metadata: METADATA,
        external_accounts: accounts(),
      });
      await expectChanged({
        made,
        read: detailOf,
        update: ({ id }, body) => call('updateCustomer', { path: { customerId: id }, body }, [204]),
        changes: {
          name: 'Contract renamed',
          external_id: unique('customer'),
          email: `${unique('mail')}@example.com`,
          metadata: OTHER,
          external_accounts: accounts(),
        },
      });
    },
  );

  check(
    'WHK-46',
    { requirement: ['R-WHK-10', 'R-WHK-21', 'R-WHK-22'], level: 'MUST', effect: 'E2' },
    'url, topics and enabled of a destination changed by themselves, and none → only that field changes, the secret stays',
    async (t) => {
      await expectChanged({
        made: await aWebhook(t, { topics: [TOPIC], connect: true }),
        async read({ id }) {
          const { updated_at: _, ...shown } = await api(
            'getWebhook',
            { path: { webhookId: id } },
            200,
          );
          return shown;
        },
        update: ({ id }, body) => api('updateWebhook', { path: { webhookId: id }, body }, 200),
        changes: { url: blackHole(), topics: ['*', 'contract.unheard_of'], enabled: false },
      });
    },
  );
});
