import express from 'express';
import { omitNullish } from '../../domain/fields.ts';
import { RuleViolation } from '../../domain/rules.ts';
import type { RecordMove } from '../../http/log/exchange.ts';
import type { Context } from '../../resources/context.ts';
import { openPortalVisit, visitPath } from '../../resources/links.ts';
import {
  initiateTopUp,
  presentOrderedTopUp,
  type TopUpRequest,
} from '../../resources/payments/top-ups.ts';
import { rowsOf } from '../../store/query.ts';
import type { CustomerRow, LinkRow } from '../../store/records.ts';
import { key } from '../../store/schema.ts';
import { allowLeaving, errorPage, type PageAnswer } from '../answer.tsx';
import { fieldText } from '../forms.tsx';
import { Notice } from '../id.tsx';
import { Page } from '../page.tsx';
import { type PagesOptions, runControlOperation } from '../page-control.ts';
import { Alert, Words } from '../parts.tsx';
import { cardMethod, correctionText, declineText, readCard } from './card-form.tsx';
import { checkoutPath } from './checkout.tsx';
import { leaveTo } from './checkout-page.tsx';
import { type LinkRequest, linkedPage } from './linked-page.ts';
import { CurrentPortal, type FormProblem, type Portal, type PortalRequest } from './portal.ts';
import { SavedCard } from './portal-forms.tsx';
import { Owed, Payments } from './portal-payments.tsx';
import { Balances, Plan } from './portal-plan.tsx';
import { readSpending, Spend } from './portal-spend.tsx';

type Step = (request: PortalRequest) => PageAnswer | Promise<PageAnswer>;

/** The pages and forms of the billing portal. @assumes A-1104 */
export function portalRouter(options: PagesOptions): express.Router {
  const at = (step: Step) =>
    linkedPage(options, 'visit', (request) => {
      const { context, link } = request;
      if (link.expires_at <= context.now) return leaveExpired(link);
      const customer = context.tables.customers.get(link.customer_id) as CustomerRow;
      return step({ ...request, customer });
    });
  const router = express.Router();
  router.use(allowLeaving);
  router.get('/:token', linkedPage(options, 'portal', openVisit));
  router.get('/visits/:token', at(showPortal));
  router.post('/visits/:token/top-up', at(topUp));
  router.post('/visits/:token/card', at(saveCard));
  router.post('/visits/:token/card/remove', at(removeCard));
  router.post('/visits/:token/auto-top-up', at(changeAutoTopUp));
  return router;
}

/** Follows a link to the portal. Each use of the link starts a new visit. */
function openVisit({ context, link }: LinkRequest): PageAnswer {
  if (link.expires_at <= context.now) return leaveExpired(link);
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, link))) };
}

const leaveExpired = ({ failure_url }: LinkRow): PageAnswer => leaveTo(failure_url, 'expired');

/** Redirects to the portal with a message. */
function done({ link }: PortalRequest, notice: string, section: string): PageAnswer {
  return { location: `${visitPath(link)}?notice=${notice}#${section}` };
}

/** The portal, with the error of a form that was refused. */
async function showPortal(request: PortalRequest, problem?: FormProblem): Promise<PageAnswer> {
  const { context, customer } = request;
  const spending = await readSpending(context, customer);
  const page = <PortalPage {...request} spending={spending} problem={problem} />;
  return { status: problem ? 422 : 200, page };
}

async function topUp(request: PortalRequest): Promise<PageAnswer> {
  const { control, context, link, customer, body } = request;
  const amount = readAmount(fieldText(body, 'amount'));
  const accountId = fieldText(body, 'account');
  const destination = destinationOf(accountId);
  const account = context.tables.wallet_accounts.get(key(customer.id, accountId));
  const form = account ? `top-up ${accountId}` : 'top-up';
  const problem = (text: string) => showPortal(request, { form, text });
  if (amount === undefined || !destination) return problem(AMOUNT_EXPECTED);
  const back = context.baseUrl + visitPath(link);
  const order = {
    customer_id: customer.id,
    amount,
    currency: fieldText(body, 'currency'),
    destination,
    return_url: `${back}?notice=paid`,
    failure_url: back,
  };
  return ruled(problem, () => ({ location: orderTopUp(context, order, control.recordMove) }));
}

/**
 * Orders a top-up from a page and returns the path of its payment page.
 *
 * @throws RuleViolation with everything that is wrong with the order
 */
function orderTopUp(context: Context, order: TopUpRequest, recordMove: RecordMove): string {
  const { world, owner, baseUrl } = context;
  const topUp = world.commit(() => initiateTopUp(context, order));
  // The real return URL is a page of this visit, which does not exist in another world.
  const body = { ...order, return_url: baseUrl, failure_url: baseUrl };
  const answer = presentOrderedTopUp(topUp, baseUrl);
  recordMove({ world, owner, operation: 'createTopUp', body, status: 201, answer });
  return checkoutPath(topUp.payment.token);
}

async function saveCard(request: PortalRequest): Promise<PageAnswer> {
  const { context, body } = request;
  const { card, entry } = readCard(body, context.now);
  const problem = (text: string) => showPortal(request, { form: 'card', text, card: entry });
  if (!card) return problem(correctionText(entry));
  if (!SAVED_OUTCOMES.includes(card.outcome)) return problem(declineText(card.outcome));
  await setMethod(request, cardMethod(card));
  return done(request, 'card-saved', 'card');
}

const setMethod = ({ control, customer }: PortalRequest, body: object) =>
  runControlOperation(control, 'setPaymentMethod', { path: { customerId: customer.id }, body });

/** Only a card that can pay is saved. */
const SAVED_OUTCOMES: readonly string[] = ['succeeds', 'confirms', 'declines_later'];

async function removeCard(request: PortalRequest): Promise<PageAnswer> {
  await setMethod(request, { kind: 'none' });
  return done(request, 'card-removed', 'card');
}

async function changeAutoTopUp(request: PortalRequest): Promise<PageAnswer> {
  const { control, context, link, customer, body } = request;
  const accountId = fieldText(body, 'account');
  if (!context.tables.wallet_accounts.get(key(customer.id, accountId)))
    return errorPage('unreadable', context.settings);
  const path = { customerId: customer.id, accountId };
  const set = (body: object) => runControlOperation(control, 'setAutoTopUp', { path, body });
  if (fieldText(body, 'on') === '') {
    await set({ threshold: null });
    return done(request, 'auto-top-up-off', 'balances');
  }
  const [threshold, amount] = [fieldText(body, 'threshold'), fieldText(body, 'amount')];
  const form = `auto-top-up ${accountId}`;
  const problem = (text: string) => showPortal(request, { form, text });
  if (readAmount(amount) === undefined || !AMOUNT.test(threshold)) return problem(AMOUNT_EXPECTED);
  const { return_url, failure_url } = link;
  const amounts = { threshold: Number(threshold), amount: Number(amount) };
  const terms = { ...amounts, currency: fieldText(body, 'currency') };
  return ruled(problem, async () => {
    await set({ ...terms, ...omitNullish({ return_url, failure_url }) });
    return done(request, 'auto-top-up-on', 'balances');
  });
}

const AMOUNT_EXPECTED = 'Enter amounts as plain numbers, such as 25 or 12.50.';
const AMOUNT = /^(?=[\d.]{1,16}$)\d{1,15}(\.\d{1,10})?$/;

/** Returns the amount; undefined if the text is not a valid positive amount. @assumes A-303 */
const readAmount = (text: string): number | undefined =>
  AMOUNT.test(text) && Number(text) > 0 ? Number(text) : undefined;

function destinationOf(accountId: string): { account_name: string; asset: string } | undefined {
  const [, account_name, asset] =
    /^([a-z0-9][a-z0-9_-]{0,63}):([A-Z0-9]{2,64})$/.exec(accountId) ?? [];
  return account_name !== undefined && asset !== undefined ? { account_name, asset } : undefined;
}

/** Runs an action. If rules forbid it, shows their messages. */
async function ruled(
  problem: (text: string) => Promise<PageAnswer>,
  work: () => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RuleViolation)) throw error;
    return problem(error.findings.map(({ message }) => message).join(' '));
  }
}

/** Messages after an action, by the value of `notice` in the URL. */
const NOTICES: Readonly<Record<string, string>> = {
  paid: 'Thank you. The payment succeeded.',
  'card-saved': 'The card is saved.',
  'card-removed': 'The card is removed.',
  'auto-top-up-on': 'The automatic top-up is on.',
  'auto-top-up-off': 'The automatic top-up is off.',
};

/** The portal page: what the customer owes, pays, has and uses. @assumes A-1104 */
function PortalPage(portal: Portal) {
  const { context, link, customer, problem, query } = portal;
  const accounts = rowsOf(context.tables.wallet_accounts, { customer_id: customer.id });
  const notice = fieldText(query, 'notice');
  return (
    <CurrentPortal.Provider value={portal}>
      <Page
        title={`Billing for ${customer.name}`}
        context={context}
        navigation={link.return_url !== undefined && <a href={link.return_url}>Leave billing</a>}
      >
        <h1>
          Billing for <Words text={customer.name} />
        </h1>
        {Object.hasOwn(NOTICES, notice) && <Notice text={NOTICES[notice] ?? ''} />}
        {problem?.form === 'top-up' && accounts.length > 0 && <Alert text={problem.text} />}
        <Owed />
        <div class="cards">
          <Plan />
          <SavedCard />
          <Balances accounts={accounts} />
          <Spend />
          <Payments />
        </div>
      </Page>
    </CurrentPortal.Provider>
  );
}
