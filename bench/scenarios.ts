import { randomUUID } from 'node:crypto';

/** A kind of request. Each server defines its address. */
export interface Scenario {
  readonly name: string;
  readonly to: Destination;
  body?(): unknown;
  /** Number of events in one request. */
  readonly events?: number;
  readonly fees?: number;
}

export type Destination = 'one' | 'page' | 'create' | 'events';

const anEvent = (event_type: string) => ({
  id: randomUUID(),
  event_type,
  occurred_at: '2026-01-15T12:00:00Z',
  subject: 'chat-1',
  data: { model: 'large', tokens: 1200 },
});

const batch = (length: number, customer_external_id: string, eventType: string) => () => ({
  customer_external_id,
  events: Array.from({ length }, () => anEvent(eventType)),
});

export const SCENARIOS: readonly Scenario[] = [
  { name: 'GET one customer', to: 'one' },
  { name: 'GET a page of 100', to: 'page' },
  {
    name: 'POST a customer',
    to: 'create',
    body: () => ({ name: 'Acme', external_id: randomUUID(), metadata: { tier: 'gold' } }),
  },
  {
    name: 'POST 1 event',
    to: 'events',
    body: batch(1, 'acme', 'llm.completion'),
    events: 1,
    fees: 1,
  },
  {
    name: 'POST 100 events, a fee each',
    to: 'events',
    body: batch(100, 'acme', 'llm.completion'),
    events: 100,
    fees: 100,
  },
  {
    name: 'POST 100 events, three fees each',
    to: 'events',
    body: batch(100, 'metered', 'call'),
    events: 100,
    fees: 300,
  },
];
