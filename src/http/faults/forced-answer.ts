import { STATUS_CODES } from 'node:http';
import type { InterfaceDocument, Json, OperationSpec } from '../../spec/document.ts';
import { validatorsOf } from '../../spec/validators.ts';
import { loadPrism, SILENT_LOGGER } from '../prism.ts';
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

export type MakeAnswer = (
  operation: OperationSpec | undefined,
  wish: AnswerWish,
) => MadeAnswer | Promise<MadeAnswer>;

const MOST_DRAWS = 10;
const NO_BODY: MadeAnswer = { headers: {}, text: '' };

/**
 * Makes the body that the document gives an answer. What the document does not declare has a problem body
 * where it is an error, else none. Prism, which is slow to load, is loaded when it is first needed.
 *
 * @assumes A-1412
 */
export function createMakeAnswer(document: InterfaceDocument): MakeAnswer {
  const made = new Map<string, MadeAnswer>();
  let prism: Promise<Prism> | undefined;

  async function byPrism(operation: OperationSpec, wish: AnswerWish): Promise<MadeAnswer> {
    prism ??= readyPrism(document);
    const body = await bodyBy(await prism, operation, wish);
    return { headers: JSON_HEADERS, text: JSON.stringify(body) };
  }

  /** What is made up is drawn anew where it does not obey the document; the example always does. */
  async function bodyBy(made: Prism, operation: OperationSpec, wish: AnswerWish): Promise<unknown> {
    const { seed, ...plain } = wish;
    const check = validatorsOf(document).reply(operation, wish.status);
    for (let draw = 0; seed !== undefined && draw < MOST_DRAWS; draw += 1) {
      const body = await made.answer(operation, { ...wish, seed: `${seed} ${draw}` });
      if (check?.(body).length === 0) return body;
    }
    return made.answer(operation, plain);
  }

  return (operation, wish) => {
    const { status, example = '', seed } = wish;
    const pointer = operation?.replies.get(status);
    if (!operation || pointer === undefined) return undeclared(wish);
    if (pointer === null) return NO_BODY;
    const key = `${operation.id} ${status} ${example}`;
    const known = seed === undefined ? made.get(key) : undefined;
    if (known) return known;
    return byPrism(operation, wish).then((answer) => {
      if (seed === undefined) made.set(key, answer);
      return answer;
    });
  };
}

function undeclared({ status, detail }: AnswerWish): MadeAnswer {
  if (status < 400) return NO_BODY;
  const title = `${STATUS_CODES[status] ?? 'Fault'}.`;
  const body = { type: '/problems/fault', title, status, detail };
  return { headers: JSON_HEADERS, text: JSON.stringify(body) };
}

interface Prism {
  answer(operation: OperationSpec, wish: AnswerWish): Promise<unknown>;
}

const UNCHECKED = {
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  isProxy: false,
  upstreamProxy: undefined,
} as const;

async function readyPrism(document: InterfaceDocument): Promise<Prism> {
  const { createInstance, operations } = await loadPrism(withRanges(document.json));
  const config = { ...UNCHECKED, mock: { dynamic: false } };
  const instance = createInstance(config, { logger: SILENT_LOGGER });
  return {
    async answer(operation, { status, example, seed }) {
      const { id, method, path } = operation;
      const hasExample =
        example !== undefined && examplesOf(document, operation, status).includes(example);
      const mock = {
        code: status,
        dynamic: seed !== undefined,
        ...(seed !== undefined && { seed }),
        ...(hasExample && { exampleKey: example }),
      };
      const request = { method: method.toLowerCase() as 'get', url: { path } };
      const resource = operations.filter(({ iid }) => iid === id);
      const made = await instance.request(request, resource, { ...config, mock })();
      if (made._tag === 'Left') throw made.left;
      return made.right.output.body;
    },
  };
}

/**
 * A copy in which whole numbers have the range that their format means, as Prism knows no such formats, and
 * free keys are few, as it does not count them.
 */
function withRanges(json: Json): Json {
  return JSON.parse(JSON.stringify(json), (_, value) => {
    if (value?.format === 'int16') return { minimum: 0, maximum: 32_767, ...value };
    return value?.maxProperties > MOST_KEYS ? { ...value, maxProperties: MOST_KEYS } : value;
  });
}

const MOST_KEYS = 5;
