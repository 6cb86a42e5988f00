import type { ComponentChildren } from 'preact';
import { Words } from '../parts.tsx';
import { useRequest } from './inspector-request.ts';

/** The customer a record belongs to, by name. */
export function CustomerLink({ id }: { readonly id: string }) {
  const request = useRequest();
  const name = request.world.tables.customers.get(id)?.name ?? id;
  return (
    <a href={request.link(`/customers/${encodeURIComponent(id)}`)}>
      <Words text={name} />
    </a>
  );
}

interface EventLinkProps {
  readonly event: { readonly owner: string; readonly event_id: string };
  /** What the link is called where its text does not say it. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** Leads to the page of a usage event. */
export function EventLink({ event, label, children }: EventLinkProps) {
  const { link } = useRequest();
  const path = `/events/${encodeURIComponent(event.event_id)}`;
  return (
    <a href={link(path, { owner: event.owner })} aria-label={label}>
      {children}
    </a>
  );
}
