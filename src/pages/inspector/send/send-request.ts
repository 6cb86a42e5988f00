import { BadRequest } from '../../../http/input.ts';
import type { Exchange } from '../../../http/log/exchange.ts';
import type { RawRequest } from '../../../http/message.ts';
import { type Json, loadDocument, type OperationSpec } from '../../../spec/document.ts';
import { headerNames } from '../../../spec/header-names.ts';
import type { PageAnswer } from '../../answer.tsx';
import { type FormBody, fieldText } from '../../forms.tsx';
import { firstFee } from '../../front/first-fee.ts';
import {
  kindOf,
  parametersOf,
  propertiesOf,
  requestBodyOf,
} from '../../reference/operation-model.ts';
import { documentFor } from '../../reference/served-document.ts';
import { type InspectorRequest, orShowAgain, type PageStep } from '../inspector-request.ts';
import { recordNotFound } from '../not-found.tsx';
import { exchangeOf, showSendForm } from './send-page.tsx';

type Call = Pick<RawRequest, 'method' | 'path' | 'search'> & {
  readonly body: string | Buffer;
  /** The account that it acts for, if that is not the world's own. */
  readonly owner?: string;
};

/** Sends a request to the service with the key of the page, as a client does. Returns its entry in the request log. */
async function send(
  { world, key, control }: InspectorRequest,
  { method, path, search, body, owner = world.accountId }: Call,
): Promise<Exchange | undefined> {
  const names = headerNames(control.settings.service_name);
  const headers = {
    [names.apiKey.toLowerCase()]: key,
    ...(owner !== world.accountId && { [names.account.toLowerCase()]: owner }),
    ...(body.length > 0 && { 'content-type': 'application/json' }),
  };
  const rawRequest: RawRequest = { method, path, search, headers };
  let logged: Exchange | undefined;
  const stop = control.requests.onExchange((exchange) => {
    if (exchange.rawRequest === rawRequest) logged = exchange;
  });
  await control.actions.send(rawRequest, Buffer.from(body));
  stop();
  return logged;
}

/** Redirects to the page of a request that was just sent. */
const pageOf = ({ link }: InspectorRequest, sent: Exchange | undefined): PageAnswer => ({
  location: sent ? link('request', { id: sent.ordinal }) : link('requests'),
});

/** Sends a request of the log again. */
export const sendAgain: PageStep = async (request) => {
  const exchange = exchangeOf(request, request.parameters['id'] ?? '');
  if (!exchange) return recordNotFound(request);
  const { rawRequest, requestBody, owner } = exchange;
  return pageOf(request, await send(request, { ...rawRequest, body: requestBody, owner }));
};

/** Sends the request of a form that was made from the document. */
export const sendForm: PageStep = (request) =>
  orShowAgain(request, { page: 'send', show: showSendForm }, async () => {
    const operation = loadDocument('openapi').operations.get(request.query('operation'));
    if (!operation) throw new BadRequest('There is no such operation.');
    return pageOf(request, await send(request, callOf(request, operation)));
  });

/** @throws BadRequest */
function callOf(request: InspectorRequest, operation: OperationSpec): Call {
  const { control, key, body, query, world } = request;
  const document = documentFor('openapi', control, key);
  const search = new URLSearchParams();
  let { path } = operation;
  for (const { name, in: place } of parametersOf(document, operation)) {
    const text = fieldText(body, `${place}.${name}`);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (text !== '') search.set(name, text);
  }
  return {
    method: operation.method,
    path,
    search: String(search),
    body: bodyIn(document, operation, body),
    owner: query('owner') || world.accountId,
  };
}

/** Returns the JSON text of a form's body, with numbers as they were typed. @throws BadRequest */
function bodyIn(document: Json, operation: OperationSpec, body: FormBody): string {
  const whole = fieldText(body, 'body');
  if (whole !== '') return whole;
  const schema = requestBodyOf(document, operation)?.schema;
  if (!schema) return '';
  const fields = propertiesOf(document, schema).flatMap(({ name, schema }) => {
    const text = fieldText(body, `body.${name}`);
    if (text === '') return [];
    return `${JSON.stringify(name)}: ${valueIn(name, text, kindOf(document, schema))}`;
  });
  return `{${fields.join(', ')}}`;
}

/** @throws BadRequest */
function valueIn(name: string, text: string, kind: ReturnType<typeof kindOf>): string {
  if (kind === 'text') return JSON.stringify(text);
  try {
    JSON.parse(text);
    return text;
  } catch {
    if (kind === 'json') throw new BadRequest(`${name} is not JSON.`);
    return JSON.stringify(text);
  }
}

/** Sends the front page's usage event. If it is rejected, shows the request. */
export const sendFirstFee: PageStep = async (request) => {
  const first = firstFee(request.contextOf());
  if (!first) return { location: '/_emulator' };
  const body = JSON.stringify(first.request);
  const sent = await send(request, { method: 'POST', path: '/events', search: '', body });
  return sent?.rawResponse.status === 204
    ? { location: '/_emulator#first-fee' }
    : pageOf(request, sent);
};
