import type { PageName } from '../paths.ts';
import { showCustomer } from './customers/customer.tsx';
import { showCustomers } from './customers/customers.tsx';
import { showLedger } from './customers/ledger.tsx';
import { showProduct } from './customers/product.tsx';
import { showProducts } from './customers/products.tsx';
import { showProfit } from './customers/profit.tsx';
import { showCommand } from './find/command.tsx';
import type { PageStep } from './inspector-request.ts';
import { showHome } from './overview/overview.tsx';
import { showRequest } from './requests/request.tsx';
import { showRequests } from './requests/requests.tsx';
import { showSendForm } from './send/send-page.tsx';
import { showComparison } from './time/compare.tsx';
import { showTime } from './time/time.tsx';
import { showEvent } from './usage/event.tsx';
import { showEvents } from './usage/events.tsx';
import { showWebhookEvent, showWebhooks } from './webhooks/webhooks.tsx';

/** The pages of the inspector; their paths are in `PAGE_PATHS`. */
export const PAGES: Readonly<Record<PageName, PageStep>> = {
  overview: showHome,
  requests: showRequests,
  request: showRequest,
  webhooks: showWebhooks,
  webhookEvent: showWebhookEvent,
  customers: showCustomers,
  profit: showProfit,
  customer: showCustomer,
  usage: showEvents,
  event: showEvent,
  ledger: showLedger,
  products: showProducts,
  product: showProduct,
  time: showTime,
  compare: showComparison,
  send: showSendForm,
  find: showCommand,
};
