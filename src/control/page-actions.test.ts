import { describe, expect, it } from 'vitest';
import { nextUuid, URLS } from '../testing/catalog.ts';
import { createTestClient } from '../testing/client.ts';
import { playAnew, recordSession } from '../testing/recorded.ts';

const CARD = { method: 'card', number: '4242 4242 4242 4242', expiry: '12 / 30', cvc: '123' };

describe('a fixture recorded from pages', () => {
  it('repeats a payment made on the payment page', async () => {
    const client = createTestClient();
    const session = await recordSession(client, async (ask) => {
      const { id } = await ask('createCustomer', { body: { name: 'Acme' } });
      const order = { customer_id: id, amount: 20, currency: 'USD', ...URLS };
      const { redirect_url } = await ask('createTopUp', { body: order });
      await client.http
        .post(`${new URL(redirect_url).pathname}/pay`)
        .type('form')
        .send(CARD);
      await ask('getWallet', { path: { customerId: id } });
    });

    expect(session.fixture.steps).toContainEqual(
      expect.objectContaining({ pay: '$top_up_1.id', outcome: 'succeeded' }),
    );
    expect(session.text).toContain('available: 20');
    expect(await playAnew(session.text)).toEqual([]);
  });

  it('repeats what a customer did in the portal', async () => {
    const client = createTestClient();
    let visit = '';
    const submit = (action: string, form: object) =>
      client.http.post(`${visit}/${action}`).type('form').send(form);
    const session = await recordSession(client, async (ask) => {
      const { id } = await ask('createCustomer', { body: { name: 'Acme' } });
      const path = { customerId: id };
      const money = { asset: 'USD', account_name: 'default' };
      const gift = { transaction_id: nextUuid(), reason: 'gift', amount: 10, ...money };
      await ask('adjustWallet', { path, body: gift });
      const { redirect_url } = await ask('createPortalSession', {
        body: { customer_id: id, ...URLS },
      });
      const opened = await client.http.get(new URL(redirect_url).pathname);
      visit = String(opened.headers['location']);
      await submit('card', { ...CARD, number: '4000000000000341' });
      const terms = { account: 'default:USD', currency: 'USD', amount: '12.50' };
      await submit('auto-top-up', { ...terms, on: 'on', threshold: '5' });
      await submit('auto-top-up', { ...terms, on: 'on', threshold: 'five' });
      const bought = await submit('top-up', terms);
      await client.http.post(`${bought.headers['location']}/pay`).type('form').send(CARD);
      await submit('card/remove', {});
      await submit('card', CARD);
      await ask('chargeWallet', {
        path,
        body: { transaction_id: nextUuid(), amount: 20, ...money },
      });
      await submit('auto-top-up', terms);
      await ask('getWallet', { path });
    });

    const [, , , ...actions] = session.fixture.steps.map((step) => ({
      ...step,
      expect: undefined,
    }));
    expect(actions).toMatchObject([
      { call: 'setPaymentMethod', body: { kind: 'card', last4: '0341', declines_later: true } },
      { call: 'setAutoTopUp', body: { threshold: 5, amount: 12.5, currency: 'USD', ...URLS } },
      { call: 'createTopUp', as: 'top_up_1', body: { amount: 12.5, currency: 'USD' } },
      { pay: '$top_up_1.id', outcome: 'succeeded', payment_method: { last4: '4242' } },
      { call: 'setPaymentMethod', body: { kind: 'none' } },
      { call: 'setPaymentMethod', body: { last4: '4242', declines_later: false } },
      { call: 'chargeWallet' },
      { call: 'setAutoTopUp', path: { accountId: 'default:USD' }, body: { threshold: null } },
      { call: 'getWallet' },
    ]);
    expect(session.text).not.toContain(visit.split('/').at(-1));
    // 10 given, 12.50 bought, 20 charged; 2.50 is below 5, so 12.50 came automatically.
    expect(session.text).toContain('available: 15');
    expect(await playAnew(session.text)).toEqual([]);
  });

  it('reports an action on a page that it cannot repeat', async () => {
    const client = createTestClient();
    const { remarks } = await recordSession(client, () =>
      client.http.post('/_emulator/ui/populate').type('form').send({}),
    );

    expect(remarks).toEqual([
      'Left out: POST /_emulator/ui/populate (200): no operation has this path.',
    ]);
  });
});
