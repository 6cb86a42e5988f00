import { settleAlternatives } from './alternatives.ts';
import { type CompiledSchemas, compiledSchemas } from './compiled.ts';
import { type InterfaceDocument, type OperationSpec, querySchemaName } from './document.ts';
import type { BrokenRule, Validate } from './validate.ts';

/** What is wrong with a value; all findings at once. */
export type Check = (value: unknown) => readonly BrokenRule[];

/** Judges requests and answers by the schemas of a document. */
export interface Validators {
  /** Judges the query parameters, given by name. */
  query(operation: OperationSpec): Check;
  body(operation: OperationSpec): Check;
  /** Judges the body of an answer; undefined where the operation does not answer that status. */
  reply(operation: OperationSpec, status: number): Check | undefined;
}

const NO_ERRORS: readonly BrokenRule[] = [];

/** The validators of one of the package's documents, or of another whose schemas `compiled` answers. */
export function validatorsOf(
  { name }: InterfaceDocument,
  compiled: CompiledSchemas = compiledSchemas(name as 'openapi' | 'control'),
): Validators {
  const check =
    (schema: string): Check =>
    (value) => {
      const validate = compiled(schema) as Validate;
      return validate(value) ? NO_ERRORS : settleAlternatives(validate.errors ?? NO_ERRORS);
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

const nothing: Check = (value) =>
  value === undefined
    ? NO_ERRORS
    : [{ instancePath: '', schemaPath: '', keyword: 'bodiless', params: {} }];
