import type { ComponentChildren, VNode } from 'preact';
import { Words } from '../parts.tsx';
import type { InspectorRequest } from './inspector-request.ts';

interface CustomerLinkProps {
  readonly request: InspectorRequest;
  readonly id: string;
}

/** The customer a record belongs to, by name. */
export function CustomerLink({ request, id }: CustomerLinkProps): VNode {
  const name = request.world.tables.customers.get(id)?.name ?? id;
  return (
    <a href={request.link(`/customers/${encodeURIComponent(id)}`)}>
      <Words text={name} />
    </a>
  );
}

interface EventLinkProps {
  readonly request: InspectorRequest;
  readonly event: { readonly owner: string; readonly event_id: string };
  /** What the link is called where its text does not say it. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Leads to the page of a usage event. */
export function EventLink({ request, event, label, children }: EventLinkProps): VNode {
  const path = `/events/${encodeURIComponent(event.event_id)}`;
  return (
    <a href={request.link(path, { owner: event.owner })} aria-label={label}>
      {children}
    </a>
  );
}
