import express, { type Request } from 'express';
import { DEFAULT_KEY } from '../../config/access.ts';
import { readConsistently } from '../../store/read-consistently.ts';
import { answerPage, onceThereIsRoom, type PageAnswer } from '../answer.ts';
import { errorHandler, errorPage } from '../error-pages.tsx';
import { fieldText } from '../forms.tsx';
import { secureHeaders } from '../headers.ts';
import type { PagesOptions } from '../pages.ts';
import { pageGate } from './access-gate.tsx';
import { ACTION_STEPS } from './actions.ts';
import { streamChanges } from './changes.ts';
import { type PageStep, readInspectorRequest } from './inspector-request.ts';
import { recordNotFound, wrongKey } from './not-found.tsx';
import { PAGES } from './pages.ts';

const FORM_LIMIT = '64kb';

/** Serves the inspector. @assumes A-1401 */
export function createInspectorRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  const at = (step: PageStep) =>
    answerPage(options, (incoming) => {
      const request = readInspectorRequest(options, incoming);
      if (!request) return refuseKey(options, incoming);
      const show = () => step(request);
      return incoming.method === 'GET' ? readConsistently(request.world, show) : show();
    });
  router.use(secureHeaders, onceThereIsRoom(options));
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));
  router.use(pageGate(options));
  for (const [path, step] of Object.entries(PAGES)) router.get(path, at(step));
  router.get('/changes', (incoming, response, next) => {
    const request = readInspectorRequest(options, incoming);
    if (request) streamChanges(request, response);
    else next();
  });
  if (options.settings.ui === 'on')
    for (const [path, step] of Object.entries(ACTION_STEPS)) router.post(path, at(step));
  router.use(at(recordNotFound), errorHandler(options));
  return router;
}

function refuseKey(options: PagesOptions, incoming: Request): PageAnswer {
  const request = readInspectorRequest(options, incoming, DEFAULT_KEY);
  if (!request) return errorPage('unknown', options.settings);
  return wrongKey(request, fieldText(incoming.query, 'key'));
}
