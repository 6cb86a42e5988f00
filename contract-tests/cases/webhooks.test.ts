import {
  aConnectedAccount,
  aFreshAccount,
  aFreshCustomer,
  aProduct,
  api,
  aReceiver,
  aSubscriber,
  aUsageEvent,
  aWebhook,
  type Body,
  blackHole,
  building,
  type CheckContext,
  call,
  check,
  type Delivery,
  describe,
  environment,
  eventually,
  expect,
  isOurs,
  NotObservable,
  now,
  type OwnWebhook,
  refused,
  signatureFault,
  unknownId,
} from '../kit/index.ts';

type Item = Body<'listWebhookEvents', 200>['items'][number];

const TOPIC = 'subscription.activated';
const DATA = { user_id: 'u-1', status: 'active' };

/** Sends a test event to one destination; answers its id. */
async function dispatch({ id }: OwnWebhook, body: object = DATA): Promise<string> {
  const path = { webhookId: id, topic: TOPIC };
  return (await api('testWebhook', { path, body: body as never }, 202)).id;
}

async function log(query: object = {}): Promise<readonly Item[]> {
  const whole = { limit: 1000, ...query };
  return (await api('listWebhookEvents', { query: whole as never }, 200)).items;
}

/** The log item of an event, once it is there and fits. */
async function logged(eventId: string, fits = (_: Item) => true): Promise<Item> {
  const find = async () => (await log()).find(({ id }) => id === eventId);
  return (await eventually(find, (item) => item !== undefined && fits(item), 30_000)) as Item;
}

const isMatched = (item: Item | undefined, { id }: OwnWebhook): boolean =>
  item?.matched_destination_ids.some((one) => one.split('_')[1] === id.split('_')[1]) ?? false;

/** Subscribes a new customer, which fires a real event; answers the id of the subscription. */
async function activation(): Promise<{ customerId: string; subscriptionId: string }> {
  const [customer, product] = [await aFreshCustomer(), await aProduct('usage')];
  const body = { products: [{ id: product.id }] };
  const path = { customerId: customer.id };
  const { id } = await api('createSubscription', { path, body }, 201);
  return { customerId: customer.id, subscriptionId: id };
}

/** The log item of a subscription's activation. */
async function activationItem(subscriptionId: string): Promise<Item> {
  const find = async () =>
    (await log()).find(({ data }) => data['subscription_id'] === subscriptionId);
  return (await eventually(find, (item) => item !== undefined)) as Item;
}

describe('createWebhook', () => {
  check('WHK-01', async (t) => {
    const made = await aWebhook(t);
    const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);

    expect(made.secret).not.toBe('');
    expect(shown).toMatchObject({ url: made.url, topics: ['*'], connect: false, enabled: true });
    expect(Date.parse(shown.created_at)).not.toBeNaN();
  });

  check('WHK-02', async (t) => {
    const made = await aWebhook(t);
    const shown = await api('getWebhook', { path: { webhookId: made.id } }, 200);
    const { items } = await api('listWebhooks', {}, 200);

    expect(shown.secret).toBe(made.secret);
    for (const item of items) expect(item).not.toHaveProperty('secret');
  });

  check('WHK-07', async (t) => {
    await refused('createWebhook', { body: {} });
    await refused('createWebhook', { body: { url: 'nowhere' } });
    const url = blackHole().replace('https:', 'http:');
    t.observe(
      'plain http',
      (await call('createWebhook', { body: { url } }, [201, 400, 422])).status,
    );
  });

  check('WHK-19', async (t) => {
    const { id } = await aWebhook(t);
    const other = id.startsWith('dst_') ? id.replace('dst_', 'whd_') : id.replace('whd_', 'dst_');
    const shown = await api('getWebhook', { path: { webhookId: other } }, 200);

    expect(shown.url).toContain('contract');
  });

  check('WHK-29', async (t) => {
    await refused('createWebhook', { body: { url: blackHole(), topics: [] } });
    await refused('createWebhook', { body: { url: blackHole(), topics: ['Not A Topic'] } });
    const { id } = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const shown = await api('getWebhook', { path: { webhookId: id } }, 200);

    expect(shown.topics).toEqual(['contract.unheard_of']);
  });

  check('WHK-36', async (t) => {
    expect((await aWebhook(t)).secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}=?$/);
  });
});

/** On an emulator of ours: one destination enabled, and one for connected accounts that is not. */
async function anyDestinations(t: CheckContext): Promise<void> {
  if (!isOurs()) return;
  await aWebhook(t);
  const { id } = await aWebhook(t, { connect: true });
  await building('disabled destination', () =>
    api('updateWebhook', { path: { webhookId: id }, body: { enabled: false } }, 200),
  );
}

describe('listWebhooks', () => {
  check('WHK-03', async () => {
    const list = await api('listWebhooks', {}, 200);

    expect(list.total_count).toBe(list.items.length);
    expect(list).not.toHaveProperty('limit');
    expect(list).not.toHaveProperty('offset');
  });

  check('WHK-04', async (t) => {
    await anyDestinations(t);
    for (const value of [true, false]) {
      const byState = await api('listWebhooks', { query: { enabled: value } }, 200);
      const byScope = await api('listWebhooks', { query: { connect: value } }, 200);

      expect(byState.items.every(({ enabled }) => enabled === value)).toBe(true);
      expect(byScope.items.every(({ connect }) => connect === value)).toBe(true);
    }
  });
});

describe('updateWebhook', () => {
  check('WHK-05', async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id };
    const before = await api('getWebhook', { path }, 200);
    const change = { url: blackHole(), topics: [TOPIC], enabled: false };
    const answer = await api('updateWebhook', { path, body: change }, 200);
    const after = await api('getWebhook', { path }, 200);

    expect(answer).toMatchObject(change);
    expect(after).toMatchObject(change);
    expect(Date.parse(after.updated_at)).toBeGreaterThanOrEqual(Date.parse(before.updated_at));
  });

  check('WHK-21', async (t) => {
    const path = { webhookId: unknownId('dst') };
    const changed = await call(
      'updateWebhook',
      { path, body: { enabled: false } },
      [422, 404, 400],
    );
    const deleted = await call('deleteWebhook', { path }, [422, 404, 400]);
    t.observe('unknown destination', `${changed.status}, ${deleted.status}`);

    expect([changed.status, deleted.status]).toEqual([422, 422]);
  });

  check('WHK-30', async (t) => {
    const { id } = await aWebhook(t);
    const path = { webhookId: id };

    expect(await api('updateWebhook', { path, body: { enabled: true } }, 200)).not.toHaveProperty(
      'secret',
    );
  });
});

describe('deleteWebhook', () => {
  check('WHK-06', async (t) => {
    const { id } = await aWebhook(t);
    const { text } = await call('deleteWebhook', { path: { webhookId: id } }, [204]);
    const { items } = await api('listWebhooks', {}, 200);

    expect(text).toBe('');
    expect(items.map((item) => item.id)).not.toContain(id);
    await api('getWebhook', { path: { webhookId: id } }, 404);
  });
});

describe('testWebhook', () => {
  check('WHK-08', async (t) => {
    const webhook = await aWebhook(t);
    const id = await dispatch(webhook);
    const item = await logged(id);

    expect(id).toMatch(/^evt_/);
    expect(item).toMatchObject({ id, topic: TOPIC });
    expect(isMatched(item, webhook)).toBe(true);
    expect(Date.parse(item.time)).not.toBeNaN();
  });

  check('WHK-11', async () => {
    const path = { webhookId: unknownId('dst'), topic: TOPIC };
    await call('testWebhook', { path, body: DATA }, [404]);
  });

  check('WHK-20', async (t) => {
    const { id } = await aWebhook(t);
    const unheard = { webhookId: id, topic: 'contract.unheard_of' };
    await call('testWebhook', { path: unheard, body: DATA }, [404]);
    const path = { webhookId: id, topic: TOPIC, connectedAccountId: unknownId('acc') };
    await call('testConnectedWebhook', { path, body: DATA }, [404]);
    await call('testWebhooks', { path: { topic: unheard.topic }, body: DATA }, [404]);
  });

  check('WHK-27', async (t) => {
    const webhook = await aWebhook(t);
    const path = { webhookId: webhook.id, topic: TOPIC };
    await refused('testWebhook', { path });
    await refused('testWebhook', { path, raw: '[1]', contentType: 'application/json' });
    const nested = { user: { id: 'u-1', tags: ['a', 'b'] }, count: 2 };

    expect((await logged(await dispatch(webhook, nested))).data).toEqual(nested);
  });

  check('WHK-33', async (t) => {
    const other = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const off = await aWebhook(t);
    await api('updateWebhook', { path: { webhookId: off.id }, body: { enabled: false } }, 200);
    const reached = await logged(await dispatch(other));
    const unreached = await logged(await dispatch(off));

    expect([isMatched(reached, other), isMatched(unreached, off)]).toEqual([true, false]);
  });
});

describe('routing', () => {
  check('WHK-09', async (t) => {
    const all = await aWebhook(t);
    const elsewhere = await aWebhook(t, { topics: ['contract.unheard_of'] });
    const named = await aWebhook(t, { topics: ['contract.unheard_of', TOPIC] });
    const { subscriptionId } = await activation();
    const item = await activationItem(subscriptionId);

    expect([all, named, elsewhere].map((one) => isMatched(item, one))).toEqual([true, true, false]);
  });

  check('WHK-10', async (t) => {
    const account = await aConnectedAccount();
    const platform = await aWebhook(t);
    const connected = await aWebhook(t, { connect: true });
    const own = await activationItem((await activation()).subscriptionId);
    const path = { webhookId: connected.id, topic: TOPIC, connectedAccountId: account.id };
    const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
    const foreign = await logged(id);

    expect([isMatched(own, platform), isMatched(own, connected)]).toEqual([true, false]);
    expect([isMatched(foreign, platform), isMatched(foreign, connected)]).toEqual([false, true]);
  });

  check('WHK-24', async (t) => {
    const webhook = await aWebhook(t);
    const path = { webhookId: webhook.id };
    await api('updateWebhook', { path, body: { enabled: false } }, 200);
    const off = await activationItem((await activation()).subscriptionId);
    await api('updateWebhook', { path, body: { enabled: true } }, 200);
    const on = await activationItem((await activation()).subscriptionId);

    expect([isMatched(off, webhook), isMatched(on, webhook)]).toEqual([false, true]);
  });

  check('WHK-25', async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t, { topics: [TOPIC] })];
    const path = { topic: TOPIC };
    const { id } = await api('testWebhooks', { path, body: DATA as never }, 202);
    const item = await logged(id);

    expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);

    const { id: connectedAccountId } = await aConnectedAccount();
    const connected = await aWebhook(t, { connect: true });
    const ofAccount = { path: { ...path, connectedAccountId }, body: DATA as never };
    const sent = await api('testConnectedWebhooks', ofAccount, 202);

    expect(isMatched(await logged(sent.id), connected)).toBe(true);
  });

  check('WHK-26', async (t) => {
    const { id: accountId } = await aFreshAccount();
    const webhook = await aWebhook(t, { connect: true });
    const path = { webhookId: webhook.id, topic: TOPIC, connectedAccountId: accountId };
    const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);

    expect(isMatched(await logged(id), webhook)).toBe(true);
  });

  check(
    'WHK-26',
    { title: 'with a receiver the envelope has the account_id of the connected account' },
    async (t) => {
      const receiver = await aReceiver(t);
      const { id: connectedAccountId } = await aFreshAccount();
      const webhook = await aWebhook(t, { url: receiver.url, connect: true });
      const path = { webhookId: webhook.id, topic: TOPIC, connectedAccountId };
      const { id } = await api('testConnectedWebhook', { path, body: DATA as never }, 202);
      const { body } = await receiver.next((delivery) => delivery.body?.id === id);

      expect(body).toMatchObject({ account_id: connectedAccountId, data: DATA });
    },
  );

  check('WHK-28', async (t) => {
    const { customer, product } = await aSubscriber();
    const webhook = await aWebhook(t);
    const first = await dispatch(webhook);
    await aUsageEvent(customer, product.eventType);
    const sentinel = await dispatch(webhook);
    await logged(sentinel);
    const ids = (await log({ destination_id: [webhook.id] })).map(({ id }) => id);

    expect(ids).toEqual([sentinel, first]);
  });
});

describe('listWebhookEvents', () => {
  check('WHK-12', async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const since = now(-1000);
    const [first, second] = [await dispatch(one), await dispatch(other)];
    const settled = await logged(first, ({ failed_at }) => failed_at !== null);
    const ids = async (query: object) => (await log(query)).map(({ id }) => id);

    expect(await ids({ destination_id: [one.id] })).toEqual([first]);
    expect(await ids({ destination_id: [one.id, other.id] })).toEqual([second, first]);
    expect(await ids({ destination_id: [one.id], status: 'Failed' })).toEqual([first]);
    expect(await ids({ destination_id: [one.id], status: 'Success' })).toEqual([]);
    expect(await ids({ destination_id: [one.id], time_gte: since })).toEqual([first]);
    expect(await ids({ destination_id: [one.id], time_lte: since })).toEqual([]);
    expect((settled.successful_at ?? null) === null).not.toBe((settled.failed_at ?? null) === null);
  });

  check('WHK-13', async (t) => {
    const webhook = await aWebhook(t);
    const sent = [await dispatch(webhook), await dispatch(webhook), await dispatch(webhook)];
    const page = async (cursor: object) =>
      api(
        'listWebhookEvents',
        { query: { limit: 1, destination_id: [webhook.id], ...cursor } as never },
        200,
      );
    const seen: string[] = [];
    let current = await page({});
    const first = current;
    for (let count = 0; count < 5; count += 1) {
      seen.push(...current.items.map(({ id }) => id));
      if (!current.pagination.next) break;
      current = await page({ next: current.pagination.next });
    }
    const back = await page({ prev: current.pagination.prev ?? 'none' });

    expect(seen).toEqual([...sent].reverse());
    expect(current.pagination.next ?? null).toBeNull();
    expect(first.pagination.limit).toBe(1);
    expect(back.items.map(({ id }) => id)).toEqual([sent[1]]);
    for (const limit of [0, 1001])
      t.observe(
        `limit ${limit}`,
        (await call('listWebhookEvents', { query: { limit } }, [200, 400, 422])).status,
      );
  });

  check('WHK-22', async () => {
    const { pagination } = await api('listWebhookEvents', {}, 200);

    expect(pagination.limit).toBe(100);
  });

  check('WHK-23', async () => {
    await call('listWebhookEvents', { query: { next: 'no cursor' } }, [400]);
    await call('listWebhookEvents', { query: { prev: 'no cursor' } }, [400]);
  });

  check('WHK-32', async (t) => {
    const [one, other] = [await aWebhook(t), await aWebhook(t)];
    const { subscriptionId } = await activation();
    const item = await activationItem(subscriptionId);
    const tried = await logged(item.id, ({ metadata }) => metadata !== null);
    const { attempts } = (tried.metadata ?? { attempts: [] }) as {
      attempts: { destination_id: string }[];
    };

    expect([isMatched(item, one), isMatched(item, other)]).toEqual([true, true]);
    expect(attempts.length).toBeGreaterThan(0);
    expect(attempts[0]).toMatchObject({ destination_id: expect.any(String) });
  });
});

describe('deliveries', () => {
  check('WHK-14', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const id = await dispatch(webhook);
    const { method, headers, body } = await receiver.next();

    expect(method).toBe('POST');
    expect(String(headers['content-type'])).toMatch(/^application\/json/);
    expect(body).toMatchObject({ id, type: TOPIC, live_mode: expect.any(Boolean), data: DATA });
    expect(Date.parse(body.created)).not.toBeNaN();
  });

  check('WHK-15', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    await dispatch(webhook);
    const { signature, raw } = await receiver.next();
    const header = signature ?? '';
    const unixSeconds = Math.floor(Date.parse(now()) / 1000);

    expect(header).toMatch(/^t=\d+,v0=[0-9a-f]{64}(,[0-9a-f]{64})*$/);
    expect(
      signatureFault({ header, body: raw, unixSeconds, secret: webhook.secret }),
    ).toBeUndefined();
  });

  check('WHK-16', async (t) => {
    const receiver = await aReceiver(t);
    await dispatch(await aWebhook(t, { url: receiver.url }));
    const { signature, body } = await receiver.next();
    const unixSeconds = Number(/^t=(\d+)/.exec(signature ?? '')?.[1]);

    expect(Math.abs(unixSeconds - Date.parse(now()) / 1000)).toBeLessThan(60);
    expect(body.live_mode).toBe(environment() === 'live');
  });

  check('WHK-17', async (t) => {
    const receiver = await aReceiver(t);
    await aWebhook(t, { url: receiver.url, topics: [TOPIC] });
    const { customerId, subscriptionId } = await activation();
    const { body } = await receiver.next(
      (delivery) => delivery.body?.data?.subscription_id === subscriptionId,
    );

    expect(body).toMatchObject({ type: TOPIC, data: { customer_id: customerId } });
    expect(Date.parse(body.data.occurred_at)).not.toBeNaN();
  });

  check('WHK-18', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const elsewhere = { status: 302, location: `${receiver.url}/elsewhere` };
    for (const reaction of [500, elsewhere, 'break'] as const) {
      receiver.react(reaction);
      const id = await dispatch(webhook);
      const item = await logged(id, ({ failed_at }) => failed_at !== null);

      expect([item.successful_at ?? null, typeof item.failed_at]).toEqual([null, 'string']);
    }
    t.observe('attempts within the check', receiver.deliveries.length);
  });

  check('WHK-31', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    for (const status of [200, 202, 204]) {
      receiver.react(status);
      const id = await dispatch(webhook);
      const item = await logged(id, ({ successful_at }) => successful_at !== null);

      expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
    }
    expect((await log({ destination_id: [webhook.id], status: 'Success' })).length).toBe(3);
  });

  check('WHK-34', async (t) => {
    const [left, right] = [await aReceiver(t), await aReceiver(t)];
    const one = await aWebhook(t, { url: left.url });
    const other = await aWebhook(t, { url: right.url });
    await dispatch(one);
    await dispatch(other);
    const { signature, raw } = await left.next();
    const header = signature ?? '';
    const unixSeconds = Math.floor(Date.parse(now()) / 1000);
    await right.next();

    expect(signatureFault({ header, body: raw, unixSeconds, secret: one.secret })).toBeUndefined();
    expect(signatureFault({ header, body: raw, unixSeconds, secret: other.secret })).toBeDefined();
  });
});

describe('deliveries over time', () => {
  check('WHK-37', async (t) => {
    const [silent, heard] = [await aReceiver(t), await aReceiver(t)];
    const [one, other] = [
      await aWebhook(t, { url: silent.url }),
      await aWebhook(t, { url: heard.url }),
    ];
    await api('updateWebhook', { path: { webhookId: one.id }, body: { enabled: false } }, 200);
    await dispatch(one);
    const sentinel = await dispatch(other);
    await heard.next((delivery) => delivery.body?.id === sentinel);

    expect(silent.deliveries).toEqual([]);
  });

  check('WHK-38', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const sent: string[] = [];
    for (let count = 0; count < 5; count += 1) sent.push(await dispatch(webhook));
    await receiver.next((delivery) => delivery.body?.id === sent.at(-1));

    expect(receiver.deliveries.map(({ body }) => body.id)).toEqual(sent);
  });

  check('WHK-39', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    const data = {
      name: 'Zoë ☕ 漢字 \u2028 "quoted" \\ </script>',
      nested: { deep: [1.5, null] },
    };
    const id = await dispatch(webhook, data);
    const { signature, raw, body } = await receiver.next((one) => one.body?.id === id);
    const unixSeconds = Math.floor(Date.parse(now()) / 1000);
    const { secret } = webhook;

    expect(body.data).toEqual(data);
    expect(
      signatureFault({ header: signature ?? '', body: raw, unixSeconds, secret }),
    ).toBeUndefined();
  });

  check('WHK-40', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    receiver.react(503);
    const id = await dispatch(webhook);
    const first = await receiver.next((one) => one.body?.id === id);
    receiver.react(204);
    const again = await receiver
      .next((one) => one.body?.id === id && one !== first, RETRY_WAIT_MS)
      .catch(() => undefined);
    if (!again && !isOurs())
      throw new NotObservable('No second attempt came while it was waited for');
    const item = await logged(id, ({ successful_at }) => successful_at !== null);

    expect(again?.raw.equals(first.raw)).toBe(true);
    expect(momentOf(again)).toBeGreaterThan(momentOf(first));
    expect([typeof item.successful_at, item.failed_at ?? null]).toEqual(['string', null]);
  });

  check('WHK-41', async (t) => {
    const receiver = await aReceiver(t);
    const webhook = await aWebhook(t, { url: receiver.url });
    receiver.react(410);
    await dispatch(webhook);
    const path = { webhookId: webhook.id };
    const { enabled } = await eventually(
      () => api('getWebhook', { path }, 200),
      (shown) => !shown.enabled,
    );

    expect(enabled).toBe(false);
  });
});

/** The first retry is assumed to follow after 5 seconds. */
const RETRY_WAIT_MS = 12_000;

/** Moment at which a delivery says it was signed. */
function momentOf(delivery: Delivery | undefined): number {
  return Number(/^t=(\d+)/.exec(delivery?.signature ?? '')?.[1]);
}

describe('the verifier of this suite', () => {
  check('WHK-35', async () => {
    const secret = 'whsec_vector';
    const body = Buffer.from('{"a": 1}');
    // Made by: printf '1700000000.{"a": 1}' | openssl dgst -sha256 -hmac whsec_vector
    const digest = '893832b335273fb29c33df3d6e6c1603e46a63f18242fbb0856edf53ab7a3370';
    const other = '0'.repeat(64);
    const fault = (header: string, changes: object = {}) =>
      signatureFault({ header, body, secret, unixSeconds: 1_700_000_060, ...changes });

    expect(fault(`t=1700000000,v0=${digest}`)).toBeUndefined();
    expect(fault(`t=1700000000,v0=${other},${digest}`)).toBeUndefined();
    expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a": 2}') })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest}`, { body: Buffer.from('{"a":1}') })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest}`, { secret: 'whsec_other' })).toBe('mismatch');
    expect(fault(`t=1700000000,v0=${digest.toUpperCase()}`)).toBe('malformed');
    expect(fault(`t=1700000000,v0=${digest}`, { unixSeconds: 1_700_000_900 })).toBe('stale');
    expect(fault(`v0=${digest}`)).toBe('malformed');
    expect(fault('t=1700000000')).toBe('malformed');
  });
});
