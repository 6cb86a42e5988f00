import type { VNode } from 'preact';
import type { Context } from '../resources/context.ts';
import type { Checkout, CheckoutItem } from './checkout.ts';
import { Page } from './page.tsx';
import { TEST_CARDS } from './test-cards.ts';
import { momentText, money, quantity } from './wording.ts';

/** The page on which a payment is made. */
export function CheckoutPage({
  context,
  checkout,
}: {
  readonly context: Context;
  readonly checkout: Checkout;
}): VNode {
  const total = money(checkout.amount, checkout.currency);
  return (
    <Page title={`Pay ${total}`}>
      <article data-testid="checkout">
        <h1>Pay {total}</h1>
        <Purchase context={context} checkout={checkout} />
        <form method="post" action={`/hosted/checkout/${checkout.token}/pay`}>
          <label>
            Card number
            <input name="number" inputmode="numeric" autocomplete="off" data-testid="card-number" />
          </label>
          <button type="submit" data-testid="pay">
            Pay {total}
          </button>
        </form>
      </article>
      <ul>
        {TEST_CARDS.map(({ number, about }) => (
          <li key={number}>
            <code>{number}</code> {about}
          </li>
        ))}
      </ul>
    </Page>
  );
}

/** What is bought, for whom and for how much. */
function Purchase({
  context,
  checkout,
}: {
  readonly context: Context;
  readonly checkout: Checkout;
}): VNode {
  const { customer, items, description, amount, currency, expires_at } = checkout;
  return (
    <dl>
      <dt>For</dt>
      <dd data-testid="customer">{customer.name}</dd>
      <dt>What</dt>
      {description !== undefined && <dd data-testid="description">{description}</dd>}
      {items.map((item) => (
        <dd key={item.name}>{itemText(context, item)}</dd>
      ))}
      <dt>Amount</dt>
      <dd data-testid="amount">{money(amount, currency)}</dd>
      {expires_at && <dt>Open until</dt>}
      {expires_at && <dd>{momentText(expires_at)}</dd>}
    </dl>
  );
}

function itemText(context: Context, { name, interval, credit }: CheckoutItem): string {
  if (credit) return `${name}: ${quantity(context, credit.amount, credit.asset)}`;
  return interval ? `${name}, every ${interval}` : name;
}
