import type { ClientRequest, ClientResponse } from '../../client/index.ts';
import { fixtureText } from '../../fixtures/fixture-file.ts';
import type { Scenario } from '../../fixtures/scenario.ts';
import { parseExact } from '../../text/exact-json.ts';
import { plural } from '../../text/wording.ts';
import { type CommandGroup, operationCommand, type WorldCommand } from '../command.ts';
import { flag, numberFlag } from '../flags.ts';
import { printError, printPage, writeExport } from '../print.ts';

/** `billing-emulator requests export`: exports a range of the request log, to a file or to standard output. */
const exportCommand: WorldCommand = {
  usage: 'export',
  about: 'Export the request log or part of it as a fixture or an HTTP archive (HAR)',
  flags: [
    flag('--as <format>', 'Format of the export', {
      choices: ['fixture', 'har'],
      preset: 'fixture',
    }),
    flag('--out <file>', 'File to write (default: standard output)'),
    numberFlag('--after <ordinal>', 'Only requests after this one'),
    numberFlag('--until <ordinal>', 'Only requests up to this one'),
    flag('--expect', 'Check the stable parts of each response, not only its status'),
    flag('--redact-customers', 'Replace the names and e-mail addresses of customers'),
  ],
  async run(client, { flags }) {
    const { as: format, out, after, until, expect, redactCustomers } = flags;
    const query = { format, after, until, expect, redact_customers: redactCustomers };
    const request = { query } as ClientRequest<'exportRequests'>;
    const answer = await client.read('exportRequests', request);
    const file = String(out ?? '');
    const { text, ...exported } = format === 'har' ? harIn(answer) : fixtureIn(answer, file);
    if (out === undefined) return { json: answer, text };
    writeExport(file, text);
    const json = JSON.stringify({ file, ...exported.counts });
    return { json, text: `${file}: ${exported.summary}` };
  },
};

/** The text of an exported fixture in the form of its file, and what it holds. Prints what it leaves out. */
function fixtureIn(answer: string, file: string) {
  const exported = parseExact(answer) as { fixture: Scenario; remarks: string[]; steps: number };
  const { fixture, remarks, steps } = exported;
  for (const remark of remarks) printError(remark);
  return {
    text: fixtureText(fixture, file),
    counts: { steps, remarks },
    summary: `${plural(steps, 'step')}. Run it: billing-emulator run ${file}`,
  };
}

function harIn(text: string) {
  const { log } = JSON.parse(text) as { log: { entries: readonly unknown[] } };
  const entries = log.entries.length;
  return { text, counts: { entries }, summary: plural(entries, 'entry', 'entries') };
}

/** `billing-emulator requests`: lists and exports requests. */
export const requestCommands: CommandGroup = {
  usage: 'requests',
  about: 'List and export the latest requests',
  commands: [
    operationCommand('listRequests', {
      usage: 'list',
      isDefault: true,
      about: 'List the latest requests; with --json their bodies, responses and changes too',
      flags: [
        flag('--operation <id>', 'Only calls of this operation'),
        flag('--customer <id>', 'Only requests that name this customer'),
        numberFlag('--status <status>', 'Only requests with this response status'),
        flag('--limit <count>', 'Maximum number of requests', { preset: '20' }),
      ],
      request: ({ flags: { operation, customer, status, limit } }) => ({
        query: { operation, customer, status, limit },
      }),
      text: (page) => printPage(page, cellsOf, 'No requests.'),
    }),
    exportCommand,
  ],
};

function cellsOf(item: ClientResponse<'listRequests'>['items'][number]): string[] {
  const { ordinal, at, method, path, query, status, operation = '', fault, ...rest } = item;
  const { changes, truncated } = rest;
  return [
    String(ordinal),
    at,
    String(status),
    method,
    query === undefined ? path : `${path}?${query}`,
    operation,
    fault === undefined ? '' : `fault ${fault}`,
    changes.length === 0 ? '' : `${plural(truncated?.changes ?? changes.length, 'row')} changed`,
  ];
}
