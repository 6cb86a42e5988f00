import { describe, expect, it } from 'vitest';
import { anEvent, MODEL_TOKENS, nextUuid } from '../../testing/catalog.ts';
import { type AnyBody, createTestClient, TEST_NOW } from '../../testing/client.ts';
import { aUser } from '../../testing/story.ts';

const client = createTestClient();
const { api } = client;

describe('explain', () => {
  it('shows product, price, value, arithmetic, grant, postings and revenue', async () => {
    const user = await aUser(client, { prices: [MODEL_TOKENS] });
    await user.credit('USD', 100);
    const { fees } = await user.explained({ data: { model: 'large', tokens: 417_000 } });
    const path = { id: fees[0].fee_id };
    const fee = await api('explain', { key: user.key, path });

    expect(fee).toEqual(fees[0]);
    expect(fee).toMatchObject({
      amount: 4.17,
      asset: 'USD',
      customer_id: user.customerId,
      event: { event_type: 'call', submitted_at: TEST_NOW },
      product: { code: 'product', version: 1, reason: 'the only subscription that held it then' },
      price: { name: 'Tokens', volume_field: 'tokens', billable_dimensions: ['model'] },
      matching: [
        { name: 'Large', fits: true, equal_dimensions: 1, chosen: true },
        { name: 'Other', fits: true, equal_dimensions: 0, chosen: false },
      ],
      asset_choice: { asset: 'USD', choices: [] },
      arithmetic: {
        formula: '417000 × 10 ÷ 1000000',
        volume: 417_000,
        volume_rate: 10,
        package_size: 1_000_000,
        exact: '4.17',
        places: 10,
        rounding: 'half_even',
        rounded: false,
        amount: 4.17,
      },
      wallet: {
        account_id: 'default:USD',
        balance_before: 100,
        balance_after: 95.83,
        draws: [{ purpose: 'paid', available: 100, amount: 4.17, left: 95.83 }],
        debt: 0,
        postings: [{ from: 'wallet', to: 'revenue', amount: 4.17 }],
      },
      revenue: {
        currency: 'USD',
        amount: 4.17,
        parts: [{ amount: 4.17, per_unit: 1, value: 4.17 }],
      },
    });
  });

  it('finds an event by its id in another letter case', async () => {
    const { explain, submit } = await aUser(client);
    const id = 'AbCdEf01-0000-4000-8000-00000000000a';
    await submit(anEvent({ id }));

    expect((await explain(id.toLowerCase())).event.event_id).toBe(id);
  });

  it('shows the order of the drawn grants with reasons, and the debt', async () => {
    const user = await aUser(client, { prices: [{ values: [{ unit_price: 10 }] }] });
    const give = (amount: number, reason: string, expires_at?: string) => {
      const body = { transaction_id: nextUuid(), asset: 'USD', amount, reason, expires_at };
      const path = { customerId: user.customerId };
      return api('adjustWallet', { key: user.key, path, body }, 201);
    };
    await give(4, 'external_topup');
    await give(6, 'external_topup', '2026-03-01T00:00:00Z');
    await give(3, 'gift');
    await give(2, 'gift', '2026-02-01T00:00:00Z');
    const first = await user.explained();
    const second = await user.explained();

    const { draws, debt } = first.fees[0].wallet;
    expect(draws.map(({ amount, left, reason }: AnyBody) => [amount, left, reason])).toEqual([
      [2, 0, 'it expires and the next never does'],
      [3, 0, 'promotion credit is drawn before paid credit'],
      [5, 1, 'it expires before the next, which lasts until 2027-01-15T12:00:00.000Z'],
    ]);
    expect(debt).toBe(0);

    const rest = second.fees[0].wallet;
    expect(rest.draws.map(({ available }: AnyBody) => available)).toEqual([1, 4]);
    expect(rest.draws[1].reason).toBe('it was the last credit left');
    expect([rest.debt, rest.balance_before, rest.balance_after]).toEqual([5, 5, -5]);
    expect(first.fees[0].revenue.parts.map(({ value }: AnyBody) => value)).toEqual([0, 0, 5]);
  });

  it('explains the fee as text that begins with a question', async () => {
    const user = await aUser(client, { prices: [MODEL_TOKENS] });
    await user.credit('USD', 100);
    const { fees } = await user.explained({ data: { model: 'large', tokens: 417_000 } });
    const text = await user.explanation(fees[0].fee_id);

    expect(text.split('\n')[0]).toBe('Why is this fee 4.17 USD?');
    expect(text).toContain('417000 × 10 ÷ 1000000 = 4.17\n');
    expect(text).toContain('default:USD had 100 and was left with 95.83.');
  });

  it('says that the sum of bulk fees depends on how usage is split', async () => {
    const user = await aUser(client, {
      prices: [
        {
          usage_type: 'volume',
          volume_field: 'n',
          pricing_model: 'bulk',
          tiering: { basis: 'volume' },
          values: [{ up_to: 2, volume_rate: 3 }, { volume_rate: 1 }],
        },
      ],
    });
    const first = await user.explained({ data: { n: 2 } });
    const second = await user.explained({ data: { n: 2 } });

    // 2 × 3, then 2 × 1: the 4 at once would cost 4 × 1.
    expect([first.total_fees, second.total_fees]).toEqual([6, 2]);
    expect(await user.explanation(second.fees[0].fee_id)).toContain(
      '2 was used before, and the event counts 2: the whole event is priced at the row that the quantity including it reaches; ' +
        'earlier events are not rated again, so the sum depends on how usage is split into events.',
    );
  });

  it('writes numbers with more digits than a double holds exactly', async () => {
    const user = await aUser(client, {
      prices: [
        { usage_type: 'volume', volume_field: 'n', values: [{ volume_rate: 1.0000000001 }] },
      ],
    });
    const { fees } = await user.explained({ data: { n: 12345678901.23 } });

    const text = await user.explanation(fees[0].fee_id);
    // 12345678901.23 + 1.234567890123, cut to ten places.
    expect(text.split('\n')[0]).toBe('Why is this fee 12345678902.4645678901 USD?');
  });

  it.each(['fee_0000', 'nothing', 'cust_1'])('returns 404 for the unknown id %s', async (feeId) => {
    await api('explain', { path: { id: feeId } }, 404);
  });
});
