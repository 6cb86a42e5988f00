import { ADMIN_HEADER, NO_TOKEN } from './control/access.ts';
import type { ControlCall, ControlId, ControlReply } from './control/context.ts';
import { addressOf } from './http/in-process-client.ts';
import { loadDocument } from './spec/document.ts';

/** The parts of a call that an operation takes. */
export type ControlParts<Id extends ControlId> = Partial<ControlCall<Id>>;

/** What an operation answers when it succeeds. */
export type ControlAnswer<Id extends ControlId> = Extract<
  ControlReply<Id>,
  { readonly status: 200 | 201 | 202 | 204 }
>['body'];

export interface ControlClient {
  /** Calls an operation of the control interface. @throws ControlError when it is refused */
  call<Id extends ControlId>(id: Id, parts?: ControlParts<Id>): Promise<ControlAnswer<Id>>;
}

/** A call that the emulator refused, with what it said. */
export class ControlError extends Error {
  override readonly name = 'ControlError';

  constructor(
    readonly status: number,
    readonly body: unknown,
  ) {
    super(`The control interface answered ${status} ${JSON.stringify(body ?? '')}`);
  }
}

export interface ControlAddress {
  readonly url: string;
  readonly key: string;
  /** Admin token, where one is set. */
  readonly token?: string;
}

/** A client of the control interface, typed by its document. */
export function controlClient({ url, key, token = '' }: ControlAddress): ControlClient {
  const document = loadDocument('control');
  return {
    async call(id, parts = {}) {
      const { path, query, body } = parts as Record<string, Record<string, unknown>>;
      const { method, ...place } = addressOf(document, { call: id, path, query });
      const address = new URL(place.path, url);
      address.search = place.search;
      const response = await fetch(address, {
        method,
        headers: {
          Authorization: `Bearer ${key}`,
          ...(token !== '' && token !== NO_TOKEN && { [ADMIN_HEADER]: token }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (!response.ok) throw new ControlError(response.status, readRefusal(text));
      return text === '' ? undefined : JSON.parse(text);
    },
  };
}

/** What a refusal says; text where something between answered that does not speak JSON. */
function readRefusal(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}
