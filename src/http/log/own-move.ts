import type { MachineTime } from '../../config/machine-time.ts';
import { loadDocument } from '../../spec/document.ts';
import type { World } from '../../store/world.ts';
import { serialise } from '../../text/exact-json.ts';
import type { Exchange } from './exchange.ts';

/** An action of a page on a world, described as the equivalent call. */
export interface PageAction {
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
    ...{ world, owner, operation, path, isMove: true, requestId: '', took: 0 },
    ordinal: world.requests,
    at: world.now,
    receivedAt: machine(),
    rawRequest: { method, path: template, search: '', headers: {} },
    requestBody: Buffer.from(body === undefined ? '' : serialise(body).text),
    rawResponse: { status, headers: {}, text },
    changes: [],
  };
}
