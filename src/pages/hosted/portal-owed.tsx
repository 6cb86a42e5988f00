import { absolute, decimal, format, isNegative } from '../../domain/decimal.ts';
import { Amount } from '../amount.tsx';
import { Button } from '../forms.tsx';
import { Section, Words } from '../parts.tsx';
import { Time } from '../time.tsx';
import { money } from '../wording.ts';
import { checkoutPath } from './checkout-page.tsx';
import {
  type AccountView,
  accountText,
  type Outstanding,
  outstandingOf,
  usePortal,
} from './portal.ts';
import { accountAnchor } from './portal-balances.tsx';

/** The customer's debts: unpaid fixed fees, and negative balances. */
export function Owed({ accounts }: { readonly accounts: readonly AccountView[] }) {
  const { context, customer } = usePortal();
  const payments = outstandingOf(context, customer);
  return (
    <>
      {payments.length > 0 && (
        <Section id="outstanding" title="Payment required" isLandmark>
          {payments.map((each) => (
            <OutstandingPayment key={each.payment.token} {...each} />
          ))}
        </Section>
      )}
      {accounts
        .filter(({ account }) => isNegative(decimal(account.available)))
        .map(({ account }) => (
          <div key={account.id} class="to-pay" data-testid="debt">
            <p>
              <b>
                <Amount
                  amount={format(absolute(decimal(account.available)))}
                  asset={account.asset}
                />
              </b>{' '}
              owed in {accountText(context, account)}: the next credit repays it first.
            </p>
            <a class="button secondary" href={`#${accountAnchor(account.account_id)}`}>
              To the balance
            </a>
          </div>
        ))}
    </>
  );
}

function OutstandingPayment({ name, amount, currency, payment }: Outstanding) {
  const isUnderWay = payment.status === 'processing';
  return (
    <div class="to-pay" data-testid="outstanding-payment">
      <p>
        <b>
          <Amount amount={amount} asset={currency} /> to pay
        </b>{' '}
        for <Words text={name} />.{' '}
        <span class="muted">
          {isUnderWay ? (
            'The payment is processing.'
          ) : (
            <>
              The link is valid until <Time at={payment.expires_at} />.
            </>
          )}
        </span>
      </p>
      {!isUnderWay && (
        <form action={checkoutPath(payment.token)}>
          <Button>Pay {money(amount, currency)}</Button>
        </form>
      )}
    </div>
  );
}
