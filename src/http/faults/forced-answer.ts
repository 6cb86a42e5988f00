import { STATUS_CODES } from 'node:http';
import { importContractKit } from '../../config/contract-kit.ts';
import type { InterfaceDocument, OperationSpec } from '../../spec/document.ts';
import { JSON_HEADERS } from '../problem.ts';
import { examplesOf } from './examples.ts';

/** What an answer shall be. */
export interface AnswerWish {
  readonly status: number;
  /** Name of an example of the document; its first where absent. */
  readonly example?: string;
  /** Made up from the schema by this seed instead of from examples. */
  readonly seed?: string;
  /** Said in a problem body that is not the document's. */
  readonly detail: string;
}

export interface MadeAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** @throws ContractKitMissing for a body that is made up, where the package that does so is not installed */
export type MakeAnswer = (
  operation: OperationSpec | undefined,
  wish: AnswerWish,
) => MadeAnswer | Promise<MadeAnswer>;

/** Makes bodies up from schemas, by seed; undefined where none that it draws obeys the document. */
type GenerateBody = (operation: OperationSpec, status: number, seed: string) => Promise<unknown>;

interface BodyGenerators {
  createBodyGenerator(document: InterfaceDocument): Promise<GenerateBody>;
}

const NO_BODY: MadeAnswer = { headers: {}, text: '' };

/**
 * Makes the body that the document gives an answer: an example of its own, or one that the contract kit makes
 * up. What the document does not declare has a problem body where it is an error, else none.
 *
 * @assumes A-1412
 */
export function createMakeAnswer(document: InterfaceDocument): MakeAnswer {
  let generating: Promise<GenerateBody> | undefined;

  async function generate(operation: OperationSpec, status: number, seed: string) {
    generating ??= importContractKit<BodyGenerators>('/generate', 'dynamic=true').then((kit) =>
      kit.createBodyGenerator(document),
    );
    return (await generating)(operation, status, seed);
  }

  return (operation, wish) => {
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
