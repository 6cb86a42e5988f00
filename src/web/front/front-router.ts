import express, { type Request } from 'express';
import { baseUrlOf } from '../../http/base-url.ts';
import { sendAnswer } from '../answer.ts';
import { secureHeaders } from '../headers.ts';
import { isLookedAtByOwner } from '../inspector/access-gate.tsx';
import type { PagesOptions } from '../pages.ts';
import { FrontPage } from './front-page.tsx';

/** The page that a browser finds at the base address. Whoever is no browser is answered as if it were not there. */
export function createFrontRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.get(['/', '/_emulator'], (request, response, next) => {
    if (options.settings.ui === 'off' || !isBrowser(request)) return next();
    secureHeaders(request, response, () => {});
    const page = FrontPage({
      options,
      baseUrl: baseUrlOf(options.settings, request.headers.host),
      isOwner: isLookedAtByOwner(request, options.settings),
      sent: request.query['sent'] !== undefined,
    });
    sendAnswer(response, page);
  });
  return router;
}

const isBrowser = (request: Request): boolean =>
  (request.headers.accept ?? '').includes('text/html');
