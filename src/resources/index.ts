import * as accounts from './accounts/accounts.ts';
import * as assets from './assets/assets.ts';
import type { Handlers } from './context.ts';
import * as events from './events/events.ts';
import * as simulation from './events/simulation.ts';
import * as billingPortal from './payments/billing-portal.ts';
import * as topUps from './payments/top-ups.ts';
import * as productVersions from './products/product-versions.ts';
import * as products from './products/products.ts';
import * as stats from './stats/stats.ts';
import * as customerList from './subscribers/customer-list.ts';
import * as customers from './subscribers/customers.ts';
import * as listSubscribers from './subscribers/list-subscribers.ts';
import * as subscriptions from './subscriptions/subscriptions.ts';
import * as tasks from './tasks/tasks.ts';
import * as vendors from './vendors/vendors.ts';
import * as movements from './wallets/wallet-movements.ts';
import * as wallets from './wallets/wallets.ts';
import * as webhookLog from './webhooks/webhook-log.ts';
import { testDispatch } from './webhooks/webhook-test-dispatch.ts';
import * as webhooks from './webhooks/webhooks.ts';

/** The handler of every operation, by operation name. The type makes a missing handler a compile error. */
export const handlers: Handlers = {
  ...accounts,
  ...assets,
  ...billingPortal,
  ...customers,
  ...customerList,
  ...events,
  ...listSubscribers,
  ...movements,
  ...products,
  ...productVersions,
  ...simulation,
  ...stats,
  ...subscriptions,
  ...tasks,
  ...topUps,
  ...vendors,
  ...wallets,
  ...webhooks,
  ...webhookLog,
  testWebhooks: testDispatch,
  testWebhook: testDispatch,
  testConnectedWebhooks: testDispatch,
  testConnectedWebhook: testDispatch,
};
