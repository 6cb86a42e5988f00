import {
  aCustomer,
  anAdjustment,
  aProduct,
  aSubscriber,
  blackHole,
  call,
  check,
  describe,
  expect,
  now,
  type OperationId,
  operationOf,
  refused,
  specifiedStatuses,
  unknownId,
  usageEvent,
} from '../kit/index.ts';
import { idOf, nowhere, writes } from './shared/cross-cutting.ts';
import { DAY_MS } from './shared/times.ts';

describe('invalid request bodies', () => {
  const withBody = writes.filter(({ body }) => body);

  check(
    'X-05',
    { requirement: ['R-ERR-01', 'R-ERR-07', 'R-ERR-22'], level: 'MUST', effect: 'E1' },
    'syntactically broken JSON on each body operation → 400 problem with `type`, `title`, integer `status` = 400',
    async () => {
      for (const write of withBody) {
        if (!specifiedStatuses(write).includes(400)) continue;
        const { body } = await call(
          idOf(write),
          { path: nowhere(idOf(write)), raw: '{"broken": ' },
          [400],
        );
        expect(body).toMatchObject({
          type: expect.any(String),
          title: expect.any(String),
          status: 400,
        });
      }
    },
  );

  check(
    'X-06',
    { requirement: ['R-ERR-02', 'R-ERR-22'], level: 'MUST', effect: 'E1' },
    'well-formed but invalid value → 422 (validation failure)',
    async () => {
      await call('createCustomer', { body: { name: 42 } }, [422]);
      await call('createAsset', { body: { code: 'lower', name: 'Contract' } }, [422]);
      await call('createWebhook', { body: { url: 'nowhere' } }, [422]);
      await call('createTopUp', { body: { amount: 'ten' } }, [422]);
    },
  );

  check(
    'X-07',
    { requirement: 'R-ERR-08', level: 'MUST', effect: 'E1' },
    'two different 400s of one problem type → same `title` (title constant per type)',
    async () => {
      const seen = new Map<string, string>();
      for (const operation of ['createCustomer', 'createVendor', 'createAsset'] as const) {
        const { body } = await call(operation, { raw: '{"broken": ' }, [400]);
        expect(seen.get(body.type) ?? body.title).toBe(body.title);
        seen.set(body.type, body.title);
      }
    },
  );

  check(
    'X-19',
    {
      requirement: ['R-CUS-36', 'R-ERR-14', 'R-PRD-32', 'R-PRD-37', 'R-SUB-29', 'R-SUB-32'],
      level: 'MUST',
      effect: 'E1',
    },
    'body-required updates sent without a body → 400 or 422, never 204',
    async () => {
      const { id: customerId } = await aCustomer();
      const { id: productId } = await aProduct();
      const paths: readonly (readonly [OperationId, Record<string, string>])[] = [
        ['updateCustomer', { customerId }],
        ['createProductVersion', { productId }],
        ['updateProductVersion', { productId, version: '1' }],
      ];
      for (const [operation, path] of paths) await refused(operation, { path }, [400, 409, 422]);
      const { subscription } = await aSubscriber();
      const path = { customerId, subscriptionId: subscription.id, productId };
      await refused('updateSubscription', { path });
      await refused('updateSubscriptionProduct', { path });
    },
  );

  check(
    'X-23',
    {
      requirement: ['R-ERR-15', 'R-ERR-16', 'R-ERR-23'],
      level: 'ASSUMED',
      effect: 'E1',
      assumes: 'A-204',
    },
    'bodies of 400 and 422: detail text, the content type of other problems; 422 has errors by field path, all findings of a body with two mistakes at once',
    async () => {
      const broken = await call('createCustomer', { raw: '{"broken": ' }, [400]);
      const twice = await call('createCustomer', { body: { email: 'nobody' } }, [422]);

      expect(broken.body.detail).toMatch(/\S/);
      expect(twice.body.detail).toMatch(/\S/);
      expect(String(twice.headers['content-type'])).toMatch(/json/);
      expect(Object.keys(twice.body.errors).sort()).toEqual(['email', 'name']);
      for (const messages of Object.values(twice.body.errors))
        expect(messages).toEqual([expect.any(String)]);
    },
  );

  check(
    'X-94',
    { requirement: 'R-ERR-16', level: 'ASSUMED', effect: 'E1', assumes: 'A-204' },
    'bodies of 400 and 422 → instance is the path of the request, without its query',
    async () => {
      const { id: customerId } = await aCustomer();
      const path = { customerId };
      const ofCharge = operationOf('chargeWallet').path.replace('{customerId}', customerId);
      // What comes before is that of the base URL.
      for (const [rejection, asked] of [
        [await call('listCustomers', { query: { limit: 'x' } }, [400, 422]), '/customers'],
        [await call('createCustomer', { body: {} }, [422]), '/customers'],
        [await call('chargeWallet', { path, body: {} }, [422]), ofCharge],
      ] as const)
        expect(String(rejection.body.instance).slice(-asked.length)).toBe(asked);
    },
  );

  check(
    'X-54',
    { requirement: ['R-ERR-15', 'R-ERR-23'], level: 'ASSUMED', effect: 'E1', assumes: 'A-204' },
    'two mistakes of one kind in a list, and one in its second item → errors name each by its index, and nothing else',
    async () => {
      const [customer, product] = [await aCustomer(), await aProduct()];
      const good = { products: [{ id: product.id }] };
      const unknown = () => ({ products: [{ id: unknownId('prp') }] });
      const old = () => usageEvent('contract.old', { occurred_at: now(-500 * DAY_MS) });
      const recent = () => usageEvent('contract.recent');
      const named = async (operation: OperationId, body: object) =>
        Object.keys((await call(operation, { body }, [422])).body.errors).sort();
      for (const [subscriptions, places] of [
        [
          [unknown(), unknown()],
          ['subscriptions[0].products[0].id', 'subscriptions[1].products[0].id'],
        ],
        [[good, unknown()], ['subscriptions[1].products[0].id']],
      ] as const)
        expect(await named('createCustomer', { name: 'Contract', subscriptions })).toEqual(places);
      for (const [events, places] of [
        [
          [old(), recent(), old()],
          ['events[0].occurred_at', 'events[2].occurred_at'],
        ],
        [[recent(), old()], ['events[1].occurred_at']],
      ] as const)
        expect(await named('submitEvents', { customer_id: customer.id, events })).toEqual(places);
    },
  );

  check(
    'X-24',
    { requirement: 'R-ERR-17', level: 'ASSUMED', effect: 'E2', assumes: 'A-203' },
    'unknown field in a create body → 422 or 400 that names it, or accepted',
    async (t) => {
      const body = { url: blackHole(), unheard_of: 1 };
      const { status, body: answer } = await call('createWebhook', { body }, [422, 400, 201]);
      const path = { webhookId: answer.id };
      if (status === 201) t.afterwards(() => call('deleteWebhook', { path }, [204]));
      t.observeSetting('unknown_fields', status === 201 ? 'ignore' : 'reject');

      expect(status).toBe(422);
      expect(Object.keys(answer.errors)).toEqual(['unheard_of']);
    },
  );
});

describe('invalid query parameters', () => {
  check(
    'X-25',
    { requirement: 'R-ERR-18', level: 'ASSUMED', effect: 'E0', assumes: 'A-203' },
    'unknown query parameter on a list → 400 that names it, or 200',
    async (t) => {
      const { status, body } = await call('listVendors', { query: { unheard_of: 1 } }, [400, 200]);
      t.observe('unknown query parameter', status);

      expect(status).toBe(400);
      expect(body.detail).toContain('unheard_of');
    },
  );

  /** The words of each list filter that takes only certain words, and words close to them in meaning. */
  const CHOICES: readonly (readonly [OperationId, string, string[], string[]])[] = [
    ['listCustomers', 'status', ['active', 'inactive'], ['paused', 'action_required', 'enabled']],
    ['listProductVersions', 'status', ['draft', 'published', 'archived'], ['ready', 'deleted']],
    ['listTasks', 'sort', ['last_updated_at', 'created_at'], ['name', 'updated_at', 'created']],
    ['listGrants', 'purpose', ['paid', 'promotion', 'bundled'], ['gift', 'promotional']],
    ['listWebhookEvents', 'status', ['Success', 'Failed'], ['Pending', 'Succeeded', 'Failure']],
  ];

  const respelled = (word: string) => {
    const [lower, upper] = [word.toLowerCase(), word.toUpperCase()];
    const capital = `${upper.slice(0, 1)}${lower.slice(1)}`;
    const changed = [lower, upper, capital, ` ${word}`, `${word} `, `${word}s`, word.slice(0, -1)];
    return changed.filter((each) => each !== word);
  };

  check(
    'X-32',
    {
      requirement: ['R-CONV-03', 'R-CUS-29', 'R-ERR-20'],
      level: 'ASSUMED',
      effect: 'E0',
      assumes: 'A-202',
    },
    'malformed date, boolean or enum value in each list filter, and each word in another letter case, with a space or a letter more or less → 400, never ignored',
    async () => {
      const wrong: readonly (readonly [OperationId, object])[] = [
        ['listEvents', { period_from: 'yesterday' }],
        ['listEvents', { has_fees: 'maybe' }],
        ['listEvents', { event_id: 'not-a-uuid' }],
        ['listTasks', { created_from: '2026-13-01' }],
        ['listCustomerStats', { period_to: '2026-02-30' }],
        ['listWebhooks', { enabled: 'perhaps' }],
        ['listWebhookEvents', { time_gte: 'noon' }],
      ];
      for (const [operation, query] of wrong)
        await call(operation, { query: query as Record<string, unknown> }, [400]);
      const customer = await aCustomer();
      await anAdjustment(customer);
      const path = { customerId: customer.id, accountId: 'default:USD' };
      await call('listGrants', { path, query: { effective_from: 'noon' } }, [400]);
      for (const [list, name, words, others] of CHOICES)
        for (const word of [...words.flatMap(respelled), ...others]) {
          const parts = { path, query: { [name]: word } };
          await call(list, list === 'listGrants' ? parts : { query: parts.query }, [400]);
        }
    },
  );
});
