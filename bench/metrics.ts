import type { Exchange } from '../src/http/log/exchange.ts';
import { RequestMetrics } from '../src/http/request-metrics.ts';
import { publish } from './publish.ts';
import { spread } from './statistics.ts';

/** `npm run bench -- metrics`: measures the counting of a request alone, because whole requests vary by more. */
const ROUNDS = 21;
const CALLS = 1_000_000;

const metrics = new RequestMetrics();
const exchange = {
  operation: { id: 'getCustomer' },
  rawResponse: { status: 200 },
  took: 0.3,
} as unknown as Exchange;
const nanos = Array.from({ length: ROUNDS }, () => {
  const before = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) metrics.count(exchange);
  return (process.cpuUsage(before).user * 1_000) / CALLS;
});
const { median, least, most } = spread(nanos);
const [middle, low, high] = [median, least, most].map((value) => value.toFixed(0));
publish(
  'metrics',
  [`Counting alone takes ${middle} ns (${low}–${high} in ${ROUNDS} rounds of a million).`],
  nanos,
);
