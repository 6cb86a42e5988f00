import { showCustomer } from './customers/customer.tsx';
import { showCustomers } from './customers/customers.tsx';
import { showLedger } from './customers/ledger.tsx';
import { showProduct } from './customers/product.tsx';
import { showProducts } from './customers/products.tsx';
import { showProfit } from './customers/profit.tsx';
import type { PageStep } from './inspector-request.ts';
import { goToRecord } from './not-found.tsx';
import { showRecord } from './records/record.tsx';
import { showEvent } from './requests/event.tsx';
import { showEvents } from './requests/events.tsx';
import { showFaults } from './requests/faults.tsx';
import { showRequest } from './requests/request.tsx';
import { showRequests } from './requests/requests.tsx';
import { showWebhookEvent, showWebhooks } from './webhooks/webhooks.tsx';
import { showAssumptions } from './worlds/assumptions.tsx';
import { showClock } from './worlds/clock.tsx';
import { showDiff } from './worlds/diff.tsx';
import { showHome } from './worlds/home.tsx';
import { showWorlds } from './worlds/sandboxes.tsx';
import { showSnapshots } from './worlds/snapshots.tsx';
import { showWarnings } from './worlds/warnings.tsx';

export const PAGES: Readonly<Record<string, PageStep>> = {
  '/': showHome,
  '/assumptions': showAssumptions,
  '/clock': showClock,
  '/customers': showCustomers,
  '/customers/:id': showCustomer,
  '/events': showEvents,
  '/events/:id': showEvent,
  '/faults': showFaults,
  '/go': goToRecord,
  '/ledger': showLedger,
  '/products': showProducts,
  '/products/:id': showProduct,
  '/profit': showProfit,
  '/records/:table/:id': showRecord,
  '/requests': showRequests,
  '/requests/:ordinal': showRequest,
  '/snapshots': showSnapshots,
  '/snapshots/diff': showDiff,
  '/warnings': showWarnings,
  '/webhooks': showWebhooks,
  '/webhooks/:id': showWebhookEvent,
  '/worlds': showWorlds,
};
