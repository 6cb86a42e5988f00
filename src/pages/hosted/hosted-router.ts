import express from 'express';
import { applyBackpressure, errorHandler, secureHeaders, unknownPage } from '../answer.tsx';
import { assetsRouter } from '../assets.ts';
import type { PagesOptions } from '../page-control.ts';
import { checkoutRouter } from './checkout-routes.tsx';
import { portalRouter } from './portal-routes.tsx';

/** Serves the pages behind the service's links, and their files. */
export function createHostedRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  router.use(secureHeaders, applyBackpressure(options));
  router.use('/assets', assetsRouter());
  router.use(express.urlencoded({ extended: false, limit: '64kb' }));
  router.use('/checkout', checkoutRouter(options));
  router.use('/portal', portalRouter(options));
  router.use(unknownPage(options.settings), errorHandler(options));
  return router;
}
