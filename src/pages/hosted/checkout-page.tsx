import type { Context } from '../../resources/context.ts';
import { Amount } from '../amount.tsx';
import { Button } from '../forms.tsx';
import { Page } from '../page.tsx';
import { Alert, Facts, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { cycleText, money, quantity } from '../wording.ts';
import { CardFields, TestCards } from './card-fields.tsx';
import { type CardEntry, CORRECTION_TEXT, declineText, TEST_BANK_ACCOUNT } from './card-form.ts';
import type { Checkout, CheckoutItem } from './checkout.ts';

interface CheckoutProps {
  readonly context: Context;
  readonly checkout: Checkout;
}

export const checkoutPath = (token: string, step?: 'pay' | 'confirm' | 'cancel'): string =>
  `/hosted/checkout/${token}${step ? `/${step}` : ''}`;

type CheckoutPageProps = CheckoutProps & { readonly entry?: CardEntry | undefined };

/** The payment page: the form and, beside it, the items. */
export function CheckoutPage({ context, checkout, entry }: CheckoutPageProps) {
  const { token, amount, currency } = checkout;
  const total = money(amount, currency);
  const isWrong = entry !== undefined && Object.keys(entry.findings).length > 0;
  const problem = isWrong ? CORRECTION_TEXT : failureText(checkout);
  return (
    <Page title={`Pay ${total}`} width="wide">
      <div class="checkout" data-testid="checkout">
        <article>
          <h1>Pay {total}</h1>
          {problem !== undefined && <Alert text={problem} />}
          <form method="post" action={checkoutPath(token, 'pay')} novalidate>
            <MethodChoice />
            <CardFields {...entry} />
            <p class="bank-note">
              Test account ending in {TEST_BANK_ACCOUNT}. The money arrives one day later.
            </p>
            <Button data-testid="pay" autofocus={entry !== undefined && !isWrong}>
              Pay {total}
            </Button>
            <Button isSecondary formAction={checkoutPath(token, 'cancel')} data-testid="cancel">
              Cancel
            </Button>
          </form>
        </article>
        <div>
          <section aria-labelledby="summary">
            <h2 id="summary">Summary</h2>
            <Purchase context={context} checkout={checkout} />
          </section>
          <TestCards action={checkoutPath(token)} />
        </div>
      </div>
    </Page>
  );
}

/** The confirmation step, which some test cards require. */
export function ConfirmPage({ context, checkout }: CheckoutProps) {
  return (
    <Page title="Confirm the payment">
      <article data-testid="confirmation">
        <h1>Confirm the payment</h1>
        <p>The card's bank asks you to confirm this payment.</p>
        <Purchase context={context} checkout={checkout} />
        <form method="post" action={checkoutPath(checkout.token, 'confirm')}>
          <Button data-testid="confirm">Confirm</Button>
          <Button isSecondary name="decision" value="cancel" data-testid="cancel">
            Cancel
          </Button>
        </form>
      </article>
    </Page>
  );
}

/** Shown while a payment is processing. */
export function ProcessingPage({ context, checkout }: CheckoutProps) {
  return (
    <Page title="Payment processing">
      <article data-testid="processing">
        <h1>Payment processing</h1>
        <p>
          The bank has the payment order, and the money arrives within a day. You have nothing more
          to do here.
        </p>
        <Purchase context={context} checkout={checkout} />
        {checkout.return_url !== undefined && (
          <a class="button" href={checkout.return_url}>
            Continue
          </a>
        )}
      </article>
    </Page>
  );
}

/** Shown after a payment if there is no return URL or failure URL. */
export function OutcomePage({ paid }: { readonly paid: boolean }) {
  const title = paid ? 'Payment received' : 'Payment not made';
  return (
    <Page title={title}>
      <article data-testid="outcome">
        <h1>{title}</h1>
        <p>You can close this page.</p>
      </article>
    </Page>
  );
}

const failureText = ({ failure }: Checkout): string | undefined =>
  failure && `${declineText(failure)} Nothing was paid. Try again or use another card.`;

function Purchase({ context, checkout }: CheckoutProps) {
  const { state, customer, items, description, amount, currency, expires_at } = checkout;
  return (
    <Facts
      facts={{
        For: (
          <span data-testid="customer">
            <Words text={customer.name} />
          </span>
        ),
        Item: items.map((item) => (
          <div key={item.name} data-testid="item">
            {itemText(context, item)}
          </div>
        )),
        About: description !== undefined && (
          <span data-testid="description">
            <Words text={description} />
          </span>
        ),
        'Link valid until': state === 'open' && expires_at && <Time at={expires_at} />,
        Total: (
          <strong data-testid="amount">
            <Amount amount={amount} asset={currency} />
          </strong>
        ),
      }}
    />
  );
}

function itemText(context: Context, { name, interval, credit }: CheckoutItem) {
  if (credit) return <>Credit of {quantity(context, credit.amount, credit.asset)}</>;
  return (
    <>
      <bdi>{name}</bdi>
      {interval && `, ${cycleText(interval)}`}
    </>
  );
}

function MethodChoice() {
  return (
    <fieldset class="methods">
      <legend>Pay with</legend>
      <label>
        <input type="radio" name="method" value="card" checked data-testid="method-card" />
        Card
      </label>
      <label>
        <input type="radio" name="method" value="bank_debit" data-testid="method-bank-debit" />
        Bank debit
      </label>
    </fieldset>
  );
}
