import {
  type BrokenRule,
  compile,
  documentSchemas,
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
  type Validators,
  validatorsOf,
} from 'billing-emulator/spec';
import type { ShapeRecord } from './check-record.ts';
import { layers } from './layers.ts';

/** A way in which a response differs from one of the three versions of its schema. */
export type ShapeFinding = Pick<ShapeRecord, 'kind' | 'finding' | 'assumptions'> & {
  /** The path of a field that the body lacks. */
  readonly lacks?: readonly string[];
};

let compiled: Readonly<Record<'specified' | 'assumed' | 'closed', Validators>> | undefined;

/**
 * Validates a response body against the three versions of its schema. A body that breaks the specification itself is
 * not compared with the other two.
 */
export function validateShape(
  operation: OperationSpec,
  status: number,
  body: unknown,
): readonly ShapeFinding[] {
  const { specified, assumed, closed } = layers();
  compiled ??= {
    specified: validatorsOf(specified, compile(documentSchemas(specified))),
    assumed: validatorsOf(assumed, compile(documentSchemas(assumed))),
    closed: validatorsOf(closed),
  };
  const errorsBy = (layer: Validators) =>
    (layer.reply(operation, status)?.(body) ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  const broken = findings('broken', errorsBy(compiled.specified).map(phrase));
  if (broken.length > 0) return broken;
  const refuted = errorsBy(compiled.assumed).map((error) => ({
    kind: 'refuted' as const,
    finding: phrase(error),
    assumptions: assumptionsAt(assumed, operation.replies.get(status), stepsOf(error)),
    ...(error.keyword === 'required' && { lacks: stepsOf(error) }),
  }));
  const undeclared = errorsBy(compiled.closed)
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map((error) => fieldAt([...stepsOf(error), `${error.params['additionalProperty']}`]));
  return [...refuted, ...findings('undeclared', undeclared)];
}

/** Findings without an assumption, without duplicates. */
export function findings(
  kind: ShapeFinding['kind'],
  texts: readonly string[],
): readonly ShapeFinding[] {
  return [...new Set(texts)].map((finding) => ({ kind, finding, assumptions: [] }));
}

/** Describes the error and its field, without values from the response. */
function phrase(error: BrokenRule): string {
  const { keyword, params } = error;
  const field = fieldAt(stepsOf(error)) || 'the body';
  if (keyword === 'bodiless') return 'a body where none is due';
  if (keyword === 'required') return `${field} is missing`;
  if (keyword === 'type' && params['type'] === 'null') return `${field} is not of its type`;
  if (keyword === 'type') return `${field} is not ${[params['type']].flat().join(' or ')}`;
  if (keyword === 'format') return `${field} is no ${params['format']}`;
  if (keyword === 'enum' || keyword === 'const') return `${field} is none of the values`;
  return `${field} breaks ${keyword}`;
}

/** A path into a body as text, such as `accounts[].id`. Items have no number, so that the same finding reads the same. */
const fieldAt = (steps: readonly string[]): string =>
  steps
    .map((step) => (/^\d+$/.test(step) ? '[]' : `.${step}`))
    .join('')
    .replace(/^\./, '');

function stepsOf({ instancePath, keyword, params }: BrokenRule): readonly string[] {
  const steps = instancePath.split('/').slice(1);
  return keyword === 'required' ? [...steps, params['missingProperty'] as string] : steps;
}

/** The assumptions marked on the schemas along a path into a response; `*` is any list item. */
export function assumptionsAt(
  document: InterfaceDocument,
  pointer: string | null | undefined,
  steps: readonly string[],
): readonly string[] {
  const marks = schemasOnTheWay(document, pointer, steps).flatMap(
    (node) => (node['x-assumption'] ?? []) as string[],
  );
  return [...new Set(marks)];
}

/**
 * Each schema along a path into a response, first as referenced, then resolved. Stops where the path leaves the schema.
 */
function schemasOnTheWay(
  { json }: InterfaceDocument,
  pointer: string | null | undefined,
  steps: readonly string[],
): readonly Json[] {
  const found: Json[] = [];
  let node: Json | undefined = pointer ? { $ref: pointer } : undefined;
  for (const step of [undefined, ...steps]) {
    if (step !== undefined) node = inner(node, step);
    if (!node) break;
    found.push(node);
    node = resolve(json, node);
    found.push(node);
  }
  return found;
}

function inner(node: Json | undefined, step: string): Json | undefined {
  if (!node) return undefined;
  if (node['items'] && /^(\d+|\*)$/.test(step)) return node['items'] as Json;
  const properties = (node['properties'] ?? {}) as Record<string, Json>;
  return properties[step] ?? (node['additionalProperties'] as Json | undefined);
}
