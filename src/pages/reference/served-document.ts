import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import { tokenOf } from '../../config/access.ts';
import type { Settings } from '../../config/settings.ts';
import { baseUrlOf } from '../../http/connection.ts';
import type { Json } from '../../spec/document.ts';
import { parseKey } from '../../store/worlds.ts';
import { yaml } from '../../text/yaml.ts';
import type { PagesOptions } from '../pages.ts';
import { type ExampledDocument, fitExamples } from './fitted-examples.ts';

/** The parts of a document that depend on the emulator that serves it. */
interface Document extends ExampledDocument {
  readonly security: readonly object[];
  readonly components: ExampledDocument['components'] & { readonly securitySchemes: object };
  readonly webhooks?: object;
}

type Serving = Pick<PagesOptions, 'settings' | 'worlds'>;

/** Serves a document. Its examples fit the open world whose key is in `?key=`. */
export const serveDocument =
  (name: DocumentName, serving: Serving): RequestHandler =>
  ({ query }, response) =>
    void response.json(documentFor(name, serving, String(query['key'] ?? '')));

/**
 * Returns a document with the emulator's own address, header names and token, and with examples that fit the world of a
 * key, if that is open.
 */
export function documentFor(
  name: DocumentName,
  { settings, worlds }: Serving,
  worldKey: string,
): Json {
  const document = adapt(name, settings, '/');
  const key = parseKey(worldKey);
  const world = key && worlds.peek(key);
  return (world ? fitExamples(document, world) : document) as unknown as Json;
}

type DocumentName = 'openapi' | 'control';

/**
 * Serves the service's document to generators of clients and tests, as `/openapi.json` and `/openapi.yaml`, with the
 * address of the request. `/openapi-without-webhooks.…` is for generators that do not support webhooks.
 */
export function serveForGenerators(settings: Settings): RequestHandler {
  return (request, response, next) => {
    if (!['GET', 'HEAD'].includes(request.method)) return next();
    const { webhooks, ...document } = adapt(
      'openapi',
      settings,
      baseUrlOf(settings, request.headers.host, request.secure),
    );
    const served = request.baseUrl.includes('without') ? document : { ...document, webhooks };
    if (request.baseUrl.endsWith('.json')) response.json(served);
    else
      response
        .type('application/yaml')
        .send(yaml().stringify(served, { aliasDuplicateObjects: false }));
  };
}

function adapt(name: DocumentName, settings: Settings, url: string): Document {
  const file = new URL(`../../spec/${name}.json`, import.meta.url);
  const text = readFileSync(file, 'utf8').replaceAll('X-Service-', `X-${settings.service_name}-`);
  const document: Document = { ...JSON.parse(text), servers: [{ url }] };
  return name === 'control' && tokenOf(settings) !== '' ? withToken(document) : document;
}

/** Adds the control token to the security of every operation. @assumes A-1401 */
function withToken(document: Document): Document {
  const { security, components } = document;
  const adminToken = { type: 'apiKey', in: 'header', name: 'X-Emulator-Admin' };
  return {
    ...document,
    security: security.map((each) => ({ ...each, adminToken: [] })),
    components: { ...components, securitySchemes: { ...components.securitySchemes, adminToken } },
  };
}
