import { Readable } from 'node:stream';
import express, { type RequestHandler } from 'express';
import { readConsistently } from '../../store/consistent-reads.ts';
import { piecesOf } from '../../store/world-file.ts';
import { onClose } from '../../store/world-local.ts';
import { answerPage, errorHandler, errorPage, refuseUnkept, secureHeaders } from '../answer.tsx';
import type { PagesOptions } from '../page-control.ts';
import { PAGE_PATHS, type PageName } from '../paths.ts';
import { pageGate } from './access-gate.tsx';
import { ACTION_STEPS } from './actions.ts';
import { showCustomer } from './customers/customer.tsx';
import { showCustomers } from './customers/customers.tsx';
import { showLedger } from './customers/ledger.tsx';
import { showProduct } from './customers/product.tsx';
import { showProducts } from './customers/products.tsx';
import { showProfit } from './customers/profit.tsx';
import { showCommand } from './find/command.tsx';
import { type InspectorRequest, type PageStep, readInspectorRequest } from './inspector-request.ts';
import { recordNotFound } from './not-found.tsx';
import { showHome } from './overview/overview.tsx';
import { showRequest } from './requests/request.tsx';
import { showRequests } from './requests/requests.tsx';
import { showSendForm } from './send/send-page.tsx';
import { showComparison } from './time/compare.tsx';
import { showTime } from './time/time.tsx';
import { showEvent } from './usage/event.tsx';
import { showEvents } from './usage/events.tsx';
import { showWebhookEvent, showWebhooks } from './webhooks/webhooks.tsx';

/** A form can have the body of a request to the service. */
const FORM_LIMIT = '2mb';

/** Serves the inspector. @assumes A-1401 */
export function createInspectorRouter(options: PagesOptions): express.Router {
  const router = express.Router();
  const at = (step: PageStep) =>
    answerPage(options, (incoming) => {
      const request = readInspectorRequest(options, incoming);
      if (!request) return errorPage('wrongKey', options.settings);
      const show = () => step(request);
      return incoming.method === 'GET' ? readConsistently(request.world, show) : show();
    });
  router.use(secureHeaders, refuseUnkept(options));
  router.use(express.urlencoded({ extended: false, limit: FORM_LIMIT }));
  router.use(pageGate(options));
  for (const [name, step] of Object.entries(PAGES))
    router.get(PAGE_PATHS[name as PageName], at(step));
  router.get('/changes', streaming(options, streamChanges));
  router.get('/world.json', streaming(options, download));
  router.use(readUpload);
  for (const [path, step] of Object.entries(ACTION_STEPS)) router.post(path, at(step));
  router.use(at(recordNotFound), errorHandler(options));
  return router;
}

type Streamed = (request: InspectorRequest, response: express.Response) => void | Promise<void>;

function streaming(options: PagesOptions, stream: Streamed): RequestHandler {
  return (incoming, response, next) => {
    const request = readInspectorRequest(options, incoming);
    return request ? stream(request, response) : next();
  };
}

/** Keeps the connection open, because proxies close silent ones. @units milliseconds */
const HEARTBEAT = 25_000;
/** Changes within this time are sent as one message. @units milliseconds */
const GATHERING = 100;

/** Notifies a browser of changes in a world by server-sent events, until it disconnects or the world closes. */
function streamChanges({ world, control }: InspectorRequest, response: express.Response): void {
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  // nginx, and proxies like it, would keep messages until there are some kilobytes of them.
  response.set('X-Accel-Buffering', 'no');
  response.flushHeaders();
  response.write('retry: 2000\n\n');
  let scheduled: NodeJS.Timeout | undefined;
  const notify = (): void => {
    scheduled ??= setTimeout(() => {
      scheduled = undefined;
      // If the browser has not read the earlier messages, one more says nothing new.
      if (!response.writableNeedDrain) response.write('data: changed\n\n');
    }, GATHERING);
  };
  const end = (): void => void response.end();
  control.closing.addEventListener('abort', end);
  const stops = [
    () => control.closing.removeEventListener('abort', end),
    world.onCommit(notify),
    world.onRestore(notify),
    // A browser that reconnected would open the world again.
    onClose(world, () => response.end('event: closed\ndata: closed\n\n')),
    control.requests.onExchange((exchange) => {
      if (exchange.world === world) notify();
    }),
  ];
  const heartbeat = setInterval(() => response.write(': alive\n\n'), HEARTBEAT);
  heartbeat.unref();
  response.on('close', () => {
    clearInterval(heartbeat);
    clearTimeout(scheduled);
    for (const stop of stops) stop();
  });
}

/** Sends the world as a file. */
const download: Streamed = async ({ world }, response) => {
  const pieces = await piecesOf(world);
  response.attachment(`${world.sandbox}.json`).type('json');
  Readable.from(pieces).pipe(response);
};

/** The text of a field, or the bytes of a file. */
const contentOf = async (value: string | Blob): Promise<string | Buffer> =>
  typeof value === 'string' ? value : Buffer.from(await value.arrayBuffer());

/** Reads a form with a file. The file is in the body under the name of its field. */
const readUpload: RequestHandler = async (request, _response, next) => {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return next();
  const read = new Response(Readable.toWeb(request) as ReadableStream, {
    headers: { 'content-type': type },
  });
  const form = await read.formData().catch(() => new FormData());
  const entries: Promise<[name: string, value: string | Buffer]>[] = [];
  form.forEach((value, name) => {
    entries.push(contentOf(value).then((content) => [name, content]));
  });
  request.body = Object.fromEntries(await Promise.all(entries));
  next();
};

/** The pages of the inspector; their paths are in `PAGE_PATHS`. */
export const PAGES: Readonly<Record<PageName, PageStep>> = {
  overview: showHome,
  requests: showRequests,
  request: showRequest,
  webhooks: showWebhooks,
  webhookEvent: showWebhookEvent,
  customers: showCustomers,
  profit: showProfit,
  customer: showCustomer,
  usage: showEvents,
  event: showEvent,
  ledger: showLedger,
  products: showProducts,
  product: showProduct,
  time: showTime,
  compare: showComparison,
  send: showSendForm,
  find: showCommand,
};
