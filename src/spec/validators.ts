import { type CompiledSchemas, compiledSchemas } from './compiled.ts';
import type { BrokenRule, Validate } from './compiler.ts';
import { type InterfaceDocument, type OperationSpec, querySchemaName } from './document.ts';

/** Returns everything wrong with a value. */
export type Check = (value: unknown) => readonly BrokenRule[];

/** Validates requests and responses by the schemas of a document. */
export interface Validators {
  query(operation: OperationSpec): Check;
  body(operation: OperationSpec): Check;
  /** Validates the body of a response. Undefined if the operation does not declare the status. */
  reply(operation: OperationSpec, status: number): Check | undefined;
}

const NO_ERRORS: readonly BrokenRule[] = [];

/** Creates the validators of a document of the package, or of another one with its `compiled` schemas. */
export function validatorsOf(
  { name }: InterfaceDocument,
  compiled: CompiledSchemas = compiledSchemas(name as 'openapi' | 'control'),
): Validators {
  const checks = new Map<string, Check>();
  const check = (schema: string): Check => {
    const known = checks.get(schema) ?? checkBy(compiled(schema) as Validate);
    checks.set(schema, known);
    return known;
  };
  return {
    query: (operation) => check(querySchemaName(operation)),
    body: (operation) => check((operation.body as { pointer: string }).pointer),
    reply(operation, status) {
      const pointer = operation.replies.get(status);
      if (pointer === undefined) return undefined;
      return pointer === null ? nothing : check(pointer);
    },
  };
}

const checkBy =
  (validate: Validate): Check =>
  (value) =>
    validate(value) ? NO_ERRORS : settleAlternatives(validate.errors ?? NO_ERRORS);

const nothing: Check = (value) =>
  value === undefined
    ? NO_ERRORS
    : [{ instancePath: '', schemaPath: '', keyword: 'bodiless', params: {} }];

/**
 * Reduces the errors of a `oneOf`. Keeps the errors of the alternatives that have the value's type. If none
 * has, returns one error that lists all types. The errors must come from a verbose compiler.
 */
function settleAlternatives(errors: readonly BrokenRule[]): readonly BrokenRule[] {
  const mistyped = new Map<string, BrokenRule[]>(
    errors
      .filter(({ keyword }) => keyword === 'oneOf')
      .map(({ instancePath }) => [instancePath, []]),
  );
  if (mistyped.size === 0) return errors;
  for (const error of errors)
    if (error.keyword === 'type') mistyped.get(error.instancePath)?.push(error);
  const isUnfit = ({ instancePath, parentSchema }: BrokenRule) =>
    mistyped.get(instancePath)?.some((other) => other.parentSchema === parentSchema) ?? false;
  const told = errors.filter((error) => error.keyword !== 'oneOf' && !isUnfit(error));
  const explained = new Set(told.flatMap(({ instancePath }) => placesAround(instancePath)));
  const merged = [...mistyped]
    .filter(([place, [first]]) => first !== undefined && !explained.has(place))
    .map(([, [first, ...others]]) => ({
      ...(first as BrokenRule),
      params: { type: [...new Set([first, ...others].flatMap((each) => each?.params['type']))] },
    }));
  return [...told, ...merged];
}

/** A path and all its parent paths. */
function placesAround(place: string): string[] {
  const steps = place.split('/');
  return steps.map((_, end) => steps.slice(0, end + 1).join('/'));
}
