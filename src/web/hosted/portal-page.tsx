import type { VNode } from 'preact';
import type { Context } from '../../resources/context.ts';
import type { CustomerRow, PortalVisitRow } from '../../state/records.ts';
import { Page } from '../page.tsx';
import { Notice, Words } from '../parts.tsx';
import type { Correction } from './card-form.ts';
import { accountsOf, monthSpend, outstandingOf, topUpsOf, usagePage } from './portal.ts';
import { Balances } from './portal-balances.tsx';
import { OutstandingPayments, SavedCard, TopUpForm, TopUpHistory } from './portal-payments.tsx';
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
  readonly values: {
    readonly amount?: string;
    readonly currency?: string;
    readonly threshold?: string;
  };
  readonly card?: Correction;
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

const PARTS = [
  ['balances', 'Balances'],
  ['spend', 'Spend'],
  ['usage', 'Usage'],
  ['top-up', 'Top up'],
  ['top-ups', 'Top-ups'],
  ['card', 'Saved card'],
] as const;

/** A customer's own view of what is paid, left and used. @assumes A-1104 */
export function PortalPage({
  notice = '',
  usage = 1,
  ...props
}: PortalProps & { readonly notice?: string; readonly usage?: number }): VNode {
  const { context, visit, customer } = props;
  const accounts = accountsOf(context, customer);
  const noticeText = Object.hasOwn(NOTICES, notice) ? NOTICES[notice] : undefined;
  return (
    <Page
      title={`Billing of ${customer.name}`}
      width="wide"
      navigation={visit.return_url !== undefined && <a href={visit.return_url}>Leave billing</a>}
    >
      <h1>
        Billing of <Words text={customer.name} />
      </h1>
      <nav aria-label="On this page" class="parts">
        <ul>
          {PARTS.map(([id, text]) => (
            <li key={id}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      </nav>
      {noticeText !== undefined && <Notice text={noticeText} />}
      <OutstandingPayments payments={outstandingOf(context, customer)} />
      <Balances accounts={accounts} {...props} />
      <Spend context={context} spends={monthSpend(context, customer)} />
      <UsageHistory context={context} visit={visit} usage={usagePage(context, customer, usage)} />
      <TopUpForm accounts={accounts} {...props} />
      <TopUpHistory context={context} topUps={topUpsOf(context, customer)} />
      <SavedCard {...props} />
    </Page>
  );
}
