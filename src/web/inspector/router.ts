import express, { type RequestHandler } from 'express';
import { type Answer, answering, onceKept, sendOnceKept } from '../answer.ts';
import { errorHandler, errorPage } from '../error-pages.tsx';
import { secureHeaders, tellOwnPages } from '../headers.ts';
import { refuseForeignPosts } from '../same-site.ts';
import { showAssumptions } from './assumptions.tsx';
import { streamChanges } from './changes.ts';
import { advance, setMode, showClock } from './clock.tsx';
import { showCustomer } from './customer.tsx';
import { showCustomers } from './customers.tsx';
import { replayDelivery } from './deliveries.tsx';
import { showEvent } from './event.tsx';
import { showEvents } from './events.tsx';
import { addFault, clearFaults, setFaults } from './fault-actions.ts';
import { showFaults } from './faults.tsx';
import { pageGate } from './gate.tsx';
import { showHome } from './home.tsx';
import { showLedger } from './ledger.tsx';
import type { InspectorOptions } from './options.ts';
import { showProduct, showProducts } from './products.tsx';
import { showProfit } from './profit.tsx';
import { showRequest } from './request.tsx';
import { showRequests } from './requests.tsx';
import {
  deleteSnapshot,
  resetWorld,
  restoreSnapshot,
  saveSnapshot,
  showSnapshots,
} from './snapshots.tsx';
import { openVisit, type Visit } from './visit.ts';
import { clearAllWarnings, showWarnings } from './warnings.tsx';
import { showWebhookEvent, showWebhooks } from './webhooks.tsx';

type Step = (visit: Visit) => Answer | Promise<Answer>;

const PAGES: Readonly<Record<string, Step>> = {
  '/': showHome,
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
  '/webhooks': showWebhooks,
  '/webhooks/:id': showWebhookEvent,
};

/** What changes the world; refused where the inspector is read-only. */
const ACTIONS: Readonly<Record<string, Step>> = {
  '/clock/advance': advance,
  '/clock/mode': setMode,
  '/faults/add': addFault,
  '/faults/clear': clearFaults,
  '/faults/set': setFaults,
  '/reset': resetWorld,
  '/snapshots': saveSnapshot,
  '/snapshots/:name/delete': deleteSnapshot,
  '/snapshots/:name/restore': restoreSnapshot,
  '/warnings/clear': clearAllWarnings,
  '/webhooks/:id/replay': replayDelivery,
};

const FORM_LIMIT = '64kb';

/** The pages that look into a world. @assumes A-1401 */
export function createInspectorRouter(options: InspectorOptions): express.Router {
  const router = express.Router();
  const at = (step: Step): RequestHandler => {
    return async (request, response) => {
      const visit = openVisit(options, request);
      await sendOnceKept(response, visit ? await step(visit) : errorPage('unknown'));
    };
  };
  router.use(secureHeaders, tellOwnPages);
  router.use(onceKept(options.durable));
  router.use(refuseForeignPosts(options.settings.public_url));
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));
  router.use(...pageGate(options.settings));
  for (const [path, step] of Object.entries(PAGES)) router.get(path, at(step));
  router.get('/changes', (request, response, next) => {
    const visit = openVisit(options, request);
    if (visit) streamChanges(visit, response);
    else next();
  });
  if (options.settings.ui === 'on')
    for (const [path, step] of Object.entries(ACTIONS)) router.post(path, at(step));
  router.use(answering(() => errorPage('unknown')));
  router.use(errorHandler(options.log));
  return router;
}
