import type { WarningRow } from '../state/records.ts';
import { key } from '../state/schema.ts';
import type { Context } from './context.ts';

export interface Warning extends Pick<WarningRow, 'kind' | 'message' | 'event_id' | 'field'> {
  /** What it is about. A second warning of the same kind about the same place is not kept. */
  readonly place: string;
}

/**
 * Notes something that was accepted and yet deserves a person's look.
 *
 * @assumes A-1402
 */
export function warn({ tables, world, owner, now }: Context, { place, ...warning }: Warning): void {
  const id = key(owner, warning.kind, place);
  if (tables.warnings.get(id)) return;
  tables.warnings.put({ id, seq: world.nextSeq(), owner, at: now, ...warning });
}
