import type { RequestHandler } from 'express';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Logger } from '../config/log.ts';
import type { Settings } from '../config/settings.ts';
import { carriesToken, tokenAlarm } from '../http/credentials.ts';
import type { RequestMetrics } from '../http/log/request-log.ts';
import { ADMIN_HEADER } from '../spec/header-names.ts';
import type { Worlds } from '../store/worlds.ts';
import type { Dispatcher } from '../webhooks/dispatcher.ts';

interface MetricsOptions {
  readonly requests: RequestMetrics;
  readonly worlds: Worlds;
  readonly dispatcher: Pick<Dispatcher, 'attempts'>;
  readonly settings: Settings;
  readonly log: Pick<Logger, 'info'>;
}

/**
 * `GET /_emulator/metrics` in the text format of Prometheus, behind the token where one is set, which may come as a
 * bearer token. No label names a key or a customer.
 *
 * @assumes A-1401
 */
export function createMetricsHandler(options: MetricsOptions): RequestHandler {
  const registry = registryOf(options);
  const alarm = tokenAlarm(options.log);
  return async (request, response) => {
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
    const headers = { [ADMIN_HEADER.toLowerCase()]: bearer, ...request.headers };
    if (!carriesToken({ headers }, options.settings)) {
      if (bearer !== undefined) await alarm();
      response.status(401).end();
      return;
    }
    response.type(registry.contentType).send(await registry.metrics());
  };
}

const PREFIX = 'billing_emulator_';

type Note = (value: number, labels?: Readonly<Record<string, string | number>>) => void;

interface MetricSpec {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
  readonly isGauge?: boolean;
  readonly read: (options: MetricsOptions, note: Note) => void;
}

const METRICS: readonly MetricSpec[] = [
  {
    name: 'requests_total',
    help: 'Requests to the service by operation and status.',
    labels: ['operation', 'status'],
    read({ requests }, note) {
      for (const [operation, { statuses }] of requests.tallies)
        for (const [status, count] of statuses) note(count, { operation, status });
    },
  },
  {
    name: 'request_seconds_total',
    help: 'How long all requests to the service took, by operation.',
    labels: ['operation'],
    read({ requests }, note) {
      for (const [operation, { seconds }] of requests.tallies) note(seconds, { operation });
    },
  },
  {
    name: 'worlds',
    help: 'Open worlds of this emulator.',
    isGauge: true,
    read: ({ worlds }, note) => note([...worlds.values()].length),
  },
  {
    name: 'known_worlds',
    help: 'Known worlds: open here, open in another emulator, or stored.',
    isGauge: true,
    read: ({ worlds }, note) => note(worlds.keys().length),
  },
  {
    name: 'rows',
    help: 'Records of all open worlds by kind.',
    labels: ['table'],
    isGauge: true,
    read({ worlds }, note) {
      for (const { tables } of worlds.values())
        for (const [table, { size }] of Object.entries(tables)) note(size, { table });
    },
  },
  {
    name: 'delivery_attempts_total',
    help: 'Attempts to deliver webhook events by outcome.',
    labels: ['outcome'],
    read({ dispatcher }, note) {
      for (const [outcome, count] of Object.entries(dispatcher.attempts)) note(count, { outcome });
    },
  },
];

function registryOf(options: MetricsOptions): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const { name, help, labels = [], isGauge, read } of METRICS) {
    const Kind = isGauge ? Gauge : Counter;
    new Kind({
      name: `${PREFIX}${name}`,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        this.reset();
        read(options, (value, given = {}) => this.inc(given, value));
      },
    });
  }
  return registry;
}
