import type { Instant } from '../../domain/instant.ts';
import type { OperationSpec } from '../../spec/document.ts';
import type { Change } from '../../store/row.ts';
import type { World } from '../../store/world.ts';
import type { RawRequest, RawResponse } from '../message.ts';

/** One finished request and response. Everything it refers to is immutable, so that keeping it is cheap. */
export interface Exchange {
  /**
   * Number of the request in its world, from 1. For a call that changed the world from outside: how many
   * requests came before it.
   */
  readonly ordinal: number;
  readonly world: World;
  /** The world's time when the request was handled. */
  readonly at: Instant;
  /** The machine's time when the request arrived. @units milliseconds since 1970 */
  readonly receivedAt: number;
  /** Time between request and response. @units milliseconds */
  readonly took: number;
  readonly requestId: string;
  readonly rawRequest: RawRequest;
  readonly requestBody: Buffer;
  readonly rawResponse: RawResponse;
  readonly changes: readonly Change[];
  /** Undefined if the path belongs to no operation. */
  readonly operation: OperationSpec | undefined;
  readonly path: Readonly<Record<string, string>>;
  /** The account that the request acts for. */
  readonly owner: string;
  /**
   * Whether it changed the world from outside: a control call, or an action on a page. Such entries are kept
   * beside the requests.
   */
  readonly isMove: boolean;
}

export type ExchangeListener = (exchange: Exchange) => void;
