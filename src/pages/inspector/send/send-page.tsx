import type { Exchange } from '../../../http/log/exchange.ts';
import { type Json, loadDocument, type OperationSpec } from '../../../spec/document.ts';
import { exactJsonIn, serialiseForReading } from '../../../text/exact-json.ts';
import type { PageAnswer } from '../../answer.tsx';
import { Coded } from '../../code.tsx';
import { Button, Choice, Field, fieldText } from '../../forms.tsx';
import { Method } from '../../parts.tsx';
import { referencePath } from '../../paths.ts';
import {
  choicesOf,
  type FieldModel,
  headOf,
  kindOf,
  type ParameterModel,
  parametersOf,
  propertiesOf,
  requestBodyOf,
} from '../../reference/operation-model.ts';
import { documentFor } from '../../reference/served-document.ts';
import { InspectorPage } from '../frame.tsx';
import { type InspectorRequest, useRequest } from '../inspector-request.ts';
import { ActionForm, OfAccount } from '../links.tsx';

/** Finds a request in the log by its number. */
export const exchangeOf = (
  { control, world }: InspectorRequest,
  ordinal: string,
): Exchange | undefined =>
  control.requests.list(world).find((each) => String(each.ordinal) === ordinal);

const DEFAULT_OPERATION = 'createCustomer';

/** The page that sends any request, with a form made from the document. It starts as an earlier request if one is named. */
export function showSendForm(request: InspectorRequest): PageAnswer {
  const { operations } = loadDocument('openapi');
  const again = exchangeOf(request, request.query('again'));
  const wanted = again?.operation?.id ?? request.query('operation');
  const operation = (operations.get(wanted) ?? operations.get(DEFAULT_OPERATION)) as OperationSpec;
  const owner = again?.owner ?? (request.query('owner') || undefined);
  return (
    <InspectorPage
      request={request}
      section="requests"
      title={headOf(operation).summary}
      path="Send"
      actions={
        <a class="button secondary" href={referencePath('openapi', { key: request.key })}>
          Other operations
        </a>
      }
    >
      <p class="about">
        <span>
          <Method method={operation.method} /> <code>{operation.path}</code>
        </span>
        <a href={referencePath('operation', { id: operation.id, key: request.key })}>Reference</a>
        <OfAccount id={owner} />
      </p>
      <p class="prose">
        <Coded text={headOf(operation).description} />
      </p>
      <OperationForm operation={operation} again={again} owner={owner} />
    </InspectorPage>
  );
}

interface OperationFormProps {
  readonly operation: OperationSpec;
  /** The earlier request whose values the form starts with. */
  readonly again: Exchange | undefined;
  /** The account that it acts for, if one is named. */
  readonly owner: string | undefined;
}

function OperationForm({ operation, again, owner }: OperationFormProps) {
  const request = useRequest();
  const document = documentFor('openapi', request.control, request.key);
  const body = requestBodyOf(document, operation);
  const parameters = parametersOf(document, operation);
  // The body of an earlier request is edited as it was sent.
  const fields = !again && body?.schema ? propertiesOf(document, body.schema) : [];
  const isShort = request.query('fill') === 'required';
  const filled = fields.filter(({ isRequired }) => isRequired || !isShort);
  const start = again ? sentValues(again) : exampleValues(parameters, filled, body?.example);
  const inputs = [
    ...parameters.map((field) => [`${field.in}.${field.name}`, field] as const),
    ...fields.map((field) => [`body.${field.name}`, field] as const),
  ];
  return (
    <ActionForm
      action="/send"
      parameters={{ operation: operation.id, owner }}
      layout="request-form"
    >
      {inputs.map(([name, field]) => (
        <Input
          key={name}
          document={document}
          name={name}
          field={field}
          value={startValue(request, start, name)}
        />
      ))}
      {body && fields.length === 0 && (
        <TextArea label="Body" name="body" value={startValue(request, start, 'body')} />
      )}
      <Button isMain>
        Send {operation.method} {operation.path}
      </Button>
    </ActionForm>
  );
}

/** What was typed if the form was refused; else what the URL gives, or what the form starts with. */
function startValue(
  { formError, body, query }: InspectorRequest,
  start: Values,
  name: string,
): string {
  if (formError !== undefined) return fieldText(body, name);
  return query(name.slice(name.indexOf('.') + 1)) || (start.get(name) ?? '');
}

interface InputProps {
  readonly document: Json;
  readonly name: string;
  readonly field: FieldModel;
  readonly value: string;
}

const MAX_ROWS = 16;

/** A field of a form: a choice, a line, or JSON. */
function Input({ document, name, field, value }: InputProps) {
  const { isRequired, schema, description } = field;
  const label = `${field.name}${isRequired ? ' (required)' : ''}`;
  const choices = choicesOf(document, schema);
  const kind = kindOf(document, schema);
  if (choices.length > 0 || kind === 'boolean')
    return (
      <Choice
        label={label}
        name={name}
        options={['', ...(kind === 'boolean' ? ['true', 'false'] : choices)]}
        chosen={value}
      />
    );
  if (kind !== 'json')
    return <Field label={label} name={name} value={value} title={description || undefined} />;
  return <TextArea label={`${label}, JSON`} name={name} value={value} />;
}

/** A field for several lines, with a row more than lines, as a line may wrap. */
function TextArea({ label, name, value }: Record<'label' | 'name' | 'value', string>) {
  return (
    <label>
      {label}
      <textarea
        name={name}
        rows={Math.min(MAX_ROWS, value.split('\n').length + 1)}
        spellcheck={false}
      >
        {value}
      </textarea>
    </label>
  );
}

type Values = ReadonlyMap<string, string>;

/** The values of the document's examples: of path parameters, of the body, and of those of its members that are filled in. */
function exampleValues(
  parameters: readonly ParameterModel[],
  filled: readonly FieldModel[],
  body: unknown,
): Values {
  const inPath = parameters.filter((field) => field.in === 'path');
  const members = (body ?? {}) as Readonly<Record<string, unknown>>;
  return new Map([
    ...inPath.map(({ name, example }) => [`path.${name}`, textOf(example)] as const),
    ...filled.map(({ name }) => [`body.${name}`, textOf(members[name])] as const),
    ['body', textOf(body)],
  ]);
}

/** The values of an earlier request, by the names of a form's fields. */
function sentValues({ path, rawRequest, requestBody }: Exchange): Values {
  const query = new URLSearchParams(rawRequest.search);
  const sent = requestBody.toString('utf8');
  return new Map([
    ...Object.entries(path).map(([name, text]) => [`path.${name}`, text] as const),
    ...[...query].map(([name, text]) => [`query.${name}`, text] as const),
    ['body', textOf(exactJsonIn(sent) ?? sent)],
  ]);
}

/** A value as the text of a field: a text as it is, anything else as JSON. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : serialiseForReading(value);
}
