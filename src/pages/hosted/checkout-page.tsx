import type { Context } from '../../resources/context.ts';
import { TEST_ACCOUNT } from '../../resources/customers/payment-method.ts';
import { Amount } from '../amount.tsx';
import type { PageAnswer } from '../answer.tsx';
import { Button } from '../forms.tsx';
import { CardPage, Page } from '../page.tsx';
import { Alert, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { money } from '../wording.ts';
import {
  type CardEntry,
  CardFields,
  correctionText,
  declineText,
  TestCards,
} from './card-form.tsx';
import { type Checkout, checkoutPath } from './checkout.tsx';

interface CheckoutProps {
  readonly context: Context;
  readonly checkout: Checkout;
}

type CheckoutPageProps = CheckoutProps & { readonly entry?: CardEntry | undefined };

/** The payment page: what is paid for and, beside it on a ground of its own, how it is paid. */
export function CheckoutPage({ context, checkout, entry }: CheckoutPageProps) {
  const { token, amount, currency, balance, expires_at } = checkout;
  const total = money(amount, currency);
  return (
    <Page title={`Pay ${total}`} context={context}>
      <div class="columns checkout" data-testid="checkout">
        <div>
          <h1>Pay {total}</h1>
          <Purchase checkout={checkout} />
          {balance && (
            <p>
              Your balance will then be <Amount {...balance} />.
            </p>
          )}
          <p class="muted">
            This link is valid until <Time at={expires_at} />.
          </p>
        </div>
        <div>
          <PaymentForm checkout={checkout} entry={entry} />
          <TestCards action={checkoutPath(token)} />
        </div>
      </div>
    </Page>
  );
}

function PaymentForm({ checkout, entry }: Omit<CheckoutPageProps, 'context'>) {
  const { token, amount, currency, failure } = checkout;
  const isWrong = entry !== undefined && entry.wrong.length > 0;
  const declined =
    failure && `${declineText(failure)} Nothing was paid. Try again or use another card.`;
  const problem = isWrong ? correctionText(entry) : declined;
  return (
    <form method="post" action={checkoutPath(token, 'pay')} novalidate>
      {problem !== undefined && <Alert text={problem} />}
      <MethodChoice />
      <CardFields {...entry} />
      <p class="bank-note">
        The test account ending in {TEST_ACCOUNT.last4} pays. The money arrives one day later.
      </p>
      <Button isMain data-testid="pay" autofocus={entry !== undefined && !isWrong}>
        Pay {money(amount, currency)}
      </Button>
      <Button class="link" formAction={checkoutPath(token, 'cancel')} data-testid="cancel">
        Cancel
      </Button>
    </form>
  );
}

/** The confirmation step, which some test cards require. */
export function ConfirmPage({ context, checkout }: CheckoutProps) {
  return (
    <CardPage title="Confirm the payment" context={context} testId="confirmation">
      <p>Your bank asks you to confirm this payment.</p>
      <Purchase checkout={checkout} />
      <form method="post" action={checkoutPath(checkout.token, 'confirm')}>
        <Button isMain data-testid="confirm">
          Confirm
        </Button>
        <Button name="decision" value="cancel" data-testid="cancel">
          Cancel
        </Button>
      </form>
    </CardPage>
  );
}

/** Shown while a payment is processing. */
export function ProcessingPage({ context, checkout }: CheckoutProps) {
  return (
    <CardPage title="Payment processing" context={context} testId="processing">
      <p>
        Your bank has the order, and the money arrives within a day. There is nothing more to do.
      </p>
      <Purchase checkout={checkout} />
      {checkout.return_url !== undefined && (
        <a class="button" href={checkout.return_url}>
          Continue
        </a>
      )}
    </CardPage>
  );
}

const OUTCOMES = {
  paid: ['Payment received', 'You can close this page.'],
  unpaid: ['Payment not made', 'You can close this page.'],
  expired: ['This link has expired', 'Ask for a new one.'],
} as const;

/** Redirects the payer to an address of the shop; if it gave none, says how the visit ended. */
export function leaveTo(address: string | undefined, outcome: keyof typeof OUTCOMES): PageAnswer {
  if (address !== undefined) return { location: address };
  const [title, text] = OUTCOMES[outcome];
  return (
    <CardPage title={title} testId="outcome">
      <p>{text}</p>
    </CardPage>
  );
}

/** Who pays for what, line by line, and the sum. */
function Purchase({ checkout }: Pick<CheckoutProps, 'checkout'>) {
  const { customer, items, balance, description, amount, currency } = checkout;
  return (
    <>
      <p data-testid="customer">
        {balance ? 'Top-up' : 'Subscription'} for <Words text={customer.name} />
      </p>
      {description !== undefined && (
        <p class="muted" data-testid="description">
          <Words text={description} />
        </p>
      )}
      <dl class="rows">
        {items.map((item) => (
          <div key={item.name} class="row" data-testid="item">
            <dt>
              <bdi>{item.name}</bdi>
              {item.about && <small class="beneath">{item.about}</small>}
            </dt>
            <dd>{item.amount ? <Amount amount={item.amount} asset={currency} /> : 'by usage'}</dd>
          </div>
        ))}
        <div class="row total">
          <dt>Total</dt>
          <dd data-testid="amount">
            <Amount amount={amount} asset={currency} />
          </dd>
        </div>
      </dl>
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
