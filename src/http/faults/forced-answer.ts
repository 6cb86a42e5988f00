import { STATUS_CODES } from 'node:http';
import { importContractKit } from '../../config/contract-kit.ts';
import type { Ending, FaultEffect } from '../../faults/fault-rule.ts';
import type { InterfaceDocument, OperationSpec } from '../../spec/document.ts';
import type { RawResponse } from '../message.ts';
import { JSON_HEADERS, TEXT_HEADERS } from '../problem.ts';
import { FAULT_HEADER } from './fault-directive.ts';
import { examplesOf } from './judge-rule.ts';

export interface AnswerWish {
  readonly status: number;
  /** Name of an example in the document. Default: the first. */
  readonly example?: string | undefined;
  /** Seed to generate the body from the schema. Default: use an example. */
  readonly seed?: string | undefined;
  /** Detail of the problem body, if the document has no body for the status. */
  readonly detail: string;
}

export interface MadeAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type MakeAnswer = ReturnType<typeof createMakeAnswer>;

/** Generates a body from the schema. The seed decides its values. Returns undefined if no generated body is valid. */
type GenerateBody = (operation: OperationSpec, status: number, seed: string) => Promise<unknown>;

interface BodyGenerators {
  createBodyGenerator(document: InterfaceDocument): Promise<GenerateBody>;
}

const NO_BODY: MadeAnswer = { headers: {}, text: '' };

/**
 * Returns a function that makes the body of a response: an example of the document, or a generated one. A
 * status that the document does not declare gets a problem body if it is an error, else no body. The function
 * throws ContractKitMissing if it must generate a body and the contract kit is not installed.
 *
 * @assumes A-1412
 */
export function createMakeAnswer(document: InterfaceDocument) {
  let generating: Promise<GenerateBody> | undefined;

  async function generate(operation: OperationSpec, status: number, seed: string) {
    generating ??= importContractKit<BodyGenerators>('/generate', 'dynamic=true').then((kit) =>
      kit.createBodyGenerator(document),
    );
    return (await generating)(operation, status, seed);
  }

  return (
    operation: OperationSpec | undefined,
    wish: AnswerWish,
  ): MadeAnswer | Promise<MadeAnswer> => {
    const { status, example = '', seed } = wish;
    const pointer = operation?.replies.get(status);
    if (!operation || pointer === undefined) return undeclared(wish);
    if (pointer === null) return NO_BODY;
    const examples = examplesOf(document, operation, status);
    const [first] = examples.values();
    const shown = examples.get(example) ?? first;
    if (seed === undefined) return jsonAnswer(shown);
    return generate(operation, status, seed).then((body) => jsonAnswer(body ?? shown));
  };
}

function undeclared({ status, detail }: AnswerWish): MadeAnswer {
  if (status < 400) return NO_BODY;
  const title = `${STATUS_CODES[status] ?? 'Fault'}.`;
  return jsonAnswer({ type: '/problems/fault', title, status, detail });
}

function jsonAnswer(body: unknown): MadeAnswer {
  return { headers: JSON_HEADERS, text: JSON.stringify(body) };
}

export interface Fault {
  /** Its name in the request log and in the response. */
  readonly name: string;
  readonly effect: FaultEffect;
  /** @units milliseconds */
  readonly latencyMs?: number | undefined;
  /** @units whole seconds */
  readonly retryAfter?: number | undefined;
  /** Seed to generate the body from the schema. */
  readonly seed?: string | undefined;
  /** The preferences that were applied. */
  readonly preference?: string | undefined;
}

/** Ends the connection without a response, before the request has an effect. The status is 0. */
export function dropped(name: string, ending: Ending = 'empty'): RawResponse {
  return { status: 0, headers: {}, text: '', fault: { name, connection: ending } };
}

/** Marks the response of a request that was executed, but was delayed or cut off by a fault. */
export function touched(
  rawResponse: RawResponse,
  name: string,
  ending: Ending | undefined,
): RawResponse {
  return {
    ...rawResponse,
    headers: { ...rawResponse.headers, [FAULT_HEADER]: name },
    fault: { name, ...(ending && { connection: ending }) },
  };
}

/** Builds a response that replaces the one of the handler. */
export function forced(
  { name, effect, retryAfter, preference }: Fault,
  status: number,
  { headers, text }: MadeAnswer,
): RawResponse {
  const own = {
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...effect.headers,
  };
  const replaced = new Set(Object.keys(own).map((header) => header.toLowerCase()));
  const kept = Object.entries(headers).filter(([header]) => !replaced.has(header.toLowerCase()));
  return {
    status,
    text,
    headers: {
      ...Object.fromEntries(kept),
      ...own,
      [FAULT_HEADER]: name,
      'X-Emulator-State': 'unchanged',
      ...(preference !== undefined && { 'Preference-Applied': preference }),
    },
    fault: { name },
  };
}

/** Uses the body of a rule: text unchanged, anything else as JSON. */
export function ownBody(body: unknown): MadeAnswer {
  if (typeof body === 'string') return { headers: TEXT_HEADERS, text: body };
  return { headers: JSON_HEADERS, text: JSON.stringify(body) };
}
