import { fieldText } from '../forms.tsx';
import { Notice } from '../id.tsx';
import { Page } from '../page.tsx';
import { Alert, Words } from '../parts.tsx';
import { accountsOf, CurrentPortal, type Portal } from './portal.ts';
import { Balances } from './portal-balances.tsx';
import { SavedCard } from './portal-forms.tsx';
import { Payments, UsageHistory } from './portal-histories.tsx';
import { Owed } from './portal-owed.tsx';
import { Plan } from './portal-plan.tsx';
import { Spend } from './portal-spend.tsx';

/** Messages after an action, by the value of `notice` in the URL. */
const NOTICES: Readonly<Record<string, string>> = {
  paid: 'Thank you. The payment succeeded.',
  'not-paid': 'Nothing was paid.',
  'card-saved': 'The card is saved.',
  'card-removed': 'The card is removed.',
  'auto-top-up-on': 'The automatic top-up is on.',
  'auto-top-up-off': 'The automatic top-up is off.',
};

/** The portal page: what the customer owes, pays, has and uses. @assumes A-1104 */
export function PortalPage(portal: Portal) {
  const { context, visit, customer, problem, query } = portal;
  const accounts = accountsOf(context, customer);
  const notice = fieldText(query, 'notice');
  const noticeText = Object.hasOwn(NOTICES, notice) ? NOTICES[notice] : undefined;
  return (
    <CurrentPortal.Provider value={portal}>
      <Page
        title={`Billing for ${customer.name}`}
        width="wide"
        context={context}
        navigation={visit.return_url !== undefined && <a href={visit.return_url}>Leave billing</a>}
      >
        <h1>
          Billing for <Words text={customer.name} />
        </h1>
        {noticeText !== undefined && <Notice text={noticeText} />}
        {problem?.form === 'top-up' && accounts.length > 0 && <Alert text={problem.text} />}
        <Owed accounts={accounts} />
        <div class="cards">
          <Plan />
          <SavedCard />
          <Balances accounts={accounts} />
          <Spend />
          <Payments />
          <UsageHistory />
        </div>
      </Page>
    </CurrentPortal.Provider>
  );
}
