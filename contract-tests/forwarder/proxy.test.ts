import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { createEmulator } from 'billing-emulator';
import { loadDocument } from 'billing-emulator/spec';
import { describe, expect, it } from 'vitest';
import { standBetween } from '../testing/cli.ts';
import { closedAfterTest, onLoopback } from '../testing/server.ts';
import { createTrafficValidator } from './document/traffic-validator.ts';

const KEY = 'key_test_canary-of-the-proxy';
const JSON_HEADERS = { 'X-Service-Api-Key': KEY, 'Content-Type': 'application/json' };

async function aServer(serve: RequestListener): Promise<string> {
  return closedAfterTest(await onLoopback(serve)).baseUrl;
}

describe('billing-emulator proxy', () => {
  it('reports nothing in front of the emulator, and exits with 0', async () => {
    const settings = { port: 0, log_level: 'silent' } as const;
    const emulator = closedAfterTest(createEmulator({ settings }));
    const statuses: number[] = [];
    const { code, findings, end } = await standBetween(
      'proxy',
      await emulator.listen(),
      async (url) => {
        const headers = { ...JSON_HEADERS, 'X-Service-Api-Key': 'key_test_emulator' };
        const ask = async (path: string, init: RequestInit = {}) => {
          const answer = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...init });
          statuses.push(answer.status);
          return (await answer.text()) as string;
        };
        const { items } = JSON.parse(await ask('/customers?limit=1'));
        const customer = items[0].id as string;
        const reads = ['', '/stats', '/wallet'];
        for (const path of reads) await ask(`/customers/${customer}${path}`);
        for (const path of [
          '/accounts/self',
          '/assets',
          '/products',
          '/events',
          '/tasks',
          '/vendors',
        ])
          await ask(path);
        await ask('/customers/cust_00000000000000000000000000');
        await ask('/accounts/self', { headers: {} });
        await ask('/customers', { method: 'HEAD' });
        const event = {
          id: '8f14e45f-ceea-4671-8b11-0c9b6a1f0001',
          event_type: 'llm.completion',
          subject: 'proxy',
          occurred_at: new Date().toISOString(),
          data: { tokens: 3 },
        };
        const body = JSON.stringify({ customer_id: customer, events: [event] });
        await ask('/events', { method: 'POST', body });
      },
    );

    expect(statuses).toEqual([...Array(10).fill(200), 404, 401, 200, 204]);
    expect(findings).toEqual([]);
    expect(end).toEqual({
      kind: 'end',
      requests: 14,
      validated: 14,
      violations: 0,
      refuted: 0,
      unvalidated: 0,
      unreachable: 0,
    });
    expect(code).toBe(0);
  });

  it('prints a line without values for each violation, and exits with 1', async () => {
    const upstream = await aServer(({ url }, response) => {
      const type = { 'Content-Type': 'application/json' };
      if (url === '/accounts/self')
        response.writeHead(200, type).end('{"account_id":5,"environment":"canary-value"}');
      else if (url?.startsWith('/webhooks'))
        response.writeHead(418, type).end('{"secret":"whsec_canary"}');
      else response.writeHead(401, type).end('{"why":"canary-reason"}');
    });
    const { code, findings, out, errors } = await standBetween('proxy', upstream, async (url) => {
      const send = (path: string, init: RequestInit = {}) =>
        fetch(`${url}${path}`, { headers: JSON_HEADERS, ...init });
      await send('/accounts/self');
      await send('/webhooks');
      await send('/customers?limit=canary-limit');
      const body = JSON.stringify({
        name: 5,
        email: 'canary@example.com',
        metadata: { canary: 1 },
      });
      await send('/customers', { method: 'POST', body });
      await send('/hosted/canary-token/canary');
    });
    const shown = findings.map(({ ordinal, where, operation, at, what, expected }) =>
      [ordinal, where, operation, at, what, expected].join(' | '),
    );

    expect(shown).toEqual([
      '1 | response | getAccountContext | body.account_id | type | must be string',
      '1 | response | getAccountContext | body.environment | enum | ' +
        'must be equal to one of the allowed values: live, test',
      expect.stringMatching(/^2 \| response \| listWebhooks \| status \| status \| one of 200,/),
      '3 | request | listCustomers | query.limit | type | must be integer',
      '3 | response | listCustomers | body | bodiless | must be absent',
      '4 | request | createCustomer | body.name | type | must be string',
      '4 | request | createCustomer | body.metadata.… | type | must be string',
      '4 | response | createCustomer | body | bodiless | must be absent',
      '5 | request |  | path | operation | an operation of the document',
    ]);
    expect(findings[3].request).toBe('GET /customers');
    expect(`${out}${errors}`).not.toContain('canary');
    expect(code).toBe(1);
  });

  it('reports refuted assumptions, and exits with 0', async () => {
    const upstream = await aServer((_, response) => {
      const customer = { id: 'cust_1', name: 'A', created_at: '2026-01-01T00:00:00Z' };
      const more = { active_subscription_count: 0, undeclared: true };
      const body = JSON.stringify({ ...customer, ...more });
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    });
    const use = async (url: string) => {
      await fetch(`${url}/customers/cust_1`, { headers: JSON_HEADERS });
    };
    const { code, findings } = await standBetween('proxy', upstream, use);

    expect(findings.map(({ kind }) => kind)).not.toContain('violation');
    expect(findings[0]).toMatchObject({
      kind: 'refuted',
      assumptions: expect.arrayContaining(['A-308']),
    });
    expect(code).toBe(0);
  });

  it('responds with 502 when the service is down, reports it and exits with 6', async () => {
    const { code, findings } = await standBetween('proxy', 'http://127.0.0.1:9', async (url) => {
      const { status } = await fetch(`${url}/accounts/self`, { headers: JSON_HEADERS });
      expect(status).toBe(502);
    });

    expect(findings).toEqual([
      { kind: 'unreachable', ordinal: 1, method: 'GET', reason: 'ECONNREFUSED' },
    ]);
    expect(code).toBe(6);
  });
});

describe('createTrafficValidator', () => {
  it('reports a wrong body for every response that the document describes with a body', async () => {
    const { validate } = await createTrafficValidator();
    const blind: string[] = [];
    let count = 0;
    for (const { id, method, path, replies } of loadDocument('openapi').operations.values())
      for (const [status, pointer] of replies) {
        if (pointer === null) continue;
        count += 1;
        const target = path.replaceAll(/\{\w+\}/g, '1');
        const headers = { 'content-type': 'application/json' };
        const { findings } = await validate({
          method,
          target,
          status,
          requestHeaders: {},
          requestBody: Buffer.from(''),
          responseHeaders: headers,
          responseBody: Buffer.from('"text"'),
        });
        if (!findings.some(({ where, at }) => where === 'response' && at === 'body'))
          blind.push(`${id} ${status}`);
      }

    expect(blind).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });
});

describe('createTrafficValidator', () => {
  it('does not validate a compressed body of 80 MB', async () => {
    const validator = await createTrafficValidator();
    const responseBody = gzipSync(Buffer.alloc(80 * 1024 * 1024, ' '));
    const { findings, unvalidated } = await validator.validate({
      method: 'GET',
      target: '/customers',
      requestHeaders: {},
      requestBody: Buffer.alloc(0),
      status: 200,
      responseHeaders: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      responseBody,
    });

    expect(findings).toEqual([]);
    expect(unvalidated).toBe('the body of a response is too long, or its compression is unknown');
  });
});
