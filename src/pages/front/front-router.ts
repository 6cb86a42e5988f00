import express, { type Request } from 'express';
import { baseUrlOf } from '../../http/connection.ts';
import { secureHeaders, sendAnswer } from '../answer.ts';
import { isLookedAtByOwner } from '../inspector/access-gate.tsx';
import type { PagesOptions } from '../pages.ts';
import { FrontPage } from './front-page.tsx';

/** Serves the front page to browsers at the base address. All other clients get the usual 404. */
export function createFrontRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.get(['/', '/_emulator'], (request, response, next) => {
    if (options.settings.ui === 'off' || !isBrowser(request)) return next();
    secureHeaders(request, response, () => {});
    const page = FrontPage({
      options,
      baseUrl: baseUrlOf(options.settings, request.headers.host, request.secure),
      isOwner: isLookedAtByOwner(request, options.settings),
      sent: request.query['sent'] !== undefined,
    });
    sendAnswer(response, page);
  });
  return router;
}

const isBrowser = (request: Request): boolean =>
  (request.headers.accept ?? '').includes('text/html');
