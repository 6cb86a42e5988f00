import { readFileSync } from 'node:fs';
import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.ts';
import { NO_TOKEN } from '../../control/access.ts';

/** What of a document depends on where it is served. */
interface Document {
  readonly security: readonly object[];
  readonly components: { readonly securitySchemes: object };
}

/** Answers a document as it holds here: under the emulator's own address, with its header names and its token. */
export function serveDocument(name: 'openapi' | 'control', settings: Settings): RequestHandler {
  let text: string | undefined;
  return (_request, response) => {
    text ??= adapt(name, settings);
    response.type('json').send(text);
  };
}

/** Whether calls of a document's operations carry the control token. */
export function isGuarded(name: 'openapi' | 'control', { admin_token }: Settings): boolean {
  return name === 'control' && admin_token !== '' && admin_token !== NO_TOKEN;
}

function adapt(name: 'openapi' | 'control', settings: Settings): string {
  const file = new URL(`../../spec/${name}.json`, import.meta.url);
  const document = { ...JSON.parse(readFileSync(file, 'utf8')), servers: [{ url: '/' }] };
  const adapted = isGuarded(name, settings) ? withToken(document) : document;
  return JSON.stringify(adapted).replaceAll('X-Service-', `X-${settings.service_name}-`);
}

/** Each call carries the token of the control interface beside the key. @assumes A-1401 */
function withToken(document: Document): Document {
  const { security, components } = document;
  const adminToken = { type: 'apiKey', in: 'header', name: 'X-Emulator-Admin' };
  return {
    ...document,
    security: security.map((each) => ({ ...each, adminToken: [] })),
    components: {
      ...components,
      securitySchemes: { ...components.securitySchemes, adminToken },
    },
  };
}
