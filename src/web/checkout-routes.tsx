import express, { type Request, type Response } from 'express';
import type { Context } from '../resources/context.ts';
import { type Checkout, findCheckoutTarget, readCheckout } from './checkout.ts';
import { CheckoutPage } from './checkout-page.tsx';
import { send, sendPage } from './error-pages.tsx';
import { allowLeaving } from './headers.ts';
import { pageContext } from './page-context.ts';
import type { PagesOptions } from './pages.ts';

/** The payment page of top-ups and of subscriptions' fixed fees. @assumes A-1103 */
export function checkoutRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.get('/:token', (request, response) => {
    const found = find(options, request);
    if (!found) return sendPage(response, 'unknown');
    show(response, found.context, found.checkout);
  });
  return router;
}

function find(
  options: PagesOptions,
  request: Request,
): { context: Context; checkout: Checkout } | undefined {
  const token = request.params['token'] as string;
  const target = findCheckoutTarget(options.worlds, token);
  if (!target) return undefined;
  const context = pageContext(options, request, target.world, target.owner);
  return { context, checkout: readCheckout(context, token) };
}

function show(response: Response, context: Context, checkout: Checkout): void {
  const { state, return_url, failure_url } = checkout;
  if (state === 'paid') response.redirect(303, return_url as string);
  else if (state === 'ended') response.redirect(303, failure_url as string);
  else {
    allowLeaving(response);
    send(response, <CheckoutPage context={context} checkout={checkout} />);
  }
}
