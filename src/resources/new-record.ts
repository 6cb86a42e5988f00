import type { IdKind } from '../state/ids.ts';
import type { Owned } from '../state/records.ts';
import type { Context } from './context.ts';

/** What every new record of the caller's account begins with. */
export const newRecord = ({ world, owner, now }: Context, kind: IdKind): Owned => ({
  id: world.nextId(kind, owner),
  seq: world.nextSeq(),
  owner,
  created_at: now,
});
