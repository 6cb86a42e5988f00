import {
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  validatorsOf,
} from 'billing-emulator/spec';
import { loadPrism, SILENT_LOGGER } from './prism.ts';

const MOST_DRAWS = 10;
const MOST_KEYS = 5;

const MOCK = {
  checkSecurity: false,
  validateRequest: false,
  validateResponse: false,
  errors: false,
  isProxy: false,
  upstreamProxy: undefined,
} as const;

/**
 * Generates response bodies from their schemas: the same for the same seed, undefined when none of several attempts is
 * valid.
 */
export async function createBodyGenerator(document: InterfaceDocument) {
  const { createInstance, operations } = await loadPrism(withRanges(document.json));
  const prism = createInstance({ ...MOCK, mock: { dynamic: true } }, { logger: SILENT_LOGGER });

  async function draw({ id, method, path }: OperationSpec, code: number, seed: string) {
    const request = { method: method.toLowerCase() as 'get', url: { path } };
    const resource = operations.filter(({ iid }) => iid === id);
    const config = { ...MOCK, mock: { code, dynamic: true, seed } };
    const made = await prism.request(request, resource, config)();
    if (made._tag === 'Left') throw made.left;
    return made.right.output.body;
  }

  return async (operation: OperationSpec, status: number, seed: string): Promise<unknown> => {
    const check = validatorsOf(document).reply(operation, status);
    for (let attempt = 0; attempt < MOST_DRAWS; attempt += 1) {
      const body = await draw(operation, status, `${seed} ${attempt}`);
      if (check?.(body).length === 0) return body;
    }
    return undefined;
  };
}

/**
 * A copy of the document in which integers have the range of their format, which Prism ignores, and maps have few keys,
 * because Prism does not limit their number.
 */
function withRanges(json: Json): Json {
  return JSON.parse(JSON.stringify(json), (_, value) => {
    if (value?.format === 'int16') return { minimum: 0, maximum: 32_767, ...value };
    return value?.maxProperties > MOST_KEYS ? { ...value, maxProperties: MOST_KEYS } : value;
  });
}
