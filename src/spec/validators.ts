import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { decimal, decimalPlaces, magnitude, significantDigits } from '../domain/decimal.ts';
import { parseInstant } from '../domain/instant.ts';
import type { InterfaceDocument, OperationSpec } from './document.ts';

/**
 * Compiles the document's schemas, each on first use. Objects are judged as a whole: all findings at once.
 */
export type Check = (value: unknown) => readonly ErrorObject[];

export interface Validators {
  /** Judges the query parameters, given by name. */
  query(operation: OperationSpec): Check;
  /** Judges the body. */
  body(operation: OperationSpec): Check;
  /** Judges the body of an answer; undefined where the operation does not answer that status. */
  reply(operation: OperationSpec, status: number): Check | undefined;
}

/** What the document says beside its schemas. */
const DOCUMENT_KEYWORDS = [
  'openapi',
  'info',
  'servers',
  'security',
  'tags',
  'paths',
  'webhooks',
  'components',
];

/**
 * Validators are fast enough in any case, and documents are linted: what counts is how soon a validator is
 * there, since most are made while somebody waits for the first answer.
 */
export const COMPILED_SOON = {
  meta: false,
  validateSchema: false,
  code: { optimize: false },
} as const;

const NO_ERRORS: readonly ErrorObject[] = [];

/** The validators of a document; made once, as they keep nothing of what they judge. */
export function validatorsOf(document: InterfaceDocument): Validators {
  const known = made.get(document);
  if (known) return known;
  const validators = createValidators(document);
  made.set(document, validators);
  return validators;
}

const made = new WeakMap<InterfaceDocument, Validators>();

function createValidators(document: InterfaceDocument): Validators {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    verbose: true,
    messages: false,
    ownProperties: true,
    inlineRefs: false,
    ...COMPILED_SOON,
  });
  (addFormats as unknown as { default: typeof addFormats.default }).default(ajv, { mode: 'fast' });
  addNumberFormats(ajv);
  ajv.addVocabulary([...DOCUMENT_KEYWORDS, 'x-assumption', 'x-specified-statuses', 'example']);
  ajv.addSchema({ $id: document.name, ...document.json }, document.name, false, false);

  const compiled = new Map<string, Check>();
  const check = (name: string, compile: () => ValidateFunction): Check => {
    const known = compiled.get(name);
    if (known) return known;
    const validate = compile();
    const judge: Check = (value) => (validate(value) ? NO_ERRORS : (validate.errors ?? NO_ERRORS));
    compiled.set(name, judge);
    return judge;
  };
  const byPointer = (pointer: string): Check =>
    check(pointer, () => ajv.compile({ $ref: `${document.name}${pointer}` }));

  return {
    query(operation) {
      const takesAny = operation.parameters.some((parameter) => parameter.in === 'query');
      const name = takesAny ? `query ${operation.id}` : 'no query';
      return check(name, () => ajv.compile(querySchema(operation)));
    },
    body: (operation) => byPointer((operation.body as { pointer: string }).pointer),
    reply(operation, status) {
      const pointer = operation.replies.get(status);
      if (pointer === undefined) return undefined;
      return pointer === null ? nothing : byPointer(pointer);
    },
  };
}

const nothing: Check = (value) =>
  value === undefined
    ? NO_ERRORS
    : [{ instancePath: '', schemaPath: '', keyword: 'bodiless', params: {} }];

function querySchema(operation: OperationSpec): object {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Formats of numbers and moments; the rest are those of the formats package. */
function addNumberFormats(ajv: Ajv2020): void {
  const anyNumber = { type: 'number', validate: () => true } as const;
  const whole = (bits: number) =>
    ({
      type: 'number',
      validate: (value: number) =>
        Number.isSafeInteger(value) && Math.abs(value) <= 2 ** (bits - 1),
    }) as const;
  ajv.addFormat('decimal', anyNumber);
  ajv.addFormat('decimal-input', { type: 'number', validate: isAcceptedDecimal });
  ajv.addFormat('int16', whole(16));
  ajv.addFormat('int32', whole(32));
  ajv.addFormat('int64', whole(64));
  ajv.addFormat('date', { validate: isDate });
  ajv.addFormat('date-time', { validate: isDateTime });
  ajv.addFormat('uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i);
  ajv.addFormat('uri', { validate: isAbsoluteUrl });
}

const DATE_TIME =
  /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):\d\d:\d\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDate(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseInstant(`${text}T00:00:00Z`) !== undefined;
}

function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && parseInstant(text) !== undefined;
}

function isAbsoluteUrl(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$/.test(text) && URL.canParse(text);
}

/**
 * Whether a number of a request keeps within the digits that a double carries without loss.
 *
 * @assumes A-303
 */
function isAcceptedDecimal(value: number): boolean {
  if (Number.isSafeInteger(value)) return Math.abs(value) < 1e15;
  const exact = decimal(value);
  return decimalPlaces(exact) <= 10 && significantDigits(exact) <= 15 && magnitude(exact) < 15;
}
