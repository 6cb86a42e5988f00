import { STATUS_CODES } from 'node:http';
import { importContractKit } from '../../config/contract-kit.ts';
import type { Ending, FaultEffect } from '../../faults/fault-rule.ts';
import type { InterfaceDocument, OperationSpec } from '../../spec/document.ts';
import { JSON_HEADERS, type RawResponse, TEXT_HEADERS } from '../problem.ts';
import { FAULT_HEADER } from './fault-directive.ts';
import { examplesOf } from './judge-rule.ts';

export interface AnswerWish {
  readonly status: number;
  /** Name of an example of the document; its first where absent. */
  readonly example?: string | undefined;
  /** Made up from the schema by this seed instead of from examples. */
  readonly seed?: string | undefined;
  /** Said in a problem body that is not the document's. */
  readonly detail: string;
}

export interface MadeAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export type MakeAnswer = ReturnType<typeof createMakeAnswer>;

/** Makes bodies up from schemas, by seed; undefined where none that it draws obeys the document. */
type GenerateBody = (operation: OperationSpec, status: number, seed: string) => Promise<unknown>;

interface BodyGenerators {
  createBodyGenerator(document: InterfaceDocument): Promise<GenerateBody>;
}

const NO_BODY: MadeAnswer = { headers: {}, text: '' };

/**
 * Makes the body that the document gives an answer: an example of its own, or one that the contract kit makes
 * up. What the document does not declare has a problem body where it is an error, else none. What it returns throws
 * ContractKitMissing for a body that is made up, where the package that does so is not installed.
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

/** A fault as one request meets it. */
export interface Fault {
  /** As the request log and the answer call it. */
  readonly name: string;
  readonly effect: FaultEffect;
  /** @units milliseconds */
  readonly latencyMs?: number | undefined;
  /** @units whole seconds */
  readonly retryAfter?: number | undefined;
  /** Makes the body up from the schema. */
  readonly seed?: string | undefined;
  /** The preferences that were followed. */
  readonly preference?: string | undefined;
}

/** No answer at all, before anything was carried out. Its status is 0. */
export function dropped(name: string, ending: Ending = 'empty'): RawResponse {
  return { status: 0, headers: {}, text: '', fault: { name, connection: ending } };
}

/** The answer of a request that was carried out, late, or cut on its way. */
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

/** An answer in place of the one that the request would have had. */
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

/** A body of the rule's own: text as it stands, anything else as JSON. */
export function ownBody(body: unknown): MadeAnswer {
  if (typeof body === 'string') return { headers: TEXT_HEADERS, text: body };
  return { headers: JSON_HEADERS, text: JSON.stringify(body) };
}
