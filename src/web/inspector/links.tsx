import type { ComponentChildren } from 'preact';
import { Id } from '../id.tsx';
import { Badge, type Tone, Words } from '../parts.tsx';
import { type InspectorRequest, useRequest } from './inspector-request.ts';

interface OwnerProps {
  readonly id: string | undefined;
}

/** The customer a record belongs to, by name; nothing where it belongs to none. */
export function CustomerLink({ id }: OwnerProps) {
  const { world, link } = useRequest();
  if (id === undefined) return null;
  const name = world.tables.customers.get(id)?.name ?? id;
  return (
    <a href={link(`/customers/${encodeURIComponent(id)}`)}>
      <Words text={name} />
    </a>
  );
}

/** The connected account a record belongs to; nothing where it belongs to the platform. */
export function OfAccount({ id }: OwnerProps) {
  const { world } = useRequest();
  if (id === undefined || id === world.accountId) return null;
  return (
    <span>
      of <Id id={id} />
    </span>
  );
}

/** States that a person should look at; all others are neither good nor bad. */
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  action_required: 'warn',
  active: 'ok',
  failed: 'fail',
  succeeded: 'ok',
};

/** The status of a record. */
export function StatusBadge({
  status,
  testId,
}: {
  readonly status: string;
  readonly testId?: string;
}) {
  const tone = STATUS_TONES[status] ?? 'none';
  return <Badge text={status.replaceAll('_', ' ')} tone={tone} testId={testId} />;
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

interface ActionFormProps {
  /** Path of the action; absent where each button names its own. */
  readonly action?: string;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
  /** Whether its fields, or its buttons, stand in one line. */
  readonly layout?: 'line' | 'buttons' | 'small buttons';
  readonly children: ComponentChildren;
}

/** A form that changes the world; absent where it may only be looked at. */
export function ActionForm(props: ActionFormProps) {
  const { action, parameters, layout, children } = props;
  const { isReadOnly, link } = useRequest();
  if (isReadOnly) return null;
  return (
    <form method="post" action={action && link(action, parameters)} class={layout}>
      {children}
    </form>
  );
}
