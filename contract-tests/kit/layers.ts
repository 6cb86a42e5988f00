import {
  type InterfaceDocument,
  type Json,
  loadDocument,
  type OperationSpec,
  resolve,
} from 'billing-emulator/spec';

/** The assumption that only covers whether a field without a value is null, absent or empty. */
const PRESENCE = 'A-308';

/** Marked fields whose presence is also an assumption, as `Schema.property`. */
const INVENTED = new Set(['Task.subject', 'Task.event_count', 'WebhookEvent.metadata']);
/** Marked fields that the specification still requires; only their null value is an assumption. */
const REQUIRED = new Set(['UsageEventSummary.external_id']);
const UNSHOWN = new Set(['Task.stats', 'SubscriptionProduct.version']);

/** The keywords that a marked node keeps: the type that the specification states. */
const KEPT = new Set(['type', 'items', 'properties', '$ref', 'required', 'minimum']);

let known: ReturnType<typeof readLayers> | undefined;

/**
 * Three versions of the interface document, built once. `specified`: only what the interface specification states.
 * `assumed`: also the assumptions on what it leaves open. `closed`: as `assumed`, without undeclared fields.
 */
export function layers() {
  known ??= readLayers();
  return known;
}

function readLayers(): Readonly<Record<'specified' | 'assumed' | 'closed', InterfaceDocument>> {
  const closed = loadDocument('openapi');
  const open = structuredClone(closed.json) as Json;
  walk(open, (node) => {
    if (node['additionalProperties'] === false) delete node['additionalProperties'];
  });
  const soft = structuredClone(open) as Json;
  const schemas = (soft['components'] as { schemas: Record<string, Json> }).schemas;
  for (const [name, schema] of Object.entries(schemas)) soften(name, schema, soft);
  return {
    specified: { name: 'specified', json: soft, operations: closed.operations },
    assumed: { name: 'assumed', json: open, operations: closed.operations },
    closed,
  };
}

/** The statuses that the specification itself states for an operation, without those that depend on an assumption. */
export const specifiedStatuses = ({ json }: OperationSpec): readonly number[] =>
  ((json['x-specified-statuses'] ?? []) as string[]).map(Number);

type Node = Record<string, unknown>;

function walk(value: unknown, visit: (node: Node) => void): void {
  if (typeof value !== 'object' || value === null) return;
  visit(value as Node);
  for (const inner of Object.values(value)) walk(inner, visit);
}

function soften(name: string, schema: Json, document: Json): void {
  const node = schema as Node;
  if (marks(node).some((mark) => mark !== PRESENCE)) {
    strip(node, document);
    return;
  }
  const properties = (node['properties'] ?? {}) as Record<string, Node>;
  for (const [property, inner] of Object.entries(properties)) {
    const place = `${name}.${property}`;
    if (isPresenceOpen(place, inner)) unrequire(node, property);
    if (UNSHOWN.has(place)) properties[property] = {};
    else if (marks(inner).length > 0) properties[property] = lessened(inner);
  }
  const required = new Set(node['required'] as string[] | undefined);
  for (const property of Object.keys(properties))
    if (!required.has(property)) properties[property] = nullable(properties[property] as Node);
}

const isPresenceOpen = (place: string, node: Node): boolean =>
  INVENTED.has(place) || (marks(node).includes(PRESENCE) && !REQUIRED.has(place));

/** The specification leaves open whether an optional field without a value is null or absent. */
function nullable(node: Node): Node {
  if (node['$ref'] !== undefined) return { anyOf: [{ type: 'null' }, node] };
  if (node['type'] === undefined) return node;
  const type = [...new Set([node['type'], 'null'].flat())];
  return {
    ...node,
    type,
    ...(node['enum'] ? { enum: [...(node['enum'] as string[]), null] } : {}),
  };
}

/** Reduces a schema that is entirely an assumption to its type. */
function strip(node: Node, document: Json): void {
  const { type } = resolve(document, node);
  for (const name of Object.keys(node)) delete node[name];
  if (type !== undefined) node['type'] = type;
}

function lessened(node: Node): Node {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([name, value]) => KEPT.has(name) || (name === 'format' && value === 'date-time'),
    ),
  );
}

function unrequire(node: Node, property: string): void {
  const required = ((node['required'] ?? []) as string[]).filter((name) => name !== property);
  if (required.length > 0) node['required'] = required;
  else delete node['required'];
}

const marks = (node: Node): readonly string[] => (node['x-assumption'] ?? []) as string[];
