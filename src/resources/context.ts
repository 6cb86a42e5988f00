import type { Settings } from '../config/settings.ts';
import type { Instant } from '../domain/instant.ts';
import type { Call, OperationId, Reply } from '../spec/operations.ts';
import type { Resumable } from '../state/resumable.ts';
import type { Tables } from '../state/schema.ts';
import type { World } from '../state/world.ts';

/**
 * What a handler may touch. It reads and writes `tables` without ever waiting; the pipeline keeps all of its
 * writes as one commit, or undoes them when it refuses.
 */
export interface Context {
  readonly world: World;
  readonly tables: Tables;
  /** Account the call acts for: the platform's or a connected one. Records of others are invisible. */
  readonly owner: string;
  /** The world's time, and the only way to it here: an answer that looked at it is not kept for the next request. */
  readonly now: Instant;
  readonly settings: Settings;
  /** Base of the links in answers, without a slash at its end. */
  readonly baseUrl: string;
}

/** Answers an operation; one that only reads, and much, in steps. */
export type Handler<Id extends OperationId> = (
  call: Call<Id>,
  context: Context,
) => Reply<Id> | Resumable<Reply<Id>>;
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
