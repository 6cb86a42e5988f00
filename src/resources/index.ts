import * as accounts from './accounts/accounts.ts';
import * as assets from './assets/assets.ts';
import type { Handlers } from './context.ts';
import * as events from './events/events.ts';
import * as payments from './payments/payments.ts';
import * as topUps from './payments/top-ups.ts';
import * as products from './products/products.ts';
import * as stats from './stats/stats.ts';
import * as customers from './subscribers/customers.ts';
import * as subscribers from './subscribers/subscribers.ts';
import * as subscriptions from './subscriptions/subscriptions.ts';
import * as tasks from './tasks/tasks.ts';
import * as vendors from './vendors/vendors.ts';
import * as movements from './wallets/wallet-movements.ts';
import * as wallets from './wallets/wallets.ts';
import * as webhookLog from './webhooks/webhook-log.ts';
import * as webhooks from './webhooks/webhooks.ts';

/** The handler of every operation, by operation name. The type makes a missing handler a compile error. */
export const handlers: Handlers = {
  ...accounts,
  ...assets,
  ...payments,
  ...customers,
  ...events,
  ...subscribers,
  ...movements,
  ...products,
  ...stats,
  ...subscriptions,
  ...tasks,
  ...topUps,
  ...vendors,
  ...wallets,
  ...webhooks,
  ...webhookLog,
  testWebhooks: webhooks.testDispatch,
  testWebhook: webhooks.testDispatch,
  testConnectedWebhooks: webhooks.testDispatch,
  testConnectedWebhook: webhooks.testDispatch,
};
