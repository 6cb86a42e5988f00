import express, { type Request, type RequestHandler } from 'express';
import { onceKept, type PageAnswer, sendOnceKept } from '../answer.ts';
import { errorHandler, errorPage } from '../error-pages.tsx';
import { secureHeaders } from '../headers.ts';
import type { InspectorOptions } from '../pages.ts';
import { pageGate } from './access-gate.tsx';
import { ACTION_STEPS } from './actions.ts';
import { streamChanges } from './changes.ts';
import { DEFAULT_KEY, type PageStep, readInspectorRequest } from './inspector-request.ts';
import { notHere, wrongKey } from './not-here.tsx';
import { OWN_ACTION_STEPS } from './own-actions.ts';
import { PAGES } from './pages.ts';

const FORM_LIMIT = '64kb';

/** The pages that look into a world. @assumes A-1401 */
export function createInspectorRouter(options: InspectorOptions): express.Router {
  const router = express.Router();
  const at = (step: PageStep): RequestHandler => {
    return async (incoming, response) => {
      const request = readInspectorRequest(options, incoming);
      await sendOnceKept(response, request ? await step(request) : refuseKey(options, incoming));
    };
  };
  router.use(secureHeaders);
  router.use(onceKept(options));
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));
  for (const gate of pageGate(options.settings)) router.use(gate);
  for (const [path, step] of Object.entries(PAGES)) router.get(path, at(step));
  router.get('/changes', (incoming, response, next) => {
    const request = readInspectorRequest(options, incoming);
    if (request) streamChanges(request, response);
    else next();
  });
  if (options.settings.ui === 'on')
    for (const [path, step] of Object.entries({ ...ACTION_STEPS, ...OWN_ACTION_STEPS }))
      router.post(path, at(step));
  router.use(at(notHere));
  router.use(errorHandler(options));
  return router;
}

function refuseKey(options: InspectorOptions, incoming: Request): PageAnswer {
  const request = readInspectorRequest(options, incoming, DEFAULT_KEY);
  const given = incoming.query['key'];
  return request
    ? wrongKey(request, typeof given === 'string' ? given : '')
    : errorPage('unknown', options.settings);
}
