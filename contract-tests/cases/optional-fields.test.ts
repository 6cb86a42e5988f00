import {
  aFreshCustomer,
  api,
  aWebhook,
  blackHole,
  call,
  check,
  describe,
  unique,
  useUp,
} from '../kit/index.ts';
import { expectChanged, expectKept } from './shared/fields.ts';
import { detailOf } from './shared/subscriptions.ts';
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
