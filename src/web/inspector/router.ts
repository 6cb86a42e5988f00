import express, { type RequestHandler } from 'express';
import { answering, onceKept, sendOnceKept } from '../answer.ts';
import { errorHandler, errorPage } from '../error-pages.tsx';
import { secureHeaders, tellOwnPages } from '../headers.ts';
import { refuseForeignPosts } from '../same-site.ts';
import { ACTIONS } from './actions.ts';
import { streamChanges } from './changes.ts';
import { pageGate } from './gate.tsx';
import type { InspectorOptions } from './options.ts';
import { PAGES } from './pages.ts';
import { openVisit, type Step } from './visit.ts';

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
