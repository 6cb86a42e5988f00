import { showAssumptions } from './assumptions.tsx';
import { showClock } from './clock.tsx';
import { showCustomer } from './customer.tsx';
import { showCustomers } from './customers.tsx';
import { showEvent } from './event.tsx';
import { showEvents } from './events.tsx';
import { showFaults } from './faults.tsx';
import { showHome } from './home.tsx';
import { showLedger } from './ledger.tsx';
import { showProduct, showProducts } from './products.tsx';
import { showProfit } from './profit.tsx';
import { showRequest } from './request.tsx';
import { showRequests } from './requests.tsx';
import { showSnapshots } from './snapshots.tsx';
import type { Step } from './visit.ts';
import { showWarnings } from './warnings.tsx';
import { showWebhookEvent, showWebhooks } from './webhooks.tsx';

/** What each address below the inspector shows. */
export const PAGES: Readonly<Record<string, Step>> = {
  '/': (visit) => showHome(visit),
  '/assumptions': showAssumptions,
  '/clock': (visit) => showClock(visit),
  '/customers': showCustomers,
  '/customers/:id': showCustomer,
  '/events': showEvents,
  '/events/:id': showEvent,
  '/faults': (visit) => showFaults(visit),
  '/ledger': showLedger,
  '/products': showProducts,
  '/products/:id': showProduct,
  '/profit': showProfit,
  '/requests': showRequests,
  '/requests/:ordinal': showRequest,
  '/snapshots': (visit) => showSnapshots(visit),
  '/warnings': showWarnings,
  '/webhooks': (visit) => showWebhooks(visit),
  '/webhooks/:id': showWebhookEvent,
};
