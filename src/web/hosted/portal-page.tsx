import type { VNode } from 'preact';
import type { Context } from '../../resources/context.ts';
import type { CustomerRow, PortalVisitRow } from '../../state/records.ts';
import { Page } from '../page.tsx';
import { Alert, Notice, Words } from '../parts.tsx';
import type { CardEntry } from './card-form.ts';
import { monthSpend } from './month-spend.ts';
import { accountsOf, outstandingOf } from './portal.ts';
import { Balances } from './portal-balances.tsx';
import { SavedCard } from './portal-card.tsx';
import { paymentsPage, usagePage } from './portal-history.ts';
import { Owed } from './portal-owed.tsx';
import { Payments } from './portal-payments.tsx';
import { Plan } from './portal-plan.tsx';
import { Spend } from './portal-spend.tsx';
import { UsageHistory } from './portal-usage.tsx';

/** What every part of the portal is given. */
export interface PortalProps {
  readonly context: Context;
  readonly visit: PortalVisitRow;
  readonly customer: CustomerRow;
  readonly problem?: FormProblem | undefined;
}

/** Why a form comes back, and what it was sent with. */
export interface FormProblem {
  readonly form: string;
  readonly text: string;
  /** The first field that is wrong, where it is not one of the card. */
  readonly wrong?: 'amount' | 'threshold';
  readonly values: {
    readonly amount?: string;
    readonly currency?: string;
    readonly threshold?: string;
  };
  readonly card?: CardEntry;
}

/** What is said after something was done, by its name in the address. */
const NOTICES: Readonly<Record<string, string>> = {
  paid: 'Thank you. The payment was taken.',
  'not-paid': 'Nothing was paid.',
  'card-saved': 'The card is saved.',
  'card-removed': 'The card is removed.',
  'auto-top-up-on': 'The automatic top-up is on.',
  'auto-top-up-off': 'The automatic top-up is off.',
};

type PortalPageProps = PortalProps & {
  readonly notice?: string;
  /** The pages of the histories that are shown. */
  readonly usage?: number;
  readonly payments?: number;
};

/** A customer's own view of what is owed, paid, left and used. @assumes A-1104 */
export function PortalPage(props: PortalPageProps): VNode {
  const { context, visit, customer, problem, notice = '', usage = 1, payments = 1 } = props;
  const accounts = accountsOf(context, customer);
  const noticeText = Object.hasOwn(NOTICES, notice) ? NOTICES[notice] : undefined;
  return (
    <Page
      title={`Billing of ${customer.name}`}
      width="wide"
      scripts={['card-fields.js']}
      navigation={visit.return_url !== undefined && <a href={visit.return_url}>Leave billing</a>}
    >
      <h1>
        Billing of <Words text={customer.name} />
      </h1>
      {noticeText !== undefined && <Notice text={noticeText} />}
      {problem?.form === 'top-up' && accounts.length > 0 && <Alert text={problem.text} />}
      <Owed context={context} payments={outstandingOf(context, customer)} accounts={accounts} />
      <div class="cards">
        <Plan context={context} customer={customer} />
        <SavedCard {...props} />
        <Balances accounts={accounts} {...props} />
        <Spend context={context} spends={monthSpend(context, customer)} />
        <Payments
          context={context}
          visit={visit}
          payments={paymentsPage(context, customer, payments)}
        />
        <UsageHistory context={context} visit={visit} usage={usagePage(context, customer, usage)} />
      </div>
    </Page>
  );
}
