import type { IdKind } from '../state/ids.ts';
import type { Owned } from '../state/records.ts';
import type { Context } from './context.ts';

/** The common fields of a new record of the caller's account. */
export const newRecord = ({ world, owner, now }: Context, kind: IdKind): Owned => ({
  id: world.nextId(kind, owner),
  seq: world.nextSeq(),
  owner,
  created_at: now,
});

/** Returns the record if it belongs to the caller's account; otherwise undefined. */
export const owned = <R extends Owned>({ owner }: Context, record: R | undefined): R | undefined =>
  record?.owner === owner ? record : undefined;
