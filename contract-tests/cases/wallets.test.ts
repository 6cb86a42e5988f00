import {
  aCustomer,
  adjustment,
  aFreshAsset,
  aFreshCustomer,
  aFreshProduct,
  amount,
  anAdjustment,
  anAsset,
  api,
  assuming,
  type Body,
  building,
  call,
  check,
  describe,
  eventually,
  expect,
  now,
  type OwnCustomer,
  pseudoRandom,
  Rational,
  refused,
  uniqueSubject,
  unknownId,
  uuid,
} from '../kit/index.ts';

/** What an account has; nothing when it does not exist yet. */
async function balance({ id }: OwnCustomer, accountId = 'default:USD'): Promise<Rational> {
  const { accounts } = await api('getWallet', { path: { customerId: id } }, 200);
  const account = accounts.find((one) => one.id === accountId);
  return account ? amount(account, 'available') : Rational.of(0);
}

/** How much an account changes while something happens, as a decimal. */
async function change(
  customer: OwnCustomer,
  step: () => Promise<unknown>,
  accountId?: string,
): Promise<string> {
  const before = await balance(customer, accountId);
  await step();
  return String((await balance(customer, accountId)).minus(before));
}

/** Every grant of an account, by transaction. */
async function grantOf(
  { id }: OwnCustomer,
  transactionId: string,
  accountId = 'default:USD',
): Promise<Body<'listGrants', 200>['items'][number] | undefined> {
  const path = { customerId: id, accountId };
  const { items } = await api('listGrants', { path, query: { limit: 1000 } }, 200);
  return items.find((grant) => grant.transaction_id === transactionId);
}

const charge = (changes: object = {}) => ({
  transaction_id: uuid(),
  asset: 'USD',
  amount: 1.5,
  ...changes,
});

describe('getWallet', () => {
  check('WAL-01', async () => {
    const customer = await aCustomer();
    await anAdjustment(customer);
    const { accounts } = await api('getWallet', { path: { customerId: customer.id } }, 200);

    expect(accounts.length).toBeGreaterThan(0);
    for (const account of accounts) {
      expect(account.id).toBe(`${account.name}:${account.asset}`);
      expect(account.available).toBeTypeOf('number');
    }
  });

  check('WAL-29', async () => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id, accountId: 'default:USD' };
    await api('getWalletAccount', { path }, 404);
    await anAdjustment(customer);

    expect(await api('getWalletAccount', { path }, 200)).toMatchObject({ name: 'default' });
  });
});

describe('getWalletAccount', () => {
  check('WAL-02', async () => {
    const customer = await aCustomer();
    await anAdjustment(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const encoded = await api('getWalletAccount', { path }, 200);
    const plain = await call('getWalletAccount', { path, isPlainPath: true }, [200]);

    expect(encoded).toMatchObject({ id: 'default:USD', name: 'default', asset: 'USD' });
    expect(encoded.pending_in).toBeTypeOf('number');
    expect(encoded.pending_out).toBeTypeOf('number');
    expect(plain.body).toEqual(encoded);
  });
});

describe('adjustWallet', () => {
  check('WAL-03', async () => {
    const customer = await aCustomer();
    const path = { customerId: customer.id };
    const delta = await change(customer, async () => {
      const made = await api('adjustWallet', { path, body: adjustment({ amount: 10.25 }) }, 201);

      expect(made.id).not.toBe('');
      expect(made.created_at).not.toBe('');
    });

    expect(delta).toBe('10.25');
  });

  check('WAL-04', async () => {
    const customer = await aCustomer();
    const body = adjustment({ amount: -3.75, reason: 'external_refund' });
    const delta = await change(customer, () =>
      api('adjustWallet', { path: { customerId: customer.id }, body }, 201),
    );

    expect(delta).toBe('-3.75');
  });

  check('WAL-05', async () => {
    const customer = await aCustomer();
    const request = { path: { customerId: customer.id }, body: adjustment({ amount: 2.5 }) };
    const delta = await change(customer, async () => {
      const first = await api('adjustWallet', request, 201);
      const second = await call('adjustWallet', request, [200, 201]);

      expect(second.body.id).toBe(first.id);
    });

    expect(delta).toBe('2.5');
  });

  check('WAL-06', async (t) => {
    const customer = await aCustomer();
    const path = { customerId: customer.id };
    const body = adjustment({ amount: 4 });
    const delta = await change(customer, async () => {
      await api('adjustWallet', { path, body }, 201);
      const { status } = await call(
        'adjustWallet',
        { path, body: { ...body, amount: 9 } },
        [200, 201, 400, 422],
      );
      t.observe('same transaction_id, other amount', status);
      await assuming('A-707', t, async () => expect(status).toBe(422));
    });

    expect(delta).toBe('4');
  });

  check('WAL-07', async () => {
    const customer = await aCustomer();
    const request = { path: { customerId: customer.id }, body: adjustment({ amount: 1.25 }) };
    const delta = await change(customer, () =>
      Promise.all(Array.from({ length: 20 }, () => call('adjustWallet', request, [200, 201]))),
    );

    expect(delta).toBe('1.25');
  });

  check('WAL-09', async () => {
    const customer = await aCustomer();
    const path = { customerId: customer.id };
    let posted = Rational.of(0);
    const delta = await change(customer, async () => {
      for (let count = 0; count < 50; count += 1) {
        const cents = pseudoRandom(2_000) - 1_000 || 1;
        const reason = cents > 0 ? 'external_topup' : 'external_refund';
        await api('adjustWallet', { path, body: adjustment({ amount: cents / 100, reason }) }, 201);
        posted = posted.plus(Rational.of(cents).over(100));
      }
    });

    expect(delta).toBe(String(posted));
  });

  check('WAL-10', async () => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { amount: 0.1 });
    await anAdjustment(customer, { amount: 0.2 });

    expect(String(await balance(customer))).toBe('0.3');
  });

  check('WAL-11', async () => {
    const customer = await aCustomer();
    const { code } = await anAsset();
    const delta = await change(customer, () => anAdjustment(customer, { asset: code, amount: 7 }));

    expect(delta).toBe('0');
  });

  check('WAL-16', async (t) => {
    const path = { customerId: unknownId('cust') };
    const { status } = await refused('adjustWallet', { path, body: adjustment() }, [400, 404, 422]);
    t.observe('adjustment of an unknown customer', status);

    expect(status).toBe(422);
  });

  check('WAL-17', { effect: 'E1' }, async () => {
    const path = { customerId: (await aCustomer()).id };
    const transaction_id = 'not-a-uuid';
    await refused('adjustWallet', { path, body: { ...adjustment(), transaction_id } });
    await refused('chargeWallet', { path, body: charge({ transaction_id }) });
  });

  check('WAL-18', async () => {
    const customer = await aCustomer();
    const other = await change(
      customer,
      async () => {
        const main = await change(customer, () =>
          anAdjustment(customer, { account_name: 'contract', amount: 6 }),
        );
        expect(main).toBe('0');
      },
      'contract:USD',
    );

    expect(other).toBe('6');
  });

  check('WAL-19', async () => {
    const customer = await aCustomer();
    const expires_at = now(3_600_000);
    const body = adjustment({ description: 'Goodwill', reason: 'gift', expires_at });
    await api('adjustWallet', { path: { customerId: customer.id }, body }, 201);
    const grant = await grantOf(customer, body.transaction_id);

    expect(Date.parse(grant?.expires_at ?? '')).toBe(Date.parse(expires_at));
  });

  check('WAL-20', { effect: 'E3', title: 'each of the three reasons is accepted' }, async () => {
    const path = { customerId: (await aCustomer()).id };
    for (const reason of ['external_topup', 'external_refund', 'gift'] as const)
      await api('adjustWallet', { path, body: adjustment({ reason }) }, 201);
  });

  check('WAL-20', { effect: 'E1', title: 'another reason is refused' }, async () => {
    const path = { customerId: (await aCustomer()).id };
    await refused('adjustWallet', { path, body: { ...adjustment(), reason: 'because' } });
  });

  check('WAL-24', async () => {
    const path = { customerId: (await aCustomer()).id };
    for (const field of ['transaction_id', 'asset', 'amount', 'reason'] as const) {
      const { [field]: _, ...body } = adjustment();
      await refused('adjustWallet', { path, body });
    }
    await refused('adjustWallet', { path, body: { ...adjustment(), amount: 0 } });
  });
});

describe('chargeWallet', () => {
  check('WAL-08', async () => {
    const customer = await aCustomer();
    const request = { path: { customerId: customer.id }, body: charge({ amount: 1.5 }) };
    await anAdjustment(customer);
    const delta = await change(customer, async () => {
      await api('chargeWallet', request, 201);
      await call('chargeWallet', request, [200, 201]);
    });

    expect(delta).toBe('-1.5');
  });

  check('WAL-15', async (t) => {
    const customer = await aFreshCustomer();
    const path = { customerId: customer.id };
    await anAdjustment(customer, { amount: 1 });
    const { status } = await call(
      'chargeWallet',
      { path, body: charge({ amount: 3 }) },
      [201, 422],
    );
    t.observeSetting('overdraft', status === 201 ? 'allow' : 'deny');

    expect(status).toBe(201);
    expect(String(await balance(customer))).toBe('-2');
  });

  check('WAL-21', async () => {
    const customer = await aCustomer();
    await anAdjustment(customer, { account_name: 'contract' });
    const body = charge({
      account_name: 'contract',
      subject: uniqueSubject(),
      description: 'Set-up',
      metadata: { invoice: '17' },
    });
    const delta = await change(
      customer,
      () => api('chargeWallet', { path: { customerId: customer.id }, body }, 201),
      'contract:USD',
    );

    expect(delta).toBe('-1.5');
  });

  check('WAL-22', async (t) => {
    const customer = await aCustomer();
    const path = { customerId: customer.id };
    const parts = {
      amount: undefined,
      input_units: 3,
      unit_price: 0.5,
      input_volume: 250,
      volume_rate: 4,
      package_size: 1000,
    };
    // 3 × 0.5 + 250 ÷ 1000 × 4 = 2.5
    await assuming('A-708', t, async () => {
      const delta = await change(customer, () =>
        api('chargeWallet', { path, body: charge(parts) }, 201),
      );
      expect(delta).toBe('-2.5');
      await refused('chargeWallet', { path, body: charge({ ...parts, amount: 2 }) });
    });
  });

  check('WAL-25', async () => {
    const path = { customerId: (await aCustomer()).id };
    await refused('chargeWallet', { path, body: charge({ transaction_id: undefined }) });
    await refused('chargeWallet', { path, body: charge({ asset: undefined }) });
    await refused('chargeWallet', { path, body: charge({ amount: undefined }) });
  });

  check('WAL-27', async () => {
    const { code } = await aFreshAsset({ precision: 2 });
    const entitlement = { name: 'Included', asset: code, amount: 10, purpose: 'bundled' };
    const product = await aFreshProduct({ prices: [], entitlements: [entitlement] });
    const customer = await aFreshCustomer({ subscriptions: [{ products: [{ id: product.id }] }] });
    await anAdjustment(customer, { asset: code, reason: 'external_topup' });
    await anAdjustment(customer, { asset: code, reason: 'gift' });
    const remainders: string[] = [];
    for (const drawn of [4, 10, 10]) {
      await charged(customer, code, drawn);
      remainders.push(await remaindersOf(customer, `default:${code}`));
    }

    expect(remainders).toEqual([
      'bundled 10, paid 10, promotion 6',
      'bundled 6, paid 10, promotion 0',
      'bundled 0, paid 6, promotion 0',
    ]);
  });

  check('WAL-28', async () => {
    const customer = await aFreshCustomer();
    const later = await anAdjustment(customer, { expires_at: now(7_200_000) });
    const sooner = await anAdjustment(customer, { expires_at: now(3_600_000) });
    await charged(customer, 'USD', 4);

    expect((await grantOf(customer, sooner))?.remaining).toBe(6);
    expect((await grantOf(customer, later))?.remaining).toBe(10);
  });

  check('WAL-30', async () => {
    const customer = await aFreshCustomer();
    await charged(customer, 'USD', 3);
    const credit = await anAdjustment(customer, { amount: 10 });

    expect((await grantOf(customer, credit))?.remaining).toBe(7);
    expect(String(await balance(customer))).toBe('7');
  });
});

function charged({ id }: OwnCustomer, asset: string, drawn: number): Promise<unknown> {
  return building('charge', () =>
    api('chargeWallet', { path: { customerId: id }, body: charge({ asset, amount: drawn }) }, 201),
  );
}

/** What is left of each purpose, such as `bundled 0, paid 6`. */
async function remaindersOf({ id }: OwnCustomer, accountId: string): Promise<string> {
  const { items } = await api('listGrants', { path: { customerId: id, accountId } }, 200);
  return items
    .map(({ purpose, remaining }) => `${purpose} ${remaining}`)
    .sort()
    .join(', ');
}

describe('listGrants', () => {
  check('WAL-13', async (t) => {
    const customer = await aCustomer();
    await anAdjustment(customer);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const page = await api('listGrants', { path, query: { limit: 1 } }, 200);
    const paid = await api('listGrants', { path, query: { purpose: 'paid' } }, 200);
    const past = await api('listGrants', { path, query: { offset: 100_000 } }, 200);
    await api('listGrants', { path, query: { exclude_expired: true } }, 200);

    expect([page.limit, past.items]).toEqual([1, []]);
    expect(page.items.length).toBeLessThanOrEqual(1);
    await assuming('A-704', t, async () =>
      expect(paid.items.every(({ purpose }) => purpose === 'paid')).toBe(true),
    );
    await refused('listGrants', { path, query: { expired_to: 'tomorrow' } }, [400]);
    await refused('listGrants', { path: { ...path, customerId: unknownId('cust') } }, [404]);
  });

  check('WAL-14', async (t) => {
    const customer = await aFreshCustomer();
    const transaction = await anAdjustment(customer, { reason: 'gift', expires_at: now(1_500) });
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const listed = async (exclude_expired: boolean) => {
      const { items } = await api('listGrants', { path, query: { exclude_expired } }, 200);
      return items.some(({ transaction_id }) => transaction_id === transaction);
    };

    expect(await listed(true)).toBe(true);
    expect(
      await eventually(
        () => listed(true),
        (isListed) => !isListed,
      ),
    ).toBe(false);
    expect(await listed(false)).toBe(true);
    await assuming('A-706', t, async () => {
      const left = await eventually(
        () => balance(customer),
        (rest) => rest.equals(0),
      );
      expect(String(left)).toBe('0');
    });
  });

  check('WAL-31', async () => {
    const customer = await aFreshCustomer();
    await anAdjustment(customer, { amount: 5 });
    const ends = { reason: 'gift', amount: 10, expires_at: now(2_500) } as const;
    const transaction = await anAdjustment(customer, ends);
    const path = { customerId: customer.id };
    await api('chargeWallet', { path, body: charge({ amount: 4 }) }, 201);
    const before = await balance(customer);
    const drawn = await grantOf(customer, transaction);
    const after = await eventually(
      () => balance(customer),
      (left) => !left.equals(before),
    );
    await api('chargeWallet', { path, body: charge({ amount: 2 }) }, 201);
    const { items } = await api(
      'listGrants',
      { path: { ...path, accountId: 'default:USD' }, query: { exclude_expired: true } },
      200,
    );

    expect([String(before), drawn?.remaining, String(after)]).toEqual(['11', 6, '5']);
    expect(String(await balance(customer))).toBe('3');
    expect(items.map(({ remaining }) => remaining)).toEqual([3]);
  });

  check('WAL-23', async () => {
    const customer = await aCustomer();
    const transaction = await anAdjustment(customer, { expires_at: now(86_400_000) });
    const grant = await grantOf(customer, transaction);
    const path = { customerId: customer.id, accountId: 'default:USD' };
    const isFound = async (query: object) => {
      const { items } = await api('listGrants', { path, query: { limit: 1000, ...query } }, 200);
      return items.some(({ transaction_id }) => transaction_id === transaction);
    };
    const moved = (moment: string, milliseconds: number) =>
      new Date(Date.parse(moment) + milliseconds).toISOString();

    for (const [name, bound] of [
      ['effective', grant?.effective_at ?? ''],
      ['expired', grant?.expires_at ?? ''],
    ] as const) {
      expect(await isFound({ [`${name}_from`]: bound })).toBe(true);
      expect(await isFound({ [`${name}_to`]: bound })).toBe(true);
      expect(await isFound({ [`${name}_from`]: moved(bound, 1_000) })).toBe(false);
      expect(await isFound({ [`${name}_to`]: moved(bound, -1_000) })).toBe(false);
    }
  });

  check('WAL-26', async () => {
    const customer = await aCustomer();
    const purposes: (string | undefined)[] = [];
    for (const reason of ['gift', 'external_topup', 'external_refund'] as const)
      purposes.push((await grantOf(customer, await anAdjustment(customer, { reason })))?.purpose);

    expect(purposes).toEqual(['promotion', 'paid', 'paid']);
  });
});

describe('getWalletTransaction', () => {
  check('WAL-12', async (t) => {
    const customer = await aCustomer();
    const transactionId = await anAdjustment(customer, { amount: 5.5 });
    const path = { customerId: customer.id, transactionId };
    const transaction = await api('getWalletTransaction', { path }, 200);

    await assuming('A-709', t, async () => {
      expect(transaction).toMatchObject({
        id: transactionId,
        type: 'adjustment',
        account_id: 'default:USD',
        asset: 'USD',
        amount: 5.5,
      });
      expect(amount(transaction, 'balance_after')).toEqual(await balance(customer));
    });
    await api('getWalletTransaction', { path: { ...path, transactionId: unknownId() } }, 404);
  });
});
