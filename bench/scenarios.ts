import { randomUUID } from 'node:crypto';

/** One kind of request. */
export interface Scenario {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  path(values: Readonly<Record<string, string>>): string;
  body?(): unknown;
}

function usageEvent(event_type: string) {
  return {
    id: randomUUID(),
    event_type,
    occurred_at: '2026-01-15T12:00:00Z',
    subject: 'chat-1',
    data: { model: 'large', tokens: 1200 },
  };
}

function batch(count: number, customer = 'acme', eventType = 'llm.completion'): unknown {
  return {
    customer_external_id: customer,
    events: Array.from({ length: count }, () => usageEvent(eventType)),
  };
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'GET one customer', method: 'GET', path: ({ customer }) => `/customers/${customer}` },
  { name: 'GET a page of 100 customers', method: 'GET', path: () => '/customers' },
  {
    name: 'POST a customer',
    method: 'POST',
    path: () => '/customers',
    body: () => ({ name: 'Acme', external_id: randomUUID(), metadata: { tier: 'gold' } }),
  },
  { name: 'POST 1 usage event', method: 'POST', path: () => '/events', body: () => batch(1) },
  { name: 'POST 100 usage events', method: 'POST', path: () => '/events', body: () => batch(100) },
  {
    name: 'POST 100 usage events with three fees each',
    method: 'POST',
    path: () => '/events',
    body: () => batch(100, 'metered', 'call'),
  },
];
