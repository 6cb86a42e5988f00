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
