import type { VNode } from 'preact';
import type { PageAnswer } from '../../answer.ts';
import { Facts } from '../../parts.tsx';
import { InspectorPage, Live } from '../frame.tsx';
import type { InspectorRequest } from '../inspector-request.ts';
import type { InspectorSection } from '../sections.tsx';

/** What is in the world, and what of it wants a look. */
export function showHome(request: InspectorRequest): PageAnswer {
  return {
    page: (
      <InspectorPage request={request} section="">
        <Live request={request} id="overview">
          <Figures request={request} />
        </Live>
      </InspectorPage>
    ),
  };
}

function Figures({ request }: { readonly request: InspectorRequest }): VNode {
  const { customers, subscriptions, events, transactions } = request.world.tables;
  return (
    <Facts
      areFigures
      facts={{
        Customers: figure(request, '/customers', customers.size, 'customers'),
        Subscriptions: figure(request, '/customers', subscriptions.size, 'subscriptions'),
        'Usage events': figure(request, '/events', events.size, 'usage events'),
        Transactions: figure(request, '/ledger', transactions.size, 'transactions'),
      }}
    />
  );
}

function figure(request: InspectorRequest, to: InspectorSection, count: number, of: string): VNode {
  const text = count.toLocaleString('en');
  return (
    <a href={request.link(to)} aria-label={`${text} ${of}`}>
      {text}
    </a>
  );
}
