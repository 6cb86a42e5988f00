import type { OperationId } from '../spec/operations.ts';
import type { WarningRow } from '../store/records.ts';
import { key } from '../store/schema.ts';
import type { Context } from './context.ts';

export interface Warning extends Pick<WarningRow, 'kind' | 'message' | 'event_id' | 'field'> {
  /** The subject of the warning. A second warning with the same kind and place is not stored. */
  readonly place: string;
}

/** Stores a warning about a request that was accepted but probably needs attention. @assumes A-1402 */
export function warn({ tables, world, owner, now }: Context, { place, ...warning }: Warning): void {
  const id = key(owner, warning.kind, place);
  if (tables.warnings.get(id)) return;
  tables.warnings.put({ id, seq: world.nextSeq(), owner, at: now, ...warning });
}

/** How much a warning matters: a field that was ignored by a rule is seldom a mistake. @assumes A-1402 */
export const levelOf = (kind: WarningRow['kind']): 'info' | 'warning' =>
  kind === 'ignored_field' ? 'info' : 'warning';

/** Notes, once per operation and field, that a field of an accepted request was ignored. @assumes A-1402 */
export function noteIgnored(
  context: Context,
  operation: OperationId,
  field: string,
  reason: string,
): void {
  warn(context, {
    kind: 'ignored_field',
    place: key(operation, field),
    message: `${operation}: ${field} is ignored: ${reason}`,
    field,
  });
}
