import express, { type RequestHandler } from 'express';
import type { DecimalText } from '../../domain/decimal.ts';
import { RuleViolation } from '../../domain/rules.ts';
import type { RecordMove } from '../../http/log/own-move.ts';
import { removeAutoTopUpRule, setAutoTopUpRule } from '../../resources/payments/auto-top-ups.ts';
import { openPortalVisit, visitPath } from '../../resources/payments/portal-visits.ts';
import { forgetMethod, saveMethod } from '../../resources/payments/saved-method.ts';
import type { CustomerRow } from '../../state/records.ts';
import { wireNumber } from '../../text/exact-json.ts';
import { answerPage, goTo, type PageAnswer } from '../answer.ts';
import { errorPage } from '../error-pages.tsx';
import { allowLeaving } from '../headers.ts';
import { orderTopUp } from '../order-top-up.ts';
import { followLink, type PagesOptions } from '../pages.ts';
import {
  CORRECTION_TEXT,
  cardMethod,
  declineText,
  type FormBody,
  fieldText,
  readCard,
} from './card-form.ts';
import { OutcomePage } from './checkout-page.tsx';
import { accountOf, type FormProblem, type Portal } from './portal.ts';
import { PortalPage } from './portal-page.tsx';

interface PortalRequest extends Portal {
  readonly recordMove: RecordMove;
  readonly body: FormBody;
}

type Step = (request: PortalRequest) => PageAnswer;

/** The billing portal: its links, and what a customer does in it. @assumes A-1104 */
export function portalRouter(options: PagesOptions): express.Router {
  const at = (step: Step): RequestHandler =>
    answerPage((request) => {
      const id = request.params['visit'] as string;
      const found = followLink(options, request, ({ portal_visits }) => portal_visits.get(id));
      if (!found) return errorPage('unknown', options.settings);
      const { context, record: visit } = found;
      if (visit.expires_at <= context.now) return leaveExpired(visit.failure_url);
      const customer = context.tables.customers.get(visit.customer_id) as CustomerRow;
      const { body, query } = request;
      const { recordMove } = options;
      return step({ recordMove, context, visit, customer, body, query });
    });

  const router = express.Router();
  router.use(allowLeaving);
  router.get('/:token', openLink(options));
  router.get(
    '/visits/:visit',
    at((portal) => ({ page: <PortalPage {...portal} /> })),
  );
  router.post('/visits/:visit/top-up', at(topUp));
  router.post('/visits/:visit/card', at(saveCard));
  router.post('/visits/:visit/card/remove', at(removeCard));
  router.post('/visits/:visit/auto-top-up', at(changeAutoTopUp));
  return router;
}

/** A link to the portal: each opening is a visit of its own. */
function openLink(options: PagesOptions): RequestHandler {
  return answerPage((request) => {
    const token = request.params['token'] as string;
    const found = followLink(options, request, (tables) =>
      tables.portal_sessions.first('token', token),
    );
    if (!found) return errorPage('unknown', options.settings);
    const { context, record: session } = found;
    if (session.expires_at <= context.now) return leaveExpired(session.failure_url);
    return { location: visitPath(context.world.commit(() => openPortalVisit(context, session))) };
  });
}

function leaveExpired(failureUrl: string | undefined): PageAnswer {
  return goTo(failureUrl, <OutcomePage paid={false} />);
}

/** Back to the portal, with word of what was done. */
function done({ visit }: PortalRequest, notice: string, section: string): PageAnswer {
  return { location: `${visitPath(visit)}?notice=${notice}#${section}` };
}

/** Keeps for a recording what a customer did, as the call that does the same. */
function keep(
  { recordMove, context, customer }: PortalRequest,
  operation: string,
  { accountId, body }: { readonly accountId?: string; readonly body?: object } = {},
): void {
  const { world, owner } = context;
  const path = { customerId: customer.id, ...(accountId !== undefined && { accountId }) };
  recordMove({ world, owner, operation, path, body, status: 204 });
}

const refuse = (portal: Portal, problem: FormProblem): PageAnswer => ({
  status: 422,
  page: <PortalPage {...portal} problem={problem} />,
});

function topUp(request: PortalRequest): PageAnswer {
  const { recordMove, context, visit, customer, body } = request;
  const values = { amount: fieldText(body, 'amount'), currency: fieldText(body, 'currency') };
  const amount = readAmount(values.amount);
  const accountId = fieldText(body, 'account');
  const destination = destinationOf(accountId);
  const form = accountOf(context, customer, accountId) ? `top-up ${accountId}` : 'top-up';
  const problem = (text: string) => refuse(request, { form, text, values, wrong: 'amount' });
  if (amount === undefined || !destination) return problem(AMOUNT_EXPECTED);
  const back = context.baseUrl + visitPath(visit);
  const order = {
    ...{ customer_id: customer.id, amount, currency: values.currency, destination },
    ...{ return_url: `${back}?notice=paid`, failure_url: `${back}?notice=not-paid` },
  };
  return ruled(problem, () => ({ location: orderTopUp(context, order, recordMove) }));
}

function saveCard(request: PortalRequest): PageAnswer {
  const { context, customer, body } = request;
  const { card, entry } = readCard(body, context.now);
  const problem = (text: string) =>
    refuse(request, { form: 'card', text, values: {}, card: entry });
  if (!card) return problem(CORRECTION_TEXT);
  if (!SAVED_OUTCOMES.includes(card.outcome)) return problem(declineText(card.outcome));
  const method = cardMethod(card);
  context.world.commit(() => saveMethod(context, customer, method));
  keep(request, 'setPaymentMethod', { body: method });
  return done(request, 'card-saved', 'card');
}

/** A card is saved where a payment with it could be taken. */
const SAVED_OUTCOMES: readonly string[] = ['succeeds', 'confirms', 'declines_later'];

function removeCard(request: PortalRequest): PageAnswer {
  const { context, customer } = request;
  context.world.commit(() => forgetMethod(context, customer));
  keep(request, 'removePaymentMethod');
  return done(request, 'card-removed', 'card');
}

function changeAutoTopUp(request: PortalRequest): PageAnswer {
  const { context, visit, customer, body } = request;
  const accountId = fieldText(body, 'account');
  const account = accountOf(context, customer, accountId);
  if (!account) return errorPage('unreadable', context.settings);
  if (fieldText(body, 'on') === '') {
    context.world.commit(() => removeAutoTopUpRule(context, account));
    keep(request, 'removeAutoTopUp', { accountId });
    return done(request, 'auto-top-up-off', 'balances');
  }
  const [threshold, amount] = [fieldText(body, 'threshold'), fieldText(body, 'amount')];
  const values = { threshold, amount, currency: fieldText(body, 'currency') };
  const wrong = AMOUNT.test(threshold) ? 'amount' : 'threshold';
  const problem = (text: string) =>
    refuse(request, { form: `auto-top-up ${accountId}`, text, values, wrong });
  if (readAmount(amount) === undefined || wrong === 'threshold') return problem(AMOUNT_EXPECTED);
  const { return_url = context.baseUrl, failure_url = context.baseUrl } = visit;
  return ruled(problem, () => {
    const terms = { ...values, return_url, failure_url };
    context.world.commit(() => setAutoTopUpRule(context, account, terms));
    keep(request, 'setAutoTopUp', { accountId, body: numbersOf(values) });
    return done(request, 'auto-top-up-on', 'balances');
  });
}

const numbersOf = ({ threshold, amount, currency }: Readonly<Record<string, string>>) => ({
  threshold: wireNumber(threshold as DecimalText),
  amount: wireNumber(amount as DecimalText),
  currency,
});

const AMOUNT_EXPECTED = 'Enter amounts as plain numbers, such as 25 or 12.50.';
const AMOUNT = /^(?=[\d.]{1,16}$)\d{1,15}(\.\d{1,10})?$/;

/** An amount that a form may hold; undefined for what is none. @assumes A-303 */
function readAmount(text: string): number | undefined {
  return AMOUNT.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

function destinationOf(accountId: string): { account_name: string; asset: string } | undefined {
  const [, account_name, asset] =
    /^([a-z0-9][a-z0-9_-]{0,63}):([A-Z0-9]{2,64})$/.exec(accountId) ?? [];
  return account_name !== undefined && asset !== undefined ? { account_name, asset } : undefined;
}

/** Does what the rules may forbid, and says which of them did. */
function ruled(problem: (text: string) => PageAnswer, work: () => PageAnswer): PageAnswer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RuleViolation)) throw error;
    return problem(error.findings.map(({ message }) => message).join(' '));
  }
}
