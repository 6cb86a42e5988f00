import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createClient, startEmulator } from './index.ts';
import { performCommand, serveForFile } from './testing/command.ts';
import { newFolder } from './testing/files.ts';

/** Typical mistakes of the first hour, each with the answer it gets. */
const KEY = 'key_test_emulator';

const { url } = await serveForFile({ clock: 'frozen', clock_now: '2026-01-15T12:00:00Z' });

/** What a request gets: its status, hint and body as one text. */
async function answerTo(path: string, body?: object | string): Promise<string> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url + path, {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${KEY}` },
    ...(body !== undefined && { method: 'POST', body: sent }),
  });
  const hint = response.headers.get('X-Emulator-Hint') ?? '';
  return `${response.status} ${hint}${await response.text()}`;
}

const EVENT = {
  id: '00000000-0000-4000-8000-000000000001',
  event_type: 'llm.completion',
  occurred_at: '2026-01-15T12:00:00Z',
  data: { model: 'large', tokens: 1_000 },
};
const usage = (event: object, whose: object = { customer_external_id: 'acme' }) =>
  answerTo('/events', { ...whose, events: [{ ...EVENT, ...event }] });

describe('a request', () => {
  it.each<[string, () => Promise<string>, string]>([
    ['with a misspelt field', () => answerTo('/customers', { nmae: 'A' }), 'Did you mean name?'],
    ['without a field', () => answerTo('/customers', {}), '"name":["This field is required."]'],
    [
      'with broken JSON',
      () => answerTo('/customers', '{"name": '),
      '400 {"type":"/problems/bad-request',
    ],
    [
      'with a misspelt query',
      () => answerTo('/customers?externalid=a'),
      'Did you mean external_id?',
    ],
    [
      'to wait with `timeout`',
      () => answerTo('/_emulator/requests/wait', { timeout: 5 }),
      'Did you mean timeout_seconds?',
    ],
    [
      'with a taken external id',
      () => answerTo('/customers', { name: 'A', external_id: 'acme' }),
      'Another customer has this external_id already',
    ],
    [
      'for an unknown customer',
      () => usage({}, { customer_external_id: 'acne' }),
      '"customer_external_id"',
    ],
    [
      'with usage that is too old',
      () => usage({ occurred_at: '2025-01-01T00:00:00Z' }),
      'events[0].occurred_at',
    ],
    ['with an event id that is no UUID', () => usage({ id: 'event-1' }), 'events[0].id'],
    [
      'for an unknown record to explain',
      () => answerTo('/_emulator/explain/fee_none'),
      'Nothing is named fee_none in world test/emulator',
    ],
    [
      'to advance by a word',
      () => answerTo('/_emulator/clock/advance', { by: 'month' }),
      'such as P1M',
    ],
  ])('%s says what is wrong', async (_mistake, ask, expected) => {
    expect(await ask()).toContain(expected);
  });
});

describe('usage that is accepted without a fee', () => {
  it('leaves a warning that names the nearest event type', async () => {
    expect(await usage({ event_type: 'llm.completions' })).toMatch(/^204/);
    expect(await answerTo('/_emulator/warnings')).toContain('Did you mean llm.completion?');
  });
});

describe('a command', () => {
  const folder = newFolder();
  const fixture = join(folder, 'wrong.yaml');
  writeFileSync(fixture, 'about: x\nsteps:\n  - {call: createCustomr, body: {name: A}}\n');

  it.each<[string, readonly string[], string]>([
    ['that is misspelt', ['strat'], '(Did you mean start?)'],
    ['with a misspelt flag', ['start', '--prot', '1'], '--port'],
    [
      'with a misspelt operation',
      ['call', 'listCustomer', '--url', url],
      'Did you mean listCustomers?',
    ],
    [
      'with a misspelt field',
      ['call', 'createCustomer', 'nam=A', '--url', url],
      'Did you mean name?',
    ],
    ['with a misspelt fixture', ['start', '--fixture', 'quickstrat', '--port', '0'], 'quickstart'],
    ['on a misspelt step', ['run', fixture], 'Did you mean createCustomer?'],
    ['without an emulator', ['clock', '--url', 'http://127.0.0.1:9'], 'billing-emulator start'],
    ['that fills a world twice', ['populate', '--url', url], 'is not empty'],
  ])('%s says what is wrong', async (_mistake, args, expected) => {
    const { code, out, errors } = await performCommand(args);

    expect(code).toBeGreaterThan(0);
    expect(out + errors).toContain(expected);
  });
});

describe('a program', () => {
  it('that misspells a setting, an operation or a path parameter is told the nearest', async () => {
    const { call } = createClient({ url, key: KEY });

    // @ts-expect-error There is no such setting.
    await expect(startEmulator({ settings: { clok: 'frozen' } })).rejects.toThrow('clock?');
    await expect(call('listCustomer' as 'listCustomers')).rejects.toThrow('listCustomers?');
    await expect(call('getCustomer', { path: { id: 'a' } as never })).rejects.toThrow(
      'getCustomer needs path.customerId; it has no path.id.',
    );
  });
});
