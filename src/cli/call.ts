import type { Client, ClientRequest } from '../client/index.ts';
import { customerIdOf } from '../embed/customers.ts';
import { type Json, loadDocument, type OperationSpec, resolve } from '../spec/document.ts';
import type { AnyOperationId } from '../spec/operations.ts';
import { valueAt } from '../spec/pointer.ts';
import { parseExact, serialise, serialiseForReading } from '../text/exact-json.ts';
import { didYouMean } from '../text/wording.ts';
import { yaml } from '../text/yaml.ts';
import type { WorldCommand } from './command.ts';
import { CommandError, EXIT } from './failure.ts';
import { flag, readInput } from './flags.ts';

type Fields = Record<string, unknown>;

/** A request as the command line describes it. */
interface Request {
  readonly path: Fields;
  readonly query: Fields;
  readonly body: Fields;
}

/**
 * `billing-emulator call`: calls any operation of the service or of the control API. A field of path, query or body
 * is `name=value`; a dot leads into an object. A redirect is followed, and `customerId` can be an external id.
 */
export const callCommand: WorldCommand = {
  usage: 'call <operation> [fields...]',
  about: 'Call any operation with fields of its path, query and body, such as customerId=acme',
  flags: [
    flag(
      '--body <file>',
      'File with the body, JSON or YAML, in place of its fields; - is standard input',
    ),
    flag('--account <id>', 'Connected account to act for'),
  ],
  async run(client, { args, flags }) {
    const [name = '', given = []] = args as unknown as readonly [string, (readonly string[])?];
    const { document, operation } = findOperation(name);
    const { path, query, body } = readFields(document, operation, given);
    const account = flags['account'] as string | undefined;
    const text = await client.read(
      name as AnyOperationId,
      {
        path: await withCustomerId(client, operation, { path, account }),
        query,
        body: bodyOf(body, flags['body'] as string | undefined),
        account,
      } as ClientRequest<AnyOperationId>,
    );
    return { json: text || '{}', text: forReading(text) };
  },
};

/** @throws CommandError with the nearest name if neither interface has the operation */
function findOperation(name: string): { document: Json; operation: OperationSpec } {
  const documents = [loadDocument('openapi'), loadDocument('control')];
  for (const { json, operations } of documents) {
    const operation = operations.get(name);
    if (operation) return { document: json, operation };
  }
  const names = documents.flatMap(({ operations }) => [...operations.keys()]);
  return refuse([`There is no operation ${name}.${didYouMean(name, names)}`]);
}

function refuse(problems: readonly string[]): never {
  throw new CommandError(problems.map((problem) => `error: ${problem}`).join('\n'), EXIT.usage);
}

/** @throws CommandError naming every field that the operation lacks or needs */
function readFields(document: Json, operation: OperationSpec, given: readonly string[]): Request {
  const request: Request = { path: {}, query: {}, body: {} };
  const schemas = schemasOf(document, operation);
  const problems: string[] = [];
  for (const field of given) {
    const [, names = '', text = ''] = /^([^=]+)=(.*)$/s.exec(field) ?? [];
    const [first = '', ...inner] = names.split('.');
    const place = (['path', 'query', 'body'] as const).find((each) => first in schemas[each]);
    if (names === '') problems.push(`${field} is no field; expected name=value.`);
    else if (!place)
      problems.push(`${operation.id} has no field ${first}.${didYouMean(first, namesIn(schemas))}`);
    else {
      const schema = inner.reduce<Json>(
        (outer, each) => propertiesOf(document, outer)[each] ?? {},
        schemas[place][first] as Json,
      );
      setField(request[place], [first, ...inner], readValue(document, schema, text));
    }
  }
  const missing = Object.keys(schemas.path).filter((each) => !(each in request.path));
  problems.push(...missing.map((each) => `${operation.id} needs ${each}=….`));
  return problems.length > 0 ? refuse(problems) : request;
}

type Schemas = Readonly<Record<keyof Request, Readonly<Record<string, Json>>>>;

/** The schemas of the fields of an operation, by place and name. */
function schemasOf(document: Json, { parameters, body }: OperationSpec): Schemas {
  const parametersIn = (place: string) =>
    Object.fromEntries(
      parameters.filter((each) => each.in === place).map((each) => [each.name, each.schema]),
    );
  return {
    path: parametersIn('path'),
    query: parametersIn('query'),
    body: body ? propertiesOf(document, valueAt(document, body.pointer.slice(1)) as Json) : {},
  };
}

const namesIn = (schemas: Schemas): readonly string[] =>
  Object.values(schemas).flatMap((fields) => Object.keys(fields));

/** The properties of an object's schema, those of its alternatives included. */
function propertiesOf(document: Json, schema: Json): Readonly<Record<string, Json>> {
  const {
    properties = {},
    allOf = [],
    anyOf = [],
    oneOf = [],
  } = resolve(document, schema) as {
    readonly properties?: Readonly<Record<string, Json>>;
  } & Readonly<Record<'allOf' | 'anyOf' | 'oneOf', readonly Json[] | undefined>>;
  const parts = [...allOf, ...anyOf, ...oneOf].map((part) => propertiesOf(document, part));
  return Object.assign({}, ...parts, properties);
}

function setField(fields: Fields, [first = '', ...inner]: readonly string[], value: unknown): void {
  if (inner.length === 0) fields[first] = value;
  else {
    fields[first] = { ...(fields[first] as Fields | undefined) };
    setField(fields[first] as Fields, inner, value);
  }
}

/**
 * The value of a field: the text as it is if the field takes a text, otherwise the JSON in it. What is not JSON, or too
 * large a number, is sent as it is, and the emulator rejects it.
 */
function readValue(document: Json, schema: Json, text: string): unknown {
  if (resolve(document, schema)['type'] === 'string') return text;
  try {
    const value = parseExact(text);
    return value === Infinity || value === -Infinity ? text : value;
  } catch {
    return text;
  }
}

/** The path of an operation of the service, with the id of a customer that was given by external id. */
async function withCustomerId(
  client: Client,
  { path: template }: OperationSpec,
  { path, account }: { readonly path: Fields; readonly account: string | undefined },
) {
  const { customerId } = path;
  if (customerId === undefined || template.startsWith('/_emulator')) return path;
  return { ...path, customerId: await customerIdOf(client, String(customerId), account) };
}

function bodyOf(fields: Fields, file: string | undefined): string | undefined {
  const hasFields = Object.keys(fields).length > 0;
  if (file === undefined) return hasFields ? serialise(fields).text : undefined;
  if (hasFields) return refuse(['expected --body or fields of the body, not both.']);
  const text = readInput(file);
  return /\.ya?ml$/.test(file) ? JSON.stringify(yaml().parse(text)) : text;
}

/** A JSON text with indentation; any other, and one that already has lines, as it is. */
function forReading(text: string): string {
  if (!/^[{[]/.test(text) || text.includes('\n')) return text;
  return serialiseForReading(parseExact(text));
}
