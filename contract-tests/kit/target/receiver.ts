import { EventEmitter, once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { ContractFailure, NotObservable } from '../outcome.ts';
import { isLoopbackTarget } from '../plan.ts';
import type { CheckContext } from '../run-check.ts';
import { unique } from './names.ts';
import { currentSession } from './session.ts';

/** A received webhook request. */
export interface Delivery {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The raw body bytes, which the signature covers. */
  readonly raw: Buffer;
  /** The value of the signature header. */
  readonly signature: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: An envelope of any topic.
  readonly body: any;
}

export type Receiver = Awaited<ReturnType<typeof aReceiver>>;

interface Mailbox {
  readonly deliveries: Delivery[];
  readonly arrivals: EventEmitter;
  /** The status of the response to a delivery. */
  reaction: number;
}

const mailboxes = new Map<string, Mailbox>();
let listening: Promise<Server> | undefined;

/**
 * Creates a webhook receiver for one check: on loopback for an emulator, behind `--webhook-url` otherwise.
 *
 * @throws NotObservable when the target cannot reach a receiver
 */
export async function aReceiver(t: CheckContext) {
  const base = await reachableBase();
  const { waitFactor } = currentSession().plan;
  const path = `/${unique('hook')}`;
  const mailbox: Mailbox = { deliveries: [], arrivals: new EventEmitter(), reaction: 204 };
  mailboxes.set(path, mailbox);
  t.afterwards(async () => void mailboxes.delete(path));
  return {
    /** The URL to register. Its path belongs to this check only. */
    url: `${base}${path}`,
    deliveries: mailbox.deliveries as readonly Delivery[],
    /** Waits for a matching delivery. @throws ContractFailure when none comes in time */
    next: (fits = (_: Delivery) => true, withinMs = 10_000 * waitFactor) =>
      waitFor(mailbox, fits, withinMs),
    /** Sets the status of the response to later deliveries. */
    react: (reaction: number) => {
      mailbox.reaction = reaction;
    },
  };
}

async function reachableBase(): Promise<string> {
  const { plan } = currentSession();
  if (!plan.receiver && !isLoopbackTarget(plan.target.baseUrl))
    throw new NotObservable('needs a receiver, given by --webhook-url and --webhook-listen');
  if (plan.areDeliveriesLost)
    throw new NotObservable('needs deliveries that arrive: --webhook-url and --webhook-listen');
  listening ??= listen(plan.receiver?.port ?? 0);
  const { port } = (await listening).address() as AddressInfo;
  return plan.receiver?.publicUrl.replace(/\/$/, '') ?? `http://127.0.0.1:${port}`;
}

/** Frees the port of the receiver, for one that another thread opens. */
export async function closeReceiver(): Promise<void> {
  const server = await listening;
  listening = undefined;
  server?.closeAllConnections();
  server?.close();
}

async function listen(port: number): Promise<Server> {
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  await once(server.unref().listen(port), 'listening');
  return server;
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw = await buffer(request);
  const [path = '', mailbox] = [...mailboxes].find(([known]) => request.url?.endsWith(known)) ?? [];
  if (!mailbox) return void response.writeHead(404).end();
  mailbox.deliveries.push(readDelivery(request, path, raw));
  mailbox.arrivals.emit('delivery');
  response.writeHead(mailbox.reaction).end();
}

function readDelivery({ method = '', headers }: IncomingMessage, path: string, raw: Buffer) {
  const name = Object.keys(headers).find((header) => header.endsWith('-signature'));
  const signature = name === undefined ? undefined : String(headers[name]);
  return { method, path, headers, raw, signature, body: parsed(raw) };
}

function parsed(raw: Buffer): unknown {
  try {
    return JSON.parse(raw.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function waitFor(
  mailbox: Mailbox,
  fits: (delivery: Delivery) => boolean,
  withinMs: number,
): Promise<Delivery> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = mailbox.deliveries.find(fits);
    if (found) return found;
    const rest = end - Date.now();
    if (rest <= 0)
      throw new ContractFailure(`No matching webhook request arrived within ${withinMs} ms`);
    // A timer of its own keeps the process alive, unlike that of AbortSignal.timeout.
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), rest);
    await once(mailbox.arrivals, 'delivery', patience).catch(() => {});
    clearTimeout(timer);
  }
}
