import * as accounts from './accounts/accounts.ts';
import * as assets from './assets/assets.ts';
import type { Handlers } from './context.ts';
import { listCustomers } from './customers/customer-list.ts';
import * as customers from './customers/customers.ts';
import * as events from './events/events.ts';
import * as simulation from './events/simulation.ts';
import * as billingPortal from './payments/billing-portal.ts';
import * as topUps from './payments/top-ups.ts';
import * as productVersions from './products/product-versions.ts';
import * as products from './products/products.ts';
import * as stats from './stats/stats.ts';
import * as subscriptions from './subscriptions/subscriptions.ts';
import * as tasks from './tasks/tasks.ts';
import * as vendors from './vendors/vendors.ts';
import * as movements from './wallets/wallet-movements.ts';
import * as wallets from './wallets/wallets.ts';
import * as webhookLog from './webhooks/webhook-log.ts';
import { testDispatch } from './webhooks/webhook-test-dispatch.ts';
import * as webhooks from './webhooks/webhooks.ts';

/** Every operation's handler. The type makes a missing or a misnamed one a compile error. */
export const handlers: Handlers = {
  createConnectedAccount: accounts.createConnectedAccount,
  listConnectedAccounts: accounts.listConnectedAccounts,
  getAccountContext: accounts.getAccountContext,
  getConnectedAccount: accounts.getConnectedAccount,

  createAsset: assets.createAsset,
  listAssets: assets.listAssets,
  getAsset: assets.getAsset,
  quoteAsset: assets.quoteAsset,
  setAssetRate: assets.setAssetRate,

  createPortalSession: billingPortal.createPortalSession,

  createCustomer: customers.createCustomer,
  listCustomers,
  getCustomer: customers.getCustomer,
  updateCustomer: customers.updateCustomer,
  listCustomerStats: stats.listCustomerStats,
  getCustomerStats: stats.getCustomerStats,
  createSubscription: subscriptions.createSubscription,
  updateSubscription: subscriptions.updateSubscription,
  updateSubscriptionProduct: subscriptions.updateSubscriptionProduct,

  getWallet: wallets.getWallet,
  getWalletAccount: wallets.getWalletAccount,
  listGrants: wallets.listGrants,
  adjustWallet: movements.adjustWallet,
  chargeWallet: movements.chargeWallet,
  getWalletTransaction: wallets.getWalletTransaction,

  submitEvents: events.submitEvents,
  listEvents: events.listEvents,
  getEvent: events.getEvent,

  createProduct: products.createProduct,
  listProducts: products.listProducts,
  listProductVersions: productVersions.listProductVersions,
  getProduct: products.getProduct,
  deleteProduct: products.deleteProduct,
  createProductVersion: productVersions.createProductVersion,
  listSubscribers: products.listSubscribers,
  getProductVersion: productVersions.getProductVersion,
  updateProductVersion: productVersions.updateProductVersion,
  archiveProductVersion: productVersions.archiveProductVersion,
  simulateUsage: simulation.simulateUsage,

  listTasks: tasks.listTasks,
  getTask: tasks.getTask,

  createTopUp: topUps.createTopUp,
  getTopUp: topUps.getTopUp,

  createVendor: vendors.createVendor,
  listVendors: vendors.listVendors,
  getVendor: vendors.getVendor,
  getVendorStats: stats.getVendorStats,

  createWebhook: webhooks.createWebhook,
  listWebhooks: webhooks.listWebhooks,
  getWebhook: webhooks.getWebhook,
  updateWebhook: webhooks.updateWebhook,
  deleteWebhook: webhooks.deleteWebhook,
  listWebhookEvents: webhookLog.listWebhookEvents,
  testWebhooks: testDispatch,
  testWebhook: testDispatch,
  testConnectedWebhooks: testDispatch,
  testConnectedWebhook: testDispatch,
};
