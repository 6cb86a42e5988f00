import express from 'express';
import { omitNullish } from '../../domain/fields.ts';
import { TEST_ACCOUNT } from '../../resources/customers/payment-method.ts';
import { openPortalVisit, visitPath } from '../../resources/links.ts';
import { confirmingMethod, setConfirming } from '../../resources/payments/payments.ts';
import type { PaymentMethod } from '../../store/records.ts';
import {
  allowLeaving,
  errorHandler,
  type PageAnswer,
  refuseUnkept,
  secureHeaders,
  unknownPage,
} from '../answer.tsx';
import { assetsRouter } from '../assets.ts';
import { fieldText } from '../forms.tsx';
import { type PagesOptions, runControlOperation } from '../page-control.ts';
import { cardMethod, filledBy, readCard, type TestCard } from './card-form.tsx';
import { type Checkout, checkoutPath, readCheckout } from './checkout.tsx';
import { CheckoutPage, ConfirmPage, leaveTo, ProcessingPage } from './checkout-page.tsx';
import { type LinkRequest, linkedPage } from './linked-page.ts';
import { portalRouter } from './portal-routes.tsx';

/** Serves the pages behind the service's links, and their files. */
export function createHostedRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.use(secureHeaders, refuseUnkept(options));
  router.use('/assets', assetsRouter());
  router.use(express.urlencoded({ extended: false, limit: '64kb' }));
  router.use('/checkout', checkoutRouter(options));
  router.use('/portal', portalRouter(options));
  router.use(unknownPage(options.settings), errorHandler(options));
  return router;
}

type CheckoutRequest = LinkRequest & { readonly checkout: Checkout };

type Step = (request: CheckoutRequest) => PageAnswer | Promise<PageAnswer>;

/** The payment pages of top-ups and of subscriptions' fixed fees. @assumes A-604, A-1103 */
function checkoutRouter(options: PagesOptions): express.Router {
  const at = (step: Step) =>
    linkedPage(options, 'payment', (request) =>
      step({ ...request, checkout: readCheckout(request.context, request.link) }),
    );
  const router = express.Router();
  router.use(allowLeaving);
  router.get('/:token', at(show));
  router.post('/:token/pay', at(whileOpen(pay)));
  router.get('/:token/confirm', at(whileOpen(showConfirmation)));
  router.post('/:token/confirm', at(whileOpen(confirm)));
  router.post('/:token/cancel', at(whileOpen(leaveUnpaid)));
  return router;
}

/**
 * Runs a step while the link is open. After a second submit, in a second tab or after "back", the link is already paid
 * or ended; then it redirects as the first submit did.
 */
function whileOpen(step: Step): Step {
  return (request) => {
    const { state } = request.checkout;
    if (state === 'open') return step(request);
    return state === 'ended' || state === 'none' ? leaveUnpaid(request) : leavePaid(request);
  };
}

function show({ context, checkout, query }: CheckoutRequest): PageAnswer {
  switch (checkout.state) {
    case 'open': {
      const entry = filledBy(fieldText(query, 'card'));
      return <CheckoutPage context={context} checkout={checkout} entry={entry} />;
    }
    case 'processing':
      return <ProcessingPage context={context} checkout={checkout} />;
    case 'paid':
      return leaveTo(checkout.return_url, 'paid');
    default:
      return leaveTo(checkout.failure_url, 'unpaid');
  }
}

function pay(request: CheckoutRequest): ReturnType<Step> {
  const { context, checkout, body } = request;
  if (fieldText(body, 'method') === 'bank_debit')
    return settle(request, { outcome: 'processing', payment_method: TEST_ACCOUNT });
  const { card, entry } = readCard(body, context.now);
  if (card) return payByCard(request, card);
  const page = <CheckoutPage context={context} checkout={checkout} entry={entry} />;
  return { status: 422, page };
}

function payByCard(request: CheckoutRequest, card: TestCard): ReturnType<Step> {
  const { context, checkout } = request;
  const payment_method = cardMethod(card);
  switch (card.outcome) {
    case 'succeeds':
    case 'declines_later':
      return settle(request, { outcome: 'succeeded', payment_method });
    case 'confirms':
      context.world.commit(() => setConfirming(context, checkout.token, payment_method));
      return { location: checkoutPath(checkout.token, 'confirm') };
    default:
      return settle(request, { outcome: 'failed', reason: card.outcome, payment_method });
  }
}

function showConfirmation({ context, checkout }: CheckoutRequest): PageAnswer {
  if (!confirmingMethod(context, checkout.token)) return { location: checkoutPath(checkout.token) };
  return <ConfirmPage context={context} checkout={checkout} />;
}

function confirm(request: CheckoutRequest): ReturnType<Step> {
  const { context, checkout, body } = request;
  const payment_method = confirmingMethod(context, checkout.token);
  if (!payment_method) return { location: checkoutPath(checkout.token) };
  return fieldText(body, 'decision') === 'cancel'
    ? settle(request, { outcome: 'failed', reason: 'confirmation_refused', payment_method })
    : settle(request, { outcome: 'succeeded', payment_method });
}

interface Outcome {
  readonly outcome: 'succeeded' | 'processing' | 'failed';
  readonly reason?: string;
  readonly payment_method: PaymentMethod;
}

async function settle(request: CheckoutRequest, body: Outcome): Promise<PageAnswer> {
  const { id } = request.checkout;
  await runControlOperation(request.control, 'settlePayment', { path: { id }, body });
  return body.outcome === 'failed' ? leaveUnpaid(request) : leavePaid(request);
}

/** Redirects the payer after a payment: to the return URL, or to the portal if the link asks for that. */
function leavePaid({ context, checkout }: CheckoutRequest): PageAnswer {
  const { redirect_to, return_url, failure_url, customer } = checkout;
  if (redirect_to !== 'portal') return leaveTo(return_url, 'paid');
  const entry = { customer_id: customer.id, ...omitNullish({ return_url, failure_url }) };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}

const leaveUnpaid = ({ checkout }: CheckoutRequest): PageAnswer =>
  leaveTo(checkout.failure_url, 'unpaid');
