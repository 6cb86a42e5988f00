import type { Instant } from '../../domain/instant.ts';
import type { OperationSpec } from '../../spec/document.ts';
import type { World } from '../../state/world.ts';
import type { RawResponse } from '../problem.ts';
import type { RawRequest } from '../request-context.ts';

/** One finished exchange with a world. What it refers to is never changed, so that it is cheap to keep. */
export interface Exchange {
  /** Its place among the requests of its world, from 1; of a call that moved the world, how many came before it. */
  readonly ordinal: number;
  readonly world: World;
  /** The world's time when it was handled. */
  readonly at: Instant;
  /** The machine's time when it came. @units milliseconds since 1970 */
  readonly receivedAt: number;
  /** From when it came until it was answered. @units milliseconds */
  readonly took: number;
  readonly requestId: string;
  readonly rawRequest: RawRequest;
  readonly requestBody: Buffer;
  readonly rawResponse: RawResponse;
  /** Absent where its path leads to none. */
  readonly operation: OperationSpec | undefined;
  readonly path: Readonly<Record<string, string>>;
  /** The account that it acted for. */
  readonly owner: string;
  /** Whether it moved the world from outside: a call of the control interface, or a deed on a page, kept beside the requests. */
  readonly isMove: boolean;
}

export type ExchangeListener = (exchange: Exchange) => void;
