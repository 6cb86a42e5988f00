import { type Json, type OperationSpec, resolve } from 'billing-emulator/spec';
import { layers, specifiedStatuses } from '../kit/layers.ts';
import { allOperations } from '../kit/operations.ts';
import { startMutant } from '../mutants/emulator.ts';

/** A mutation of a response in one place. */
export interface ShapeMutant {
  readonly operation: OperationSpec;
  readonly status: number;
  readonly about: string;
  /** Changes the response; returns undefined when it has nothing to change. */
  change(answer: Answered): Answered | undefined;
}

interface Answered {
  readonly status: number;
  /** Parsed JSON; undefined for none. */
  readonly body: unknown;
}

const SIBLING: Readonly<Record<number, number>> = {
  200: 201,
  201: 200,
  202: 200,
  204: 200,
  303: 302,
  400: 403,
  401: 403,
  404: 410,
  409: 410,
  422: 403,
};
const RETYPED: Readonly<Record<string, unknown>> = {
  string: 12345,
  number: 'a number',
  integer: 'a number',
  boolean: 'true',
  object: [],
  array: {},
};

/**
 * Every shape mutant of the document. Each field that the specification requires is removed, set to null and given
 * another type. Each status is replaced by one of the same class or gets a body.
 */
export function shapeMutants(): readonly ShapeMutant[] {
  return allOperations().flatMap((operation) =>
    specifiedStatuses(operation).flatMap((status) => [
      ...statusMutants(operation, status),
      ...(status < 300 ? fieldMutants(operation, status) : []),
    ]),
  );
}

function statusMutants(operation: OperationSpec, status: number): ShapeMutant[] {
  const mutants: ShapeMutant[] = [];
  const add = (about: string, change: ShapeMutant['change']) =>
    mutants.push({ operation, status, about, change });
  const sibling = SIBLING[status];
  if (sibling !== undefined)
    add(`answers ${sibling} for ${status}`, (answer) => ({ ...answer, status: sibling }));
  if (operation.replies.get(status) === null && status !== 204)
    add(`gives ${status} a body`, (answer) => ({ ...answer, body: { status } }));
  return mutants;
}

function fieldMutants(operation: OperationSpec, status: number): ShapeMutant[] {
  const pointer = operation.replies.get(status);
  if (!pointer) return [];
  const document = layers().specified.json;
  return fieldsOf(document, { $ref: pointer }).flatMap(({ path, schema, isRequired }) => {
    const types = [schema['type'] ?? []].flat() as string[];
    const mutants: ShapeMutant[] = [];
    const add = (about: string, change: Change) =>
      mutants.push({ operation, status, about, change: changeAt(path, change) });
    const name = path.join('.');
    if (isRequired) add(`drops ${name}`, (holder, field) => delete holder[field]);
    if (types.length > 0 && !types.includes('null'))
      add(`nulls ${name}`, (holder, field) => {
        holder[field] = null;
      });
    const [type] = types;
    if (type !== undefined && RETYPED[type] !== undefined && types.length === 1)
      add(`retypes ${name}`, (holder, field) => {
        holder[field] = RETYPED[type];
      });
    if (schema['format'] === 'date-time')
      add(`garbles ${name}`, (holder, field) => {
        if (holder[field] !== null) holder[field] = 'yesterday';
      });
    return mutants;
  });
}

type Change = (holder: Record<string, unknown>, field: string) => unknown;

/** Applies a change at every place that the path matches. Returns undefined when it matches none. */
function changeAt(path: FieldPath, change: Change): ShapeMutant['change'] {
  return ({ status, body }) => {
    const copy = structuredClone(body);
    return apply(copy, path, change) > 0 ? { status, body: copy } : undefined;
  };
}

function apply(value: unknown, [step, ...rest]: FieldPath, change: Change): number {
  if (typeof value !== 'object' || value === null || step === undefined) return 0;
  if (step === '*')
    return Array.isArray(value)
      ? value.reduce<number>((count, item) => count + apply(item, rest, change), 0)
      : 0;
  if (!Object.hasOwn(value, step)) return 0;
  const holder = value as Record<string, unknown>;
  if (rest.length > 0) return apply(holder[step], rest, change);
  change(holder, step);
  return 1;
}

/** A path into a body: field names, and `*` for each item of a list. */
type FieldPath = readonly string[];

interface AnswerField {
  readonly path: FieldPath;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Every field of a schema, including nested fields. */
function fieldsOf(document: Json, given: Json, path: FieldPath = []): AnswerField[] {
  const schema = resolve(document, given);
  if (schema['items'])
    return path.length > 8 ? [] : fieldsOf(document, schema['items'] as Json, [...path, '*']);
  const required = new Set((schema['required'] ?? []) as string[]);
  return Object.entries((schema['properties'] ?? {}) as Record<string, Json>).flatMap(
    ([name, inner]) => {
      const field = { path: [...path, name], schema: resolve(document, inner) };
      return [
        { ...field, isRequired: required.has(name) },
        ...fieldsOf(document, field.schema, field.path),
      ];
    },
  );
}

export type SpoiledEmulator = Awaited<ReturnType<typeof startSpoiledEmulator>>;

/** Starts a correct emulator that changes the responses of one operation by a mutant. */
export async function startSpoiledEmulator() {
  let current: ShapeMutant | undefined;
  let spoiled = 0;
  const { baseUrl, close } = await startMutant({
    get of() {
      return current ? [current.operation.id] : [];
    },
    response(answer) {
      const changed = answer.status === current?.status && current.change(answer);
      if (!changed) return;
      spoiled += 1;
      Object.assign(answer, changed);
    },
  });

  return {
    baseUrl,
    close,
    /** The number of responses changed since the mutant was set. */
    get spoiled() {
      return spoiled;
    },
    set(mutant: ShapeMutant | undefined) {
      current = mutant;
      spoiled = 0;
    },
  };
}
