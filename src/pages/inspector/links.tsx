import type { ComponentChildren } from 'preact';
import type { TableName } from '../../store/schema.ts';
import { Id } from '../id.tsx';
import { Badge, type Tone, Words } from '../parts.tsx';
import { type Linkable, recordAddress } from './find/record-places.ts';
import { type InspectorRequest, useRequest } from './inspector-request.ts';

interface OwnerProps {
  readonly id: string | undefined;
}

/** A link to the customer of a record, by name; nothing if the record has no customer. */
export function CustomerLink({ id }: OwnerProps) {
  const { world } = useRequest();
  if (id === undefined) return null;
  const name = world.tables.customers.get(id)?.name ?? id;
  return <RecordLink table="customers" row={{ id }} text={name} />;
}

interface RecordLinkProps {
  readonly table: TableName;
  readonly row: Linkable;
  readonly text: string | undefined;
}

export function RecordLink({ table, row, text }: RecordLinkProps) {
  return (
    <a href={recordAddress(useRequest(), table, row)}>
      <Words text={text} />
    </a>
  );
}

/** The connected account of a record; nothing for the platform's own records. */
export function OfAccount({ id }: OwnerProps) {
  const { world } = useRequest();
  if (id === undefined || id === world.accountId) return null;
  return (
    <span>
      of <Id id={id} />
    </span>
  );
}

/** The tones of statuses. All other statuses are neutral. */
const STATUS_TONES: Readonly<Record<string, Tone>> = {
  action_required: 'warn',
  active: 'ok',
  failed: 'fail',
  succeeded: 'ok',
};

interface StatusBadgeProps {
  readonly status: string;
  readonly testId?: string;
}

export function StatusBadge({ status, ...rest }: StatusBadgeProps) {
  const tone = STATUS_TONES[status] ?? 'none';
  return <Badge text={status.replaceAll('_', ' ')} tone={tone} {...rest} />;
}

interface ActionFormProps {
  /** Path of the action; absent if each button has its own. */
  readonly action?: `/${string}`;
  readonly parameters?: Parameters<InspectorRequest['link']>[1];
  /** How to lay out the fields or the buttons. */
  readonly layout?: 'line' | 'buttons' | 'small buttons' | 'request-form';
  readonly hasFile?: boolean;
  readonly children: ComponentChildren;
}

/** A form that changes the world. It is hidden if the inspector is read-only. */
export function ActionForm(props: ActionFormProps) {
  const { action, parameters, layout, hasFile, children } = props;
  const { isReadOnly, link } = useRequest();
  if (isReadOnly) return null;
  return (
    <form
      method="post"
      action={action && link(action, parameters)}
      class={layout}
      encType={hasFile ? 'multipart/form-data' : undefined}
    >
      {children}
    </form>
  );
}
