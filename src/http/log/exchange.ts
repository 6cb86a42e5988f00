import type { MachineTime } from '../../config/machine-time.ts';
import type { Instant } from '../../domain/instant.ts';
import { loadDocument, type OperationSpec } from '../../spec/document.ts';
import type { Change } from '../../store/row.ts';
import type { World } from '../../store/world.ts';
import { serialise } from '../../text/exact-json.ts';
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

/** An action of a page on a world, described as the equivalent call. */
interface PageAction {
  readonly world: World;
  readonly owner: string;
  /** Id of the equivalent operation in either document. If there is none, the address of the form. */
  readonly operation: string;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: object | undefined;
  readonly status: number;
  readonly answer?: unknown;
}

/** Records an action of a page in the request log of its world. */
export type RecordMove = (move: PageAction) => void;

/** Returns the request log entry of a page's action, or undefined if it changes nothing. */
export function exchangeOfMove(
  { world, owner, operation: id, path = {}, body, status, answer }: PageAction,
  machine: MachineTime,
): Exchange | undefined {
  const own = loadDocument('control').operations.get(id);
  if (status >= 300 || own?.isRecorded === false) return undefined;
  const operation = own ?? loadDocument('openapi').operations.get(id);
  const { method, path: template } = operation ?? { method: 'POST', path: id };
  const text = answer === undefined ? '' : serialise(answer).text;
  return {
    world,
    owner,
    operation,
    path,
    isMove: true,
    requestId: '',
    took: 0,
    ordinal: world.requests,
    at: world.now,
    receivedAt: machine(),
    rawRequest: { method, path: template, search: '', headers: {} },
    requestBody: Buffer.from(body === undefined ? '' : serialise(body).text),
    rawResponse: { status, headers: {}, text },
    changes: [],
  };
}
