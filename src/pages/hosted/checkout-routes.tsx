import express from 'express';
import { openPortalVisit, visitPath } from '../../resources/links.ts';
import type { PaymentOutcome } from '../../resources/payments/payables.ts';
import {
  completePayment,
  confirmingMethod,
  setConfirming,
} from '../../resources/payments/payments.ts';
import type { PaymentMethod } from '../../store/records.ts';
import { allowLeaving, type PageAnswer } from '../answer.tsx';
import { fieldText } from '../forms.tsx';
import type { PagesOptions } from '../pages.ts';
import { cardMethod, filledBy, readCard, TEST_BANK_ACCOUNT, type TestCard } from './card-form.tsx';
import { type Checkout, checkoutPath, readCheckout } from './checkout.tsx';
import { CheckoutPage, ConfirmPage, leaveTo, ProcessingPage } from './checkout-page.tsx';
import { type LinkRequest, linkedPage } from './linked-page.ts';

type CheckoutRequest = LinkRequest & { readonly checkout: Checkout };

type Step = (request: CheckoutRequest) => PageAnswer;

/** The payment pages of top-ups and of subscriptions' fixed fees. @assumes A-604, A-1103 */
export function checkoutRouter(options: PagesOptions): express.Router {
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
    return state === 'ended' ? leaveUnpaid(request) : leavePaid(request);
  };
}

function show({ context, checkout, query }: CheckoutRequest): PageAnswer {
  switch (checkout.state) {
    case 'open': {
      const entry = filledBy(fieldText(query, 'card'), context.now);
      return <CheckoutPage context={context} checkout={checkout} entry={entry} />;
    }
    case 'processing':
      return <ProcessingPage context={context} checkout={checkout} />;
    case 'paid':
      return leaveTo(checkout.return_url, 'paid');
    case 'ended':
      return leaveTo(checkout.failure_url, 'unpaid');
  }
}

function pay(request: CheckoutRequest): PageAnswer {
  const { context, checkout, body } = request;
  if (fieldText(body, 'method') === 'bank_debit') {
    const method = { kind: 'bank_debit', last4: TEST_BANK_ACCOUNT, declines_later: false } as const;
    return settle(request, { outcome: 'processing', method });
  }
  const { card, entry } = readCard(body, context.now);
  if (card) return payByCard(request, card);
  const page = <CheckoutPage context={context} checkout={checkout} entry={entry} />;
  return { status: 422, page };
}

function payByCard(request: CheckoutRequest, card: TestCard): PageAnswer {
  const { context, checkout } = request;
  const method = cardMethod(card);
  switch (card.outcome) {
    case 'succeeds':
    case 'declines_later':
      return settle(request, { outcome: 'succeeded', method });
    case 'confirms':
      context.world.commit(() => setConfirming(context, checkout.token, method));
      return { location: checkoutPath(checkout.token, 'confirm') };
    default:
      return settle(request, { outcome: 'failed', reason: card.outcome, method });
  }
}

function showConfirmation({ context, checkout }: CheckoutRequest): PageAnswer {
  if (!confirmingMethod(context, checkout.token)) return { location: checkoutPath(checkout.token) };
  return <ConfirmPage context={context} checkout={checkout} />;
}

function confirm(request: CheckoutRequest): PageAnswer {
  const { context, checkout, body } = request;
  const method = confirmingMethod(context, checkout.token);
  if (!method) return { location: checkoutPath(checkout.token) };
  return fieldText(body, 'decision') === 'cancel'
    ? settle(request, { outcome: 'failed', reason: 'confirmation_refused', method })
    : settle(request, { outcome: 'succeeded', method });
}

function settle(request: CheckoutRequest, outcome: PaymentOutcome): PageAnswer {
  const { context, checkout, recordMove } = request;
  const answer = context.world.commit(() => {
    setConfirming(context, checkout.token, undefined);
    return completePayment(context, checkout.token, outcome);
  });
  const { method, ...body } = outcome as PaymentOutcome & { readonly method?: PaymentMethod };
  recordMove({
    ...{ world: context.world, owner: context.owner, status: 200, answer },
    ...{ operation: 'settlePayment', path: { id: checkout.id } },
    body: { ...body, ...(method && { payment_method: method }) },
  });
  return outcome.outcome === 'failed' ? leaveUnpaid(request) : leavePaid(request);
}

/** Redirects the payer after a payment: to the return URL, or to the portal if the link asks for that. */
function leavePaid({ context, checkout }: CheckoutRequest): PageAnswer {
  const { redirect_to, return_url, failure_url, customer } = checkout;
  if (redirect_to !== 'portal') return leaveTo(return_url, 'paid');
  const entry = {
    customer_id: customer.id,
    ...(return_url !== undefined && { return_url }),
    ...(failure_url !== undefined && { failure_url }),
  };
  return { location: visitPath(context.world.commit(() => openPortalVisit(context, entry))) };
}

const leaveUnpaid = ({ checkout }: CheckoutRequest): PageAnswer =>
  leaveTo(checkout.failure_url, 'unpaid');
