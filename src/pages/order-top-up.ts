import type { RecordMove } from '../http/log/own-move.ts';
import type { Context } from '../resources/context.ts';
import {
  initiateTopUp,
  presentOrderedTopUp,
  type TopUpRequest,
} from '../resources/payments/top-ups.ts';
import { checkoutPath } from './hosted/checkout-page.tsx';

/**
 * Orders a top-up from a page and returns the path of its payment page.
 *
 * @throws RuleViolation with everything that is wrong with the order
 */
export function orderTopUp(context: Context, order: TopUpRequest, recordMove: RecordMove): string {
  const { world, owner, baseUrl } = context;
  const topUp = world.commit(() => initiateTopUp(context, order));
  // The real return URL is a page of this visit, which does not exist in another world.
  const body = { ...order, return_url: baseUrl, failure_url: baseUrl };
  const answer = presentOrderedTopUp(topUp, baseUrl);
  recordMove({ world, owner, operation: 'createTopUp', body, status: 201, answer });
  return checkoutPath(topUp.payment.token);
}
