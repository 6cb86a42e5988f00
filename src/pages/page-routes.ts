import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Logger } from '../config/log.ts';
import type { ControlServices } from '../control/context.ts';
import type { Authenticate } from '../http/credentials.ts';
import { createFallback, type Mounts } from '../http/fallback.ts';
import { exchangeOfMove, type RecordMove } from '../http/log/exchange.ts';
import type { RequestMetrics } from '../http/log/request-log.ts';
import type { Inboxes } from '../webhooks/inbox.ts';
import type { PageActions, PagesOptions } from './page-control.ts';
import { DOCUMENTATION_PATH, INSPECTOR_PATH, SERVED_DOCUMENTS } from './paths.ts';

interface PageParts {
  readonly services: ControlServices;
  readonly inboxes: Inboxes;
  readonly authenticate: Authenticate;
  readonly log: Logger;
  readonly metrics: RequestMetrics;
  readonly actions: PageActions;
  /** Further paths. */
  readonly waysIn: Mounts;
}

/** Creates the routes that no API document describes: hosted pages, inspector, documentation, inboxes. */
export function createPageRoutes(parts: PageParts): RequestListener {
  const { services, inboxes, metrics, actions, log } = parts;
  const recordMove: RecordMove = (move) => {
    const exchange = exchangeOfMove(move, actions.machine);
    if (exchange) services.requests.record(exchange);
  };
  const worldOf = (headers: IncomingHttpHeaders) => parts.authenticate(headers)?.world;
  return createFallback({
    async '/_emulator/inbox'() {
      const { createInboxRouter } = await import('../control/inbox.ts');
      return createInboxRouter({ ...services, inboxes, worldOf, machine: actions.machine });
    },
    async '/_emulator/relay'() {
      const { createRelayRouter } = await import('../control/relay.ts');
      return createRelayRouter({ ...services, relays: services.dispatcher.relays, worldOf });
    },
    async '/_emulator/metrics'() {
      const { createMetricsHandler } = await import('../control/metrics.ts');
      return createMetricsHandler({ ...services, log, requests: metrics });
    },
    ...parts.waysIn,
    ...pageMounts({ ...services, log, actions, recordMove }),
  });
}

const pageMounts = (pages: PagesOptions): Mounts => ({
  async '/hosted'() {
    const { createHostedRouter } = await import('./hosted/hosted-routes.tsx');
    return createHostedRouter(pages);
  },
  async [INSPECTOR_PATH]() {
    const { createInspectorRouter } = await import('./inspector/router.ts');
    return createInspectorRouter(pages);
  },
  async [DOCUMENTATION_PATH]() {
    const { createReferenceRouter } = await import('./reference/reference-router.tsx');
    return createReferenceRouter(pages);
  },
  async '/favicon.ico'() {
    const { serveIcon } = await import('./assets.ts');
    return serveIcon;
  },
  async '/'() {
    const { createFrontRouter } = await import('./front/front-page.tsx');
    return createFrontRouter(pages);
  },
  async [SERVED_DOCUMENTS]() {
    const { serveForGenerators } = await import('./reference/served-document.ts');
    return serveForGenerators(pages.settings);
  },
});
