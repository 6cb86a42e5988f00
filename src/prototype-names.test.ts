import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ACTION_STEPS } from './pages/inspector/actions.ts';
import { PAGE_PATHS } from './pages/paths.ts';
import { loadDocument } from './spec/document.ts';
import { anEvent } from './testing/catalog.ts';
import { createTestClient } from './testing/client.ts';
import { crawl } from './testing/crawl.ts';
import { seedBusyWorld } from './testing/inspected.ts';

const NAMES = Object.getOwnPropertyNames(Object.prototype);
const KEY = { Authorization: 'Bearer key_test_emulator', Accept: 'text/html, application/json' };

const client = createTestClient({ port: 0, limits: { MAX_DUE_ITEMS: 200 } });
const url = await client.emulator.listen();
await seedBusyWorld(client, `${url}/_emulator/inbox/a`);

/** Sends a request with a form or none. Returns it if its response is a server error. */
async function failing(method: string, path: string, form?: string): Promise<string[]> {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const sent = form === undefined ? { headers: KEY } : { body: form, headers: { ...KEY, ...type } };
  const { status } = await fetch(url + path, { method, redirect: 'manual', ...sent });
  return status < 500 ? [] : [`${status} ${method} ${path} ${form ?? ''}`];
}

const failingOnes = async (calls: readonly (() => Promise<string[]>)[]): Promise<string[]> => {
  const failed: string[] = [];
  for (const call of calls) failed.push(...(await call()));
  return failed;
};

/** The paths of a template in which one parameter has a name that objects inherit. */
const strangePaths = (template: string): readonly string[] =>
  (template.match(/:\w+|\{\w+\}/g) ?? []).flatMap((parameter) =>
    NAMES.map((name) => template.replace(parameter, name).replaceAll(/:\w+|\{\w+\}/g, 'customers')),
  );

const PAGE_SOURCES = fileURLToPath(new URL('./pages/', import.meta.url));
const READS = /(?:\b(?:query|field)\(|fieldText\([^,]+, )'(\w+)'/g;

/** The query parameters and form fields that pages read. */
const FIELDS = [
  ...new Set(
    readdirSync(PAGE_SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(?<!\.test)\.tsx?$/.test(path))
      .flatMap((path) => [...readFileSync(join(PAGE_SOURCES, path), 'utf8').matchAll(READS)])
      .map(([, name]) => name as string)
      .filter((name) => name !== 'key'),
  ),
];

/** Takes seconds, and reads no field. */
const POPULATE = '/populate';

const UI = '/_emulator/ui';
const ROUTES: readonly (readonly [string, string])[] = [
  ...Object.values(PAGE_PATHS).map((path) => ['GET', UI + path] as const),
  ...Object.keys(ACTION_STEPS).map((path) => ['POST', UI + path] as const),
  ...['checkout/:token', 'portal/:token', 'portal/visit/:token', 'assets/:name', ':name'].map(
    (path) => ['GET', `/hosted/${path}`] as const,
  ),
  ...['checkout/:token/pay', 'checkout/:token/confirm', 'portal/visit/:token/:action'].map(
    (path) => ['POST', `/hosted/${path}`] as const,
  ),
  ...['docs/:name', 'inbox/:name', 'inbox/:name/wait?timeout_seconds=0', ':name', 'ui/:name'].map(
    (path) => ['GET', `/_emulator/${path}`] as const,
  ),
  ['GET', '/:name'],
];

describe('names that every object inherits', () => {
  it('cause no server error in a path', async () => {
    const routes = [
      ...ROUTES,
      ...['openapi', 'control'].flatMap((document) =>
        [...loadDocument(document).operations.values()].map(
          ({ method, path }) => [method.toUpperCase(), path] as const,
        ),
      ),
    ];
    const calls = routes.flatMap(([method, template]) =>
      strangePaths(template).map((path) => () => failing(method, path)),
    );

    expect(calls.length).toBeGreaterThan(600);
    expect(await failingOnes(calls)).toEqual([]);
  });

  it('cause no server error in a query parameter or a field of a page', async () => {
    const pages = Object.values(PAGE_PATHS).filter((path) => !path.includes(':'));
    const inAll = FIELDS.map((field) => `${field}=__proto__`).join('&');
    const values = [...FIELDS.map((field) => `${field}=constructor`), inAll];
    const calls = values.flatMap((value) => [
      ...pages.map((path) => () => failing('GET', `${UI}${path}?${value}`)),
      ...Object.keys(ACTION_STEPS)
        .filter((path) => path !== POPULATE)
        .map((path) => () => failing('POST', UI + path.replace(/:\w+/, 'x'), value)),
    ]);

    expect(FIELDS.length).toBeGreaterThan(20);
    expect(await failingOnes(calls)).toEqual([]);
  }, 300_000);

  it('cause no server error in a query parameter of an operation', async () => {
    const calls = ['openapi', 'control'].flatMap((document) =>
      [...loadDocument(document).operations.values()].flatMap(({ method, path, parameters }) =>
        parameters
          .filter((parameter) => parameter.in === 'query')
          .flatMap(({ name }) =>
            NAMES.map((value) => () => {
              const at = path.replaceAll(/\{\w+\}/g, 'constructor');
              return failing(method.toUpperCase(), `${at}?${name}=${value}&${value}=1`);
            }),
          ),
      ),
    );

    expect(calls.length).toBeGreaterThan(600);
    expect(await failingOnes(calls)).toEqual([]);
  });

  it('can name metadata and data, which pages show', async () => {
    const named = Object.fromEntries(NAMES.map((name) => [name, `value of ${name}`]));
    const body = { name: 'constructor', external_id: 'constructor', metadata: named };
    const { id: customer_id } = await client.api('createCustomer', { body }, 201);
    const events = [anEvent({ event_type: 'constructor', subject: 'toString', data: named })];
    await client.api('submitEvents', { body: { customer_id, events } }, 204);
    const { addresses, broken } = await crawl(`${url}${UI}`);

    expect(broken).toEqual([]);
    expect(Object.keys(addresses).length).toBeGreaterThan(15);
    const page = await (await fetch(`${url}${UI}/customers/${customer_id}`)).text();
    expect(page).toContain('value of constructor');
  });
});
