import { expect, it } from 'vitest';
import { createTestClient } from '../testing/client.ts';
import { createLogger, type LogOptions } from './log.ts';

function linesOf(options: LogOptions): string[] {
  const lines: string[] = [];
  const log = createLogger(options, (line) => lines.push(line));
  log.info('served');
  log.debug('request', { request_id: 'req_1', operation: undefined, status: 404 });
  log.error('Defect', undefined, { request_id: 'req_2' });
  return lines;
}

it.each<[LogOptions, readonly string[]]>([
  [{ log_level: 'silent' }, []],
  [{ log_level: 'error' }, ['Defect request_id=req_2\n']],
  [
    { log_level: 'debug' },
    ['served\n', 'request request_id=req_1 status=404\n', 'Defect request_id=req_2\n'],
  ],
])('createLogger() writes the lines that %o selects', (options, expected) => {
  expect(linesOf(options)).toEqual(expected);
});

it('log lines have the start of a live key, and test keys whole', () => {
  const lines: string[] = [];
  const log = createLogger({ log_level: 'info' }, (line) => lines.push(line));
  log.info('key_live_northwind-7 and key_test_shop are closed.');
  log.error('key_live_acme cannot be opened.', new Error('No room for key_live_acme.'));

  expect(lines[0]).toBe('key_live_nor… and key_test_shop are closed.\n');
  expect(lines[1]).toMatch(
    /^key_live_acm… cannot be opened\.\nError: No room for key_live_acm…\.\n/,
  );
});

it('the debug log has the id, operation and status of each request, and no key', async () => {
  const lines: string[] = [];
  const log = createLogger({ log_level: 'debug' }, (line) => lines.push(line));
  const client = createTestClient({ log_level: 'debug' }, { log });
  const { headers } = await client.send('listCustomers');

  expect(lines).toEqual([
    expect.stringMatching(
      /^request request_id=req_1 operation=listCustomers status=200 took_ms=[\d.]+\n$/,
    ),
  ]);
  expect(headers['x-request-id']).toBe('req_1');
});
