import type { BrokenRule } from 'billing-emulator/spec';
import {
  compile,
  documentSchemas,
  type InterfaceDocument,
  type Json,
  type OperationSpec,
  resolve,
  type Validators,
  validatorsOf,
} from 'billing-emulator/spec';
import { layers } from './layers.ts';
import type { ShapeRecord } from './trial.ts';

/** What an answer breaks in one of the three readings of its shape. */
export type ShapeFinding = Pick<ShapeRecord, 'kind' | 'finding' | 'assumptions'>;

let compiled: Readonly<Record<'specified' | 'assumed' | 'closed', Validators>> | undefined;

/**
 * Judges the body of an answer to a status that the document gives the operation. What breaks the specification itself is
 * judged no further.
 */
export function judgeShape(
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
  const judge = (layer: Validators) =>
    (layer.reply(operation, status)?.(body) ?? []).filter(({ keyword }) => keyword !== 'anyOf');
  const broken = findings('broken', judge(compiled.specified).map(phrase));
  if (broken.length > 0) return broken;
  const refuted = judge(compiled.assumed).map((error) => ({
    kind: 'refuted' as const,
    finding: phrase(error),
    assumptions: assumptionsAt(assumed, operation.replies.get(status), stepsOf(error)),
  }));
  const undeclared = judge(compiled.closed)
    .filter(({ keyword }) => keyword === 'additionalProperties')
    .map(({ instancePath, params }) => `${general(instancePath)}/${params['additionalProperty']}`);
  return [...refuted, ...findings('undeclared', undeclared)];
}

/** Findings that concern no decision, each once. */
export function findings(
  kind: ShapeFinding['kind'],
  texts: readonly string[],
): readonly ShapeFinding[] {
  return [...new Set(texts)].map((finding) => ({ kind, finding, assumptions: [] }));
}

/** Says what is wrong and where, without the values that were sent. */
function phrase({ instancePath, keyword, params }: BrokenRule): string {
  const place = general(instancePath) || '/';
  if (keyword === 'bodiless') return 'a body where none is due';
  if (keyword === 'required') return `${place} lacks ${params['missingProperty']}`;
  if (keyword === 'type' && params['type'] === 'null') return `${place} is not of its type`;
  if (keyword === 'type') return `${place} is not ${[params['type']].flat().join(' or ')}`;
  if (keyword === 'format') return `${place} is no ${params['format']}`;
  if (keyword === 'enum' || keyword === 'const') return `${place} is none of the values`;
  return `${place} breaks ${keyword}`;
}

/** A place in any element of a list rather than in a certain one, so that like findings read alike. */
function general(instancePath: string): string {
  return instancePath.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}

function stepsOf({ instancePath, keyword, params }: BrokenRule): readonly string[] {
  const steps = instancePath.split('/').slice(1);
  return keyword === 'required' ? [...steps, params['missingProperty'] as string] : steps;
}

/** The decisions marked on the way to a place of an answer; `*` is any item of a list. */
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

/** Each schema on the way to a place of an answer, as it stands there and as it is declared; as far as there are any. */
export function schemasOnTheWay(
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
